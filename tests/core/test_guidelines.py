"""Guidelines: whole or refused, numbered, never rewritten, and the first is the same everywhere."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from core import guidelines
from core.errors import InputError
from core.models import Label
from core.store import Store, open_store
from core.text import sha256

SHIPPED = "e41a6ff20ab9d8bf0687802cee5aaf1e3fc0f665ae2ce770fc91f46b8a17d336"
"""Of data/guidelines/v1.md: labels are stored under it, so another wording is another version in a file of its own."""


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    """An empty store."""
    with open_store(tmp_path / "desk.duckdb") as opened:
        yield opened


def text(**changes: str) -> str:
    """A whole guideline in which every entry says its own word, with other entries in the place of some."""
    entry = "\n\nIt is {0}.\n\n- one {0}\n- two\n  lines\n\nNear neighbour: other than {0}.\n"
    parts = {word: f"## {word}" + entry.format(word) for word in guidelines.WORDS} | changes
    return "# Title\n\nRead\nthis first.\n\n" + "\n".join(parts.values())


def test_the_shipped_text_is_the_one_that_labels_were_given_under() -> None:
    """Whoever wants to change it adds a version instead."""
    assert sha256(guidelines.shipped()) == SHIPPED


def test_the_shipped_text_defines_every_label() -> None:
    """A definition, two examples and a near neighbour for each of the nine and for what is no claim."""
    parsed = guidelines.parse(guidelines.shipped())

    assert [one.word for one in parsed.entries] == [*Label, "not_a_claim"]
    assert all(len(one.examples) == 2 and one.definition and one.neighbour for one in parsed.entries)
    assert parsed.introduction.startswith("Label what the shown passage says")


def test_a_guideline_is_taken_apart() -> None:
    """Wrapped lines are joined; what is no example and no neighbour is the definition."""
    parsed = guidelines.parse(text(), "v7")
    entry = parsed.entries[1]

    assert (parsed.version, parsed.introduction) == ("v7", "Read this first.")
    assert (entry.word, entry.definition, entry.neighbour) == ("partial", "It is partial.", "other than partial.")
    assert entry.examples == ("one partial", "two lines")


def test_windows_line_ends_change_nothing() -> None:
    """CRLF is read like LF."""
    assert guidelines.parse(text().replace("\n", "\r\n")) == guidelines.parse(text())


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"partial": ""}, "0 entries for 'partial'"),
        ({"again": "## partial\n\nIt is."}, "2 entries for 'partial'"),
        ({"maybe": "## maybe\n\nPerhaps."}, "'maybe', which is no label"),
        (
            {"partial": "## partial\n\n- one\n- two\n\nNear neighbour: x."},
            "'partial' of the guideline lacks a definition",
        ),
        ({"partial": "## partial\n\nIt is.\n\n- one\n\nNear neighbour: x."}, "lacks two examples"),
        ({"partial": "## partial\n\nIt is.\n\n- one\n- two\n"}, "lacks a near neighbour"),
        ({"partial": "## partial\n\n" + "x" * guidelines.SIZE_LIMIT}, "more than 200,000 characters"),
    ],
)
def test_half_a_guideline_is_refused_in_a_sentence(store: Store, changes: dict[str, str], said: str) -> None:
    """It says which entry and what is missing, and nothing is kept."""
    with pytest.raises(InputError, match=said):
        guidelines.add(store, text(**changes), "ana")

    assert [one.guideline for one in guidelines.every(store)] == ["v1"]


def test_versions_are_numbered_and_the_first_is_ours(store: Store) -> None:
    """A text of one's own is v2 even in a store that never showed v1; who wrote it is kept."""
    added = guidelines.add(store, text(), "ana")

    assert (added.guideline, added.who) == ("v2", "ana")
    assert [one.guideline for one in guidelines.every(store)] == ["v1", "v2"]
    assert guidelines.every(store)[0].text == guidelines.shipped()
    assert guidelines.of(store, "v2") == guidelines.parse(text(), "v2")


def test_the_same_text_is_no_new_version(store: Store) -> None:
    """Adding a file twice gives the version it is already."""
    first = guidelines.add(store, text(), "ana")

    assert guidelines.add(store, text(), "ben") == first
    assert guidelines.add(store, guidelines.shipped(), "ben").guideline == "v1"
    assert len(guidelines.every(store)) == 2


def test_an_unknown_version_is_said(store: Store) -> None:
    """With where to look."""
    with pytest.raises(InputError, match="no guideline v9 in this store"):
        guidelines.of(store, "v9")


def test_more_than_nine_versions_stay_in_order(store: Store) -> None:
    """v10 comes after v9."""
    for number in range(2, 12):
        guidelines.add(store, text(partial=f"## partial\n\n{number}\n\n- a\n- b\n\nNear neighbour: c."), "ana")

    assert [one.guideline for one in guidelines.every(store)] == [f"v{number}" for number in range(1, 12)]
