"""Shares over pairs of which some belong together, and the two that are made of them."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.metrics import clustered_share, false_pass, false_strip, wilson
from core.metrics.clustered_share import Hit, Spread
from core.metrics.confusion import Outcome


def test_pairs_on_their_own_have_the_wilson_interval() -> None:
    """Named clusters of one are pairs on their own as well."""
    hits: list[Hit] = [(at < 15, None) for at in range(148)]
    plain = wilson.interval(15, 148)

    for found in (
        clustered_share.estimate(hits),
        clustered_share.estimate([(hit, str(at)) for at, (hit, _) in enumerate(hits)]),
    ):
        assert (found.estimate, found.low, found.high, found.n) == (plain.estimate, plain.low, plain.high, 148)
        assert found.unjudged == 0


def test_by_hand() -> None:
    """Ten clusters of four equal pairs, five of them hits: the design effect is 4·10/9, so 9 pairs count."""
    found = clustered_share.estimate([(at < 20, str(at // 4)) for at in range(40)])

    assert found.estimate == 0.5
    assert (found.low, found.high) == pytest.approx(wilson.bounds(0.5, 9))
    assert found.method == "Wilson 95%, 10 clusters, effective n 9"


@given(st.lists(st.tuples(st.booleans(), st.integers(0, 5)), max_size=30))
def test_sums_say_the_same_as_the_claims(judged: list[tuple[bool, int]]) -> None:
    """What a database sums up over clusters gives the interval of the pairs themselves."""
    members = [[hit for hit, cluster in judged if cluster == number] for number in range(6)]
    spread = Spread.of((sum(one), len(one)) for one in members)
    found = clustered_share.of_sums(sum(hit for hit, _ in judged), len(judged), spread)

    assert found == clustered_share.interval([(hit, str(cluster)) for hit, cluster in judged])
    assert spread.clusters == len({cluster for _, cluster in judged})


def test_clusters_that_do_not_matter_do_not_narrow() -> None:
    """Every cluster half a hit: less spread than chance, and still no more than n pairs."""
    found = clustered_share.estimate([(bool(at % 2), str(at // 2)) for at in range(40)])

    assert (found.low, found.high) == pytest.approx(wilson.bounds(0.5, 40))


def test_without_a_hit_every_cluster_counts_once() -> None:
    """0 of 40 in ten clusters says no more than 0 of 10."""
    found = clustered_share.estimate([(False, str(at // 4)) for at in range(40)])

    assert (found.low, found.high) == pytest.approx(wilson.bounds(0.0, 10))


def test_the_unjudged_bound_the_share() -> None:
    """1 of 2 judged, 2 not judged: between 1/4 and 3/4."""
    found = clustered_share.estimate([(True, None), (False, None), (None, None), (None, None)])

    assert (found.estimate, found.n, found.unjudged, found.worst, found.best) == (0.5, 2, 2, 0.75, 0.25)
    assert clustered_share.estimate([]).worst is None


def test_it_covers() -> None:
    """Of 400 simulations of 40 clusters of five some 95 % hold the true share."""
    generator = np.random.default_rng(2026)
    covered = 0
    for _ in range(400):
        together, alone = np.repeat(generator.random(40) < 0.2, 5), generator.random(200) < 0.2
        hits = np.where(generator.random(200) < 0.6, together, alone)
        found = clustered_share.estimate([(bool(hit), str(at // 5)) for at, hit in enumerate(hits)])
        assert found.low is not None
        assert found.high is not None
        covered += found.low <= 0.2 <= found.high

    assert 0.91 <= covered / 400 <= 0.99


OUTCOMES = [
    Outcome("supported", "supported"),
    Outcome("secondary_only", "partial"),
    Outcome("supported", None),
    Outcome("contradicted", "secondary_only"),
    Outcome("not_supported", "irrelevant"),
    Outcome("partial", "wrong_scope"),
]


def test_false_pass_is_a_share_of_what_people_do_not_support() -> None:
    """One of three got through."""
    found = false_pass.estimate(OUTCOMES)

    assert found.estimate == pytest.approx(1 / 3)
    assert (found.n, found.unjudged) == (3, 0)


def test_false_strip_is_a_share_of_what_people_support() -> None:
    """One of the two judged was lost; the third was not judged."""
    found = false_strip.estimate(OUTCOMES)

    assert (found.estimate, found.n, found.unjudged) == (0.5, 2, 1)
    assert found.best == pytest.approx(1 / 3)
    assert found.worst == pytest.approx(2 / 3)
