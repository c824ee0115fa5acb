"""Agreement of people with people and with judges: published examples, undefined values, properties."""

from __future__ import annotations

from random import Random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.metrics import Undefined, cohen_kappa, gwet_ac1, krippendorff_alpha, ratings, raw_agreement
from core.metrics.ratings import Rated

KRIPPENDORFF = "123321412...", "12332241 25.3", ".333234225 1.", "1233244125 1."
"""K. Krippendorff, Computing Krippendorff's Alpha-Reliability (2011), section C: 4 observers, 12 units, 7 gaps."""
THREE_CODERS = "*****341211 33*3", "1*213343*******", "**21344*21133*4"
"""Three coders and 15 units, as in the article "Krippendorff's alpha" of Wikipedia; nominal α = 0.691."""
LABELS = st.sampled_from(["supported", "partial", "contradicted"])
TABLES = st.lists(st.lists(st.one_of(st.none(), LABELS), min_size=2, max_size=4), min_size=1, max_size=12)


def _units(raters: tuple[str, ...]) -> list[Rated]:
    rows = [row.replace(" ", "") for row in raters]
    return [Rated([None if label in ".*" else label for label in unit]) for unit in zip(*rows, strict=True)]


def _crossed(*cells: tuple[str, str, int]) -> tuple[dict[str, str | None], dict[str, str | None]]:
    pairs = [(one, other) for one, other, count in cells for _ in range(count)]
    return (
        {f"i{at}": one for at, (one, _) in enumerate(pairs)},
        {f"i{at}": other for at, (_, other) in enumerate(pairs)},
    )


@pytest.mark.parametrize(
    ("raters", "alpha"),
    [
        (KRIPPENDORFF, 0.743),
        (("aabbdcccedda", "babbbcccedd d"), 0.692),
        (("0100000010", "1110010000"), 0.095),
        (THREE_CODERS, 0.691),
    ],
)
def test_published_alpha(raters: tuple[str, ...], alpha: float) -> None:
    """Krippendorff 2011, sections C (missing data), B (nominal, two observers) and A (binary); three coders."""
    found = krippendorff_alpha.estimate(_units(raters))

    assert found.estimate == pytest.approx(alpha, abs=5e-4)
    assert found.estimate is not None
    assert found.low is not None
    assert found.high is not None
    assert -1 <= found.low <= found.estimate <= found.high <= 1


def test_what_alpha_was_made_of() -> None:
    """Of 12 units one has a single label; 2, 3 or 4 labels in each of the others make 55 pairs."""
    found = krippendorff_alpha.estimate(_units(KRIPPENDORFF))

    assert (found.n, found.pairs, found.single) == (11, 55, 1)
    assert found.warnings == ("only 11 clusters",)


def test_published_ac1_with_gaps() -> None:
    """The same data: AC1 = 0.77544, as K. L. Gwet's package irrCAC prints for it (data set cac.raw4raters)."""
    assert gwet_ac1.estimate(_units(KRIPPENDORFF)).estimate == pytest.approx(0.77544, abs=5e-6)


def test_ac1_where_kappa_collapses() -> None:
    """Gwet 2002, 125 items, 118 both +, 5 and 2 apart: they agree on 94 %, kappa is -0.023, AC1 is 0.941."""
    a, b = _crossed(("+", "+", 118), ("+", "-", 5), ("-", "+", 2))
    items = [one for _, one in ratings.pairs(a, b)]

    assert raw_agreement.estimate(items).estimate == pytest.approx(0.944)
    assert cohen_kappa.estimate(a, b).estimate == pytest.approx(-0.0234, abs=5e-5)
    assert gwet_ac1.estimate(items).estimate == pytest.approx(0.9408, abs=5e-5)


def test_published_kappa() -> None:
    """J. Cohen 1960, table 1: 200 items, agreement 0.58 by hand: p_o 140/200, p_e 0.41, kappa 0.492."""
    table = [[88, 14, 18], [10, 40, 10], [2, 6, 12]]
    cells = [("xyz"[i], "xyz"[j], table[i][j]) for i in range(3) for j in range(3)]
    found = cohen_kappa.estimate(*_crossed(*cells))

    assert found.estimate == pytest.approx((0.70 - 0.41) / (1 - 0.41))
    assert found.n == 200


def test_kappa_against_a_reference() -> None:
    """scikit-learn says the same of 300 random pairs of labels."""
    metrics = pytest.importorskip("sklearn.metrics")
    drawn = np.random.default_rng(1).integers(0, 4, (2, 300)).astype(str)
    a, b = ({str(at): str(label) for at, label in enumerate(row)} for row in drawn)

    assert cohen_kappa.estimate(a, b).estimate == pytest.approx(metrics.cohen_kappa_score(*drawn))


def test_only_shared_items_count() -> None:
    """Marginals come from the five shared items; skipped ones (none) are not shared."""
    a: dict[str, str | None] = {"1": "s", "2": "s", "3": "p", "4": "c", "5": "s", "6": "p", "8": None}
    b: dict[str, str | None] = {"1": "s", "2": "p", "3": "p", "4": "c", "5": "s", "7": "c", "8": "p"}
    found = cohen_kappa.estimate(a, b)

    assert found.estimate == pytest.approx(0.6875)
    assert found.items == ("1", "2", "3", "4", "5")


