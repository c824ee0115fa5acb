"""What a number counts or measures: its unit, the noun that it counts, or the word before it that names a measure."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import NamedTuple

from core.numerals import BLANK, Numeral
from core.units import UNIT_OF
from core.words import NUMBER_WORDS, STOP_WORDS, singular

IRREGULAR = frozenset(
    "people men women children mice feet teeth geese crew staff sheep deer reindeer fish cattle salmon aircraft "
    "bacteria personnel police".split()
)
"""Plurals that do not end in s, and what is counted without one."""


def any_of(forms: Iterable[str]) -> str:
    """A pattern for any of these, the longest first."""
    return "|".join(re.escape(form) for form in sorted(forms, key=len, reverse=True))


_PER = (
    r"(?P<per>second|minute|hour|day|night|week|month|year|quarter|decade|person|head|capita|household|kg|kilogram|litre"
    r"|liter|dose|serving|shift|match|game)"
)
_UNIT = re.compile(rf"(?:{BLANK}|\s|-)?(?P<unit>{any_of(UNIT_OF)})(?![^\W_])")
_PER_UNIT = re.compile(
    rf"(?:/|\s(?:per|an?|each|every)\s){_PER}\b|/(?P<short>[^\W\d_]{{1,6}})(?![\w/])|\s(?P<word>daily|weekly)\b"
)
_SHORT = {"h": "hour", "s": "second", "min": "minute", "d": "day", "wk": "week", "yr": "year", "y": "year"}
_SHORT |= {
    "kilogram": "kg",
    "l": "litre",
    "liter": "litre",
    "daily": "day",
    "weekly": "week",
    "capita": "person",
    "head": "person",
}
_SPEEDS = {("km", "hour"): "km/h", ("mile", "hour"): "mph"}
_INTERVAL = re.compile(r"\s(?:CI|UI|CrI|confidence|credible)\b")
_IN_BRACKETS = re.compile(r"[\[({]\s?$")
_BRACKET_LIST = re.compile(r"\s?[,;]\s?[-−]?\d+(?:\.\d+)?(?:\s?[,;]\s?[-−]?\d+(?:\.\d+)?)*\s?[\])}]")
_IN_BRACKET_LIST = re.compile(r"[\[({]\s?[-−]?\d[\d.]*(?:\s?[,;]\s?[-−]?\d[\d.]*)*\s?[,;]\s?[-−]?$")
_BRACKET_ENDS = re.compile(r"(?:\s?[,;]\s?[-−]?\d[\d.]*)*\s?[\])}]")
_RUNS_ON = re.compile(r"[^\W_]|[.,:/]\d|-[^\W\d_]")
_NOUNS = re.compile(r"[ -](?P<words>[A-Za-z]+(?:[ -][A-Za-z]+){0,3})")
_OF_NOUNS = re.compile(r"\sof\s(?:all\s|the\s|these\s|those\s)?(?P<words>[a-z]+(?:[ -][a-z]+){0,2})")
_MEASURE = re.compile(
    r"\b(?P<measure>population|number of (?:[a-z]+ ){0,2}?[a-z]+|attendance|circulation|enrol?lment|death toll|capacity"
    r"|pH|(?:adjusted )?(?:hazard|odds|risk|rate) ratio|relative risk|BMI|IQ)"
    r"(?:\s?[\[(](?:HR|OR|RR|aOR|aHR)[\])]?)?(?:\s[\w'’-]+){0,8}?"
    r"(?:[,:=]|\s(?:of|is|was|were|are|at|as|reached|had|has|fell|rose|grew|to|totalled|numbered|only|just))?\s$"
)
_PEOPLE = frozenset({"people", "inhabitant", "resident", "person"})
_AGE_BEFORE = re.compile(r"\b(?:aged?|aged? of|the age of|turned)\s(?:just |only )?$", re.IGNORECASE)
_AGE_AFTER = re.compile(r"[ -](?:years?[ -])(?:old|of age)\b")
_AGE_BETWEEN = (re.compile(r"\b(?:was|were|is|are)\s(?:just |only )?$"), re.compile(r"\swhen\s(?:s?he|they)\b"))
_MULTIPLE_AFTER = re.compile(r"\s(?:as|more|less|higher|greater|larger|the|lower|over|faster|likelier|bigger)\b")
_LABEL = re.compile(r"(?P<word>[A-Z][\w.]*)\s$")


class Measured(NamedTuple):
    """What a number turned out to be a number of."""

    end: int
    """Where the quantity ends in the text."""
    unit: str
    kind: str = ""
    per: str = ""
    share: bool = False


def measured(text: str, end: int, sign: str | None, before: str, numeral: Numeral) -> Measured | None:
    """Say what a number is of; none when it turns out to be no quantity.

    Args:
        text: All of it.
        end: Where the number ends, a word that scales it included.
        sign: The sign of a currency before it.
        before: What stands before the number, as far as it matters.
        numeral: The number.
    """
    if numeral.form == "share":
        return Measured(end, "%", _head(_OF_NOUNS.match(text, end)), share=True)
    if numeral.form == "ratio":
        return Measured(end, "ratio")
    if sign is not None:
        return _with_per(text, Measured(end, UNIT_OF[sign]))
    if numeral.form == "multiple":
        return Measured(end + (len("fold") if text.startswith("fold", end) else 0), "time", "multiple")
    unit = _UNIT.match(text, end)
    if unit is not None and _INTERVAL.match(text, unit.end()):
        return None  # "95% CI" is the name of an interval
    if unit is not None:
        return _with_unit(text, before, unit, end)
    if numeral.form == "half" or _RUNS_ON.match(text, end) or _is_marker(text, before, end):
        return None
    return _counted(text, before, end)


def _is_marker(text: str, before: str, end: int) -> bool:
    """Whether a number stands in brackets as a citation, a point or an interval does: "[3]", "[0, 1]", "(2, 3)"."""
    if before.endswith("["):
        return True
    if _IN_BRACKETS.search(before):
        return _BRACKET_LIST.match(text, end) is not None
    return _IN_BRACKET_LIST.search(before) is not None and _BRACKET_ENDS.match(text, end) is not None


def _with_unit(text: str, before: str, unit: re.Match[str], end: int) -> Measured:
    name = UNIT_OF[unit["unit"]]
    found = Measured(unit.end(), name)
    if name == "%":
        return found._replace(kind=_head(_OF_NOUNS.match(text, unit.end())))
    if name == "time":
        multiple = unit["unit"].endswith("fold") or _MULTIPLE_AFTER.match(text, unit.end())
        return found._replace(kind="multiple" if multiple else "")
    if name == "year" and (_AGE_AFTER.match(text, end) or _AGE_BEFORE.search(before)):
        return found._replace(kind="age")
    return _with_per(text, found)


def _with_per(text: str, found: Measured) -> Measured:
    """Add what an amount is for: "/h", "per day", "a year"."""
    per = _PER_UNIT.match(text, found.end)
    if per is None:
        return found
    word = per["per"] or per["short"] or per["word"]
    word = _SHORT.get(word, word)
    speed = _SPEEDS.get((found.unit, word))
    return found._replace(end=per.end(), unit=speed or found.unit, per="" if speed else word)


def _counted(text: str, before: str, end: int) -> Measured | None:
    """Read the noun that is counted, else what the words before measure."""
    label = _LABEL.search(before)
    measure = _MEASURE.search(before)
    if label is not None and measure is None and label["word"].lower() not in STOP_WORDS | NUMBER_WORDS.keys():
        return None
    nouns = _NOUNS.match(text, end)
    words = re.split("[ -]", nouns["words"]) if nouns else []
    for index, word in enumerate(words):
        if word in STOP_WORDS:
            break
        if word in IRREGULAR or singular(word) != word:
            noun_end = end + 1 + len(" ".join(words[: index + 1]))
            counted = singular(word.lower())
            if measure is not None and measure["measure"] == "population" and counted in _PEOPLE:
                return Measured(noun_end, "population")
            return _with_per(text, Measured(noun_end, counted, " ".join(words[:index]).lower()))
    if _AGE_BEFORE.search(before) or (_AGE_BETWEEN[0].search(before) and _AGE_BETWEEN[1].match(text, end)):
        return Measured(end, "year", "age")
    if measure is None:
        return Measured(end, "")
    name = measure["measure"]
    return Measured(end, singular(name.rpartition(" ")[2]) if name.startswith("number") else name)


def _head(nouns: re.Match[str] | None) -> str:
    """The noun that a percentage is of: the first plural, or nothing."""
    for word in re.split("[ -]", nouns["words"]) if nouns else []:
        if word in STOP_WORDS:
            break
        if word in IRREGULAR or singular(word) != word:
            return singular(word)
    return ""
