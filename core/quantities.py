"""Quantities in a text: a value with its unit, each with its place. Precise rather than complete.

What a reader would not compare is left out: dates, ordinals, versions, clock times, intervals in brackets, and numbers
that are names ("Route 5", "COVID-19"). A number whose separators can be read in two ways keeps both readings.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

from core import bounds, dates, numerals
from core.bounds import Bound, Role
from core.measured import any_of, measured
from core.numerals import BLANK, SCALES, Numeral, Reading
from core.units import SHORT_SCALES, SIGNS, UNIT_OF

_CONTEXT = 80
"""How far beside a number its bound, its role and what it measures are looked for, in characters."""
_MEASURED_UNITS = frozenset(UNIT_OF.values())
_PREFIX = re.compile(rf"(?<!\w)(?P<unit>{any_of(SIGNS)}){BLANK}?$")
_IS_NO_QUANTITY = re.compile(r"(?:[\w.,/:#§]|[^\W\d_][-−–])$")
_HANGS_ON = re.compile(r"\d[-–—−]$")
_MINUS = re.compile(r"(?:^|[\s(])[-−]$")
_SCALE = re.compile(rf"{BLANK}?-?(?P<scale>{any_of(SCALES)})\b", re.IGNORECASE)
_SHORT_SCALE = re.compile(rf"{BLANK}?(?P<scale>{any_of(SHORT_SCALES)})\b", re.IGNORECASE)
_PER_NUMBER = re.compile(r"\s(?:per|for every|in every)\s$")
_SCALE_WORD = re.compile(r"(?<=[\s\d-])(?P<scale>thousand|million|billion|trillion)\b", re.IGNORECASE)
_SCALABLE = 1000
"""A number from here on has no scale that follows later."""
_DASH = re.compile(r"\s?[-–—−]\s?")
_RANGE_WORD = re.compile(r"\s(?:to|and)\s")
_LIST = re.compile(r"\s?(?:,|,?\s?(?:and|or|to|versus|vs\.?))\s")
_COMPOUND = re.compile(r"\s|,?\sand\s")
_PARTS = {
    ("century", "year"): 100,
    ("year", "month"): 12,
    ("week", "day"): 7,
    ("day", "hour"): 24,
    ("hour", "minute"): 60,
    ("minute", "second"): 60,
    ("foot", "inch"): 12,
    ("pound", "ounce"): 16,
    ("stone", "pound"): 14,
}


class Quantity(NamedTuple):
    """A value with its unit and place."""

    start: int
    end: int
    readings: tuple[Reading, ...]
    unit: str
    """A canonical unit, the singular of the noun that is counted or measured; empty for a bare number."""
    kind: str = ""
    """What narrows the unit: "adult" in "48 adult patients", "voter" in "5% of voters", "age", "multiple"."""
    per: str = ""
    """What the amount is for: "day" in "5 mg per day"."""
    share: bool = False
    """Whether it is written as a share ("two thirds of") rather than in percent."""
    bound: Bound = "exact"
    strict: bool = False
    role: Role = "level"
    denied: bool = False
    """These four are what ``core.bounds.Frame`` says."""


def find(text: str) -> list[Quantity]:
    """Find the quantities of a text, in order, never overlapping; ``text[start:end]`` is number and unit as written."""
    return list(_find(text))


@lru_cache(maxsize=16)
def _find(text: str) -> tuple[Quantity, ...]:
    """Several comparers read the same claim and evidence in turn."""
    taken = dates.find(text)
    ends = [date.end for date in taken]
    found: list[Quantity] = []
    for numeral in numerals.find(text):
        index = bisect_left(ends, numeral.start + 1)
        if index < len(taken) and taken[index].start < numeral.end:
            continue
        last = found[-1].end if found else 0
        hangs = last != numeral.start - 1 and _HANGS_ON.search(text[max(0, numeral.start - 2) : numeral.start])
        if numeral.start < last or hangs:
            continue
        if found and _PER_NUMBER.fullmatch(text[last : numeral.start]) and numeral.readings:
            found[-1] = _rated(found[-1], numeral)
            continue
        quantity = _read(text, numeral)
        if quantity is not None:
            _append(text, found, quantity)
    return tuple(_with_shared_units(text, found))


def _read(text: str, numeral: Numeral) -> Quantity | None:
    """Read one number with what stands before and after it; none when it is no quantity."""
    before = text[max(0, numeral.start - _CONTEXT) : numeral.start]
    prefix = _PREFIX.search(before)
    if not numeral.readings or (prefix is None and _IS_NO_QUANTITY.search(before)):
        return None
    scale = None
    if numeral.form in ("digits", "half"):
        scale = _SCALE.match(text, numeral.end) or (_SHORT_SCALE.match(text, numeral.end) if prefix else None)
    if scale is None and text[numeral.start : numeral.end].lower() == "one":
        return None
    factor = (SCALES | SHORT_SCALES)[scale["scale"].lower()] if scale else 1
    sign = -1 if _MINUS.search(before) else 1
    values = tuple(
        Reading(*(part * factor for part in (sign * low, sign * high, step))) for low, high, step in numeral.readings
    )
    start = numeral.start - len(prefix[0]) if prefix else numeral.start
    before = text[max(0, start - _CONTEXT) : start]
    end = scale.end() if scale else numeral.end
    what = measured(text, end, prefix["unit"] if prefix else None, bounds.without(before), numeral)
    if what is None:
        return None
    if what.unit and what.unit not in _MEASURED_UNITS and len(values) > 1:
        values = tuple(value for value in values if value.step >= 1) or values  # nobody counts in thousandths
    frame = bounds.frame(before, text[what.end : what.end + _CONTEXT], what.unit in _MEASURED_UNITS)
    return Quantity(start, what.end, values, what.unit, what.kind, what.per, what.share, *frame)


def _rated(last: Quantity, numeral: Numeral) -> Quantity:
    """Turn "5 per 1,000" into a rate; the value is per single one."""
    whole = numeral.readings[0].low
    if not whole:
        return last
    values = tuple(Reading(one.low / whole, one.high / whole, one.step / whole) for one in last.readings)
    return last._replace(end=numeral.end, readings=values, per="one")


def _append(text: str, found: list[Quantity], new: Quantity) -> None:
    """Add a quantity, or widen the one before it: "5–10 mg", "between 5 and 10 mg", "2 hours and 15 minutes"."""
    last = found[-1] if found else None
    if last is None:
        found.append(new)
        return
    parts = _PARTS.get((last.unit, new.unit))
    if parts and len(last.readings) == len(new.readings) == 1 and _COMPOUND.fullmatch(text[last.end : new.start]):
        value = last.readings[0].low * parts + new.readings[0].low
        found[-1] = last._replace(
            end=new.end, unit=new.unit, readings=(Reading(value, value, new.readings[0].step),), per=new.per
        )
        return
    if not _is_range(text, last, new):
        found.append(new)
        return
    last = _scaled_alike(text, last, new)
    low, high = last.readings[0], new.readings[0]
    if low.low >= high.high and _DASH.fullmatch(text[last.end : new.start]):
        found.pop()  # "555-1234" is no range and no two quantities either
        return
    if low.low >= high.high:
        found.append(new)
        return
    spread = (Reading(low.low, high.high, max(low.step, high.step)),)
    found[-1] = new._replace(
        start=last.start, readings=spread, bound=last.bound, role=last.role if last.role == "change" else "level"
    )


def _is_range(text: str, last: Quantity, new: Quantity) -> bool:
    if last.unit not in ("", new.unit) or last.share or new.share:
        return False
    between = text[last.end : new.start]
    if _DASH.fullmatch(between):
        return True
    before = text[max(0, last.start - 40) : last.start].rstrip().rsplit(None, 1)[-1:]
    opener = before[0].lower() if before else ""
    if not _RANGE_WORD.fullmatch(between):
        return False
    return opener == "between" if between.strip() == "and" else opener != "from"


def _scaled_alike(text: str, one: Quantity, following: Quantity) -> Quantity:
    """Give "from 3 to 5 million" its scale twice."""
    scale = _SCALE_WORD.search(text[following.start : following.end])
    if scale is None or _SCALE_WORD.search(text[one.start : one.end]) or one.readings[0].high >= _SCALABLE:
        return one
    factor = SCALES[scale["scale"].lower()]
    values = tuple(Reading(low * factor, high * factor, step * factor) for low, high, step in one.readings)
    return one._replace(readings=values)


def _with_shared_units(text: str, found: Sequence[Quantity]) -> list[Quantity]:
    """Give "3 and 7 kg" its unit twice."""
    shared = list(found)
    for index in range(len(shared) - 2, -1, -1):
        one, following = shared[index], shared[index + 1]
        alike = text[one.start].isdigit() == text[following.start].isdigit()
        if alike and not one.unit and following.unit and _LIST.fullmatch(text[one.end : following.start]):
            before = text[max(0, one.start - _CONTEXT) : one.start]
            frame = bounds.frame(before, text[one.end : one.end + _CONTEXT], following.unit in _MEASURED_UNITS)
            shared[index] = _scaled_alike(text, one, following)._replace(
                unit=following.unit, kind=following.kind, per=following.per, **frame._asdict()
            )
    return shared
