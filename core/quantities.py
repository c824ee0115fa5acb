"""Quantities in a text: a value with its unit, each with its place. Precise rather than complete.

What a reader would not compare is left out: dates, ordinals, versions, ratios, clock times, and numbers that are names
("Route 5", "COVID-19"). A number whose separators can be read in two ways keeps both readings.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from decimal import Decimal
from typing import Literal, NamedTuple

from core import dates
from core.units import SCALES, SHORT_SCALES, SIGNS, UNIT_OF
from core.words import NUMBER_WORDS, STOP_WORDS, singular

Bound = Literal["exact", "about", "least", "most"]

_IRREGULAR = frozenset({"people", "men", "women", "children", "mice", "feet", "teeth", "crew", "staff"})


def _any_of(forms: Iterable[str]) -> str:
    return "|".join(re.escape(form) for form in sorted(forms, key=len, reverse=True))


_BLANK = "[ \u00a0\u2009\u202f]"
_NUMBER = re.compile(
    rf"(?P<digits>\d{{1,3}}(?:{_BLANK}\d{{3}})+(?!\d)(?:[.,]\d+)?|\d+(?:[.,'’·]\d+)*)"
    rf"|\b(?P<spelled>{_any_of(NUMBER_WORDS)})\b",
    re.IGNORECASE,
)
_PREFIX = re.compile(rf"(?<!\w)(?P<unit>{_any_of(SIGNS)}){_BLANK}?$")
_IS_NO_QUANTITY = re.compile(r"(?:[\w.,/:#§]|[^\W\d_][-−–])$")
_HANGS_ON = re.compile(r"\d[-–—−]$")
_MINUS = re.compile(r"(?:^|[\s(])[-−]$")
_SCALE = re.compile(rf"{_BLANK}?-?(?P<scale>{_any_of(SCALES)})\b", re.IGNORECASE)
_SHORT_SCALE = re.compile(rf"{_BLANK}?(?P<scale>{_any_of(SHORT_SCALES)})\b", re.IGNORECASE)
_UNIT = re.compile(rf"(?:{_BLANK}|\s|-)?(?P<unit>{_any_of(UNIT_OF)})(?![^\W_])(?:/(?P<per>[^\W\d_]+))?")
_INTERVAL = re.compile(r"\s(?:CI|UI|CrI|confidence|credible)\b")
_RUNS_ON = re.compile(r"[^\W_]|[.,:/]\d|-[^\W\d_]")
_NOUNS = re.compile(r"[ -](?P<words>[a-z]+(?:[ -][a-z]+){0,2})")
_MORE = r"(?<!no )(?<!not )(?:more|longer|larger|greater|higher|older) than(?: just)?"
_LESS = r"(?<!no )(?<!not )(?:less|shorter|smaller|lower|younger|fewer) than"
_BOUND_WORDS: dict[Bound, str] = {
    "least": rf"\b(?:{_MORE}|over|at least|(?:no|not) less than|exceed(?:s|ed|ing)?|above|minimum of)|[>≥]",
    "most": rf"\b(?:{_LESS}|under|up to|at most|(?:no|not) more than|within|below|maximum of)|[<≤]",
    "about": r"\b(?:about|around|roughly|nearly|almost|approximately|some|circa)|[~≈]",
}
_BEFORE = {bound: re.compile(rf"(?:{words})\s?$", re.IGNORECASE) for bound, words in _BOUND_WORDS.items()}
_LABEL = re.compile(r"(?P<word>[A-Z][\w.]*)\s$")
_DASH = re.compile(r"\s?[-–—−]\s?")
_RANGE_WORD = re.compile(r"\s(?:to|and)\s")
_LIST = re.compile(r"\s?(?:,|,?\s?(?:and|or|to|versus|vs\.?))\s")


class Reading(NamedTuple):
    """One way to read a quantity: its lowest and highest value (equal, but for a range), and the last digit's worth."""

    low: Decimal
    high: Decimal
    step: Decimal


class Quantity(NamedTuple):
    """A value with its unit and place."""

    start: int
    end: int
    readings: tuple[Reading, ...]
    unit: str
    """A canonical unit, or the singular of the noun that is counted; empty for a bare number."""
    kind: str = ""
    """What stands between a number and the noun it counts: "adult" in "48 adult patients"."""
    bound: Bound = "exact"


def find(text: str) -> list[Quantity]:
    """Find the quantities of a text, in order, never overlapping; ``text[start:end]`` is number and unit as written."""
    taken = [(date.start, date.end) for date in dates.find(text)]
    found: list[Quantity] = []
    for match in _NUMBER.finditer(text):
        if any(match.start() < end and start < match.end() for start, end in taken):
            continue
        last = found[-1].end if found else 0
        if match.start() < last or (last != match.start() - 1 and _HANGS_ON.search(text[: match.start()][-2:])):
            continue
        quantity = _read(text, match)
        if quantity is not None:
            _append(text, found, quantity)
    return _with_shared_units(text, found)


