"""The words of a text as overlap compares them: folded, without stop words, numbers apart, scripts kept in mind.

A baseline's view of language: no grammar, no synonyms. Scripts written without blanks between words are compared by
pairs of neighbouring characters.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import NamedTuple

_SMALL = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen "
    "eighteen nineteen"
)
_TENS = "twenty thirty forty fifty sixty seventy eighty ninety"
_TENS_VALUE = {word: 10 * tens for tens, word in enumerate(_TENS.split(), 2)}
_SMALL_VALUE = {word: value for value, word in enumerate(_SMALL.split())}

NUMBER_WORDS = (
    _SMALL_VALUE
    | _TENS_VALUE
    | {
        f"{tens}-{unit}": value + _SMALL_VALUE[unit]
        for tens, value in _TENS_VALUE.items()
        for unit in _SMALL.split()[1:10]
    }
)
"""English words for small numbers up to ninety-nine, and what they stand for."""

LONG_WORD = 10
"""Letters from which on a longer word weighs no more."""

_STOP = (
    "a about above after again against all also am an and any are as at be because been before being below between "
    "both but by can could did do does doing done down during each either else ever every few for from further get "
    "gets got had has have having he her here hers him his how however i if in into is it its itself just let like "
    "many may me might more most much must my no nor not now of off often on once one only onto or other others our "
    "ours out over own per perhaps quite rather s same shall she should since so some such t than that the their "
    "theirs them then there these they this those though through thus to too toward towards under until up upon us "
    "very via was we well were what when where whether which while who whom whose why will with within without would "
    "yes yet you your yours"
)
STOP_WORDS = frozenset(_STOP.split())
"""Words that say nothing about a subject; English, as most logs are."""

_COMPOUND = rf"(?P<spelled>\b(?:{'|'.join(_TENS_VALUE)})-(?:{'|'.join(_SMALL.split()[1:10])})\b)"
_SIGNS = str.maketrans({"%": " percent ", "€": " euro ", "$": " dollar ", "£": " pound ", "’": "'"})
_TOKEN = re.compile(_COMPOUND + r"|(?P<number>\d+(?:[.,]\d+)*)|(?P<word>[^\W\d_]+(?:['’][^\W\d_]+)*)")
_GROUPING = re.compile(r"(?<=\d)[.,](?=\d{3}(?!\d))")
_UNSPACED = frozenset({"CJK", "HANGUL", "THAI", "LAO", "KHMER", "MYANMAR", "TIBETAN"})
_SCRIPT_ALIASES = {"HIRAGANA": "CJK", "KATAKANA": "CJK", "KATAKANA-HIRAGANA": "CJK", "IDEOGRAPHIC": "CJK"}


class Words(NamedTuple):
    """What of a text can be compared."""

    content: frozenset[str]
    """Folded content words; pairs of characters where words are not set apart."""
    numbers: frozenset[str]
    """Numbers in digits without grouping marks; small number words are numbers too."""
    script: str | None
    """The script of most letters, by its Unicode name; none without letters."""
    total: int
    """How many words and numbers the text has, stop words included."""


def words(text: str) -> Words:
    """Take a text apart."""
    plain = _plain(text)
    content: set[str] = set()
    numbers: set[str] = set()
    total = 0
    for token in _TOKEN.finditer(plain):
        total += 1
        if token.lastgroup == "number":
            numbers.add(_number(token[0]))
            continue
        if token.lastgroup == "spelled":
            numbers.add(str(NUMBER_WORDS[token[0]]))
            continue
        for piece, unspaced in _by_script(token[0]):
            content.update(_content(piece, unspaced))
            if unspaced:
                total += len(piece) - 1
            elif _is_number(piece):
                numbers.add(str(NUMBER_WORDS[piece]))
    return Words(frozenset(content), frozenset(numbers), _main_script(plain), total)


def letters(some: Iterable[str]) -> int:
    """What words weigh: their letters, a long word no more than ``LONG_WORD``.

    In whole numbers: a sum of fractions would depend on the order of a set, which no two processes share.
    """
    return sum(min(len(word), LONG_WORD) for word in some)


def content_words(text: str) -> Iterator[str]:
    """The content words of a text as ``words`` has them, with repetitions, one by one for who may stop early."""
    for token in _TOKEN.finditer(_plain(text)):
        if token.lastgroup == "word":
            for piece, unspaced in _by_script(token[0]):
                yield from _content(piece, unspaced)


def _content(piece: str, unspaced: bool) -> Iterable[str]:
    if unspaced:
        return [piece[i : i + 2] for i in range(max(1, len(piece) - 1))]
    if piece in STOP_WORDS or _is_number(piece) or piece.endswith("n't"):
        return ()
    return (singular(piece.split("'")[0]),)


def _is_number(piece: str) -> bool:
    return piece in NUMBER_WORDS and piece != "one"  # mostly a pronoun


def singular(word: str) -> str:
    """Fold an English plural lightly: *studies* → *study*, *boxes* → *box*, *dogs* → *dog*; *bus* stays."""
    if len(word) < 4 or not word.endswith("s") or word.endswith(("ss", "us", "is")):
        return word
    if word.endswith("ies") and len(word) > 4:
        return word[:-3] + "y"
    if word.endswith(("ches", "shes", "xes", "sses", "zes")):
        return word[:-2]
    return word[:-1]


def _plain(text: str) -> str:
    """One spelling for what reads the same: compatibility forms, case, accents, unit signs, invisible characters."""
    folded = unicodedata.normalize("NFKC", text).casefold().translate(_SIGNS).replace("per cent", "percent")
    if folded.isascii():
        return folded
    return "".join(char for char in folded if unicodedata.category(char) not in ("Mn", "Mc", "Me", "Cf"))


def _number(digits: str) -> str:
    value = _GROUPING.sub("", digits).replace(",", ".")
    return (value.rstrip("0").rstrip(".") if value.count(".") == 1 else value) or "0"


def _by_script(word: str) -> list[tuple[str, bool]]:
    """Cut a word where it changes between spaced and unspaced scripts; says which a piece is."""
    if word.isascii():
        return [(word, False)]
    pieces: list[tuple[str, bool]] = []
    for char in word:
        unspaced = _script(char) in _UNSPACED
        if pieces and pieces[-1][1] == unspaced:
            pieces[-1] = (pieces[-1][0] + char, unspaced)
        else:
            pieces.append((char, unspaced))
    return pieces


def _main_script(text: str) -> str | None:
    if text.isascii():
        return "LATIN" if any(char.isalpha() for char in text) else None
    counts: Counter[str] = Counter()
    for char, times in Counter(text).items():
        if char.isalpha():
            counts[_script(char)] += times
    return counts.most_common(1)[0][0] if counts else None


@lru_cache(maxsize=4096)
def _script(char: str) -> str:
    name = unicodedata.name(char, "UNKNOWN").split()[0]
    return _SCRIPT_ALIASES.get(name, name)
