"""The Wilson interval, against published figures."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.metrics import wilson


@pytest.mark.parametrize(
    ("k", "n", "low", "high"),
    [(81, 263, 0.2553, 0.3662), (15, 148, 0.0624, 0.1605), (0, 20, 0.0, 0.1611), (1, 29, 0.0061, 0.1718)],
)
def test_published_examples(k: int, n: int, low: float, high: float) -> None:
    """Newcombe 1998, table I, method 3 (score, no continuity correction), four decimals."""
    found = wilson.interval(k, n)

    assert (found.estimate, found.n) == (k / n, n)
    assert found.low == pytest.approx(low, abs=5e-5)
    assert found.high == pytest.approx(high, abs=5e-5)
    assert found.method == "Wilson 95%"


def test_no_data_is_no_rate() -> None:
    """Nothing of nothing is not 0 per cent."""
    found = wilson.interval(0, 0)

    assert (found.estimate, found.low, found.high, found.n) == (None, None, None, 0)
    assert found.warnings == ("no data",)


@pytest.mark.parametrize(("k", "n", "level"), [(-1, 3, 0.95), (4, 3, 0.95), (0, -1, 0.95), (1, 3, 0.0), (1, 3, 1.0)])
def test_impossible_counts_are_refused(k: int, n: int, level: float) -> None:
    """A wrong count must not become a plausible interval."""
    with pytest.raises(ValueError, match=r"share|level"):
        wilson.interval(k, n, level)


@given(st.integers(1, 2000).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n))))
def test_the_interval_holds_the_share_and_stays_in_range(counts: tuple[int, int]) -> None:
    """0 ≤ low ≤ share ≤ high ≤ 1, and turning successes into failures mirrors it."""
    k, n = counts
    found, mirrored = wilson.interval(k, n), wilson.interval(n - k, n)
    assert found.low is not None
    assert found.high is not None
    assert mirrored.high is not None

    assert 0 <= found.low <= k / n <= found.high <= 1
    assert found.low == pytest.approx(1 - mirrored.high)
