"""How two quantities stand to each other: the same, compatible, or two values that cannot both hold.

Values are compared as they are written: a value that rounds to ours is the same, a limit that contains it is
compatible, and a round number leaves room for what it rounds.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from decimal import Decimal

from core import units
from core.numerals import Reading
from core.quantities import Quantity

_TOLERANCE = Decimal("0.1")
"""How far "about" reaches, as a share of the value."""
_LIMITS = ("least", "most")
_ROUND = 1000
"""From here on the zeros at the end of a number may be rounding."""
_CLOSE, _APART = Decimal("0.02"), Decimal("0.05")
"""Converted values that differ by no more than the first share are the same, by more than the second different."""
_LOOSE_UNITS = frozenset({"month", "year", "decade", "century"})
_GAP = 60
"""How many characters may stand between the two values of a change."""
_BECOMES = re.compile(
    r"\s(?:(?:has |had |was )?(?:returned|became|turned into|(?:fell|fallen|rose|risen|grew|grown|shrank|shrunk|dropped"
    r"|climbed|cut|raised|reduced|increased|lowered) to)|→|->)\s"
)
_OPPOSITE = {("from", "to"), ("to", "from")}


def same_measure(ours: Quantity, theirs: Quantity) -> bool:
    """Whether both are in the same unit, counts of the same noun included, and for the same amount of something."""
    return ours.unit == theirs.unit and (ours.per == theirs.per or not (ours.per and theirs.per))


def comparable(ours: Quantity, theirs: Quantity) -> bool:
    """Whether another value would be another value of the same thing, as far as the words beside the numbers tell."""
    if not same_measure(ours, theirs) or theirs.denied or ours.per != theirs.per:
        return False
    if (ours.role == "change") != (theirs.role == "change"):
        return False
    if ours.unit == "%":
        return ours.kind == theirs.kind or not (ours.kind and theirs.kind)
    return ours.kind == theirs.kind


def relation(ours: Quantity, theirs: Quantity) -> bool | None:
    """Compare two quantities in the same unit.

    True when the values are the same (or theirs rounds to ours, or meets our limit), none when both can hold, false
    when they cannot.
    """
    if (ours.role, theirs.role) in _OPPOSITE:
        return None
    relations = [_relation(one, ours, other, theirs) for one in ours.readings for other in theirs.readings]
    if True in relations:
        return True
    return None if None in relations else False


def converted(ours: Quantity, theirs: Quantity) -> bool | None:
    """Compare two quantities in units that can be converted; true, none and false as for ``relation``.

    Values that differ by 2 percent or less, or by what either was rounded by, are the same.
    """
    found = {_converted(one, ours, other, theirs) for one in ours.readings for other in theirs.readings}
    if True in found:
        return True
    return None if None in found else False


def _relation(one: Reading, ours: Quantity, other: Reading, theirs: Quantity) -> bool | None:
    if ours.share and theirs.share and ours.bound == theirs.bound:
        return one.low == other.low
    rounded = _rounds_to(other, one) or ((ours.share or theirs.share) and _within_step(one, other))
    if (one.low, one.high) == (other.low, other.high) or rounded:
        return _same_value(ours, theirs)
    if ours.bound == theirs.bound and ours.bound in _LIMITS:
        return _other_limit(one, ours, other, theirs)
    low, high = _interval(one, ours)
    their_low, their_high = _interval(other, theirs)
    if not (low < their_high and their_low < high):
        return None if _is_round(one, ours) and _rounds_to(other, _coarse(one)) else False
    return True if ours.bound in _LIMITS and theirs.bound == "exact" and _near(one, other) else None


def _rounds_to(finer: Reading, coarser: Reading) -> bool:
    return (
        finer.step < coarser.step
        and abs(coarser.low - finer.low) <= coarser.step / 2
        and abs(coarser.high - finer.high) <= coarser.step / 2
    )


def _within_step(one: Reading, other: Reading) -> bool:
    """Whether a share in words may stand for the percentage, or the other way round."""
    return one.low == one.high and other.low == other.high and abs(one.low - other.low) <= max(one.step, other.step) / 2


def _same_value(ours: Quantity, theirs: Quantity) -> bool | None:
    """What the limits make of two equal values: "up to 5" is no "at least 5", and neither is "5"."""
    if ours.bound == theirs.bound or theirs.bound not in _LIMITS:
        return None if ours.strict and theirs.bound == "exact" else True
    return False if ours.bound in _LIMITS else None


def _other_limit(one: Reading, ours: Quantity, other: Reading, theirs: Quantity) -> bool | None:
    """A longer limit may follow from a shorter one, but it is not the limit that was set; an estimate may follow."""
    follows = other.low >= one.low if ours.bound == "least" else other.high <= one.high
    return None if follows and ours.strict and theirs.strict else False


def _near(one: Reading, other: Reading) -> bool:
    return bool(one.low) and abs(other.low - one.low) <= abs(one.low) / 4


def _interval(reading: Reading, quantity: Quantity) -> tuple[Decimal, Decimal]:
    """What a quantity allows, its rounding included."""
    half = reading.step / 2
    if quantity.bound == "about":
        half = max(half, abs(reading.high) * _TOLERANCE)
    low = Decimal("-Infinity") if quantity.bound == "most" else reading.low - half
    high = Decimal("Infinity") if quantity.bound == "least" else reading.high + half
    return low, high


def _is_round(reading: Reading, quantity: Quantity) -> bool:
    return quantity.bound in ("exact", "about") and reading.low == reading.high and abs(reading.low) >= _ROUND


def _coarse(reading: Reading) -> Reading:
    """The same value as precise as its last digit that is not zero."""
    return reading._replace(step=max(reading.step, _last_digit(reading.low)))


def _last_digit(value: Decimal) -> Decimal:
    exponent = value.normalize().as_tuple().exponent
    return Decimal(1).scaleb(exponent) if isinstance(exponent, int) else Decimal(1)


def _converted(one: Reading, ours: Quantity, other: Reading, theirs: Quantity) -> bool | None:
    change = "change" in (ours.role, theirs.role)

    def into_ours(value: Decimal) -> Decimal:
        return _per_ours(units.convert(value, theirs.unit, ours.unit, change), ours, theirs)

    low, high = sorted((into_ours(other.low), into_ours(other.high)))
    worth = abs(into_ours(other.low + other.step) - into_ours(other.low))
    slack = max(one.step, min(worth, abs(one.low) * _TOLERANCE)) / 2
    size = max(abs(one.high), abs(high))
    off = max(abs(low - one.low), abs(high - one.high))
    if off <= max(slack, size * _CLOSE):
        return _same_value(ours, theirs)
    loose = {ours.unit, theirs.unit} & _LOOSE_UNITS
    if off <= max(slack * 2, size * (_TOLERANCE if loose else _APART)):
        return None
    moved = theirs._replace(readings=(Reading(low, high, worth),), unit=ours.unit, per=ours.per)
    return relation(ours._replace(readings=(one,)), moved)


def _per_ours(value: Decimal, ours: Quantity, theirs: Quantity) -> Decimal:
    """Turn "per day" into "per week" where both are for a time."""
    if ours.per == theirs.per or not (units.convertible(ours.per, theirs.per)):
        return value
    return value * units.convert(Decimal(1), ours.per, theirs.per)


def changes(theirs: Sequence[Quantity], between: Sequence[str]) -> list[tuple[Quantity, Quantity]]:
    """The pairs "from A to B" and "A became B" among quantities, given what stands between each and the next."""
    pairs = zip(theirs, theirs[1:], between, strict=False)
    return [
        (one, two)
        for one, two, words in pairs
        if one.unit == two.unit
        and ((one.role, two.role) == ("from", "to") or _BECOMES.fullmatch(words))
        and len(words) <= _GAP
    ]
