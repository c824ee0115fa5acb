"""A statement without its notation: texts that differ in how they are written only have the same tokens.

Folded are: percent signs and words; numbers in digits, with separators, in words and with a scale ("2.5 million");
currencies and units, in short and in full, after a number; dates and clock times; case, marks, "the", contractions,
abbreviations with full stops; and the denial of an opposite ("not uncommon"). Nothing else: no word is left out, added
or put elsewhere, so two texts with the same tokens state the same. Kept on purpose are "a", as a cause is not the
cause; decimals as written, as version 3.10 is not 3.1; quotation marks, question marks, signs and dashes; the case of
letters that may be a unit ("5 mW"); and units that are written alike but are not the same (tons, crowns).
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple

from core import dates, numerals
from core.dates import Date
from core.measured import any_of
from core.numerals import BLANK, SCALES, Numeral
from core.opposites import DENIED_BACK
from core.units import SHORT_SCALES, SIGNS, UNIT_OF
from core.words import NUMBER_WORDS, Words, singular

_FOLDED_SIGNS = {**dict.fromkeys("‘’‛ʼ", "'"), **dict.fromkeys("“”„‟«»", '"'), **dict.fromkeys("‐‑‒–−", "-")}
_SIGNS = str.maketrans({**_FOLDED_SIGNS, "\u00ad": "", "\u200b": "", "\u2060": "", "\ufeff": ""})
_BULLET = re.compile(r"\s*[-*•·▪]\s+(?=\S)")

_OWN_UNIT = {
    **{form: form for form in ("tons", "ton", "crowns", "crown", "SEK", "NOK", "DKK", "CZK")},
    **dict.fromkeys(("US$", "USD"), "USD"),
    **dict.fromkeys(("A$", "AUD"), "AUD"),
    **dict.fromkeys(("C$", "CAD"), "CAD"),
    **dict.fromkeys(("-fold", "fold", "times"), "fold"),
}
"""Where the table of units is coarser than a notation: a dollar may be another than that of the United States."""
_SPEEDS = {"km/h": ("km", "/", "hour"), "mph": ("mile", "/", "hour")}
_MONEY = frozenset("dollar euro pound yen rupee franc USD AUD CAD".split())
_UNIT = re.compile(rf"(?:{BLANK}|\s|-)?(?P<unit>{any_of(UNIT_OF)})(?![^\W_])")
_PER = re.compile(rf"(?:\s?/\s?|\sper\s)(?P<unit>{any_of(form for form in UNIT_OF if form[0].isalpha())})(?![^\W_])")
_CURRENCY = re.compile(rf"(?<!\w)(?P<unit>{any_of(SIGNS)}){BLANK}?\Z")
_SCALE = re.compile(rf"{BLANK}?-?(?P<scale>{any_of(SCALES)})\b", re.IGNORECASE)
_SHORT_SCALE = re.compile(rf"{BLANK}?(?P<scale>{any_of(SHORT_SCALES)})\b", re.IGNORECASE)
_HANGS_ON = re.compile(r"(?:[\w.,/:#§^'*]|[^\W\d_]-)\Z")
_INEXACT = re.compile("[⅓⅔]")
_LONGEST_NUMBER = 24
"""Digits above which a product is not exact."""

_CLOCK = re.compile(
    r"(?<![\w.,:/-])(?:(?P<hour>1[0-2]|0?[1-9])(?:[:.](?P<minute>[0-5]\d))?[ \u00a0]?(?P<half>[ap])(?:m\b|\.[ ]?m\b\.?)"
    r"|(?P<hour24>[01]?\d|2[0-3]):(?P<minute24>[0-5]\d)(?![\d:.]\d|\d|:)(?:[ ]?(?:hrs|h)\b)?"
    r"|(?P<noon>(?:12[ ])?(?:noon|midday))\b)",
    re.IGNORECASE,
)
_TOKEN = re.compile(
    r"per[ ]cent\b|(?:[^\W\d_]\.){2,}(?:[^\W\d_]\b)?|[^\W_]+(?:'[^\W_]+)*|\.{3}|[^\w\s]|_", re.IGNORECASE
)
_FULL_WIDTH = 0xFEE0
"""From a mark to its full-width form, which stands for one inside a word or number: "3:1"."""
_SENTENCE_ENDS = re.compile(r"[.!?…:\"]\s*\Z")
_CLOSING = frozenset(",;:.!)]")
_OPENING = frozenset("([")

_WHOLE = {"can't": "can not", "cannot": "can not", "won't": "will not", "shan't": "shall not", "let's": "let us"}
_ENDINGS = {"n't": "not", "'re": "are", "'ve": "have", "'ll": "will", "'m": "am"}
_IS = frozenset("it that there here he she what who where".split())
"""After these, 's stands for "is"; elsewhere it says whose."""
_IN_FULL = {
    "percent": "%",
    "per cent": "%",
    "pct": "%",
    "&": "and",
    "...": "…",
    "an": "a",
    "approx": "approximately",
    "vs": "versus",
    "eg": "for example",
    "ie": "that is",
    "incl": "including",
}
_NTH = (
    "first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth fourteenth fifteenth "
    "sixteenth seventeenth eighteenth nineteenth twentieth"
)
_ORDINALS = {word: f"{at}{ {1: 'st', 2: 'nd', 3: 'rd'}.get(at, 'th') }" for at, word in enumerate(_NTH.split(), 1)}
_THE_STAYS = frozenset("few little".split())
"""The few is not few."""
_NO_DENIAL_AFTER = frozenset("or whether if".split())
_LONGEST_UNIT = 4

