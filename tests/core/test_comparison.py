"""Judges on the same claims: what changed, counted by hand, and the claims behind every cell."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest

from core.comparison import Comparison, compare
from core.errors import InputError
from core.metrics import mcnemar, stuart_maxwell
from core.models import Label
from core.spend import Call
from core.store import Store
from core.store.records import ClaimFilter
from tests.core.gold_store import GOLD_ID, C, Case, I, P, S, judge, made
from tests.core.store.build import PROTOCOL, protocol

OTHER, THIRD = protocol(0.8), protocol(0.9)
A, B, D = str(PROTOCOL), str(OTHER), str(THIRD)

FIRST = [Case("supported", S), Case("supported", S), Case("partial", S), Case("contradicted", C), Case(None, I)]
SECOND = [Case(None, S), Case(None, P), Case(None, P), Case(None, C), Case(None, None)]
"""The second takes support from two claims, of which people agree on one, and fails on the last."""


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    """Both judges on the same five claims."""
    with made(tmp_path / "desk.duckdb", FIRST) as opened:
        judge(opened, SECOND, OTHER)
        yield opened


def test_what_changed_stands_first(store: Store) -> None:
    """The transition matrix by hand, the most frequent change before the others, what stayed last."""
    (pair,) = compare(store, [A, B]).pairs

    assert [(one.first, one.second, one.n, one.changed) for one in pair.changes] == [
        ("supported", "partial", 2, True),
        ("irrelevant", "none", 1, True),
        ("contradicted", "contradicted", 1, False),
        ("supported", "supported", 1, False),
    ]
    assert (pair.n, pair.changed, pair.first_only, pair.second_only) == (5, 3, 0, 2)


def test_every_cell_opens_its_claims(store: Store) -> None:
    """As many as it says, also those without a label."""
    (pair,) = compare(store, [A, B]).pairs

    assert [store.claim_page(one.wanted).total for one in pair.changes] == [one.n for one in pair.changes]


def test_differences_are_of_the_claims_that_both_concluded_on(store: Store) -> None:
    """Of four, the first calls one unsupported and the second three: 50 points more."""
    found = compare(store, [A, B])
    (pair,) = found.pairs

    assert (pair.difference.estimate, pair.difference.n) == (0.5, 4)
    assert [one.rate.judged for one in found.sides] == [5, 4]
    moves = [("supported", "partial")] * 2 + [("irrelevant", "none"), ("contradicted",) * 2, ("supported",) * 2]
    assert pair.labels == stuart_maxwell.test(moves)


def test_people_decide_who_is_right(store: Store) -> None:
    """The first is right on three of four, the second on three too, each alone on one."""
    (pair,) = compare(store, [A, B], gold_id=GOLD_ID).pairs

    assert pair.gold is not None
    assert (pair.gold.n, pair.gold.both_right, pair.gold.first_only, pair.gold.second_only, pair.gold.neither) == (
        4,
        2,
        1,
        1,
        0,
    )
    assert pair.gold.test == mcnemar.from_counts(1, 1, 4)
    assert (pair.gold.p_holm, pair.labels_p_holm) == (None, None)


def test_the_order_turns_the_difference(store: Store) -> None:
    """The same with the sides changed."""
    (pair,) = compare(store, [B, A]).pairs

    assert (pair.difference.estimate, pair.first_only, pair.second_only) == (-0.5, 2, 0)


def test_lenient_lets_partial_through(store: Store) -> None:
    """By that rule the two do not differ."""
    (pair,) = compare(store, [A, B], strictness="lenient").pairs

    assert (pair.difference.estimate, pair.first_only, pair.second_only) == (0, 0, 0)
    assert "no difference can be told" in pair.sentence


def test_three_judges_are_corrected_for(store: Store) -> None:
    """Three pairs on the same claims, each p-value with Holm's correction; their cells open the same claims."""
    judge(store, FIRST, THIRD)
    found = compare(store, [A, B, D], gold_id=GOLD_ID)

    assert [(one.first, one.second) for one in found.pairs] == [(A, B), (A, D), (B, D)]
    assert all(one.labels_p_holm is not None and one.labels_p_holm >= one.labels.p for one in found.pairs)
    assert found.pairs[1].changed == 0
    for pair in found.pairs:
        assert [store.claim_page(one.wanted).total for one in pair.changes] == [one.n for one in pair.changes]


def test_other_claims_are_refused_with_the_number_that_match(store: Store) -> None:
    """Two of the five were judged by the third: nothing is said of the others unless it is asked for."""
    judge(store, FIRST[:2], THIRD)
    with pytest.raises(InputError, match="2 are the same"):
        compare(store, [A, D])
    found = compare(store, [A, D], shared=True)

    assert (found.n, found.left_out) == (2, {A: 3, D: 0})


def test_a_filter_is_about_the_first(store: Store) -> None:
    """Claims that the first supports; the refusal does not mistake the rest for unmatched."""
    found = compare(store, [A, B], ClaimFilter(protocol=A, labels=(Label.SUPPORTED,)))

    assert (found.n, found.pairs[0].changed, found.left_out) == (3, 2, {A: 0, B: 0})


def test_without_labels_it_says_how_many_to_give(store: Store) -> None:
    """Gold of other claims is no overlap, and none chosen is another matter."""
    judge(store, [Case(None, S, None, "new")], PROTOCOL)
    judge(store, [Case(None, P, None, "new")], OTHER)
    only = ClaimFilter(protocol=A, request_id="new")

    assert compare(store, [A, B], only, GOLD_ID).pairs[0].gold_why_not == "No labelled overlap; label 60 to start."
    assert "No gold set was chosen" in compare(store, [A, B], only).pairs[0].gold_why_not


def test_cost_stands_beside_when_it_is_recorded(store: Store) -> None:
    """Else it says that it is not, never 0."""
    assert [one.cost_said for one in compare(store, [A, B]).sides] == ["not recorded"] * 2
    call = Call(
        call_id="1",
        at=datetime(2026, 11, 30, tzinfo=UTC),
        model="m",
        purpose="judge",
        outcome="ok",
        usage=None,
        cost=0.25,
        priced_on=None,
        request_id=None,
    )
    run_of_b = next(one.run_id for one in store.summary().runs if one.protocol == B)
    store.add_spend([call], run_of_b)
    first, second = compare(store, [A, B]).sides

    assert (first.cost, second.cost, second.cost_said) == (None, 0.25, "$0.2500 for 1 calls")
    assert {first.latency_said, second.latency_said} == {"not recorded"}


def test_what_cannot_be_compared(store: Store) -> None:
    """One protocol, the same twice, one that judged nothing, or no claim in common."""
    for names in ([A], [A, A]):
        with pytest.raises(InputError, match="two protocols or more"):
            compare(store, names)
    with pytest.raises(InputError, match="No claim was judged under 'x'"):
        compare(store, [A, "x"])
    judge(store, [Case(None, S, None, "elsewhere")], THIRD)
    with pytest.raises(InputError, match="no claim in common"):
        compare(store, [A, D], shared=True)


def test_it_comes_back_whole_over_the_wire(store: Store) -> None:
    """The record is what an open desk answers with."""
    found = compare(store, [A, B], gold_id=GOLD_ID)

    assert Comparison.model_validate_json(found.model_dump_json()) == found
