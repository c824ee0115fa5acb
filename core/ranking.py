"""Two rankings of passages for a question, by words (BM25) and by meaning (embeddings), and how they become one.

An index knows only what was put into it: scores of one index say nothing about passages of another.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from core.words import STOP_WORDS, singular

FUSION = 60
"""The constant of reciprocal rank fusion (Cormack, Clarke and Büttcher 2009, section 2)."""

Floats = NDArray[np.float32]

_TOKEN = re.compile(r"\d+(?:[.,]\d+)*|[^\W\d_]+")
_UNSPACED = re.compile(r"[\u0e00-\u0eff\u0f00-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af]")


def tokens(text: str) -> list[str]:
    """The words of a text as BM25 counts them, repeated ones too: folded, singular, without English stop words.

    Scripts that set no blanks between words give pairs of neighbouring characters.
    """
    found: list[str] = []
    for token in _TOKEN.findall(unicodedata.normalize("NFKC", text).casefold()):
        found.extend(_terms(token))
    return found


@lru_cache(maxsize=200_000)
def _terms(token: str) -> tuple[str, ...]:
    if not token.isascii() and _UNSPACED.search(token):
        return tuple(token[at : at + 2] for at in range(max(1, len(token) - 1)))
    return () if token in STOP_WORDS else (singular(token),)


def overlap(asked: Sequence[str], text: str) -> float:
    """Share of some words that a text holds, from 0 to 1; a word of five letters weighs 1, a long one at most 2."""
    weights = {word: min(len(word) / 5, 2.0) for word in asked}
    held = weights.keys() & set(tokens(text)) if weights else set()
    return sum(weights[word] for word in held) / sum(weights.values()) if weights else 0.0


class WordIndex:
    """BM25 over some texts (Robertson's formula as Lucene writes it, k1 = 1.5, b = 0.75)."""

    def __init__(self, texts: Sequence[str]) -> None:
        """Count their words."""
        counted = [tokens(text) for text in texts]
        self._size = len(counted)
        self._index: Any = None
        if any(counted):
            from bm25s import BM25

            self._index = BM25()
            self._index.index(counted, show_progress=False)

    def scores(self, query: str) -> Floats:
        """One score a text, in order, 0 for a text without any of the words."""
        known = [] if self._index is None else [one for one in tokens(query) if one in self._index.vocab_dict]
        if not known:
            return np.zeros(self._size, dtype=np.float32)
        return np.asarray(self._index.get_scores(known), dtype=np.float32)


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
