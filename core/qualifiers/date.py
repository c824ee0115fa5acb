"""Dates: does the cited text give another date of the same form?

Only a claim with one date is compared, and only with a text that has one: where several dates stand, saying which
belongs to the claim takes more than reading dates.
"""

from __future__ import annotations

import re

from core import dates
from core.dates import Date
from core.models import Label, Qualifier

_LEFT_OPEN = re.compile(
    r"\b(?:before|after|until|till|by|prior to|than|as of|late|early|mid|or)\s(?:the\s)?(?:year\s)?$", re.IGNORECASE
)
"""Words that leave open which date is meant."""

VERSION = 1
LABEL = Label.CONTRADICTED


def compare(claim: str, evidence: str) -> list[Qualifier]:
    """Compare every date of the claim, in order; the snippets are exact substrings of what was given.

    A date agrees with an equal one and with a fuller one that contains it ("2020" with "7 March 2020").
    """
    ours, theirs = dates.find(claim), dates.find(evidence)
    return [_qualifier(claim, evidence, date, theirs, alone=len(ours) == 1) for date in ours]


def _qualifier(claim: str, evidence: str, ours: Date, theirs: list[Date], alone: bool) -> Qualifier:
    snippet = claim[ours.start : ours.end]
    for other in theirs:
        if all(part in (None, their_part) for part, their_part in zip(ours.value, other.value, strict=True)):
            return Qualifier(kind="date", claim=snippet, evidence=evidence[other.start : other.end], agrees=True)
    fixed = not _LEFT_OPEN.search(claim[: ours.start])
    if (
        fixed
        and alone
        and len(theirs) == 1
        and theirs[0].form == ours.form
        and not _LEFT_OPEN.search(evidence[: theirs[0].start])
    ):
        place = evidence[theirs[0].start : theirs[0].end]
        return Qualifier(kind="date", claim=snippet, evidence=place, agrees=False)
    return Qualifier(kind="date", claim=snippet, evidence=None, agrees=None)
