"""Confidences beside what turned out: Brier, calibration error, AUROC, correlation, means."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.metrics import Undefined, auroc, brier, correlation, ece, score_mean
from core.metrics.confidence import Scored, scored
from core.metrics.ece import Binning

SEEN = st.lists(st.tuples(st.floats(0, 1), st.integers(0, 1)), min_size=1, max_size=40)


def _random(n: int = 400, ties: bool = False) -> Scored:
    generator = np.random.default_rng(7)
    sure = generator.random(n)
    right = generator.random(n) < sure**2
    return scored((np.round(sure, 1) if ties else sure).tolist(), right.astype(int).tolist())


def test_hand_worked_brier() -> None:
    """(0.1² + 0.4² + 1²) / 3."""
    found = brier.estimate(scored([0.9, 0.4, 1.0], [1, 0, 0]))

    assert found.estimate == pytest.approx((0.01 + 0.16 + 1) / 3)
    assert found.n == 3


def test_brier_and_auroc_against_a_reference() -> None:
    """scikit-learn says the same, with and without ties."""
    metrics = pytest.importorskip("sklearn.metrics")
    for seen in (_random(), _random(ties=True)):
        assert brier.estimate(seen).estimate == pytest.approx(metrics.brier_score_loss(seen.correct, seen.confidence))
        assert auroc.estimate(seen).estimate == pytest.approx(metrics.roc_auc_score(seen.correct, seen.confidence))


def test_errors_are_no_scores() -> None:
    """An item without a confidence or an outcome is left out and said."""
    found = brier.estimate(scored([0.5, None, 0.5], [1, 1, None]))

    assert (found.estimate, found.n) == (0.25, 1)
    assert "2 items without a score or an outcome are left out" in found.warnings


@pytest.mark.parametrize(("sure", "right"), [([1.2], [1]), ([float("nan")], [1]), ([0.5], [2]), ([0.5], [])])
def test_impossible_scores_are_refused(sure: list[float], right: list[int]) -> None:
    """A score on another scale must not become a plausible figure."""
    with pytest.raises(ValueError, match=r"confidence|outcome|shorter"):
        scored(sure, right)


def test_a_confidence_of_one_is_in_the_last_bin() -> None:
    """Two items in the bin from 0.9 to 1: |1.92 - 1| / 2."""
    found = ece.estimate(scored([0.92, 1.0], [0, 1]))

    assert found.estimate == pytest.approx(0.46)
    assert [(one.low, one.high, one.n) for one in found.bins] == [(0.9, 1.0, 2)]


def test_edges_are_the_decimals_that_people_write() -> None:
    """0.3 opens the fourth of ten bins; 0.0 is in the first."""
    found = ece.estimate(scored([0.0, 0.3, 0.29], [0, 0, 0]))

    assert [(one.low, one.n) for one in found.bins] == [(0.0, 1), (0.2, 1), (0.3, 1)]


def test_bins_hold_what_is_drawn() -> None:
    """Of four items at 0.7 and 0.8 in one bin, three are right: Wilson's interval of 3 of 4."""
    (one,) = ece.estimate(scored([0.7, 0.7, 0.8, 0.8], [1, 1, 1, 0]), bins=2).bins

    assert (one.low, one.high, one.n) == (0.5, 1.0, 4)
    assert one.confidence == pytest.approx(0.75)
    assert one.observed.estimate == 0.75
    assert one.observed.low == pytest.approx(0.3006, abs=5e-5)
    assert one.observed.high == pytest.approx(0.9544, abs=5e-5)


def test_quantile_bins_that_fall_together() -> None:
    """Equal confidences are one bin, and a heavy value never shares its bin with smaller ones."""
    same = ece.estimate(scored([0.7] * 4, [1, 0, 0, 0]), binning="quantile")
    assert same.estimate == pytest.approx(0.45)
    assert [(one.low, one.high, one.n) for one in same.bins] == [(0.7, 0.7, 4)]
    heavy = ece.estimate(scored([0.1, 0.9, 0.9, 0.9], [0, 1, 1, 0]), 2, "quantile")
    assert [one.n for one in heavy.bins] == [1, 3]
    assert heavy.estimate == pytest.approx((0.1 + 0.7) / 4)


def test_quantile_bins_hold_equal_numbers() -> None:
    """Ten items in five bins are two each."""
    found = ece.estimate(scored([at / 10 for at in range(10)], [0] * 10), 5, "quantile")

    assert [one.n for one in found.bins] == [2] * 5


def test_no_bin_is_refused() -> None:
    """Zero bins hold nothing."""
    with pytest.raises(ValueError, match="bin"):
        ece.estimate(scored([0.5], [1]), 0)


