"""Ways to make a sentence say something that its evidence does not: another number, name, unit, population, or "not".

Each takes a sentence and the evidence that supports it and gives an altered sentence, or none where it cannot be sure
that the evidence does not support that too: what is put in never stands in the evidence, and numbers under a bound
("at least 5"), conditions and double negations are left alone. Texts are English. Nothing here is used in training.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from random import Random

_NUMBER = re.compile(
    r"(?<![\w.,:/\[(\-–])(?:\d{1,3}(?:,\d{3})+|\d+)(?:\.\d+)?(?![\w/:\])]|[.,]\d|[-–]|\s(?:or|to|and)\s\d)"
)
_BOUND = re.compile(
    r"(?:(?<!\w)(?:at (?:least|most)|(?:more|less|fewer|greater|higher|lower|later|earlier|other) than|over|under"
    r"|up to|above|below|nearly|almost|about|around|approximately|some|roughly|within|between|from|to|and|or|until"
    r"|before|after|since|by|figure|table|section|chapter|page|version|type|grade|phase|stage|fig\.|et al\.,)"
    r"|[<>≤≥±~])\s*$",
    re.IGNORECASE,
)
"""What before a number makes it a limit, an end of a range, or a name: another value may follow from the evidence."""

_YEAR = re.compile(r"(?:1[5-9]|20)\d\d")
_YEARS_AWAY = range(3, 40)

_NEGATION = re.compile(
    r"n['’]t\b|\b(?:not|no|never|cannot|neither|nor|none|nobody|nothing|without|hardly|barely|few|little|lacks?|fails?"
    r"|failed|unlikely|rarely|seldom|non)\b",
    re.IGNORECASE,
)
_CONDITION = re.compile(r"\b(?:if|whether|unless|until|than|though|although)\b|\?", re.IGNORECASE)
_SUBORDINATE = re.compile(r"\b(?:who|which|that|what|how|where|when|because|as)\s+$", re.IGNORECASE)
_AUXILIARY = re.compile(
    r"\b(?:is|are|was|were|will|would|can|could|should|must"
    r"|(?:has|have|had)(?=\s+(?:been|become|shown|taken|made|given|\w{2,}ed)\b))\b(?=\s+\w)"
)
_SHORT = {"can": "cannot", "will": "won't", "must": "must not"}
_DENIED = re.compile(
    r"\b(?:(?P<full>is|are|was|were|will|would|could|should|must|has|have|had|do|does|did|can)\s+not"
    r"|(?P<short>is|are|was|were|would|could|should|has|have|had|do|does|did)n['’]t|can(?:not|['’]t)|won['’]t)\b"
    r"(?!\s+(?:only|just|merely|simply|necessarily|yet|all|every|always|entirely|to)\b)"
)

POPULATIONS = (
    ("adults", "children"),
    ("adult", "child"),
    ("men", "women"),
    ("males", "females"),
    ("male", "female"),
    ("boys", "girls"),
    ("humans", "mice"),
    ("patients", "healthy volunteers"),
    ("infants", "older people"),
    ("adolescents", "older adults"),
    ("mothers", "fathers"),
    ("students", "teachers"),
    ("in vitro", "in vivo"),
)
"""Groups that are not each other's part."""

UNITS = (
    ("mg", "g"),
    ("kg", "lb"),
    ("km", "miles"),
    ("metres", "feet"),
    ("meters", "feet"),
    ("mm", "cm"),
    ("ml", "litres"),
    ("°C", "°F"),
    ("seconds", "minutes"),
    ("minutes", "hours"),
    ("hours", "days"),
    ("days", "weeks"),
    ("weeks", "months"),
    ("months", "years"),
    ("million", "billion"),
    ("percent", "percentage points"),
    ("dollars", "euros"),
)
"""Units that make another quantity of the same number."""

_UNIT_OF = {one: other for pair in UNITS for one, other in (pair, pair[::-1])}
_MEASURED = re.compile(
    r"(?:\d|\b(?:two|three|four|five|six|seven|eight|nine|ten|twelve|twenty|thirty))[\s-]?"
    rf"(?P<unit>{'|'.join(sorted(map(re.escape, _UNIT_OF), key=len, reverse=True))})(?!\w)"
)
_NAME = re.compile(r"(?<=[a-z,;] )[A-Z][a-z]+(?:[-'’]?[A-Z]?[a-z]+)*(?: [A-Z][a-z]+(?:[-'’]?[A-Z]?[a-z]+)*)*")
_CALENDAR = frozenset(
    "January February March April May June July August September October November December Monday Tuesday Wednesday "
    "Thursday Friday Saturday Sunday".split()
)


