"""Two judges on the same items, several comparisons, slices: published examples and hand-worked numbers."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.metrics import benjamini_hochberg, holm, mcnemar, paired_difference, slice_lift, stuart_maxwell
from core.metrics.slice_lift import Count


@pytest.mark.parametrize(("first", "second", "n", "mid_p"), [(1, 7, 21, 0.0391), (6, 16, 161, 0.0347)])
def test_published_mid_p(first: int, second: int, n: int, mid_p: float) -> None:
    """Fagerland, Lydersen and Laake 2013, tables 1 and 2: 0.039 and 0.035; the exact test has 0.070 and 0.052."""
    found = mcnemar.from_counts(first, second, n)

    assert found.p == pytest.approx(mid_p, abs=5e-5)
    assert (found.n, found.differing) == (n, first + second)
    assert mcnemar.from_counts(second, first, n).p == found.p


def test_mcnemar_counts_pairs() -> None:
    """Right and right, only the first, only the second: 2 · (P(0) + ½ P(1)) is not reached, one on each side is 1."""
    found = mcnemar.test([(True, True), (True, False), (False, True), (False, False)])
    assert (found.p, found.differing, found.n) == (1.0, 2, 4)
    alone = mcnemar.test([(True, False)] * 5)
    assert alone.p == pytest.approx(2 * 0.5 * 0.5**5)
    assert mcnemar.test([(True, True)]).warnings == ("no pair differs, so there is nothing to test",)
    with pytest.raises(ValueError, match="pairs"):
        mcnemar.from_counts(2, 2, 3)


def test_mcnemar_with_many_pairs() -> None:
    """10,000 discordant pairs neither overflow nor take long; the normal approximation agrees."""
    stats = pytest.importorskip("scipy.stats")
    assert mcnemar.from_counts(4900, 5100, 20_000).p == pytest.approx(2 * stats.norm.sf(200 / 100), abs=1e-4)


def _pairs(table: list[list[int]]) -> list[tuple[str, str]]:
    size = range(len(table))
    return [(f"c{i}", f"c{j}") for i in size for j in size for _ in range(table[i][j])]


@pytest.mark.parametrize(
    ("table", "statistic", "p"),
    [
        ([[1520, 266, 124, 66], [234, 1512, 432, 78], [117, 362, 1772, 205], [36, 82, 179, 492]], 11.96, 0.0075),
        ([[35, 5, 0], [15, 20, 5], [10, 5, 5]], 14.0, 0.00091),
    ],
)
def test_published_stuart_maxwell(table: list[list[int]], statistic: float, p: float) -> None:
    """A. Stuart 1955, unaided vision of 7,477 women; J. L. Fleiss 1981, two diagnoses of 100 patients."""
    found = stuart_maxwell.test(_pairs(table))

    assert found.statistic == pytest.approx(statistic, abs=5e-3)
    assert found.p == pytest.approx(p, abs=5e-5)
    assert found.degrees == len(table) - 1


def test_a_label_without_exchange_costs_no_degree() -> None:
    """Two labels that are exchanged 9 times against 1, a third that both use alike: McNemar's (9 - 1)² / 10."""
    found = stuart_maxwell.test([("a", "b")] * 9 + [("b", "a")] + [("c", "c")] * 5)

    assert found.statistic == pytest.approx(6.4)
    assert found.degrees == 1


def test_groups_that_are_never_exchanged() -> None:
    """Two separate exchanges add up, with a degree each."""
    found = stuart_maxwell.test([("a", "b")] * 9 + [("b", "a")] + [("c", "d")] * 4)

    assert found.statistic == pytest.approx(6.4 + 4)
    assert found.degrees == 2


def test_nothing_differs() -> None:
    """No pair apart is no evidence, not a division by zero."""
    for pairs in ([], [("a", "a")] * 3):
        found = stuart_maxwell.test(pairs)
        assert (found.p, found.statistic, found.degrees, found.differing) == (1.0, 0.0, 0, 0)
        assert found.warnings == ("no pair differs, so there is nothing to test",)


