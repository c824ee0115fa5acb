"""Words that stand out: by hand, and as one would expect of a prior."""

from __future__ import annotations

from math import log, sqrt

import pytest

from core.metrics import log_odds


def test_one_word_by_hand() -> None:
    """10 of 20 words against 2 of 40: the prior weighs 100 words, 20 of them this one."""
    found = {one.word: one for one in log_odds.rank({"a": 10, "b": 10}, {"a": 2, "b": 38})}
    prior = 100 * 12 / 60
    one, two = 10 + prior, 2 + prior
    expected = log(one / (120 - one + 0.5)) - log(two / (140 - two + 0.5))

    assert found["a"].log_odds == pytest.approx(expected)
    assert found["a"].z == pytest.approx(expected / sqrt(1 / one + 1 / two))
    assert found["b"].z < 0


def test_a_rare_word_stays_near_nothing() -> None:
    """One word seen once is no finding; the same share of many is."""
    rare = log_odds.rank({"x": 1, "y": 99}, {"y": 100})[0]
    often = log_odds.rank({"x": 100, "y": 900}, {"y": 1000})[0]

    assert (rare.word, often.word) == ("x", "x")
    assert rare.z < 1.96 < often.z


def test_equal_words_stand_by_the_alphabet() -> None:
    """Nothing is left to chance."""
    found = log_odds.rank({"b": 5, "a": 5}, {"c": 10})

    assert [one.word for one in found] == ["a", "b", "c"]
    assert log_odds.rank({}, {}) == []
