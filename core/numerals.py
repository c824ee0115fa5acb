"""Numbers as they are written: digits with their separators, number words, fractions, shares and ratios.

A number whose separators can be read in two ways keeps both readings. A share ("two thirds of", "one in four", "nine
out of ten") is read as a percentage.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from decimal import Decimal
from typing import Literal, NamedTuple

from core.words import NUMBER_WORDS

Form = Literal["digits", "words", "share", "ratio", "multiple", "half"]

BLANK = "[ \u00a0\u2009\u202f]"
SCALES = {"hundred": 100, "thousand": 10**3, "million": 10**6, "billion": 10**9, "trillion": 10**12, "dozen": 12}
"""Words that multiply the number before them."""
_MULTIPLES = {
    "twice": "2",
    "thrice": "3",
    "doubled": "2",
    "tripled": "3",
    "trebled": "3",
    "quadrupled": "4",
    "halved": "0.5",
}
_PARTS = {"half": 2, "third": 3, "quarter": 4, "fourth": 4, "fifth": 5, "sixth": 6, "seventh": 7, "eighth": 8}
_PARTS |= {"ninth": 9, "tenth": 10}
_VULGAR = {"½": "0.5", "¼": "0.25", "¾": "0.75", "⅓": "0.33", "⅔": "0.67", "⅛": "0.125"}

_UNITS = "one|two|three|four|five|six|seven|eight|nine"
_TENS = "twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety"
_SMALL = "|".join(sorted((word for word in NUMBER_WORDS if "-" not in word), key=len, reverse=True))
_TO_99 = rf"(?:(?:{_TENS})[- ](?:{_UNITS})|{_SMALL})\b"
_BIG = "hundred|thousand|million|billion|trillion|dozen"
_DIGITS = rf"\d{{1,3}}(?:{BLANK}\d{{3}})+(?!\d)(?:[.,]\d+)?|\d+(?:[.,'’·]\d+)*"
_PLAIN = rf"(?:\d{{1,7}}|{_TO_99})"
_TIME = r"(?:second|minute|hour|day|week|month|year|quarter|season|decade)s?\b"
_AFTER_HALF = r"(?:of|the|all|its|their|his|her|our|these|those|that)\b"
_NUMERAL = re.compile(
    rf"""
    (?P<ratio>\b(?:ratio|odds)(?:\s[a-z]+){{0,5}}?\s(?:of|was|is|at)\s)
        (?P<antecedent>\d{{1,9}}(?:\.\d{{1,9}})?)(?:\s?:\s?|\sto\s|-to-)
        (?P<consequent>\d{{1,9}}(?:\.\d{{1,9}})?)(?![\d:])
    | \b(?P<some>{_PLAIN})\s(?:in|out\sof|in\severy|out\sof\severy|of\severy)\s(?P<every>{_PLAIN})
        (?![\d.,:]*\d|\s{_TIME}|%)
    | \b(?P<top>an?|{_UNITS})[\s-](?P<bottom>third|quarter|fourth|fifth|sixth|seventh|eighth|ninth|tenth)s?
        (?=\s(?:of|the)\b)
    | \b(?P<apart>one-third|two[\s-]thirds|one-quarter|one-fifth|two-fifths|three-quarters|four-fifths)\b(?!-)
    | \b(?P<half>half(?=[\s-]{_AFTER_HALF}))
    | \b(?P<halfa>half[\s-]an?\b|(?<=\ba\s)half(?=[\s-](?:{_BIG}|hour|mile|year|day|century|decade)\b))
    | \b(?P<multiple>{"|".join(_MULTIPLES)})\b
    | (?P<digits>{_DIGITS})
    | (?P<vulgar>[{"".join(_VULGAR)}])
    | \b(?P<words>(?:{_TO_99}|an?(?=\s(?:{_BIG})\b))(?:[\s-](?:{_BIG})\b(?:\s(?:and\s)?{_TO_99})?)*)(?![\w])
    | \b(?P<fold>two|three|four|five|six|seven|eight|ten)(?=fold\b)
    """,
    re.IGNORECASE | re.VERBOSE,
)
_AND_A_HALF = re.compile(rf"\sand\sa\s(?P<word>half|quarter)\b|{BLANK}?(?P<sign>[{''.join(_VULGAR)}])", re.IGNORECASE)
_GROUPED = re.compile(r"\d{1,3}([.,]\d{2,3})*[.,]\d{3}")
_GROUP_MARKS = re.compile(rf"{BLANK}|['’]")
_WORD = re.compile(r"[a-z]+(?:-[a-z]+)?", re.IGNORECASE)
_LONGEST = 100
"""A run of digits or number words longer than this, in characters, is no number that anybody reads."""
_SHARE_STEP = Decimal("0.1")
"""How coarse a share is, as a part of its value: "two thirds" may stand for 64 to 70 percent."""


class Reading(NamedTuple):
    """One way to read a quantity: its lowest and highest value (equal, but for a range), and the last digit's worth."""

    low: Decimal
    high: Decimal
    step: Decimal


class Numeral(NamedTuple):
    """A number in its place; ``text[start:end]`` is the number as written."""

    start: int
    end: int
    readings: tuple[Reading, ...]
    form: Form