_MONTHS = "January February March April May June July August September October November December".split()

_EXCHANGED = frozenset(
    singular(word)
    for source in (
        " ".join(UNIT_OF),
        " ".join(_IN_FULL.values()),
        " ".join(DENIED_BACK),
        " ".join(DENIED_BACK.values()),
        " ".join(SCALES),
        " ".join(_MONTHS),
        _NTH,
        "cannot approx incl sept century quarter noon midday twenty-first",
    )
    for word in re.findall(r"\w+", source.casefold())
)
_SHORTEST = 4
"""Shorter words may be parts of an abbreviation, a unit or a time."""


class _Stretch(NamedTuple):
    """What of a text is read as one thing, and its tokens."""

    start: int
    end: int
    tokens: tuple[str, ...]


def may_be_part(piece: Words, claim: Words) -> bool:
    """Whether a piece could be in other notation what a claim says, or a part of it; quick, and never wrongly no.

    Every longer word of the piece must be the claim's, or one that notation exchanges.
    """
    return all(len(word) < _SHORTEST or word in _EXCHANGED for word in piece.content - claim.content)


@lru_cache(maxsize=4096)
def tokens(text: str) -> tuple[str, ...]:
    """The tokens of a text in one notation, in order; see the module. Joined by line ends they give themselves."""
    plain = unicodedata.normalize("NFC", text).translate(_SIGNS)
    bullet = _BULLET.match(plain)
    at = bullet.end() if bullet else 0
    found: list[str] = []
    for stretch in _stretches(plain):
        if stretch.start < at:
            continue
        found += _words(plain, at, stretch.start, found)
        found += stretch.tokens
        at = stretch.end
    found += _words(plain, at, len(plain), found)
    return tuple(_without_denied_opposites(found))


def _stretches(text: str) -> list[_Stretch]:
    """Dates, clock times and numbers with their units, in order, none overlapping."""
    taken = [_Stretch(one.start, one.end, (named,)) for one in dates.find(text) if (named := _date(one))]
    for clock in _CLOCK.finditer(text):
        if all(clock.end() <= one.start or one.end <= clock.start() for one in taken):
            taken.append(_Stretch(clock.start(), clock.end(), (_clock(clock),)))
    taken.sort()
    if any(char.isdigit() for char in text) or any(word in NUMBER_WORDS or word in SCALES for word in _low(text)):
        last = 0
        for numeral in numerals.find(text):
            number = _number(text, numeral, last)
            if number and all(number.end <= one.start or one.end <= number.start for one in taken):
                taken.append(number)
                last = number.end
    return sorted(taken)


def _low(text: str) -> list[str]:
    return re.findall(r"[a-z]+", text.casefold())


def _date(date: Date) -> str | None:
    """A date in one form that is itself a date; a bare year is a number, and an unclear order stays as written."""
    if date.length == "century":
        return f"{(date.year or 0) // 100 + 1}th century" if (date.year or 0) % 100 == 1 else None
    if date.length == "decade":
        return f"{date.year}s"
    if date.length == "quarter":
        return f"Q{((date.month or 1) + 2) // 3} {date.year}"
    if date.month is None:
        return None
    month = _MONTHS[date.month - 1]
    if date.day is None:
        return f"{month} {date.year}"
    return f"{date.day} {month}" if date.year is None else f"{date.year}-{date.month:02}-{date.day:02}"


def _clock(match: re.Match[str]) -> str:
    """A time of 24 hours; one before noon that does not say so stays as written ("9:30" may be in the evening)."""
    if match["noon"]:
        return "12:00"
    if match["hour24"]:
        return f"{match['hour24']}:{match['minute24']}"
    hour = int(match["hour"]) % 12 + (12 if match["half"] in "pP" else 0)
    return f"{hour:02}:{match['minute'] or '00'}"


