"""Numbers: does the cited text give another value for the same quantity?

Values are compared under the same unit, under units that convert into each other, or as counts of the same noun. A
rounded value agrees; a range or a limit that contains the value neither agrees nor disagrees. A number that stands in
the cited text under any unit is never called wrong, nor is one that the claim denies ("will not take 3 years"), and a
change ("by 5%") is never held against a level ("at 5%"). Numbers that measure nothing ("episode 24") are compared where
the words around them are the same. The comparer is meant to raise few false alarms, not to find every error. Each value
of the evidence speaks for one value of the claim.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from decimal import Decimal

from core import agreement, alignment, cohorts, periods, quantities, units
from core.models import Label, Qualifier
from core.periods import Period
from core.quantities import Quantity
from core.text import Span

VERSION = 2
LABEL = Label.CONTRADICTED

_DENIAL = re.compile(r"n['’]t\b|\b(?:not|never|cannot)\b(?! only)", re.IGNORECASE)
_CLAUSE = re.compile(r"[.;:!?]\s|,\s(?:but|and|while|whereas)\s")

_FEW = 2
"""Where more values than this stand under the same unit, saying which belongs to the claim takes more than numbers."""

_SLACK = Decimal("0.6")
"""How far a change that the claim names may be from one worked out of two values, in its last digit."""


def compare(claim: str, evidence: str) -> list[Qualifier]:
    """Compare every quantity of the claim that has a unit, in order, with those of the evidence.

    The snippets are exact substrings of what was given. ``agrees`` is none when the evidence has no such unit, or has
    it with nothing that settles the matter. A number without a unit is named only where it is called wrong: another
    one stands in the same words.
    """
    ours = [quantity for quantity in quantities.find(claim) if quantity.unit]
    measured = _Comparison(claim, evidence, ours).qualifiers() if ours else []
    found = [(one.start, one.end, qualifier) for one, qualifier in zip(ours, measured, strict=True)]
    for (start, end), (their_start, their_end) in _differences(claim, evidence):
        at = next((index for index, one in enumerate(found) if one[0] <= start and end <= one[1]), None)
        if at is not None and found[at][2].evidence is not None:
            continue  # what was compared as a quantity is decided
        place = evidence[their_start:their_end]
        qualifier = Qualifier(kind="number", claim=claim[start:end], evidence=place, agrees=False)
        if at is None:
            found.append((start, end, qualifier))
        else:
            found[at] = (start, end, qualifier)
    return [qualifier for _, _, qualifier in sorted(found, key=lambda one: one[0])]


def _differences(claim: str, evidence: str) -> list[tuple[Span, Span]]:
    """The numbers in the same words, without the dates that frame something: those are for ``period``."""
    found = alignment.differences(claim, evidence)
    if not found:
        return []
    framing = [one for one in periods.find(claim) if periods.frames(claim, one)]
    times = periods.find(evidence) if framing else []
    return [(ours, theirs) for ours, theirs in found if not (_within(ours, framing) and _within(theirs, times))]


def _within(place: Span, times: Sequence[Period]) -> bool:
    return any(one.start <= place[0] and place[1] <= one.end for one in times)


class _Comparison:
    """One claim beside one evidence text, and which values of the evidence have been spoken for."""

    def __init__(self, claim: str, evidence: str, ours: Sequence[Quantity]) -> None:
        self._claim = claim
        self._evidence = evidence
        self._ours = ours
        self._theirs = quantities.find(evidence)
        self._taken: set[int] = set()
        between = [evidence[one.end : two.start] for one, two in zip(self._theirs, self._theirs[1:], strict=False)]
        self._changes = agreement.changes(self._theirs, between)

    def qualifiers(self) -> list[Qualifier]:
        """Confirm what can be confirmed first, so that no value is held against a claim that another one meets."""
        confirmed = [self._confirm(one) for one in self._ours]
        return [found or self._oppose(one) for one, found in zip(self._ours, confirmed, strict=True)]

    def _confirm(self, ours: Quantity) -> Qualifier | None:
        equal = [index for index, other in enumerate(self._theirs) if _equal(ours, other)]
        if not equal:
            return None
        free = [index for index in equal if index not in self._taken]
        self._taken.update(free[:1])
        other = self._theirs[(free or equal)[0]]
        return self._qualifier(ours, other.start, other.end, True if free else None)

    def _oppose(self, ours: Quantity) -> Qualifier:
        worked_out = self._from_change(ours)
        if worked_out is not None:
            return worked_out
        open_ = next((other for other in self._theirs if _settles_nothing(ours, other)), None)
        if open_ is not None:
            return self._qualifier(ours, open_.start, open_.end, None)
        wrong = [
            index
            for index, other in enumerate(self._theirs)
            if index not in self._taken and _wrong(ours, other) and self._same_fate(ours, other)
        ]
        if wrong and len(wrong) <= _FEW and not self._is_denied(ours):
            self._taken.add(wrong[0])
            other = self._theirs[wrong[0]]
            return self._qualifier(ours, other.start, other.end, False)
        return Qualifier(kind="number", claim=self._claim[ours.start : ours.end], evidence=None, agrees=None)

    def _same_fate(self, ours: Quantity, theirs: Quantity) -> bool:
        """Whether two counts of people are of the same ones: "48 patients were followed" are not "20 patients died"."""
        one = cohorts.outcome(self._claim, ours)
        other = cohorts.outcome(self._evidence, theirs)
        return one == other or (one in self._evidence.lower() and other in self._claim.lower())

    def _from_change(self, ours: Quantity) -> Qualifier | None:
        """Work a change out of "from A to B": in percent, in percentage points, in the unit itself, as a multiple."""
        multiple = ours.unit == "time" and ours.kind == "multiple"
        if not (ours.role == "change" or multiple) or len(self._changes) != 1 or ours.bound in ("least", "most"):
            return None
        before, after = self._changes[0]
        value = _change(ours.unit, before, after)
        if value is None or self._is_denied(ours):
            return None
        step = max(ours.readings[0].step, value / 10 if ours.bound == "about" or multiple else Decimal(0))
        agrees = any(abs(one.low - value) <= step * _SLACK for one in ours.readings)
        return self._qualifier(ours, before.start, after.end, agrees)

    def _is_denied(self, ours: Quantity) -> bool:
        before = self._claim[: ours.start]
        clause = _CLAUSE.split(before)[-1]
        return _DENIAL.search(clause) is not None or ours.denied

    def _qualifier(self, ours: Quantity, start: int, end: int, agrees: bool | None) -> Qualifier:
        return Qualifier(
            kind="number", claim=self._claim[ours.start : ours.end], evidence=self._evidence[start:end], agrees=agrees
        )


def _equal(ours: Quantity, theirs: Quantity) -> bool:
    if theirs.denied:
        return False
    if agreement.same_measure(ours, theirs):
        return agreement.relation(ours, theirs) is True
    return _convertible(ours, theirs) and agreement.converted(ours, theirs) is True


def _settles_nothing(ours: Quantity, theirs: Quantity) -> bool:
    """Whether a counterpart may hold beside ours: it overlaps, or has the same value under another unit."""
    if theirs.denied:
        return False
    value = agreement.relation(ours, theirs)
    if value is True or (value is None and agreement.same_measure(ours, theirs)):
        return True
    return _convertible(ours, theirs) and agreement.converted(ours, theirs) is None


def _wrong(ours: Quantity, theirs: Quantity) -> bool:
    """Whether a counterpart speaks of the same thing and cannot hold beside ours."""
    if agreement.comparable(ours, theirs):
        return True
    alike = ours.kind == theirs.kind and (ours.role == "change") == (theirs.role == "change") and not theirs.denied
    return alike and ours.per == theirs.per and _convertible(ours, theirs)


def _convertible(ours: Quantity, theirs: Quantity) -> bool:
    return ours.unit != theirs.unit and units.convertible(ours.unit, theirs.unit)


def _change(unit: str, before: Quantity, after: Quantity) -> Decimal | None:
    """How far it is from one value to the other, in a unit; none when they do not give it."""
    start, end = before.readings[0], after.readings[0]
    if start.low != start.high or end.low != end.high:
        return None
    if start.low and (unit == "%" or (unit == "basis point" and before.unit not in ("%", unit))):
        return abs(end.low - start.low) / abs(start.low) * (100 if unit == "%" else 10_000)
    if unit == "time" and start.low:
        return end.low / start.low
    if unit == before.unit or (unit == "percentage point" and before.unit == "%"):
        return abs(end.low - start.low)
    return None
