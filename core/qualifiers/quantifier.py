"""Quantifiers: does the claim speak of more, or of fewer, than the cited text does?

"Some owls" is no "all owls", "usually" no "always", and 40 percent is no majority. A weaker statement follows from a
stronger one ("some" from "all") and agrees. What is said holds of a part only, so a disagreement makes the scope wrong
(the population differs), and narrowing the claim mends it.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from core import quantities
from core.models import Label, Qualifier
from core.quantities import Quantity
from core.words import STOP_WORDS, singular

VERSION = 1
LABEL = Label.WRONG_SCOPE

_RANGES: dict[str, tuple[int, int]] = {
    "all": (100, 100),
    "nearly all": (85, 100),
    "most": (50, 100),
    "half": (45, 55),
    "many": (10, 100),
    "some": (0, 100),
    "minority": (0, 50),
    "few": (0, 35),
    "none": (0, 0),
}
"""What share, in percent, each leaves possible."""
_FOLLOWS: dict[str, frozenset[str]] = {
    "all": frozenset({"all"}),
    "nearly all": frozenset({"all", "nearly all"}),
    "most": frozenset({"all", "nearly all", "most"}),
    "half": frozenset({"half"}),
    "many": frozenset({"all", "nearly all", "most", "half", "many"}),
    "some": frozenset({"all", "nearly all", "most", "half", "many", "some", "minority", "few"}),
    "minority": frozenset({"minority", "few"}),
    "few": frozenset({"few"}),
    "none": frozenset({"none"}),
}
"""From which quantifiers each follows, of the same things."""
_OPEN = {("few", "minority"), ("half", "many"), ("all", "nearly all"), ("many", "some"), ("few", "some")}
"""Pairs that people use for each other, or that leave the other possible."""
_OPEN_FREQUENCIES = {("most", "many"), ("some", "many")}

_WORDS = {
    "nearly all": r"(?:nearly|almost|virtually|practically|not quite) (?:all|every)"
    r"|the (?:vast|overwhelming) majority of",
    "all": r"(?<!not )(?:all|every|each|both|the entire|the whole|(?:one )?hundred percent of)(?! but\b)",
    "most": r"(?<!at )most(?! of all)|(?:a|the) majority of|more than half(?: of)?|over half(?: of)?",
    "half": r"(?:about |around |roughly |exactly |only )?half(?: of)?",
    "many": r"many|numerous|a (?:great|large) (?:number|proportion|share) of|a lot of",
    "minority": r"(?:a|the) (?:small )?minority of|(?:less|fewer) than half(?: of)?|under half(?: of)?",
    "few": r"(?<!a )(?:very )?few|hardly any|a (?:small )?handful of"
    r"|only a (?:few|small (?:number|proportion|share) of)",
    "none": r"none|no|neither|not (?:a single|any|one)",
    "some": r"some|a few|several|not (?:all|every)|certain|a number of|part of",
}
_QUANTIFIER = re.compile(
    r"\b(?:"
    + "|".join(f"(?P<{name.replace(' ', '_')}>{words})" for name, words in _WORDS.items())
    + r")\b(?: of)?(?: (?:the|these|those|our|their|its|his|her|such))?(?P<rest>(?:[ -][\w'’-]+){0,4})",
    re.IGNORECASE,
)
_FREQUENCIES = {
    "always": "all",
    "invariably": "all",
    "usually": "most",
    "generally": "most",
    "typically": "most",
    "mostly": "most",
    "often": "many",
    "frequently": "many",
    "sometimes": "some",
    "occasionally": "some",
    "rarely": "few",
    "seldom": "few",
    "never": "none",
}
_FREQUENCY = re.compile(rf"\b(?P<word>{'|'.join(_FREQUENCIES)})\b(?P<rest>(?: [\w'’-]+){{0,3}})", re.IGNORECASE)
_NUMBERED = re.compile(r"\b(?:\d+|one|two|three|four|five|six|seven|eight|nine|ten|million|thousand|hundred)\b")
_WORD = re.compile(r"[A-Za-z][a-z'’]*(?:-[a-z]+)*")
_ENDINGS = re.compile(r"(?:ed|ing|es|s)$")
_BE = frozenset("is are was were be been being has have had do does did can could will would may might".split())
_NOT_HEADS = STOP_WORDS | _BE
_SLACK = 2
"""How many percent a share may miss what a quantifier names."""


_ONLY = re.compile(
    r"\b(?P<word>only|solely|exclusively)\b(?P<rest>(?: (?:in|for|to|on|by|from|with|at|when|during|after|before|if|the"
    r"|those|these|people|of|an?))*(?:[ -][\w'’-]+){1,2})",
    re.IGNORECASE,
)
_EXCLUSIVE = re.compile(
    r"\b(?:only|sole(?:ly)?|exclusive(?:ly)?|alone|just|no|not|none|nothing|nobody|never|neither|nor|limited|restricted"
    r"|confined|except|unless|until|without|must|required?|single|unique|other than|cannot|n['’]t|first|all|every)\b",
    re.IGNORECASE,
)
"""What makes a statement exclusive, or unfit to tell whether it is."""


class Quantified(NamedTuple):
    """A quantifier with what it is of."""

    start: int
    end: int
    amount: str
    """A key of ``_RANGES``."""
    nouns: tuple[str, ...]
    """The words after it, as stems: the thing is among them."""
    frequency: bool


def find(text: str) -> list[Quantified]:
    """Find the quantifiers of a text, in order, each with the words that it may be of."""
    found = []
    for match in _QUANTIFIER.finditer(text):
        rest = match["rest"] or ""
        if _NUMBERED.match(rest.strip()):
            continue  # "all three", "some 500": a number
        nouns = _nouns(rest)
        if nouns:
            amount = next(name for name in _WORDS if match[name.replace(" ", "_")])
            found.append(Quantified(match.start(), match.start("rest"), amount, nouns, frequency=False))
    for match in _FREQUENCY.finditer(text):
        nouns = tuple(_stem(word) for word in _WORD.findall(match["rest"]) if word.lower() not in _NOT_HEADS)[:1]
        if nouns:
            amount = _FREQUENCIES[match["word"].lower()]
            found.append(Quantified(match.start("word"), match.end("word"), amount, nouns, frequency=True))
    for match in _ONLY.finditer(text):
        rest = match["rest"]
        nouns = () if _NUMBERED.search(rest) else _all_nouns(rest)
        if nouns:
            found.append(Quantified(match.start("word"), match.end(), "only", nouns, frequency=False))
    return sorted(found)


def compare(claim: str, evidence: str) -> list[Qualifier]:
    """Compare every quantifier of the claim with one, or with a percentage, of the same things, in order.

    The snippets are exact substrings of what was given. ``agrees`` is none where the evidence quantifies other things.
    """
    ours = find(claim)
    if not ours:
        return []
    theirs = find(evidence)
    shares = [one for one in quantities.find(evidence) if one.unit == "%" and one.role != "change" and one.kind]
    taken: set[int] = set()
    return [_qualifier(claim, evidence, one, theirs, shares, taken) for one in ours]


def _qualifier(
    claim: str,
    evidence: str,
    ours: Quantified,
    theirs: list[Quantified],
    shares: list[Quantity],
    taken: set[int],
) -> Qualifier:
    snippet = claim[ours.start : ours.end]
    if ours.amount == "only":
        return _exclusive(claim, evidence, ours, theirs)
    alike = [index for index, other in enumerate(theirs) if index not in taken and _same_things(ours, other)]
    verdicts = {index: _follows(ours, theirs[index]) for index in alike}
    for agrees in (True, None, False):
        for index, verdict in verdicts.items():
            if verdict is agrees:
                taken.add(index)
                place = evidence[theirs[index].start : theirs[index].end]
                return Qualifier(kind="quantifier", claim=snippet, evidence=place, agrees=agrees)
    for share in shares:
        if not ours.frequency and _ENDINGS.sub("", share.kind) in ours.nouns:
            place = evidence[share.start : share.end]
            return Qualifier(kind="quantifier", claim=snippet, evidence=place, agrees=_covers(ours.amount, share))
    return Qualifier(kind="quantifier", claim=snippet, evidence=None, agrees=None)


def _exclusive(claim: str, evidence: str, ours: Quantified, theirs: list[Quantified]) -> Qualifier:
    """Compare "only women": it is gone where the evidence speaks of women and of nothing that excludes others."""
    snippet = claim[ours.start : ours.end]
    for other in theirs:
        if other.amount == "only" and set(ours.nouns) & set(other.nouns):
            place = evidence[other.start : other.end]
            return Qualifier(kind="quantifier", claim=snippet, evidence=place, agrees=True)
    words = {_stem(match[0]): match for match in _WORD.finditer(evidence)}
    if not _EXCLUSIVE.search(evidence) and all(noun in words for noun in ours.nouns):
        place = words[ours.nouns[-1]][0]
        return Qualifier(kind="quantifier", claim=snippet, evidence=place, agrees=False)
    return Qualifier(kind="quantifier", claim=snippet, evidence=None, agrees=None)


def _same_things(ours: Quantified, theirs: Quantified) -> bool:
    if ours.frequency != theirs.frequency or "only" in (ours.amount, theirs.amount):
        return False
    if ours.frequency:
        return ours.nouns == theirs.nouns
    shared = set(ours.nouns) & set(theirs.nouns)
    return bool(shared) and (ours.nouns[0] in theirs.nouns or theirs.nouns[0] in ours.nouns)


def _follows(ours: Quantified, theirs: Quantified) -> bool | None:
    if theirs.amount in _FOLLOWS[ours.amount]:
        return True
    pair = (ours.amount, theirs.amount)
    if ours.frequency and pair in _OPEN_FREQUENCIES:
        return None
    return None if pair in _OPEN or pair[::-1] in _OPEN else False


def _covers(amount: str, share: Quantity) -> bool | None:
    """Whether a percentage lies in what a quantifier leaves possible; "some" and "many" of anything is open."""
    low, high = _RANGES[amount]
    value = share.readings[0]
    if amount in ("some", "many", "few"):
        return None if value.high > 0 else False
    if share.bound in ("least", "most"):
        return None
    if low - _SLACK <= value.low and value.high <= high + _SLACK:
        return None if amount == "most" and value.low <= low else True
    return False


def _nouns(rest: str) -> tuple[str, ...]:
    stems: list[str] = []
    for word in _WORD.findall(rest):
        if word.lower() in _NOT_HEADS:
            break
        stems.append(_stem(word))
    return tuple(stems)


def _all_nouns(rest: str) -> tuple[str, ...]:
    """All content words, whatever stands between them."""
    return tuple(_stem(word) for word in _WORD.findall(rest) if word.lower() not in _NOT_HEADS)


def _stem(word: str) -> str:
    lower = singular(word.lower())
    return _ENDINGS.sub("", lower) if len(lower) > 4 else lower