def test_a_constant_rater_is_flagged() -> None:
    """Kappa is defined and 0; the flag says whose fault it is."""
    found = cohen_kappa.estimate({"1": "s", "2": "s", "3": "s"}, {"1": "s", "2": "s", "3": "p"})

    assert (found.estimate, found.flags) == (0.0, ("constant_rater:a",))
    both = cohen_kappa.estimate({"1": "s", "2": "s"}, {"1": "p", "2": "p"})
    assert (both.estimate, both.flags) == (0.0, ("constant_rater:a", "constant_rater:b"))


def test_no_overlap_is_said() -> None:
    """Two raters of different items cannot agree or disagree."""
    kappa = cohen_kappa.estimate({"1": "s"}, {"2": "s"})
    assert (kappa.estimate, kappa.reason, kappa.n, kappa.items, kappa.flags) == (None, "no_overlap", 0, (), ())
    for statistic in (krippendorff_alpha, gwet_ac1, raw_agreement):
        found = statistic.estimate([Rated(["s"]), Rated(["s", None])])
        assert (found.estimate, found.reason, found.single) == (None, Undefined.NO_OVERLAP, 2)
        assert found.warnings == (Undefined.NO_OVERLAP.sentence,)
        assert statistic.estimate([]).reason is Undefined.NO_OVERLAP


def test_no_variation_is_said() -> None:
    """Every label the same: nothing but the raw agreement is defined."""
    items = [Rated(["s", "s"])] * 3
    for statistic in (krippendorff_alpha, gwet_ac1):
        found = statistic.estimate(items)
        assert (found.estimate, found.low, found.high, found.n) == (None, None, None, 3)
        assert (found.reason, found.warnings) == ("no_variation", (Undefined.NO_VARIATION.sentence,))
    assert raw_agreement.estimate(items).estimate == 1.0
    assert cohen_kappa.estimate({"1": "s"}, {"1": "s"}).reason == "no_variation"


def test_labels_taken_apart() -> None:
    """Three labels twice each; without the last two items agree on two; one against the rest has two values."""
    items = [Rated(["s", "s"]), Rated(["p", "p"]), Rated(["c", "s"], "r"), Rated(["p", None])]

    assert ratings.only(items, {"s", "p"})[2] == Rated([None, "s"], "r")
    assert krippendorff_alpha.estimate(ratings.only(items, {"s", "p"})).estimate == 1.0
    assert [one.labels for one in ratings.against_rest(items, "s")] == [
        ["s", "s"],
        ["not s", "not s"],
        ["not s", "s"],
        ["not s", None],
    ]


def test_items_of_a_cluster_are_drawn_together() -> None:
    """Ten items of each of 20 requests say no more than 20 items: the interval is wider than over 200 items."""
    generator = np.random.default_rng(3)
    agreed = generator.random(20) < 0.7
    items = [Rated(["s" if at % 2 else "p"] * 2 if yes else ["s", "p"], f"r{at}") for at, yes in enumerate(agreed)] * 10
    alone = [one._replace(cluster=None) for one in items]
    together, apart = krippendorff_alpha.estimate(items), krippendorff_alpha.estimate(alone)

    assert together.estimate == apart.estimate
    assert together.low is not None
    assert apart.low is not None
    assert together.low < apart.low


@settings(max_examples=40)  # each is a bootstrap
@given(TABLES, st.randoms(use_true_random=False))
def test_order_does_not_matter_and_ranges_hold(table: list[list[str | None]], random: Random) -> None:
    """Raters, items and the names of labels can be exchanged; alpha and AC1 lie in [-1, 1]."""
    renamed = {"supported": "z", "partial": "y", "contradicted": "x", None: None}
    moved = [[renamed[label] for label in reversed(labels)] for labels in table]
    random.shuffle(moved)
    for statistic in (krippendorff_alpha, gwet_ac1, raw_agreement):
        found = statistic.estimate([Rated(labels) for labels in table])
        other = statistic.estimate([Rated(labels) for labels in moved])
        assert found.reason == other.reason
        if found.estimate is not None:
            assert other.estimate == pytest.approx(found.estimate)
            assert -1 - 1e-12 <= found.estimate <= 1 + 1e-12


@settings(max_examples=40)  # each is a bootstrap
@given(st.lists(st.tuples(LABELS, LABELS), min_size=1, max_size=20))
def test_kappa_is_symmetric(pairs: list[tuple[str, str]]) -> None:
    """Which rater comes first changes nothing."""
    a, b = ({str(at): pair[side] for at, pair in enumerate(pairs)} for side in (0, 1))
    one, other = cohen_kappa.estimate(a, b), cohen_kappa.estimate(b, a)

    assert one.estimate == pytest.approx(other.estimate)
    assert one.reason == other.reason
