"""Groups of words inside a reason, and claims that are alike; the same store gives the same."""

from __future__ import annotations

import pytest

from core import failure_groups
from core.failure_groups import contrasting
from core.models import Label
from core.store import Store
from core.store.records import ClaimFilter
from core.store.slices import ClaimWords
from tests.core.store import build
from tests.core.store.conftest import empty as empty  # a fixture
from tests.core.store.conftest import store as store
from tests.fakes.bag_of_words import BagOfWords

BAD = ClaimFilter(protocol=str(build.PROTOCOL), reason="contradicted")


def texts(store: Store, bad: list[str], good: list[str]) -> Store:
    """Claims of these texts, the first contradicted, the others supported."""
    about = [build.claim(at, text=text) for at, text in enumerate([*bad, *good], 1)]
    labels = [Label.CONTRADICTED] * len(bad) + [Label.SUPPORTED] * len(good)
    store.record(build.batch(build.checked(build.answer(), labels, about)))
    return store


def words(*texts: str) -> list[ClaimWords]:
    """Claims by their words."""
    return [ClaimWords(str(at), text.split()) for at, text in enumerate(texts)]


def test_words_that_go_together_are_one_group() -> None:
    """The more typical word first; what passing claims say as often is no word of a group."""
    fails = words(*["the dose of the inhaler is high"] * 12, *["the gate is high"] * 4)
    passes = words(*["the gate is high"] * 60)
    found = contrasting(fails, passes)

    assert [terms for terms, _ in found] == [("dose", "inhaler")]
    assert contrasting(passes, passes) == []
    assert contrasting([], passes) == []


def test_two_groups_stand_apart() -> None:
    """A word whose claims are in a group already makes no group of its own."""
    fails = words(*["alpha beta"] * 15, *["gamma delta"] * 12)
    found = contrasting(fails, words(*["omega psi"] * 80))

    assert [terms for terms, _ in found] == [("alpha", "beta"), ("delta", "gamma")]


def test_a_group_opens_exactly_its_claims(store: Store) -> None:
    """Its number, its name and its filter agree; asked again, it is the same."""
    bad = [f"The inhaler dose was {at} units in May." for at in range(14)]
    good = [f"The gate stood open for {at} hours." for at in range(40)]
    report = failure_groups.groups(texts(store, bad, good), BAD, "strict")

    assert (report.compared, report.passing) == (14, 40)
    assert report.groups
    for one in report.groups:
        assert store.claim_page(one.wanted).total == one.claims == 14
        assert one.name == f"Contradicted · the passage says otherwise · {' + '.join(one.terms)} · 14"
    assert failure_groups.groups(store, BAD, "strict") == report


def test_groups_need_a_reason(store: Store) -> None:
    """They are made inside one."""
    with pytest.raises(ValueError, match="inside a reason"):
        failure_groups.groups(store, BAD.model_copy(update={"reason": None}), "strict")


def test_neighbours_are_alike_and_computed_once(store: Store) -> None:
    """Claims of one kind stand together; a second look computes nothing."""
    bad = ["red lamp heavy", "blue ferry slow", "red lamp light", "blue ferry fast", "red lamp round"]
    texts(store, bad, [])
    told: list[tuple[int, int]] = []
    found = failure_groups.in_order(store, BagOfWords(), BAD, lambda done, total: told.append((done, total)))

    assert told == [(5, 5)]
    assert sorted(one.claim for one in found) == sorted(bad)
    kinds = [one.claim.split()[0] for one in found]
    assert kinds in (["red"] * 3 + ["blue"] * 2, ["blue"] * 2 + ["red"] * 3)
    assert failure_groups.in_order(store, BagOfWords(), BAD, lambda done, total: told.append((done, total))) == found
    assert len(told) == 1


def test_similar_claims_come_nearest_first(store: Store) -> None:
    """Of the filter's claims only; none are found among none."""
    texts(store, ["red lamp heavy", "blue ferry slow", "red lamp light"], ["red lamp heavy too"])
    found = failure_groups.similar(store, BagOfWords(), "red lamp heavy", BAD, lambda done, total: None)

    assert [one.claim for one in found] == ["red lamp heavy", "red lamp light", "blue ferry slow"]
    assert found[0].cosine == pytest.approx(1.0)
    nothing = BAD.model_copy(update={"text": "zeppelin"})
    assert failure_groups.similar(store, BagOfWords(), "x", nothing, lambda done, total: None) == []
