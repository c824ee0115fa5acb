"""Periods: does the claim put a value or a state into another time than the cited text?

Compared are ranges ("from 2010 to 2015"), open times ("since 2010", "until May"), and the date that frames a measured
value ("12 percent in 2019"). The statement may be right for its time and only the time differs, so a disagreement makes
the scope wrong; the date of an event is the business of ``date``.
"""

from __future__ import annotations

from collections.abc import Sequence

from core import alignment, periods
from core.models import Label, Qualifier
from core.periods import Period

VERSION = 1
LABEL = Label.WRONG_SCOPE

_SET = ("since", "until")
"""Open times whose own date matters; "before 2010" may follow from "before 2005"."""
_APART = {
    frozenset(pair)
    for pair in (
        ("since", "point"),
        ("since", "until"),
        ("since", "before"),
        ("since", "by"),
        ("until", "after"),
        ("until", "point"),
        ("before", "after"),
        ("before", "point"),
        ("after", "point"),
        ("after", "by"),
    )
}
"""What cannot stand for each other with the same date."""


def compare(claim: str, evidence: str) -> list[Qualifier]:
    """Compare every time frame of the claim, in order; the snippets are exact substrings of what was given.

    A frame agrees with an equal one and with one within it ("the 1990s" with "1995"). It is called wrong where claim
    and evidence have one time each, where the same word governs both, or where both stand in the same words.
    """
    ours = [period for period in periods.find(claim) if periods.frames(claim, period)]
    theirs = periods.find(evidence) if ours else []
    taken: set[int] = set()
    aligned = _aligned(claim, evidence, ours, theirs) if ours and theirs else set()
    for one in ours:
        taken.update([index for index, other in enumerate(theirs) if index not in taken and _agrees(one, other)][:1])
    only = len(ours) == 1 and len(theirs) == 1
    return [_qualifier(claim, evidence, one, theirs, taken, aligned, only) for one in ours]


def _aligned(claim: str, evidence: str, ours: Sequence[Period], theirs: Sequence[Period]) -> set[tuple[int, int]]:
    """Which times stand in the same words: where ours starts, and the index of theirs."""
    return {
        (one.start, index)
        for (start, end), (their_start, their_end) in alignment.differences(claim, evidence)
        for one in ours
        for index, other in enumerate(theirs)
        if one.start <= start and end <= one.end and other.start <= their_start and their_end <= other.end
    }


def _qualifier(
    claim: str,
    evidence: str,
    ours: Period,
    theirs: Sequence[Period],
    taken: set[int],
    aligned: set[tuple[int, int]],
    only: bool,
) -> Qualifier:
    snippet = claim[ours.start : ours.end]
    for other in theirs:
        if _agrees(ours, other):
            return Qualifier(kind="period", claim=snippet, evidence=evidence[other.start : other.end], agrees=True)
    wrong = [
        index
        for index, other in enumerate(theirs)
        if index not in taken
        and (
            ((ours.start, index) in aligned and _is_other_limit(ours, other))
            or (_differs(ours, other) and (only or (ours.start, index) in aligned or _same_word(ours, other)))
        )
    ]
    if len(wrong) != 1:
        return Qualifier(kind="period", claim=snippet, evidence=None, agrees=None)
    taken.add(wrong[0])
    place = evidence[theirs[wrong[0]].start : theirs[wrong[0]].end]
    return Qualifier(kind="period", claim=snippet, evidence=place, agrees=False)


def _is_other_limit(ours: Period, theirs: Period) -> bool:
    """Whether the same open time has another date: "after 1977" may follow from "after 1996", but was not said."""
    return ours.kind == theirs.kind and periods.excludes(ours.dates[-1], theirs.dates[-1])


def _same_word(ours: Period, theirs: Period) -> bool:
    return ours.governor != "" and ours.governor == theirs.governor


def _agrees(ours: Period, theirs: Period) -> bool:
    if ours.low is None or ours.high is None or theirs.low is None or theirs.high is None:
        return ours.kind == theirs.kind and [one.value for one in ours.dates] == [one.value for one in theirs.dates]
    if ours.kind == "point" and theirs.kind in ("point", "range"):
        return ours.low <= theirs.low and theirs.high <= ours.high
    alike = ours.kind == theirs.kind or {ours.kind, theirs.kind} == {"point", "range"}
    return alike and (ours.low, ours.high) == (theirs.low, theirs.high)


def _differs(ours: Period, theirs: Period) -> bool:
    """Whether the two times cannot stand for each other."""
    if ours.low is None or ours.high is None or theirs.low is None or theirs.high is None:
        return ours.kind == theirs.kind == "point" and periods.excludes(ours.dates[0], theirs.dates[0])
    same_dates = (ours.low, ours.high) == (theirs.low, theirs.high)
    if same_dates:
        return frozenset((ours.kind, theirs.kind)) in _APART
    if ours.kind == theirs.kind == "range":
        return not _within(theirs, ours) or not _within(ours, theirs)
    if ours.kind == theirs.kind and ours.kind in _SET:
        return periods.excludes(ours.dates[0], theirs.dates[0])
    disjoint = ours.high < theirs.low or theirs.high < ours.low
    return disjoint and {ours.kind, theirs.kind} <= {"point", "range"}


def _within(inner: Period, outer: Period) -> bool:
    assert inner.low is not None
    assert inner.high is not None
    assert outer.low is not None
    assert outer.high is not None
    return outer.low <= inner.low and inner.high <= outer.high
