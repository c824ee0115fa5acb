"""Two rankings of passages for a question, by words (BM25) and by meaning (embeddings), and how they become one.

An index knows only what was put into it: scores of one index say nothing about passages of another.
"""

from __future__ import annotations

import re
import unicodedata
from array import array
from collections.abc import Sequence
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from core.words import STOP_WORDS, letters, singular

FUSION = 60
"""The constant of reciprocal rank fusion (Cormack, Clarke and Büttcher 2009, section 2)."""

K1, B = 1.5, 0.75
"""How soon more of the same word counts less, and how much the length of a text matters (BM25)."""

Floats = NDArray[np.float32]

_TOKEN = re.compile(r"\d+(?:[.,]\d+)*|[^\W\d_]+")
_PLAIN = re.compile(r"[a-z]+|[0-9]+(?:[.,][0-9]+)*")
"""The same of a text in ASCII and small letters; it is found in two thirds of the time."""
_UNSPACED = re.compile(r"[\u0e00-\u0eff\u0f00-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af]")


def tokens(text: str) -> list[str]:
    """The words of a text as BM25 counts them, repeated ones too: folded, singular, without English stop words.

    Scripts that set no blanks between words give pairs of neighbouring characters.
    """
    folded = unicodedata.normalize("NFKC", text).casefold()
    return [term for token in _TOKEN.findall(folded) for term in _terms(token)]


@lru_cache(maxsize=200_000)
def _terms(token: str) -> tuple[str, ...]:
    if not token.isascii() and _UNSPACED.search(token):
        return tuple(token[at : at + 2] for at in range(max(1, len(token) - 1)))
    return () if token in STOP_WORDS else (singular(token),)


def overlap(asked: Sequence[str], text: str) -> float:
    """Share of some words that a text holds, by letters, from 0 to 1."""
    wanted = frozenset(asked)
    return letters(wanted & frozenset(tokens(text))) / letters(wanted) if wanted else 0.0


class _Numbers(dict[str, int]):
    """The number of each word as it is written; -1 for one that is not counted."""

    def __init__(self) -> None:
        self.terms: dict[str, int] = {}
        """The number of each word as BM25 counts it."""

    def __missing__(self, token: str) -> int:
        terms = _terms(token)
        number = self[token] = self.of(terms[0]) if terms else -1
        return number

    def of(self, term: str) -> int:
        return self.terms.setdefault(term, len(self.terms))


class WordIndex:
    """BM25 over some texts (Robertson's formula as Lucene writes it, k1 = 1.5, b = 0.75).

    Each word has a stretch of two arrays: the texts that hold it, and what it is worth there. Words become numbers as
    they are read: lists of them, for a library to count, took half again as long and most of the memory.
    """

    def __init__(self, texts: Sequence[str]) -> None:
        """Count their words."""
        numbers, found, ends = _Numbers(), array("i"), array("q", [0])
        for text in texts:
            if text.isascii():  # one term a word, and nothing to normalize
                found.extend(map(numbers.__getitem__, _PLAIN.findall(text.lower())))
            else:
                found.extend(map(numbers.of, tokens(text)))
            ends.append(len(found))
        self._size, self._words = len(texts), numbers.terms
        words, places = np.frombuffer(found, np.int32), np.repeat(np.arange(self._size), np.diff(ends))
        words, places = words[words >= 0].astype(np.int64), places[words >= 0]
        length = np.bincount(places, minlength=self._size)
        pairs, times = np.unique(words * self._size + places, return_counts=True)
        word, text_of = np.divmod(pairs, max(self._size, 1))
        held_by = np.bincount(word, minlength=len(self._words))
        rarity = np.log1p((self._size - held_by + 0.5) / (held_by + 0.5))
        longer = K1 * (1 - B + B * length / max(length.mean() if self._size else 0, 1e-9))
        self._texts = text_of.astype(np.int32)
        self._worth = (rarity[word] * times / (times + longer[text_of])).astype(np.float32)
        self._ends = np.cumsum(held_by)

    def scores(self, query: str) -> Floats:
        """One score a text, in order, 0 for a text without any of the words."""
        scores = np.zeros(self._size, dtype=np.float32)
        for word in tokens(query):
            if (number := self._words.get(word)) is not None:
                stretch = slice(self._ends[number - 1] if number else 0, self._ends[number])
                scores[self._texts[stretch]] += self._worth[stretch]
        return scores


def best(scores: Floats, limit: int, least: float = -np.inf) -> list[int]:
    """The places of the highest scores above ``least``, highest first; equal ones in the order of their coming."""
    if len(scores) > limit:
        edge = np.partition(scores, -limit)[-limit]
        places = np.flatnonzero(scores >= edge)
    else:
        places = np.arange(len(scores))
    places = places[scores[places] > least]
    return [int(place) for place in places[np.argsort(-scores[places], kind="stable")][:limit]]


def fuse(*rankings: Sequence[int]) -> list[tuple[int, float]]:
    """Join rankings: each place with the sum of 1 / (60 + rank), highest first; equal ones by place."""
    scores: dict[int, float] = {}
    for ranking in rankings:
        for rank, place in enumerate(ranking, 1):
            scores[place] = scores.get(place, 0.0) + 1 / (FUSION + rank)
    return sorted(scores.items(), key=lambda item: (-item[1], item[0]))
