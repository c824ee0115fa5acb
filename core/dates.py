"""Calendar dates in a text: full dates, months and years, each with its place.

English month names and ISO dates. Numeric dates such as 3/7/2020 are left alone: their order cannot be known from the
date itself.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from core.words import STOP_WORDS

_MONTHS = "jan feb mar apr may jun jul aug sep oct nov dec"
_MONTH_NUMBER = {month: number for number, month in enumerate(_MONTHS.split(), 1)}

_MONTH = (
    r"(?P<month>(?:January|February|March|April|May|June|July|August|September|October|November|December)\b"
    r"|(?:Jan|Feb|Mar|Apr|Jun|Jul|Aug|Sept?|Oct|Nov|Dec)\b\.?)"
)
_DAY = r"(?P<day>[12]\d|3[01]|0?[1-9])(?:st|nd|rd|th)?"
_YEAR = r"(?P<year>1[0-9]\d\d|20\d\d)"
_FREE = r"(?<![\w.,/:-])"
_ENDS = r"(?![\w/:-]|[.,]\d)"

_FORMS = [
    re.compile(_FREE + form + _ENDS)
    for form in (
        rf"{_YEAR}-(?P<month>0[1-9]|1[0-2])-{_DAY}",
        rf"{_DAY}(?: of)? {_MONTH},? {_YEAR}",
        rf"{_MONTH} {_DAY},? {_YEAR}",
        rf"{_MONTH},? {_YEAR}",
        rf"{_DAY}(?: of)? {_MONTH}",
        rf"{_MONTH} {_DAY}",
    )
]
_YEARS = re.compile(
    r"(?<![\w.,/:$€£¥#§-])(?P<year>1[5-9]\d\d|20\d\d)(?:[-–/](?P<until>\d\d(?:\d\d)?))?(?![\w/:%-]|[.,]\d|['’]s)"
)
_YEAR_AFTER = re.compile(
    r"\b(?:in|since|by|from|until|till|of|during|before|after|between|and|to|early|late|mid|circa|year)\s$"
)
_CAPITAL_BEFORE = re.compile(r"\b(?P<word>[A-Z][\w-]*)\s$")
_COUNTED_AFTER = re.compile(r"\s[a-zµ°%€$£]")
_STOPPED_AFTER = re.compile(
    r"\s(?:and|or|to|until|till|in|by|at|on|for|with|from|was|were|is|are|the|a|an|as|when|after|before|but|that|which"
    r"|who|he|she|it|they|his|her|its|had|has|did)\b"
)


class Date(NamedTuple):
    """One date; what it leaves open is none."""

    start: int
    end: int
    year: int | None
    month: int | None
    day: int | None

    @property
    def value(self) -> tuple[int | None, int | None, int | None]:
        """Year, month, day."""
        return (self.year, self.month, self.day)

    @property
    def form(self) -> tuple[bool, bool, bool]:
        """Which of year, month and day are given."""
        return (self.year is not None, self.month is not None, self.day is not None)


def find(text: str) -> list[Date]:
    """Find the dates of a text, in order, never overlapping; the fullest reading of a place wins.

    Four digits are a year only where they stand as one: after a word such as "in", or not before something counted,
    and not as part of a name ("Blade Runner 2049").
    """
    found: list[Date] = []
    for form in _FORMS:
        for match in form.finditer(text):
            if _is_free(match.start(), match.end(), found):
                found.append(_date(match))
    for match in _YEARS.finditer(text):
        if _is_free(match.start(), match.end(), found) and _stands_as_year(text, match):
            found += _years(match)
    return sorted(found)


def _is_free(start: int, end: int, found: list[Date]) -> bool:
    return all(end <= date.start or date.end <= start for date in found)


def _date(match: re.Match[str]) -> Date:
    parts = match.groupdict()
    month = parts["month"]
    return Date(
        start=match.start(),
        end=match.end(),
        year=int(parts["year"]) if parts.get("year") else None,
        month=int(month) if month.isdigit() else _MONTH_NUMBER[month[:3].lower()],
        day=int(parts["day"]) if parts.get("day") else None,
    )


def _stands_as_year(text: str, match: re.Match[str]) -> bool:
    name = _CAPITAL_BEFORE.search(text[max(0, match.start() - 30) : match.start()])
    if name is not None and name["word"].lower() not in STOP_WORDS:
        return False
    if match["until"] or _YEAR_AFTER.search(text[max(0, match.start() - 12) : match.start()].lower()):
        return True
    return not _COUNTED_AFTER.match(text, match.end()) or _STOPPED_AFTER.match(text, match.end()) is not None


def _years(match: re.Match[str]) -> list[Date]:
    """One year, or the two ends of "2016–17" and "1914–1918"."""
    first = Date(match.start("year"), match.end("year"), int(match["year"]), None, None)
    if not match["until"]:
        return [first]
    until = match["until"] if len(match["until"]) == 4 else match["year"][:2] + match["until"]
    return [first, Date(match.start("until"), match.end("until"), int(until), None, None)]
