"""Bootstrap intervals: what is drawn, what it covers, and that a seed decides everything."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from core.metrics import bootstrap
from core.metrics.bootstrap import Sums


def share(sums: Sums) -> NDArray[np.float64]:
    """The first column as a share of the second; nan where there is none."""
    with np.errstate(invalid="ignore"):
        return np.asarray(sums[..., 0] / sums[..., 1])


def test_rows_of_a_cluster_are_added_up_and_others_stay_alone() -> None:
    """Two rows of a, one of b, and two that belong to nobody."""
    rows = [(1, 1), (0, 1), (1, 1), (1, 1), (0, 1)]

    found = bootstrap.by_cluster(rows, ["a", "b", "a", None, None])

    assert found.tolist() == [[2, 2], [0, 1], [1, 1], [0, 1]]
    assert bootstrap.by_cluster([], []).shape == (0, 0)


def test_a_seed_decides_everything() -> None:
    """The same draws for the same seed, others for another."""
    sums = bootstrap.by_cluster([(at % 2, 1) for at in range(50)], [None] * 50)

    first, again, other = (bootstrap.draws(sums, share, [seed]) for seed in (7, 7, 8))

    assert first.tolist() == again.tolist()
    assert first.tolist() != other.tolist()


def test_draws_have_the_variance_of_the_share() -> None:
    """For 30 of 100 the standard error is √(0.3 · 0.7 / 100) = 0.0458."""
    sums = bootstrap.by_cluster([(at < 30, 1) for at in range(100)], [None] * 100)

    drawn = bootstrap.draws(sums, share, [1])

    assert drawn.mean() == pytest.approx(0.3, abs=0.005)
    assert drawn.std() == pytest.approx(0.0458, abs=0.003)


def test_clusters_are_drawn_whole() -> None:
    """50 clusters of four equal pairs say as much as 50 pairs: the interval is twice as wide as for 200."""
    rows = [(at < 100, 1) for at in range(200)]
    alone = bootstrap.interval(bootstrap.by_cluster(rows, [None] * 200), share, 200, [1])
    whole = bootstrap.interval(bootstrap.by_cluster(rows, [str(at // 4) for at in range(200)]), share, 200, [1])
    assert None not in (alone.low, alone.high, whole.low, whole.high)

    ratio = (whole.high - whole.low) / (alone.high - alone.low)  # type: ignore[operator]

    assert ratio == pytest.approx(2, abs=0.25)
    assert (alone.estimate, whole.estimate) == (0.5, 0.5)


def test_nothing_is_no_data() -> None:
    """Neither an estimate nor bounds, and it says so."""
    found = bootstrap.interval(bootstrap.by_cluster([], []), share, 0, [1])

    assert (found.estimate, found.low, found.high, found.n) == (None, None, None, 0)
    assert "no data" in found.warnings


def test_draws_without_a_value_are_counted() -> None:
    """One pair in two counts; a quarter of the draws have none."""
    found = bootstrap.interval(np.array([[1.0, 1.0], [0.0, 0.0]]), share, 2, [1])

    assert (found.estimate, found.low, found.high) == (1.0, 1.0, 1.0)
    assert "only 2 clusters" in found.warnings
    assert any("draws have no value" in warning for warning in found.warnings)
    assert any("same value" in warning for warning in found.warnings)


def test_a_level_outside_its_range_is_refused() -> None:
    """An interval of 95 is no interval of 0.95."""
    with pytest.raises(ValueError, match="level"):
        bootstrap.between(0.5, np.array([0.5]), 1, level=95)


def test_it_covers_what_it_says() -> None:
    """Of 300 simulated sets of 80 pairs with a share of 0.7, some 95 % have 0.7 in their interval."""
    generator = np.random.default_rng(2026)
    covered = 0
    for seed in range(300):
        hits = generator.random(80) < 0.7
        found = bootstrap.interval(np.c_[hits, np.ones(80)], share, 80, [seed])
        assert found.low is not None
        assert found.high is not None
        covered += found.low <= 0.7 <= found.high

    assert 0.91 <= covered / 300 <= 0.985


def test_it_covers_clustered_pairs_where_ignoring_clusters_does_not() -> None:
    """60 clusters of six pairs, half of which share their cluster's fate."""
    generator = np.random.default_rng(2026)
    covered = {"whole": 0, "ignored": 0}
    for seed in range(200):
        together, alone = np.repeat(generator.random(60) < 0.7, 6), generator.random(360) < 0.7
        hits = np.where(generator.random(360) < 0.7, together, alone)
        rows = [(int(hit), 1) for hit in hits]
        for name, clusters in (("whole", [str(at // 6) for at in range(360)]), ("ignored", [None] * 360)):
            found = bootstrap.interval(bootstrap.by_cluster(rows, clusters), share, 360, [seed])
            assert found.low is not None
            assert found.high is not None
            covered[name] += found.low <= 0.7 <= found.high

    assert covered["whole"] / 200 >= 0.9
    assert covered["ignored"] / 200 < 0.85