@settings(max_examples=40)  # each is a bootstrap
@given(SEEN, st.integers(1, 12), st.sampled_from(["equal_width", "quantile"]))
def test_calibration_error_is_a_share(seen: list[tuple[float, int]], bins: int, binning: Binning) -> None:
    """In [0, 1], every item in one bin, whatever the bins."""
    found = ece.estimate(scored([one for one, _ in seen], [one for _, one in seen]), bins, binning)

    assert found.estimate is not None
    assert -1e-12 <= found.estimate <= 1 + 1e-12
    assert sum(one.n for one in found.bins) == len(seen)
    assert len(found.bins) <= bins


def test_hand_worked_auroc() -> None:
    """Positives 0.8, 0.5 against 0.5, 0.1: three of four pairs in order, one tie: 3.5 / 4."""
    found = auroc.estimate(scored([0.8, 0.5, 0.5, 0.1], [1, 1, 0, 0]))

    assert found.estimate == 0.875


def test_delong_by_its_definition() -> None:
    """The variance from the matrix of all pairs, as the paper writes it; interval back on the logit scale."""
    seen = _random(150, ties=True)
    ours, others = seen.confidence[seen.correct == 1], seen.confidence[seen.correct == 0]
    order = (ours[:, None] > others) + 0.5 * (ours[:, None] == others)
    value = order.mean()
    spread = order.mean(axis=1).var(ddof=1) / len(ours) + order.mean(axis=0).var(ddof=1) / len(others)
    half = 1.959964 * np.sqrt(spread) / (value * (1 - value))
    centre = np.log(value / (1 - value))
    found = auroc.estimate(seen)

    assert found.estimate == pytest.approx(value)
    assert found.low == pytest.approx(1 / (1 + np.exp(half - centre)))
    assert found.high == pytest.approx(1 / (1 + np.exp(-half - centre)))


def test_clusters_widen_the_interval() -> None:
    """Each item five times in its cluster says no more than once."""
    seen = _random(60)
    fold = scored(
        np.tile(seen.confidence, 5).tolist(), np.tile(seen.correct, 5).tolist(), [str(i) for i in range(60)] * 5
    )
    once, five = auroc.estimate(seen), auroc.estimate(fold)

    assert five.estimate == pytest.approx(once.estimate)
    assert five.low == pytest.approx(once.low, abs=0.01)


def test_perfect_order_is_not_certain() -> None:
    """Three above three: the interval is Wilson's of 3 of 3, not a point."""
    found = auroc.estimate(scored([0.9, 0.8, 0.7, 0.3, 0.2, 0.1], [1, 1, 1, 0, 0, 0]))

    assert (found.estimate, found.high) == (1.0, 1.0)
    assert found.low == pytest.approx(0.4385, abs=5e-5)


def test_undefined_values_say_why() -> None:
    """One class, no variance, no items."""
    assert auroc.estimate(scored([0.1, 0.9], [1, 1])).reason == "one_class"
    assert auroc.estimate(scored([], [])).reason is Undefined.NO_DATA
    assert correlation.estimate(scored([0.7, 0.7], [1, 0])).reason == "zero_variance"
    assert correlation.estimate(scored([0.1] * 3, [1, 0, 0])).reason == "zero_variance"
    assert correlation.estimate(scored([], [])).reason is Undefined.NO_DATA
    for statistic in (brier, ece):
        found = statistic.estimate(scored([], []))
        assert (found.estimate, found.reason, found.warnings) == (None, "no_data", ("no data",))


def test_correlation_against_a_reference() -> None:
    """The library scipy gives the same value and the same Fisher interval."""
    stats = pytest.importorskip("scipy.stats")
    seen = _random()
    reference = stats.pearsonr(seen.confidence, seen.correct)
    found = correlation.estimate(seen)

    assert found.estimate == pytest.approx(reference.statistic)
    assert (found.low, found.high) == pytest.approx(tuple(reference.confidence_interval()))


def test_mean_without_errors() -> None:
    """Three scores and a time-out; two outages; a score beside an error is no score."""
    found = score_mean.estimate([1, 1, None, 1], [None, None, "provider_timeout", None])
    assert (found.estimate, found.n, found.errors, found.missing) == (1.0, 3, 1, 0)
    none = score_mean.estimate([None, 0.0, None], ["disk_full", "network", None])
    assert (none.estimate, none.n, none.errors, none.missing) == (None, 0, 2, 1)
    assert none.warnings == ("no data",)
    with pytest.raises(ValueError, match="finite"):
        score_mean.estimate([float("nan")], [None])