def test_chi_squared_against_a_reference() -> None:
    """Up to eight degrees, as nine labels have: rings of labels, exchanged unevenly."""
    stats = pytest.importorskip("scipy.stats")
    for kinds in range(2, 10):
        pairs = [(str(at), str((at + 1) % kinds)) for at in range(kinds) for _ in range(10 + at)]
        found = stuart_maxwell.test([*pairs, *[("0", "1")] * 12])
        assert found.degrees == kinds - 1
        assert found.statistic is not None
        assert found.p == pytest.approx(stats.chi2.sf(found.statistic, found.degrees))


def test_difference_on_shared_items() -> None:
    """Different item sets: the means of all items say down, the shared items say up."""
    found = paired_difference.estimate({"1": 1, "2": 1, "3": 0, "4": 1}, {"3": 1, "4": 1, "5": 0, "6": 0})

    assert (found.estimate, found.shared, found.n) == (0.5, ("3", "4"), 2)
    assert (found.only_first, found.only_second, found.flags) == (2, 2, ("different_item_sets",))


def test_matched_sets_raise_no_flag() -> None:
    """An error of one side takes the item out of the comparison, and is said."""
    same = paired_difference.estimate({"1": 1.0, "2": 0.0}, {"1": 1.0, "2": 1.0})
    assert (same.estimate, same.flags) == (0.5, ())
    failed = paired_difference.estimate({"1": 1.0, "2": 0.0}, {"1": 1.0, "2": None})
    assert (failed.estimate, failed.n, failed.only_first, failed.flags) == (0.0, 1, 1, ("different_item_sets",))
    nothing = paired_difference.estimate({"1": 1.0}, {"2": 1.0})
    assert (nothing.estimate, nothing.reason) == (None, "no_overlap")


def test_the_interval_of_a_difference_covers() -> None:
    """Of 120 seeded pairs of runs, 60 requests of 3 items with a shared part, 88 to 99.5 % hold the true difference."""
    generator = np.random.default_rng(5)
    names = [f"{request}.{item}" for request in range(60) for item in range(3)]
    clusters = {name: name.split(".")[0] for name in names}
    held = 0
    for seed in range(120):
        shift = np.repeat(generator.normal(0, 0.2, 60), 3)
        ours = dict(zip(names, generator.normal(0, 0.2, 180).tolist(), strict=True))
        theirs = dict(zip(names, (generator.normal(0.1, 0.2, 180) + shift).tolist(), strict=True))
        found = paired_difference.estimate(ours, theirs, clusters, seed)
        held += found.low is not None and found.high is not None and found.low <= 0.1 <= found.high
    assert 0.88 <= held / 120 <= 0.995


def test_hand_worked_holm() -> None:
    """0.005 · 4, 0.01 · 3, 0.03 · 2, then no smaller than the one before; none is no test."""
    assert holm.adjust([0.01, 0.04, None, 0.03, 0.005]) == pytest.approx([0.03, 0.06, None, 0.06, 0.02])
    with pytest.raises(ValueError, match="p-value"):
        holm.adjust([1.2])


def test_published_false_discovery_rate() -> None:
    """Benjamini and Hochberg 1995, section 3.1: of 15 p-values four are rejected at 0.05, by Holm three."""
    p = [
        0.0001,
        0.0004,
        0.0019,
        0.0095,
        0.0201,
        0.0278,
        0.0298,
        0.0344,
        0.0459,
        0.324,
        0.4262,
        0.5719,
        0.6528,
        0.759,
        1,
    ]
    assert sum(one is not None and one <= 0.05 for one in benjamini_hochberg.adjust(p)) == 4
    assert sum(one is not None and one <= 0.05 for one in holm.adjust(p)) == 3
    stats = pytest.importorskip("scipy.stats")
    assert benjamini_hochberg.adjust(p) == pytest.approx(stats.false_discovery_control(p).tolist())


