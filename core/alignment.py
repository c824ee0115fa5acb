"""Numbers in the same words: where claim and evidence agree word for word around a number, is it the same number?

What a number measures need not be known for that: "in the episode 74 of" beside "in the episode 24 of" differs, though
an episode is no unit.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from core import numerals
from core.notation import tokens
from core.numerals import Reading
from core.text import Span
from core.words import NUMBER_WORDS

_TOKEN = re.compile(r"\d+(?:[.,'’·]\d+)*|[^\W\d_]+", re.UNICODE)
_SAME_WORDS = 4
"""So many words beside a number, on both sides together and next to it, must be the same."""
_WORDS = 3
"""So many of them must be no numbers: "p < 0.001, r =" says too little."""
_SHORT_YEAR = 2
_REACH = 5
"""So many words on each side are looked at."""


class _Text(NamedTuple):
    """A text as words and numbers, each with its place."""

    words: tuple[str, ...]
    spans: tuple[Span, ...]
    numbers: tuple[int, ...]
    """Which of them are numbers."""


def differences(claim: str, evidence: str) -> list[tuple[Span, Span]]:
    """Pair every number of the claim with another one that stands in the same words of the evidence, in order.

    A number that stands anywhere in the evidence has no pair, nor has one that theirs rounds to, or that is finer. Two
    notations of one statement have none: 17:30 is 5:30 p.m.
    """
    ours = _taken_apart(claim)
    if not ours.numbers:
        return []
    theirs = _taken_apart(evidence)
    there = {theirs.words[index] for index in theirs.numbers}
    found: list[tuple[Span, Span]] = []
    for index in ours.numbers:
        if ours.words[index] in there:
            continue
        other = next((at for at in theirs.numbers if _same_place(ours, index, theirs, at)), None)
        if other is not None and _differ(ours.words[index], theirs.words[other]):
            found.append((ours.spans[index], theirs.spans[other]))
    return [] if found and tokens(claim) == tokens(evidence) else found


def _taken_apart(text: str) -> _Text:
    words: list[str] = []
    spans: list[Span] = []
    numbers: list[int] = []
    for match in _TOKEN.finditer(text):
        word = match[0].lower()
        if word[0].isdigit() or (word in NUMBER_WORDS and word != "one"):
            numbers.append(len(words))
        words.append(word)
        spans.append(match.span())
    return _Text(tuple(words), tuple(spans), tuple(numbers))


def _same_place(ours: _Text, index: int, theirs: _Text, at: int) -> bool:
    """Whether enough of the words next to two numbers are the same."""
    same = words = 0
    for step in (-1, 1):
        for away in range(1, _REACH + 1):
            one, other = index + step * away, at + step * away
            if not (0 <= one < len(ours.words) and 0 <= other < len(theirs.words)):
                break
            if ours.words[one] != theirs.words[other]:
                break
            same += 1
            words += ours.words[one].isalpha()
    return same >= _SAME_WORDS and words >= _WORDS


def _differ(ours: str, theirs: str) -> bool:
    """Whether two numbers as written cannot stand for the same: rounded, or shortened as "84" for "1984"."""
    short, long = sorted((ours, theirs), key=len)
    if len(short) == _SHORT_YEAR and long.isdigit() and long.endswith(short):
        return False
    pairs = [(one, other) for one in _readings(ours) for other in _readings(theirs)]
    return bool(pairs) and not any(_rounds(one, other) for one, other in pairs)


def _readings(word: str) -> tuple[Reading, ...]:
    return numerals.readings(word) if word[0].isdigit() else (numerals.spelled(word),)


def _rounds(one: Reading, other: Reading) -> bool:
    if one.step == other.step:
        return one.low == other.low
    return abs(one.low - other.low) <= max(one.step, other.step) / 2
