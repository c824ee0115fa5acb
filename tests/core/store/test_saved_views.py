"""Saved views: named, listed, renamed and deleted as events."""

from __future__ import annotations

import pytest

from core.errors import InputError
from core.store import Store
from core.store.saved_views import view_id

PARAMS = {"protocol": "nli@1+0", "reason": "contradicted.number"}


def test_a_view_is_named_and_found(store: Store) -> None:
    """It keeps page and parameters, under an id that the same filter always has."""
    name = store.saved_views.save("failures", PARAMS, "  Wrong   numbers ", "ann")
    found = store.saved_views.get(name)

    assert found is not None
    assert (found.name, found.page, found.params, found.who) == ("Wrong numbers", "failures", PARAMS, "ann")
    assert name == view_id("failures", dict(reversed(PARAMS.items())))
    assert name != view_id("review", PARAMS)


def test_the_same_filter_is_renamed(store: Store) -> None:
    """Saving it again gives it another name; the list has it once, by name."""
    store.saved_views.save("failures", PARAMS, "zebra", "ann")
    store.saved_views.save("review", PARAMS, "Mule", "ann")
    store.saved_views.save("failures", PARAMS, "ape", "bob")

    assert [(one.name, one.who) for one in store.saved_views.all()] == [("ape", "bob"), ("Mule", "ann")]


def test_a_deleted_view_is_gone_and_may_come_back(store: Store) -> None:
    """Deleting twice does no harm; naming the filter again lists it again."""
    name = store.saved_views.save("failures", PARAMS, "ape", "ann")

    assert store.saved_views.delete(name, "ann")
    assert not store.saved_views.delete(name, "ann")
    assert store.saved_views.get(name) is None
    assert store.saved_views.all() == []

    store.saved_views.save("failures", PARAMS, "gnu", "ann")

    assert [one.name for one in store.saved_views.all()] == ["gnu"]


def test_an_event_said_twice_is_one(store: Store) -> None:
    """A page that was old does nothing again."""
    store.saved_views.save("failures", PARAMS, "ape", "ann", "e1")
    store.saved_views.save("failures", PARAMS, "gnu", "ann", "e1")

    assert [one.name for one in store.saved_views.all()] == ["ape"]


@pytest.mark.parametrize(("page", "name"), [("failures", " "), ("failures", "x" * 121), ("label", "ape")])
def test_bad_names_and_pages_are_refused(store: Store, page: str, name: str) -> None:
    """In one sentence; nothing is written."""
    with pytest.raises(InputError):
        store.saved_views.save(page, PARAMS, name, "ann")

    assert store.saved_views.all() == []