@given(st.lists(st.floats(0, 1), max_size=12))
def test_corrections_only_raise(p_values: list[float]) -> None:
    """It holds that p ≤ Benjamini–Hochberg ≤ Holm ≤ 1, in the same order as the p-values."""
    for p, q, strict in zip(p_values, benjamini_hochberg.adjust(p_values), holm.adjust(p_values), strict=True):
        assert q is not None
        assert strict is not None
        assert p <= q + 1e-12
        assert q <= strict + 1e-12
        assert strict <= 1


def test_hand_worked_lift() -> None:
    """30 of 100 against 40 of 400: three times as often, 20 more than at the rate of the rest."""
    (found,) = slice_lift.rank({"pdf": Count(30, 100)}, Count(70, 500))

    assert found.lift.estimate == pytest.approx(3.0)
    assert found.excess == pytest.approx(20.0)
    half = 1.959964 * (1 / 30 - 1 / 100 + 1 / 40 - 1 / 400) ** 0.5
    assert (found.lift.low, found.lift.high) == pytest.approx((3 * np.exp(-half), 3 * np.exp(half)))
    assert found.p == found.q
    assert found.stands_out


def test_chi_squared_of_a_slice() -> None:
    """The chi-squared of scipy without correction, times (N - 1) / N."""
    stats = pytest.importorskip("scipy.stats")
    squared = stats.chi2_contingency([[12, 88], [25, 375]], correction=False).statistic * 499 / 500
    (found,) = slice_lift.rank({"x": Count(12, 100)}, Count(37, 500))

    assert found.p == pytest.approx(stats.chi2.sf(squared, 1))


def test_slices_are_ranked_by_excess() -> None:
    """A large slice a little worse comes before a small one much worse; slices that are better come last."""
    slices = {"small": Count(4, 5), "large": Count(60, 300), "good": Count(5, 200), "empty": Count(0, 0)}
    found = slice_lift.rank(slices, Count(100, 1000))

    assert [one.name for one in found] == ["large", "small", "empty", "good"]
    assert found[2].rate.estimate is None
    assert (found[2].lift.reason, found[2].p, found[2].stands_out) == ("no_data", None, False)


def test_lift_without_failures_elsewhere() -> None:
    """3 of 10 against none of 90 is no number of times; where the slice has none, the lift is 0 with a bound above."""
    (found,) = slice_lift.rank({"x": Count(3, 10)}, Count(3, 100))
    assert (found.lift.estimate, found.lift.reason) == (None, "no_failure_elsewhere")
    (none,) = slice_lift.rank({"x": Count(0, 10)}, Count(9, 100))
    assert (none.lift.estimate, none.lift.low) == (0.0, 0.0)
    assert none.lift.high is not None
    assert none.lift.high > 1


def test_requests_that_fail_together_weigh_less() -> None:
    """A design effect of 4 leaves the estimates, widens the intervals, and no longer flags."""
    (plain,) = slice_lift.rank({"x": Count(20, 100)}, Count(60, 500))
    (wide,) = slice_lift.rank({"x": Count(20, 100)}, Count(60, 500), design_effect=4)

    assert (wide.lift.estimate, wide.excess) == (plain.lift.estimate, plain.excess)
    assert (plain.stands_out, wide.stands_out) == (True, False)
    assert wide.rate.low is not None
    assert plain.rate.low is not None
    assert wide.rate.low < plain.rate.low
    for bad in (Count(70, 100), Count(0, 600)):
        with pytest.raises(ValueError, match="within"):
            slice_lift.rank({"x": bad}, Count(60, 500))
    with pytest.raises(ValueError, match="design effect"):
        slice_lift.rank({}, Count(1, 2), 0.5)


def test_flags_by_chance_are_few() -> None:
    """Where nothing differs, 200 seeded sets of 20 slices have any flag in at most 8 % of the sets."""
    generator = np.random.default_rng(11)
    flagged = 0
    for _ in range(200):
        failed = generator.binomial(100, 0.15, 20)
        slices = {str(at): Count(int(one), 100) for at, one in enumerate(failed)}
        flagged += any(one.stands_out for one in slice_lift.rank(slices, Count(int(failed.sum()), 2000)))
    assert flagged / 200 <= 0.08
