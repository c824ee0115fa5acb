"""Ranking by words and by meaning, on texts small enough to work out by hand."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.ranking import FUSION, WordIndex, best, fuse, overlap, tokens


def test_words_are_folded() -> None:
    """Case, plurals, stop words, numbers as they are; pairs of characters where words are not set apart."""
    assert tokens("The Ferries cost 3.50 and the ferry's late") == ["ferry", "cost", "3.50", "ferry", "late"]
    assert tokens("駅は閉鎖") == ["駅は", "は閉", "閉鎖"]
    assert tokens("…") == []


def test_bm25_by_hand() -> None:
    """Robertson's formula for one word in texts of two and four words, k1 = 1.5, b = 0.75, idf as Lucene has it."""
    index = WordIndex(["toll crown", "toll toll gate bridge", "dog cat"])
    idf = math.log(1 + (3 - 2 + 0.5) / (2 + 0.5))
    mean = 8 / 3

    def worth(times: int, length: int) -> float:
        return idf * times / (times + 1.5 * (1 - 0.75 + 0.75 * length / mean))

    assert index.scores("tolls") == pytest.approx([worth(1, 2), worth(2, 4), 0.0], rel=1e-5)


@pytest.mark.parametrize("texts", [[], [""], ["…", "?"]])
def test_nothing_to_count_is_no_score(texts: list[str]) -> None:
    """No text, no words, or words that no text has."""
    assert list(WordIndex(texts).scores("toll")) == [0.0] * len(texts)
    assert list(WordIndex(["gate"]).scores("the toll")) == [0.0]


def test_the_best_come_first_and_equal_ones_in_their_order() -> None:
    """What is not above the least is left out."""
    scores = np.array([1.0, 3.0, 0.0, 3.0, 2.0], dtype=np.float32)

    assert best(scores, 3) == [1, 3, 4]
    assert best(scores, 9, least=0.0) == [1, 3, 4, 0]
    assert best(np.zeros(0, dtype=np.float32), 3) == []


def test_overlap_by_hand() -> None:
    """Words of four, five and twelve letters weigh 0.8, 1 and 2; a word asked twice counts once."""
    asked = tokens("toll ferry ferry considerable")

    assert overlap(asked, "The tolls of a ferry") == pytest.approx(1.8 / 3.8)
    assert overlap(asked, "considerable") == pytest.approx(2 / 3.8)
    assert overlap([], "toll") == overlap(asked, "") == 0.0


def test_rankings_are_fused_by_rank() -> None:
    """The sum of 1 / (60 + rank); both rankings count alike."""
    assert fuse([7, 8], [8, 9]) == [
        (8, 1 / (FUSION + 2) + 1 / (FUSION + 1)),
        (7, 1 / (FUSION + 1)),
        (9, 1 / (FUSION + 2)),
    ]


@given(st.lists(st.floats(-1, 1, width=32), max_size=30), st.integers(1, 10))
def test_best_is_sorting(scores: list[float], limit: int) -> None:
    """Taking a part is taking the beginning of the whole order, up to equal scores."""
    array = np.array(scores, dtype=np.float32)
    whole = sorted(range(len(scores)), key=lambda place: (-array[place], place))

    assert [array[place] for place in best(array, limit)] == [array[place] for place in whole[:limit]]
