"""The evidence registry: what an id means in one request, and only there."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.models import Evidence, Resolve
from core.registry import Registry


def entry(id_: str, text: str = "The hut has 20 beds.", **more: Any) -> Evidence:
    """One registry entry."""
    return Evidence(id=id_, text=text, **more)


def test_an_entry_that_may_be_used_resolves_to_itself() -> None:
    """The normal case carries the entry and needs no words."""
    found = Registry.build([entry("C1")]).resolve("C1")

    assert found.resolve is Resolve.OK
    assert found.evidence == entry("C1")
    assert found.reason == ""


@pytest.mark.parametrize(
    ("states", "expected"),
    [
        ({"accessible": False}, Resolve.INACCESSIBLE),
        ({"accessible": False, "active": False}, Resolve.INACTIVE),
        ({"accessible": False, "active": False, "in_context": False}, Resolve.NOT_IN_CONTEXT),
        ({"accessible": False, "active": False, "in_context": False, "retrieved": False}, Resolve.NOT_RETRIEVED),
    ],
)
def test_the_first_thing_wrong_is_reported(states: dict[str, Any], expected: Resolve) -> None:
    """Never retrieved comes before not in context, before inactive, before inaccessible; the entry stays visible."""
    found = Registry.build([entry("C1", **states)]).resolve("C1")

    assert found.resolve is expected
    assert found.evidence is not None
    assert found.reason


def test_a_near_id_is_hinted_at_and_never_taken() -> None:
    """Case and white space make another id."""
    found = Registry.build([entry("7c41aa09-2")]).resolve(" 7C41AA09-2 ")

    assert found.resolve is Resolve.NOT_IN_REGISTRY
    assert found.evidence is None
    assert found.hint == "7c41aa09-2"
    assert "7c41aa09-2" in found.reason


def test_an_unknown_id_has_no_hint() -> None:
    """Nothing is guessed: neither a neighbour nor the same number of another request."""
    found = Registry.build([entry("1"), entry("2")]).resolve("7")

    assert (found.resolve, found.hint) == (Resolve.NOT_IN_REGISTRY, None)
    assert Registry.build([]).resolve("4").resolve is Resolve.NOT_IN_REGISTRY


def test_one_id_with_two_texts_resolves_to_neither() -> None:
    """Both texts stay in the registry, and the conflict is noted, even where states would be worse."""
    registry = Registry.build([entry("doc-1", "Alpha ships on Mondays.", retrieved=False), entry("doc-1", "Beta.")])
    found = registry.resolve("doc-1")

    assert found.resolve is Resolve.DUPLICATE_ID
    assert found.evidence is None
    assert len(registry.entries) == 2
    assert registry.conflicts == {"doc-1"}
    assert any("doc-1" in note for note in registry.notes)


def test_the_same_evidence_twice_is_merged_and_noted() -> None:
    """The first stands; a state that either lacks is lacking."""
    registry = Registry.build([entry("A", locator="p1"), entry("B"), entry("A", locator="p2", accessible=False)])

    assert [one.id for one in registry.entries] == ["A", "B"]
    assert registry.entries[0].locator == "p1"
    assert registry.resolve("A").resolve is Resolve.INACCESSIBLE
    assert len(registry.notes) == 1
    assert "locator" in registry.notes[0]


def test_a_blank_id_is_kept_and_noted() -> None:
    """Nothing is dropped silently."""
    registry = Registry.build([entry(" ")])

    assert len(registry.entries) == 1
    assert len(registry.notes) == 1


def test_the_hash_covers_order_ids_texts_and_states_not_titles() -> None:
    """Two registries with one hash answer every citation alike."""
    one = Registry.build([entry("A"), entry("B", "b")])

    assert one.sha256 == Registry.build([entry("A", title="Huts"), entry("B", "b")]).sha256
    assert one.sha256 != Registry.build([entry("B", "b"), entry("A")]).sha256
    assert one.sha256 != Registry.build([entry("A", active=False), entry("B", "b")]).sha256
    assert len(one.sha256) == 64


@given(st.lists(st.tuples(st.text(max_size=3), st.text(max_size=2)), max_size=8), st.text(max_size=3))
def test_resolving_is_total_and_exact(given_entries: list[tuple[str, str]], cite: str) -> None:
    """Every string resolves to something, and to an entry only when the ids are equal."""
    registry = Registry.build([entry(id_, text) for id_, text in given_entries])
    found = registry.resolve(cite)

    assert found.cite == cite
    assert (found.resolve is Resolve.NOT_IN_REGISTRY) == (cite not in {id_ for id_, _ in given_entries})
    if found.evidence is not None:
        assert found.evidence.id == cite