def find(text: str) -> Iterator[Numeral]:
    """Find the numbers of a text, in order, never overlapping; a number of which no reading is possible has none."""
    match = _NUMERAL.search(text)
    while match is not None:
        numeral = _share(match) or _ratio(match) or _multiple(match) or _number(text, match)
        if numeral is not None:
            yield numeral
        match = _NUMERAL.search(text, numeral.end if numeral is not None else match.end())


def readings(digits: str) -> tuple[Reading, ...]:
    """Read digits with separators: grouped by comma, point, apostrophe or blank, decimals by point or comma.

    "1.874" and "1,874" have two readings; "2.3.1" has none.
    """
    plain = _GROUP_MARKS.sub("", digits).replace("·", ".")
    marks = [char for char in plain if char in ".,"]
    if not marks:
        return (exactly(plain),)
    last = marks[-1]
    head, _, tail = plain.rpartition(last)
    grouped = _GROUPED.fullmatch(plain) is not None
    if len(set(marks)) == 2:
        other = "," if last == "." else "."
        return (exactly(head.replace(other, ""), tail),) if last not in head else ()
    if len(marks) > 1:
        return (exactly(plain.replace(last, "")),) if grouped else ()
    if grouped and not plain.startswith("0"):
        both = (exactly(head + tail), exactly(head, tail))
        return both if last == "," else both[::-1]
    return (exactly(head, tail),)


def exactly(whole: str, decimals: str = "") -> Reading:
    """A single value, as precise as its last digit."""
    value = Decimal(f"{whole or '0'}.{decimals or '0'}")
    return Reading(value, value, Decimal(1).scaleb(-len(decimals)))


def spelled(words: str) -> Reading:
    """Read number words: "two hundred and fifty thousand" is 250,000, as precise as the word it ends with."""
    total = current = Decimal(0)
    step = Decimal(1)
    for word in _WORD.findall(words.lower().replace("-", " ")):
        if word in NUMBER_WORDS:
            current, step = current + NUMBER_WORDS[word], Decimal(1)
        elif word in ("a", "an"):
            current, step = Decimal(1), Decimal(1)
        elif word in ("hundred", "dozen"):
            current, step = current * SCALES[word], step * (100 if word == "hundred" else 1)
        elif word in SCALES:
            total, current, step = total + current * SCALES[word], Decimal(0), step * SCALES[word]
    return Reading(total + current, total + current, step)


def _share(match: re.Match[str]) -> Numeral | None:
    """Read "two thirds", "half of" and "one in four" as percentages."""
    if match["some"]:
        part, whole = _plain(match["some"]), _plain(match["every"])
        if not 0 < part < whole:
            return _number(match.string, match, match["some"], match.start() + len(match["some"]))
    elif match["top"] or match["apart"]:
        top, bottom = (match["top"], match["bottom"]) if match["top"] else re.split(r"[\s-]", match["apart"])
        part = Decimal(NUMBER_WORDS.get(top.lower(), 1))
        whole = Decimal(_PARTS[bottom.lower().removesuffix("s")])
    elif match["half"]:
        part, whole = Decimal(1), Decimal(2)
    else:
        return None
    value = round(part / whole * 100, 4)
    return Numeral(match.start(), match.end(), (Reading(value, value, value * _SHARE_STEP),), "share")


def _ratio(match: re.Match[str]) -> Numeral | None:
    if not match["ratio"] or not Decimal(match["consequent"]):
        return None
    value = round(Decimal(match["antecedent"]) / Decimal(match["consequent"]), 6)
    return Numeral(match.start("antecedent"), match.end(), (Reading(value, value, Decimal("0.000001")),), "ratio")


def _multiple(match: re.Match[str]) -> Numeral | None:
    """Read "twice" and "doubled" as two times, "threefold" as three."""
    word = match["multiple"] or match["fold"]
    if not word:
        return None
    value = Decimal(_MULTIPLES[word.lower()]) if match["multiple"] else spelled(word).low
    return Numeral(match.start(), match.end(), (Reading(value, value, Decimal(1)),), "multiple")


def _number(text: str, match: re.Match[str], some: str = "", end: int = 0) -> Numeral | None:
    """Read digits or words, with "and a half" after them."""
    end = end or match.end()
    if match["halfa"]:
        return Numeral(match.start(), end, (Reading(Decimal("0.5"), Decimal("0.5"), Decimal("0.1")),), "half")
    if match["vulgar"]:
        return Numeral(match.start(), end, (exactly("0", _VULGAR[match["vulgar"]][2:]),), "digits")
    digits = match["digits"] or (some if some[:1].isdigit() else "")
    words = match["words"] or some
    if not digits and not words:
        return None
    if len(digits) > _LONGEST or len(words) > _LONGEST:
        return Numeral(match.start(), end, (), "digits" if digits else "words")
    values = readings(digits) if digits else (spelled(words),)
    more = _AND_A_HALF.match(text, end)
    if more is not None and len(values) == 1 and values[0].step == 1:
        extra = Decimal(_VULGAR[more["sign"]]) if more["sign"] else Decimal(1) / _PARTS[more["word"].lower()]
        values = (Reading(values[0].low + extra, values[0].low + extra, Decimal("0.1")),)
        end = more.end()
    return Numeral(match.start(), end, values, "digits" if digits else "words")


def _plain(written: str) -> Decimal:
    return Decimal(written) if written.isdigit() else spelled(written).low