def _number(text: str, numeral: Numeral, last: int) -> _Stretch | None:
    """A number with its scale, currency and unit; none where it is part of a name or of another number."""
    written = text[numeral.start : numeral.end]
    if numeral.form not in ("digits", "words") or not numeral.readings or _INEXACT.search(written):
        return None
    before = text[max(last, numeral.start - 8) : numeral.start]
    sign = _CURRENCY.search(before)
    if len(written) > _LONGEST_NUMBER and numeral.form == "digits":
        return None
    if (sign is None and _HANGS_ON.search(before)) or re.match(r"0\d", written):
        return None
    scale = None
    if numeral.form == "digits":
        scale = _SCALE.match(text, numeral.end) or (_SHORT_SCALE.match(text, numeral.end) if sign else None)
    end = scale.end() if scale else numeral.end
    factor = (SCALES | SHORT_SCALES)[scale["scale"].casefold()] if scale else 1
    units, unit_end = _units(text, end, sign["unit"] if sign else None)
    if unit_end == end and re.match(r"[^\W_]|'[^\W_]", text[end:]):
        return None
    value = _value(numeral, written, factor, bool(units) and units[0] in _MONEY)
    return _Stretch(numeral.start - len(sign[0]) if sign else numeral.start, unit_end, (value, *units))


def _value(numeral: Numeral, written: str, factor: int, money: bool) -> str:
    reading = numeral.readings[0]  # of English: the comma groups, the point does not
    exponent = reading.step.as_tuple().exponent
    places = max(0, -exponent) if isinstance(exponent, int) else 0
    if factor == 1 and numeral.form == "digits" and written[-1].isdigit():
        digits = f"{reading.low:.{places}f}"
        return digits.removesuffix(".00") if money else digits
    value = f"{reading.low * factor:f}"
    return value.rstrip("0").rstrip(".") if "." in value else value


def _units(text: str, end: int, sign: str | None) -> tuple[tuple[str, ...], int]:
    """The unit of a number that ends here, with what it is per, and where that ends."""
    unit = None if sign else _UNIT.match(text, end)
    if sign is None and unit is None:
        return (), end
    found: tuple[str, ...] = _unit(sign or (unit["unit"] if unit else ""))
    end = unit.end() if unit else end
    per = _PER.match(text, end)
    return (found, end) if per is None else ((*found, "/", *_unit(per["unit"])), per.end())


def _unit(form: str) -> tuple[str, ...]:
    name = _OWN_UNIT.get(form, UNIT_OF[form])
    return _SPEEDS.get(name) or tuple(name.split())


def _words(text: str, start: int, end: int, before: Sequence[str]) -> Iterator[str]:
    """The tokens of a stretch of words."""
    last, done = before[-1] if before else "", start
    matches = list(_TOKEN.finditer(text, start, end))
    for place, match in enumerate(matches):
        word = match[0]
        if _is_layout(text, match):
            continue
        if word in _CLOSING | _OPENING:
            word = chr(ord(word) + _FULL_WIDTH)
        following = matches[place + 1][0].casefold() if place + 1 < len(matches) else ""
        if word.casefold() == "the" and following not in _THE_STAYS:
            continue
        is_letter = word == "A" and last != "" and not _SENTENCE_ENDS.search(text[: match.start()])
        is_unit = (
            last.replace(".", "").isdigit() and len(word) <= _LONGEST_UNIT and not text[done : match.start()].strip()
        )
        done = match.end()
        for one in [word] if is_letter or is_unit else _in_full(word.casefold()):
            yield one
            last = one


def _is_layout(text: str, match: re.Match[str]) -> bool:
    """Whether a mark only closes what stands before it or opens what follows; within a word or number it counts."""
    if match[0] in _CLOSING:
        return not re.match(r"[^\s\"'()\[\],;:.!?]", text[match.end() :])
    return match[0] in _OPENING and not re.search(r"[^\s\"'()\[\],;:.!?]\Z", text[: match.start()])


def _in_full(word: str) -> list[str]:
    """A folded word without contraction and abbreviation."""
    if "." in word and len(word) > 1 and word != "...":
        word = word.replace(".", "")
    if word in _WHOLE:
        return _WHOLE[word].split()
    if word in _IN_FULL:
        return _IN_FULL[word].split()
    if word in NUMBER_WORDS:
        return [str(NUMBER_WORDS[word])]
    head, mark, tail = word.rpartition("'")
    if mark and tail == "s" and head in _IS:
        return [head, "is"]
    for ending, full in _ENDINGS.items():
        if word.endswith(ending) and word != ending and word != "ain't":
            return [word.removesuffix(ending), full]
    return [_ORDINALS.get(word, word)]


def _without_denied_opposites(found: Sequence[str]) -> Iterator[str]:
    """*not uncommon* → *common*, *not an uncommon* → *a common*; not in *whether or not unsafe*."""
    at = 0
    while at < len(found):
        article = ("a",) if tuple(found[at + 1 : at + 2]) == ("a",) else ()
        word = found[at + 1 + len(article)] if at + 1 + len(article) < len(found) else ""
        if found[at] == "not" and word in DENIED_BACK and (at == 0 or found[at - 1] not in _NO_DENIAL_AFTER):
            yield from (*article, DENIED_BACK[word])
            at += 2 + len(article)
        else:
            yield found[at]
            at += 1
