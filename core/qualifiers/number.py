"""Numbers: does the cited text give another value for the same unit?

Values are compared only under the same unit or the same counted noun. A rounded value agrees; a range or "more than"
that contains the value neither agrees nor disagrees. A number that stands in the cited text under any unit is never
called wrong, nor is one that the claim denies ("will not take 3 years"): the comparer is meant to raise no false alarm,
not to find every error.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from decimal import Decimal

from core import quantities
from core.models import Label, Qualifier
from core.quantities import Quantity, Reading

VERSION = 1
LABEL = Label.CONTRADICTED

_TOLERANCE = Decimal("0.1")
"""How far "about" reaches, as a share of the value."""


_DENIAL = re.compile(r"n['’]t\b|\b(?:not|never|cannot)\b", re.IGNORECASE)

_LIMITS = ("least", "most")

_FEW = 2
"""Where more values than this stand under the same unit, saying which belongs to the claim takes more than numbers."""


def compare(claim: str, evidence: str) -> list[Qualifier]:
    """Compare every quantity of the claim that has a unit, in order, with those of the evidence.

    The snippets are exact substrings of what was given. ``agrees`` is none when the evidence has no such unit, or has
    it with nothing that settles the matter.
    """
    ours = [quantity for quantity in quantities.find(claim) if quantity.unit]
    theirs = quantities.find(evidence)
    spare = [other for other in theirs if not any(_relation(one, other) for one in ours)]
    return [_qualifier(claim, evidence, quantity, theirs, spare) for quantity in ours]


def _qualifier(
    claim: str, evidence: str, ours: Quantity, theirs: Sequence[Quantity], spare: Sequence[Quantity]
) -> Qualifier:
    """Find the best counterpart: an equal one, else one that settles nothing, else another value not yet spoken for."""
    same_unit = [other for other in theirs if other.unit == ours.unit]
    equal = [other for other in same_unit if _relation(ours, other)]
    open_ = [other for other in theirs if _settles_nothing(ours, other)]
    wrong = [other for other in same_unit if other in spare and other.kind == ours.kind]
    if len(wrong) > _FEW or _DENIAL.search(claim[: ours.start]):
        wrong = []
    snippet = claim[ours.start : ours.end]
    for found, agrees in ((equal, True), (open_, None), (wrong, False)):
        if found:
            place = evidence[found[0].start : found[0].end]
            return Qualifier(kind="number", claim=snippet, evidence=place, agrees=agrees)
    return Qualifier(kind="number", claim=snippet, evidence=None, agrees=None)


def _settles_nothing(ours: Quantity, theirs: Quantity) -> bool:
    """Whether a counterpart may hold beside ours: it overlaps, or has the same value under another unit."""
    relation = _value_relation(ours, theirs)
    return relation is True or (relation is None and theirs.unit == ours.unit)


def _relation(ours: Quantity, theirs: Quantity) -> bool:
    return ours.unit == theirs.unit and _value_relation(ours, theirs) is True


def _value_relation(ours: Quantity, theirs: Quantity) -> bool | None:
    """True when the values are equal (or theirs rounds to ours), None when both can hold, False when they cannot."""
    relations = [_reading_relation(one, ours, other, theirs) for one in ours.readings for other in theirs.readings]
    if True in relations:
        return True
    return None if None in relations else False


def _reading_relation(one: Reading, ours: Quantity, other: Reading, theirs: Quantity) -> bool | None:
    if (one.low, one.high) == (other.low, other.high):
        return True
    finer = (
        other.step < one.step
        and abs(one.low - other.low) <= one.step / 2
        and abs(one.high - other.high) <= one.step / 2
    )
    if finer:
        return True
    if ours.bound == theirs.bound and ours.bound in _LIMITS:
        return False  # "within 30 minutes" may follow from "within 15 minutes", but it is not the limit that was set
    low, high = _interval(one, ours)
    their_low, their_high = _interval(other, theirs)
    return None if low < their_high and their_low < high else False


def _interval(reading: Reading, quantity: Quantity) -> tuple[Decimal, Decimal]:
    """What a quantity allows, its rounding included."""
    half = reading.step / 2
    if quantity.bound == "about":
        half = max(half, abs(reading.high) * _TOLERANCE)
    low = Decimal("-Infinity") if quantity.bound == "most" else reading.low - half
    high = Decimal("Infinity") if quantity.bound == "least" else reading.high + half
    return low, high
