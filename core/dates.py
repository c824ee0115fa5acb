"""Calendar dates in a text: full dates, months, years, quarters, decades and centuries, each with its place.

English month names, ISO dates and numeric ones. The order of 3/7/2020 is taken from the other dates of the text
("17/6/2020" puts the day first); where nothing fixes it, only the year is read. 3.7.2020 puts the day first.
"""

from __future__ import annotations

import re
from bisect import bisect_left, insort
from functools import lru_cache
from typing import Literal, NamedTuple

from core.measured import IRREGULAR
from core.units import UNIT_OF
from core.words import STOP_WORDS, singular

Length = Literal["date", "quarter", "decade", "century"]

_MONTHS = "jan feb mar apr may jun jul aug sep oct nov dec"
_MONTH_NUMBER = {month: number for number, month in enumerate(_MONTHS.split(), 1)}
_ORDINALS = {word: number for number, word in enumerate("first second third fourth".split(), 1)}
_CENTURIES = (
    "first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth fourteenth fifteenth "
    "sixteenth seventeenth eighteenth nineteenth twentieth twenty-first"
)
_CENTURY_NUMBER = {word: number for number, word in enumerate(_CENTURIES.split(), 1)}

_MONTH = (
    r"(?P<month>(?:January|February|March|April|May|June|July|August|September|October|November|December)\b"
    r"|(?:Jan|Feb|Mar|Apr|Jun|Jul|Aug|Sept?|Oct|Nov|Dec)\b\.?)"
)
_NTH = "[Ff]irst|[Ss]econd|[Tt]hird|[Ff]ourth"
_DAY = r"(?P<day>[12]\d|3[01]|0?[1-9])(?:st|nd|rd|th)?"
_YEAR = r"(?P<year>1[0-9]\d\d|20\d\d)"
_FREE = r"(?<![\w.,/:-])"
_ENDS = r"(?![\w/:-]|[.,]\d)"

_MONTH_STARTS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")
_FORMS = [
    re.compile(_FREE + form + _ENDS)
    for form in (
        rf"{_YEAR}-(?P<month>0[1-9]|1[0-2])-{_DAY}",
        rf"{_DAY}(?: of)? {_MONTH} ?,? {_YEAR}",
        rf"{_MONTH} {_DAY} ?,? {_YEAR}",
        rf"{_MONTH} ?,? (?:of )?{_YEAR}",
        rf"{_DAY}(?: of)? {_MONTH}",
        rf"{_MONTH} {_DAY}",
        rf"(?:Q(?P<quarter>[1-4])|(?:the )?(?P<nth>{_NTH}) quarter),?(?: of| in)? {_YEAR}",
        rf"{_YEAR}[ -]?Q(?P<quarter>[1-4])",
        r"(?P<decade>1[5-9]\d0|20\d0)(?: ?['’])?s",
        rf"(?P<century>\d\d?(?:st|nd|rd|th)|{_CENTURIES.replace(' ', '|')})[ -]centur(?:y|ies)",
    )
]
_NUMERIC = re.compile(rf"{_FREE}(?P<one>\d\d?)(?P<mark>[/.-])(?P<two>\d\d?)(?P=mark)(?P<year>1[5-9]\d\d|20\d\d){_ENDS}")
_YEARS = re.compile(
    r"(?<![\w.,/:$€£¥#§-])(?P<year>1[0-9]\d\d|20\d\d)(?:[-–/](?P<until>\d\d(?:\d\d)?))?(?![\w/:%-]|[.,]\d|['’]s)"
)
_YEAR_AFTER = re.compile(
    r"\b(?:in|since|by|from|until|till|of|during|before|after|between|and|to|early|late|mid|circa|year)\s$"
)
_OLD_YEAR_AFTER = re.compile(r"\b(?:in|between|from|since|by|until|before|after|circa|year)\s$")
_MILLENNIUM = 2000
"""The 1600s are a century, the 2000s mostly a decade."""
_EARLIEST = 1500
"""Four digits below this are a year only after a word that says so."""
_NAMED_AFTER = re.compile(r"\b(?:[Aa]n?|[Tt]he|[Tt]his|his|her|its|their|[A-Z]\w+['’]s)\s$")
_NAMED = re.compile(r"\s(?P<noun>[a-z]+)")
_CAPITAL_BEFORE = re.compile(r"\b(?P<word>[A-Z][\w-]*)\s$")
_COUNTED_AFTER = re.compile(r"\s[a-zµ°%€$£]")
_STOPPED_AFTER = re.compile(
    r"\s(?:and|or|to|until|till|in|by|at|on|for|with|from|was|were|is|are|the|a|an|as|when|after|before|but|that|which"
    r"|who|he|she|it|they|his|her|its|had|has|did|than|onwards?)\b"
)


class Date(NamedTuple):
    """One date; what it leaves open is none."""

    start: int
    end: int
    year: int | None
    """For a decade or a century its first year: 1990 for the 1990s, 1801 for the 19th century."""
    month: int | None
    """For a quarter its first month."""
    day: int | None
    length: Length = "date"

    @property
    def value(self) -> tuple[int | None, int | None, int | None]:
        """Year, month, day."""
        return (self.year, self.month, self.day)

    @property
    def form(self) -> tuple[bool, bool, bool, Length]:
        """Which of year, month and day are given, and how long a time it names."""
        return (self.year is not None, self.month is not None, self.day is not None, self.length)

    @property
    def bounds(self) -> tuple[tuple[int, int, int], tuple[int, int, int]] | None:
        """The first and the last day that it may mean, as year, month and day; none without a year."""
        if self.year is None:
            return None
        years = {"decade": 9, "century": 99}.get(self.length, 0)
        last_month = 12 if self.month is None else self.month + (2 if self.length == "quarter" else 0)
        return (self.year, self.month or 1, self.day or 1), (self.year + years, last_month, self.day or 31)


