"""Dates: does the cited text give another date for the same event?

A date is called wrong where claim and evidence have one date each, where the same word governs both ("founded in 1987",
"founded in 1990"), or where the claim names the last or the first of a list of dates; otherwise, saying which date
belongs to the claim takes more than reading dates. When something happened is a value, so a disagreement contradicts;
a time that only frames a measured value or a state is the business of ``period``.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from core import periods
from core.models import Label, Qualifier
from core.periods import Period

VERSION = 2
LABEL = Label.CONTRADICTED

_LAST = re.compile(r"\b(?:last|latest|most recent|final)\b", re.IGNORECASE)
_FIRST = re.compile(r"\b(?:first|earliest)\b", re.IGNORECASE)
_LISTED = 2
"""From so many full dates on, and nothing said of which is the last, a text lists them."""


def compare(claim: str, evidence: str) -> list[Qualifier]:
    """Compare every date of the claim that is no frame, in order; snippets are exact substrings of what was given.

    A date agrees with an equal one and with a fuller one that contains it ("2020" with "7 March 2020", "the 1990s" with
    "1995"). Each date of the evidence speaks for one of the claim.
    """
    ours = [period for period in periods.find(claim) if not periods.frames(claim, period)]
    theirs = periods.find(evidence) if ours else []
    taken: set[int] = set()
    confirmed = [_confirm(one, theirs, taken) for one in ours]
    found: list[Qualifier] = []
    for one, (index, agrees) in zip(ours, confirmed, strict=True):
        if index is None:
            index = _wrong(claim, one, theirs, taken, alone=len(ours) == 1)
            agrees = None if index is None else False
        place = None if index is None else evidence[theirs[index].start : theirs[index].end]
        found.append(Qualifier(kind="date", claim=claim[one.start : one.end], evidence=place, agrees=agrees))
    return found


def _confirm(ours: Period, theirs: Sequence[Period], taken: set[int]) -> tuple[int | None, bool | None]:
    """Where the evidence has our date, and whether that says something; another date of ours may have had it first."""
    giving = [index for index, other in enumerate(theirs) if _given(ours, other)]
    if _is_of_another(ours, theirs, giving):
        return None, None
    free = [index for index in giving if index not in taken]
    taken.update(free[:1])
    if not giving:
        return None, None
    return (free or giving)[0], True if free else None


def _is_of_another(ours: Period, theirs: Sequence[Period], giving: Sequence[int]) -> bool:
    """Whether our date stands in the evidence for another event, and another date for ours."""
    if not ours.governor or any(theirs[index].governor in ("", ours.governor) for index in giving):
        return False
    return any(
        other.governor == ours.governor and other.kind == "point" and periods.excludes(ours.dates[0], other.dates[0])
        for other in theirs
    )


def _given(ours: Period, theirs: Period) -> bool:
    return theirs.kind in ("point", "range", "vague") and any(
        periods.gives(ours.dates[0], date) for date in theirs.dates
    )


def _wrong(claim: str, ours: Period, theirs: Sequence[Period], taken: set[int], alone: bool) -> int | None:
    """Which date of the evidence is held against ours, if any."""
    if ours.kind != "point":
        return None
    left = [
        index
        for index, other in enumerate(theirs)
        if index not in taken and other.kind == "point" and periods.excludes(ours.dates[0], other.dates[0])
    ]
    governed = [index for index in left if _same_event(claim, ours, theirs[index])]
    if len(governed) == 1:
        return governed[0]
    if alone and len(theirs) == 1 and left and _alike(ours, theirs[0]):
        return left[0]
    return _of_list(claim, ours, theirs) if alone and len(left) == len(theirs) else None


def _same_event(claim: str, ours: Period, theirs: Period) -> bool:
    """Whether the same word governs both dates, or the claim speaks of what theirs names ("the 1936 novel")."""
    if not theirs.governor:
        return False
    return theirs.governor == ours.governor or (theirs.named and theirs.governor in claim.lower())


def _alike(ours: Period, theirs: Period) -> bool:
    """Whether both say when something happened, and as exactly."""
    return not ours.named and not theirs.named and ours.dates[0].form == theirs.dates[0].form


def _of_list(claim: str, ours: Period, theirs: Sequence[Period]) -> int | None:
    """The last or first of a list of full dates, when the claim speaks of it."""
    days = [other.low for other in theirs if other.low is not None and other.low == other.high]
    if ours.low != ours.high or ours.low is None or len(days) != len(theirs) or len(days) < _LISTED:
        return None
    before = claim[: ours.start]
    if _LAST.search(before):
        return days.index(max(days))
    return days.index(min(days)) if _FIRST.search(before) else None