def swap_number(text: str, evidence: str, random: Random) -> str | None:
    """Give one number another value of the same shape; a year becomes an earlier one."""
    there = set(_NUMBER.findall(evidence)) | set(re.findall(r"\d+(?:[.,]\d+)*", evidence))
    places = [found for found in _NUMBER.finditer(text) if not _BOUND.search(text[: found.start()])]
    random.shuffle(places)
    for found in places:
        values = [value for value in _other_values(found[0]) if value not in there]
        if values:
            return text[: found.start()] + random.choice(values) + text[found.end() :]
    return None


def insert_negation(text: str, evidence: str, random: Random) -> str | None:
    """Deny the first verb that can take a "not"; a sentence that denies or supposes something already is left alone."""
    if _NEGATION.search(text) or _CONDITION.search(text):
        return None
    for found in _AUXILIARY.finditer(text):
        if _SUBORDINATE.search(text[: found.start()]):
            continue
        short = _SHORT.get(found[0], f"{found[0]}n't")
        denied = f"{found[0]} not" if random.random() < 0.7 else short
        altered = text[: found.start()] + denied + text[found.end() :]
        return None if altered in evidence else altered
    return None


def remove_negation(text: str, evidence: str, random: Random) -> str | None:
    """Affirm what a sentence with exactly one negation denies."""
    found = _DENIED.search(text)
    if found is None or len(_NEGATION.findall(text)) != 1 or _CONDITION.search(text):
        return None
    verb = found["full"] or found["short"] or ("can" if found[0].startswith("can") else "will")
    altered = text[: found.start()] + verb + text[found.end() :]
    return None if altered in evidence else altered


def swap_population(text: str, evidence: str, random: Random) -> str | None:
    """Name another group wherever the sentence names one; none when the evidence speaks of both."""
    for one, other in (pair for both in POPULATIONS for pair in (both, both[::-1])):
        mine, theirs = re.compile(rf"\b{one}\b"), re.compile(rf"\b{other.split()[-1]}\b", re.IGNORECASE)
        if mine.search(text) and not theirs.search(text) and not theirs.search(evidence):
            return mine.sub(other, text)
    return None


def swap_unit(text: str, evidence: str, random: Random) -> str | None:
    """Give one quantity another unit; none when the evidence uses that unit too."""
    for found in _MEASURED.finditer(text):
        other = _UNIT_OF[found["unit"]]
        if not re.search(rf"(?<!\w){re.escape(other)}(?!\w)", evidence):
            return text[: found.start("unit")] + other + text[found.end() :]
    return None


def swap_name(text: str, evidence: str, pool: Sequence[str], random: Random) -> str | None:
    """Put another name of the pool, of as many words, in the place of one of its own, everywhere in the sentence."""
    known = frozenset(pool)
    mine = [name for name in dict.fromkeys(names(text)) if name in known]
    random.shuffle(mine)
    said = set(re.findall(r"\w+", evidence.casefold()))
    for name in mine:
        fits = [other for other in pool if len(other.split()) == len(name.split())]
        for other in random.sample(fits, min(len(fits), 20)):
            if not said & set(re.findall(r"\w+", other.casefold())):
                return re.sub(rf"\b{re.escape(name)}\b", other, text)
    return None


def name_pool(texts: Sequence[str]) -> list[str]:
    """The names of some texts, sorted, without those of which a word stands in them in small letters as well."""
    small = {word for text in texts for word in re.findall(r"\b[a-z]+\b", text)}
    found = {name for text in texts for name in names(text)}
    return sorted(name for name in found if not small & {word.casefold() for word in re.findall(r"\w+", name)})


def names(text: str) -> Iterator[str]:
    """Capitalised words inside sentences, in runs, without days and months; nothing of a text in title case."""
    words = re.findall(r"[^\W\d_]+", text)
    if sum(word[0].isupper() for word in words) > len(words) / 2:
        return
    for found in _NAME.finditer(text):
        if not _CALENDAR & set(found[0].split()) and not text.startswith(" et al", found.end()):
            yield found[0]


def _other_values(number: str) -> list[str]:
    """Earlier years for a year, else the same number with another first digit that is not 0."""
    if _YEAR.fullmatch(number):
        return [str(int(number) - away) for away in _YEARS_AWAY]
    at = next((place for place, char in enumerate(number) if char in "123456789"), len(number) - 1)
    return [f"{number[:at]}{digit}{number[at + 1 :]}" for digit in range(1, 10) if abs(digit - int(number[at])) > 1]