def find(text: str) -> list[Date]:
    """Find the dates of a text, in order, never overlapping; the fullest reading of a place wins.

    Four digits are a year only where they stand as one: after a word such as "in", not before something counted, or
    before a thing that it dates ("the 1954 film"), and not as part of a name ("Blade Runner 2049").
    """
    return list(_find(text))


@lru_cache(maxsize=16)
def _find(text: str) -> tuple[Date, ...]:
    """Several comparers read the same claim and evidence in turn."""
    found: list[Date] = []
    if (
        not any(char.isdigit() for char in text)
        and "centur" not in text
        and not any(month in text for month in _MONTH_STARTS)
    ):
        return ()
    for form in _FORMS:
        for match in form.finditer(text):
            _keep(found, _date(match))
    numeric = list(_NUMERIC.finditer(text))
    day_first = _day_first(numeric)
    for match in numeric:
        _keep(found, _numeric(match, True if match["mark"] == "." else day_first))
    for match in _YEARS.finditer(text):
        if _is_free(match.start(), match.end(), found) and _stands_as_year(text, match):
            for date in _years(match):
                _keep(found, date)
    return tuple(found)


def _keep(found: list[Date], date: Date | None) -> None:
    if date is not None and _is_free(date.start, date.end, found):
        insort(found, date)


def _is_free(start: int, end: int, found: list[Date]) -> bool:
    """Whether no date that was found overlaps this place; ``found`` is sorted."""
    index = bisect_left(found, (start,))
    before_ends = index == 0 or found[index - 1].end <= start
    return before_ends and (index == len(found) or end <= found[index].start)


def _date(match: re.Match[str]) -> Date | None:
    parts = match.groupdict()
    if parts.get("decade"):
        first = int(parts["decade"])
        length: Length = "century" if first % 100 == 0 and first < _MILLENNIUM else "decade"
        return Date(match.start(), match.end(), first, None, None, length)
    if parts.get("century"):
        word = parts["century"]
        number = int(word[:-2]) if word[0].isdigit() else _CENTURY_NUMBER[word]
        return Date(match.start(), match.end(), 100 * (number - 1) + 1, None, None, "century")
    year = int(parts["year"]) if parts.get("year") else None
    if parts.get("quarter") or parts.get("nth"):
        quarter = int(parts["quarter"]) if parts["quarter"] else _ORDINALS[parts["nth"].lower()]
        return Date(match.start(), match.end(), year, 3 * quarter - 2, None, "quarter")
    month = parts["month"]
    return Date(
        start=match.start(),
        end=match.end(),
        year=year,
        month=int(month) if month.isdigit() else _MONTH_NUMBER[month[:3].lower()],
        day=int(parts["day"]) if parts.get("day") else None,
    )


def _day_first(numeric: list[re.Match[str]]) -> bool | None:
    """Whether the day stands first in the numeric dates of a text; none when nothing or everything says so."""
    pairs = [(int(match["one"]), int(match["two"])) for match in numeric if match["mark"] != "."]
    says = {one > 12 for one, two in pairs if (one > 12) != (two > 12)}
    return says.pop() if len(says) == 1 else None


def _numeric(match: re.Match[str], day_first: bool | None) -> Date | None:
    one, two, year = int(match["one"]), int(match["two"]), int(match["year"])
    if one == two:
        day_first = True
    day, month = (one, two) if day_first else (two, one)
    if day_first is None:
        return Date(match.start(), match.end(), year, None, None)
    return Date(match.start(), match.end(), year, month, day) if 1 <= month <= 12 and 1 <= day <= 31 else None


def _stands_as_year(text: str, match: re.Match[str]) -> bool:
    before = text[max(0, match.start() - 30) : match.start()]
    name = _CAPITAL_BEFORE.search(before)
    if name is not None and name["word"].lower() not in STOP_WORDS:
        return False
    if int(match["year"]) < _EARLIEST:
        return _OLD_YEAR_AFTER.search(before.lower()) is not None and not _is_counting(text, match.end())
    if match["until"] or _YEAR_AFTER.search(before.lower()):
        return True
    noun = _NAMED.match(text, match.end())
    if noun is not None and _NAMED_AFTER.search(before):
        return singular(noun["noun"]) == noun["noun"] and noun["noun"] not in UNIT_OF.keys() | IRREGULAR
    return not _is_counting(text, match.end())


def _is_counting(text: str, end: int) -> bool:
    """Whether a noun or a unit follows, as after a number."""
    return _COUNTED_AFTER.match(text, end) is not None and _STOPPED_AFTER.match(text, end) is None


def _years(match: re.Match[str]) -> list[Date]:
    """One year, or the two ends of "2016–17" and "1914–1918"."""
    first = Date(match.start("year"), match.end("year"), int(match["year"]), None, None)
    if not match["until"]:
        return [first]
    until = match["until"] if len(match["until"]) == 4 else match["year"][:2] + match["until"]
    return [first, Date(match.start("until"), match.end("until"), int(until), None, None)]
