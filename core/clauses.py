"""What is left of a claim when a part is dropped: *It fired at 02:10 on host web-7* → *It fired at 02:10*.

A remainder is extractive: stretches of the claim in order, nothing added, with subject and verb of the claim. It says
less than the claim, so a text may carry it without carrying the claim. A claim that denies, compares or sets a
condition has none: with a part dropped it would say more, not less.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise

from core.coordination import facts_in
from core.text import Span
from core.words import words

_LINK = (
    "and|but|while|whereas|because|although|though|which|who|where|when|after|before|since|until|during|by|with|in|on|at"
    "|for|from|through|under|across|among|including|as|via|despite|due to|according to"
)
_BORDER = re.compile(rf"[,;:]?\s(?=(?:{_LINK})\s)|[,;:]\s|\s[–—-]\s|\s(?=\()")
_LEADING = re.compile(r"(?:In|On|At|By|During|After|Before|Since|From|As|With|Under|Among)\s[^,;:]{2,80},\s")
_VERB = re.compile(
    r"\b(?:is|are|was|were|be|been|has|have|had|does|do|did|will|would|can|could|may|might|must|should|shall|became|become"
    r"s?|began|begins?|won|wins?|led|leads?|held|holds?|took|takes?|made|makes?|wrote|writes?|gave|gives?|got|gets?|rose|"
    r"rises?|fell|falls?|grew|grows?|came|comes?|went|goes|saw|sees|said|says|found|finds?|sold|sells?|built|builds?|left|"
    r"lost|met|ran|runs?|set|sets|put|puts|cut|cuts|shows?|includes?|contains?|causes?|affects?|reduces?|increases?|lowers?"
    r"|requires?|allows?|provides?|remains?|lies|stands?|[a-z]{3,}ed)\b",
    re.I,
)
_SAYS_MORE = re.compile(
    r"\b(?:not|no|never|neither|nor|none|nobody|nothing|without|cannot|only|unless|if|whether|than|rarely|hardly|seldom"
    r"|almost|nearly|either|or|except|fewer|less|each|between|both)\b|n['’]t\b|\?",
    re.I,
)
_LEAST_WORDS = 3
MOST = 4
"""Most remainders of a claim, those that keep most of it first."""

Remainder = tuple[Span, ...]


def remainders(claim: str) -> tuple[Remainder, ...]:
    """What is left of a claim when one part is dropped, longest first; in code points of it, at most ``MOST``."""
    if facts := facts_in(claim):
        return facts
    if _SAYS_MORE.search(claim):
        return ()
    whole = words(claim)
    found: dict[str, Remainder] = {}
    for spans in _candidates(claim):
        text = said(claim, spans)
        left = words(text)
        drops = (whole.content | whole.numbers) - (left.content | left.numbers)
        if drops and len(text.split()) >= _LEAST_WORDS and left.content and _VERB.search(text):
            found.setdefault(text, spans)
    return tuple(found[text] for text in sorted(found, key=len, reverse=True)[:MOST])


def said(claim: str, spans: Remainder) -> str:
    """A remainder as a text."""
    return "".join(claim[start:end] for start, end in spans).strip()


def _candidates(claim: str) -> Iterator[Remainder]:
    """The claim up to each border, without its leading adverbial, and with an apposition in commas left out."""
    lead = _LEADING.match(claim)
    begin = lead.end() if lead else 0
    end = len(claim.rstrip().rstrip(".!"))
    if begin:
        yield ((begin, len(claim)),)
    borders = [found for found in _BORDER.finditer(claim, begin) if found.start() < end]
    for border in borders:
        yield ((0, border.start()), (end, len(claim)))
    commas = [found for found in borders if claim[found.start()] == ","]
    for one, two in pairwise(commas):
        yield ((0, one.start()), (two.start() + 1, len(claim)))