def readings(digits: str) -> tuple[Reading, ...]:
    """Read digits with separators: grouped by comma, point, apostrophe or blank, decimals by point or comma.

    "1.874" and "1,874" have two readings; "2.3.1" has none.
    """
    plain = re.sub(rf"{_BLANK}|['’]", "", digits).replace("·", ".")
    marks = [char for char in plain if char in ".,"]
    if not marks:
        return (_point(plain),)
    last = marks[-1]
    head, _, tail = plain.rpartition(last)
    grouped = re.fullmatch(r"\d{1,3}([.,]\d{2,3})*[.,]\d{3}", plain) is not None
    if len(set(marks)) == 2:
        other = "," if last == "." else "."
        return (_point(head.replace(other, ""), tail),) if last not in head else ()
    if len(marks) > 1:
        return (_point(plain.replace(last, "")),) if grouped else ()
    if grouped and not plain.startswith("0"):
        both = (_point(head + tail), _point(head, tail))
        return both if last == "," else both[::-1]
    return (_point(head, tail),)


def _point(whole: str, decimals: str = "") -> Reading:
    value = Decimal(f"{whole or '0'}.{decimals or '0'}")
    return Reading(value, value, Decimal(1).scaleb(-len(decimals)))


def _read(text: str, match: re.Match[str]) -> Quantity | None:
    """Read one number with what stands before and after it; none when it is no quantity."""
    before = text[max(0, match.start() - 24) : match.start()]
    prefix = _PREFIX.search(before)
    if prefix is None and _IS_NO_QUANTITY.search(before):
        return None
    values = readings(match["digits"]) if match["digits"] else (_point(str(NUMBER_WORDS[match["spelled"].lower()])),)
    scale = _SCALE.match(text, match.end()) or (_SHORT_SCALE.match(text, match.end()) if prefix else None)
    if (match["spelled"] or "").lower() == "one" and scale is None:
        return None
    factor = (SCALES | SHORT_SCALES)[scale["scale"].lower()] if scale else 1
    sign = -1 if _MINUS.search(before) else 1
    values = tuple(Reading(*(part * factor for part in (sign * low, sign * high, step))) for low, high, step in values)
    end, unit, kind = _unit(text, scale.end() if scale else match.end(), prefix, before)
    if not values or end is None:
        return None
    start = match.start() - len(prefix[0]) if prefix else match.start()
    return Quantity(start, end, values, unit, kind, _bound(text[max(0, start - 20) : start]))


def _unit(text: str, end: int, prefix: re.Match[str] | None, before: str) -> tuple[int | None, str, str]:
    """Where the quantity ends, its unit and kind; the end is none when the number turns out to be none."""
    if prefix is not None:
        return end, UNIT_OF[prefix["unit"]], ""
    unit = _UNIT.match(text, end)
    if unit is not None and _INTERVAL.match(text, unit.end()):
        return None, "", ""  # "95% CI" is the name of an interval
    if unit is not None:
        per = f"/{unit['per']}" if unit["per"] else ""
        return unit.end(), UNIT_OF[unit["unit"]] + per, ""
    if _RUNS_ON.match(text, end) or before.endswith("["):
        return None, "", ""
    label = _LABEL.search(before)
    if label is not None and label["word"].lower() not in STOP_WORDS | NUMBER_WORDS.keys():
        return None, "", ""
    nouns = _NOUNS.match(text, end)
    words = re.split("[ -]", nouns["words"]) if nouns else []
    for index, word in enumerate(words):
        if word in STOP_WORDS:
            break
        if word in _IRREGULAR or singular(word) != word:
            assert nouns is not None
            length = len(" ".join(words[: index + 1]))
            return nouns.start("words") + length, singular(word), " ".join(words[:index])
    return end, "", ""


def _bound(before: str) -> Bound:
    return next((bound for bound, pattern in _BEFORE.items() if pattern.search(before)), "exact")


def _append(text: str, found: list[Quantity], new: Quantity) -> None:
    """Add a quantity, or widen the one before it to a range: "5–10 mg", "5 to 10 mg", "between 5 and 10 mg"."""
    last = found[-1] if found else None
    if last is None or not _is_range(text, last, new):
        found.append(new)
        return
    low, high = last.readings[0], new.readings[0]
    if low.low >= high.high:
        found.pop()  # "555-1234" is no range and no two quantities either
        return
    found[-1] = new._replace(start=last.start, readings=(Reading(low.low, high.high, max(low.step, high.step)),))


def _is_range(text: str, last: Quantity, new: Quantity) -> bool:
    if last.unit not in ("", new.unit):
        return False
    between = text[last.end : new.start]
    if _DASH.fullmatch(between):
        return True
    before = text[: last.start].rstrip().rsplit(None, 1)[-1:]
    opener = before[0].lower() if before else ""
    if not _RANGE_WORD.fullmatch(between):
        return False
    return opener == "between" if between.strip() == "and" else opener != "from"


def _with_shared_units(text: str, found: list[Quantity]) -> list[Quantity]:
    """Give "3 and 7 kg" its unit twice."""
    for index in range(len(found) - 2, -1, -1):
        one, following = found[index], found[index + 1]
        alike = text[one.start].isdigit() == text[following.start].isdigit()
        if alike and not one.unit and following.unit and _LIST.fullmatch(text[one.end : following.start]):
            found[index] = one._replace(unit=following.unit, kind=following.kind)
    return found
