"""Times in a text as stretches: "in 2010", "since 2010", "from 2010 to 2015", "before May 2020", "the 1990s"."""

from __future__ import annotations

import re
from typing import Literal, NamedTuple

from core import dates, quantities, units
from core.dates import Date
from core.words import STOP_WORDS

Kind = Literal["point", "range", "since", "until", "before", "after", "by", "vague"]
Day = tuple[int, int, int]

_OPENERS: dict[Kind, str] = {
    "since": r"since(?: (?:its|the|his|her|their) \w+ in)?|as from"
    r"|(?:start(?:ing|ed|s)|beg(?:inning|an|ins|un)) (?:in|on)",
    "until": r"until|till|through|up to|ending in",
    "before": r"before|prior to|earlier than",
    "after": r"after|following|later than",
    "by": r"by",
    "vague": r"(?<!dates )(?<!dated )(?<!dating )(?<!is )from|or|as of|as recently as|around|about|circa|c\.|ca\."
    r"|approximately",
}
_BEFORE: dict[Kind, re.Pattern[str]] = {
    kind: re.compile(rf"\b(?:{words})(?:[ -](?:the|year|early|late|mid))*[ -]$", re.IGNORECASE)
    for kind, words in _OPENERS.items()
}
_JOINS = re.compile(r"\s?[-–—−]\s?|\s(?P<word>to|and|until|till|through)\s(?:the\s)?", re.IGNORECASE)
_FROM = re.compile(r"\b(?P<word>from|between)\s(?:the\s|early\s|late\s)?$", re.IGNORECASE)
_ONWARDS = re.compile(r"\s(?:onwards?|and (?:after|afterwards?|later|beyond|onwards?))\b")
_WORD = re.compile(r"[A-Za-z][a-z'’-]+")
_LIGHT = frozenset(
    "january february march april may june july august september october november december year years early late mid "
    "around circa between summer winter spring autumn end beginning".split()
)
_ENDINGS = re.compile(r"(?:ed|ing|es|s|d)$")
_CLAUSE = re.compile(r"[.;!?:()\n]\s?|,\s")
_ARTICLE = re.compile(r"\b(?:an?|the)\s$", re.IGNORECASE)
_LOWER = re.compile(r"\s(?P<noun>[a-z]+)")
_REACH = 120


class Period(NamedTuple):
    """A stretch of time as a text names it."""

    start: int
    end: int
    """The place in the text, the words "from" and "since" left out."""
    kind: Kind
    low: Day | None
    high: Day | None
    """The first and last day that its dates may mean; for an open kind those of the one date. None without a year."""
    dates: tuple[Date, ...]
    """Its one date, or its first and last."""
    governor: str = ""
    """The stem of the word that it dates: "found" in "founded in 1987", "film" in "the 1954 film"."""
    named: bool = False
    """Whether it tells one thing from others ("the 1954 film") rather than when something happened."""


def find(text: str) -> list[Period]:
    """Find the times of a text, in order, never overlapping."""
    found: list[Period] = []
    pending = dates.find(text)
    index = 0
    while index < len(pending):
        one = pending[index]
        two = pending[index + 1] if index + 1 < len(pending) else None
        if two is not None and _is_range(text, one, two):
            found.append(_range(text, one, two))
            index += 2
            continue
        found.append(_single(text, one))
        index += 1
    return found


def _is_range(text: str, one: Date, two: Date) -> bool:
    joins = _JOINS.fullmatch(text[one.end : two.start])
    if joins is None or two.year is None:
        return False
    if joins["word"] is None:
        return True
    opener = _FROM.search(text[max(0, one.start - 20) : one.start])
    if joins["word"].lower() == "and":
        return opener is not None and opener["word"].lower() == "between"
    return opener is None or opener["word"].lower() == "from"


def _range(text: str, one: Date, two: Date) -> Period:
    first = one if one.year is not None else one._replace(year=two.year)
    low, high = first.bounds, two.bounds
    assert low is not None
    assert high is not None
    return Period(one.start, two.end, "range", low[0], high[1], (first, two), *governor(text, one))


def _single(text: str, date: Date) -> Period:
    before = text[max(0, date.start - 30) : date.start]
    kind: Kind = next((kind for kind, pattern in _BEFORE.items() if pattern.search(before)), "point")
    if _ONWARDS.match(text, date.end):
        kind = "since"
    low, high = date.bounds or (None, None)
    return Period(date.start, date.end, kind, low, high, (date,), *governor(text, date))


def gives(ours: Date, theirs: Date) -> bool:
    """Whether their date says at least what ours says: "7 March 2020" gives "2020", "1995" gives "the 1990s"."""
    if ours.length == "date" == theirs.length:
        return all(part in (None, other) for part, other in zip(ours.value, theirs.value, strict=True))
    one, other = ours.bounds, theirs.bounds
    return one is not None and other is not None and one[0] <= other[0] and other[1] <= one[1]


def excludes(ours: Date, theirs: Date) -> bool:
    """Whether the two dates cannot be the same: no day is in both."""
    one, other = ours.bounds, theirs.bounds
    if one is not None and other is not None:
        return one[1] < other[0] or other[1] < one[0]
    pairs = zip(ours.value, theirs.value, strict=True)
    return any(part is not None and other is not None and part != other for part, other in pairs)


def governor(text: str, date: Date) -> tuple[str, bool]:
    """The stem of the word that a date belongs to, and whether it is a name that follows ("the 1954 film").

    It is the nearest content word before the date in its clause, else the one after it.
    """
    before = _CLAUSE.split(text[max(0, date.start - _REACH) : date.start])[-1]
    words = [word for word in _WORD.findall(before) if _carries(word)]
    noun = _LOWER.match(text, date.end)
    named = _ARTICLE.search(before) is not None and noun is not None and noun["noun"] not in STOP_WORDS
    if words and not named:
        return _stem(words[-1]), False
    after = _CLAUSE.split(text[date.end : date.end + _REACH])[0]
    following = [word for word in _WORD.findall(after) if _carries(word)]
    return (_stem(following[0]) if following else ""), named


def _carries(word: str) -> bool:
    return word.lower() not in STOP_WORDS and word.lower() not in _LIGHT


def _stem(word: str) -> str:
    lower = word.lower()
    return _ENDINGS.sub("", lower) if len(lower) > 4 else lower


def frames(text: str, period: Period) -> bool:
    """Whether a time frames what else the text says, rather than being what it says.

    Ranges and open times do; a single date does beside a measured value, as in "12 percent in 2019".
    """
    if period.kind in ("range", "since", "until", "before", "after"):
        return True
    return any(one.unit and "time" not in units.families(one.unit) for one in quantities.find(text))
