"""Counts of those who take part in a study: how many there were in all, and how many of them something happened to."""

from __future__ import annotations

import re
from decimal import Decimal
from typing import NamedTuple

from core import quantities
from core.numerals import readings
from core.quantities import Quantity

GENERIC = frozenset({"patient", "participant", "subject", "volunteer", "people", "person", "individual", "respondent"})
"""Nouns that stand for whoever takes part."""
_SPECIFIC = frozenset(
    "adult child children woman women man men boy girl infant newborn baby adolescent teenager student pupil nurse "
    "doctor physician teacher parent mother veteran worker employee household family mouse mice rat dog cat animal pig "
    "rabbit sheep cow horse resident recruit donor survivor twin athlete smoker consumer voter customer user "
    "interviewee attendee inhabitant citizen soldier prisoner officer driver farmer".split()
)
PARTICIPANTS = GENERIC | _SPECIFIC

_N_EQUALS = re.compile(r"(?<![\w/])[nN]\s?=\s?(?P<digits>\d+(?:[.,\u2009\u202f ]\d{3})*)(?![\d.,]*\d)")
_SAMPLE = re.compile(
    r"\b(?:sample|cohort|panel|sample size|study population)\s(?:size\s)?(?:of|was|is|comprised|included|numbered)\s"
    r"(?:about |approximately |only |just |some )?(?P<digits>\d+(?:[.,\u2009\u202f ]\d{3})*)(?![\d.,]*\d|\s?%)"
)
_OUTCOME = re.compile(
    r"(?:\s\([^()]{0,40}\))?\s(?:(?:who|that|had|have|has|were|was|also|later|then|subsequently)\s){0,2}"
    r"(?P<stem>died|dead|surviv|develop|report|experienc|respon|relaps|recover|improv|complet|withdr|dropped|discontinu|"
    r"suffer|test|show|receiv|refus|declin|agree|prefer|said|want|vot|cured|hospitali|infect|diagnos|excluded|lost|"
    r"hurt|injur|kill|arrest|admitted|discharged|stopped|quit|failed|passed|fell|won|left|missing|ill\b"
    r"|sick\b|male|female|women|men\b|had\s)",
    re.IGNORECASE,
)
_PART = re.compile(
    r"(?:\s\([^()]{0,40}\))?\s(?:(?:were )?(?:in|to|per|on|with|without|receiving|assigned to|given|each)\s)"
    r"(?:the |each |a )?(?:[\w-]+\s){0,2}?(?:group|arm|placebo|controls?|treatment|drug|site|centre|center"
    r"|condition)|\s(?:each|per (?:group|arm|site))\b",
    re.IGNORECASE,
)
_OF_WHOM = re.compile(
    r"\b(?:of whom|of which|of these|of those|of them|including|among them)\s(?:[a-z]+\s){0,2}$", re.IGNORECASE
)
_IN_ALL = re.compile(r"\b(?:total of|all|altogether|overall)\s$", re.IGNORECASE)
_OF_MORE = re.compile(r"\s(?:\([^()]{0,20}\)\s)?(?:out )?of\s(?:the\s|all\s|these\s|our\s)?\d")
_REACH = 60


class Size(NamedTuple):
    """How many took part."""

    start: int
    end: int
    value: Decimal
    noun: str
    """Who they were, in the singular; empty for "n = 120"."""
    exact: bool
    """Whether it is given without "about" or a limit."""


def sizes(text: str) -> list[Size]:
    """Find the numbers of those who took part as a whole, in order; parts of them are left out."""
    found: list[Size] = []
    for one in quantities.find(text):
        if one.unit in PARTICIPANTS and not one.per and not is_part(text, one):
            exact = one.bound == "exact" and one.readings[0].low == one.readings[0].high
            found.append(Size(one.start, one.end, one.readings[0].low, one.unit, exact))
    places = [(size.start, size.end) for size in found]
    for match in (*_N_EQUALS.finditer(text), *_SAMPLE.finditer(text)):
        overlaps = any(match.start() < end and start < match.end() for start, end in places)
        if not overlaps and not _PART.match(text, match.end()) and not _OF_MORE.match(text, match.end()):
            found.append(Size(match.start(), match.end(), readings(match["digits"])[0].low, "", exact=True))
    return sorted(found)


def is_part(text: str, one: Quantity) -> bool:
    """Whether a count is of some of those who took part: of an arm, or of those to whom something happened."""
    before = text[max(0, one.start - _REACH) : one.start]
    after = text[one.end : one.end + _REACH]
    if _IN_ALL.search(before):
        return False
    parts = (_OF_WHOM.search(before), _OF_MORE.match(after), _PART.match(after), _OUTCOME.match(after))
    return any(part is not None for part in parts)


def outcome(text: str, one: Quantity) -> str:
    """What happened to those who are counted, as a stem, or nothing: "died" in "20 patients died"."""
    if one.unit not in PARTICIPANTS:
        return ""
    match = _OUTCOME.match(text[one.end : one.end + _REACH])
    return match["stem"].strip().lower() if match else ""
