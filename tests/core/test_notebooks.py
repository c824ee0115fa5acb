"""Notebooks: what people do is an event, with names and texts held to their bounds."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core import notebooks
from core.errors import InputError
from core.notebooks import Cell, Kind, Notebook

NOON = datetime(2026, 11, 30, 12, 0, tzinfo=UTC)


def book(*kinds: Kind) -> Notebook:
    """A notebook whose cells are called a, b and so on."""
    cells = tuple(Cell(cell_id=chr(97 + at), kind=kind, text="t") for at, kind in enumerate(kinds))
    return Notebook(notebook_id="n", name="N", cells=len(cells), created_at=NOON, changed_at=NOON, content=cells)


THREE = book(Kind.QUESTION, Kind.NOTE, Kind.QUESTION)


@pytest.mark.parametrize(
    ("cell_id", "by", "order"),
    [("a", 1, "bac"), ("c", -1, "acb"), ("a", -1, "abc"), ("b", 5, "acb"), ("c", -9, "cab"), ("b", 0, "abc")],
)
def test_a_move_says_the_whole_order(cell_id: str, by: int, order: str) -> None:
    """As far as there are places."""
    assert notebooks.moved(THREE, cell_id, by).cell_order == tuple(order)


@given(at=st.integers(0, 2), by=st.integers(-5, 5))
def test_a_move_loses_and_doubles_nothing(at: int, by: int) -> None:
    """And leaves the order of the others as it was."""
    name = "abc"[at]
    order = notebooks.moved(THREE, name, by).cell_order or ()

    assert sorted(order) == ["a", "b", "c"]
    assert [one for one in order if one != name] == [one for one in "abc" if one != name]


def test_a_cell_goes_behind_another_or_to_the_end() -> None:
    """Behind the one named; without one the store puts it last."""
    between = notebooks.added("n", Kind.NOTE, "x", THREE.order, "a")

    assert between.cell_order == ("a", between.cell_id, "b", "c")
    assert notebooks.added("n", Kind.NOTE, "x", THREE.order).cell_order is None
    assert notebooks.added("n", Kind.NOTE, "x", THREE.order, "gone").cell_order is None


def test_only_notes_are_written_anew() -> None:
    """A question's runs answer what it said."""
    assert notebooks.edited(THREE, "b", "other").text == "other"
    with pytest.raises(InputError, match="cannot be changed"):
        notebooks.edited(THREE, "a", "other")
    with pytest.raises(InputError, match="no cell z"):
        notebooks.deleted(THREE, "z")


def test_what_undo_takes_back() -> None:
    """Moves, deletions, edits and names; an added cell is deleted instead, and a run stays."""
    deleted = notebooks.deleted(THREE, "a")

    assert notebooks.undone(deleted).undoes == deleted.event_id
    with pytest.raises(InputError, match="cannot be undone"):
        notebooks.undone(notebooks.added("n", Kind.NOTE, "x"))


def test_a_run_ends_once() -> None:
    """Whoever says it ended says it under the same name."""
    end = notebooks.RunEnd(outcome="stopped")

    assert notebooks.ended("n", "a", "r", end).event_id == notebooks.ended("n", "a", "r", end).event_id


@pytest.mark.parametrize("name", ["", "  ", "x" * 121, "a\x00b", "\u202eabc"])
def test_a_name_is_a_line_that_can_be_read(name: str) -> None:
    """Nothing blank, long or invisible."""
    with pytest.raises(InputError, match="no name for a notebook"):
        notebooks.created(name)


@given(st.text(min_size=1, max_size=2_500).filter(lambda text: "".join(text.split())))
def test_every_question_names_a_notebook(question: str) -> None:
    """Unless nothing of it can be seen."""
    name = notebooks.name_for(question)
    if name.strip():
        assert notebooks.named(name) == " ".join(name.split())


@pytest.mark.parametrize(("kind", "size"), [(Kind.QUESTION, 2_000), (Kind.NOTE, 20_000)])
def test_texts_have_a_largest_size(kind: Kind, size: int) -> None:
    """One more is refused, and so is nothing."""
    assert notebooks.added("n", kind, "x" * size).text == "x" * size
    for text in ("x" * (size + 1), " \n "):
        with pytest.raises(InputError, match="characters"):
            notebooks.added("n", kind, text)
