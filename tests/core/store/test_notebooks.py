"""Notebooks in the store: events in order, what holds after them, and that nothing is done twice."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from core import notebooks
from core.errors import StoreConflict
from core.notebooks import Excerpted, Kind, Notebook, NotebookEvent, RunEnd, Setup
from core.store import Store, open_store


def begin(store: Store, *texts: str) -> Notebook:
    """A notebook with these notes."""
    created = notebooks.created("First look")
    add(store, created, *(notebooks.added(created.notebook_id, Kind.NOTE, text) for text in texts))
    return read(store, created.notebook_id)


def add(store: Store, *events: NotebookEvent) -> None:
    """Write events down."""
    store.notebooks.add(events, "ann")


def read(store: Store, notebook_id: str) -> Notebook:
    """A notebook that must be there."""
    found = store.notebooks.get(notebook_id)
    assert found is not None
    return found


def texts(store: Store, book: Notebook) -> str:
    """The texts of the cells as they stand."""
    return "".join(cell.text for cell in read(store, book.notebook_id).content)


def test_cells_come_in_their_order(store: Store) -> None:
    """At the end, behind another one, and moved."""
    book = begin(store, "a", "b", "c")
    first = book.content[0].cell_id
    add(store, notebooks.added(book.notebook_id, Kind.NOTE, "x", book.order, first))
    add(store, notebooks.added(book.notebook_id, Kind.NOTE, "y"))

    assert texts(store, book) == "axbcy"
    add(store, notebooks.moved(read(store, book.notebook_id), first, 2))
    assert texts(store, book) == "xbacy"


def test_undo_takes_back_one_thing_after_the_other(store: Store) -> None:
    """The latest first; when nothing is left there is nothing to undo."""
    book = begin(store, "a", "b")
    add(store, notebooks.moved(book, book.order[0], 1))
    add(store, notebooks.edited(read(store, book.notebook_id), book.order[1], "B"))
    add(store, notebooks.deleted(read(store, book.notebook_id), book.order[0]))
    add(store, notebooks.renamed(book.notebook_id, "Second look"))

    seen = []
    while (now := read(store, book.notebook_id)).undoable is not None:
        seen.append((now.name, "".join(cell.text for cell in now.content)))
        add(store, notebooks.undone(now.undoable))
    assert seen == [("Second look", "B"), ("First look", "B"), ("First look", "Ba"), ("First look", "ba")]
    assert (now.name, texts(store, book)) == ("First look", "ab")


def test_said_twice_is_done_once(store: Store) -> None:
    """Also the end of a run, where the first word stands."""
    book = begin(store, "a")
    question = notebooks.added(book.notebook_id, Kind.QUESTION, "Why?")
    run = notebooks.asked(book.notebook_id, question.cell_id or "", Setup(corpus="c", verifier="lexical"))
    add(store, question, run, question, run)
    assert read(store, book.notebook_id).content[1].runs[0].end is None

    end = RunEnd(outcome="answered", cost=None, excerpts=(Excerpted(label="E1", start=1, end=4),), counts={"packed": 2})
    for said in (end, RunEnd(outcome="stopped")):
        add(store, notebooks.ended(book.notebook_id, question.cell_id or "", run.run_id or "", said))
    (kept,) = read(store, book.notebook_id).content[1].runs
    assert (kept.end, kept.setup) == (end, Setup(corpus="c", verifier="lexical"))
    assert len(read(store, book.notebook_id).content) == 2


def test_a_notebook_is_found_by_id_or_name(store: Store) -> None:
    """The one changed last first; half an emoji in a text comes back as it was."""
    one, two = begin(store, "a"), begin(store)
    add(store, notebooks.added(one.notebook_id, Kind.NOTE, "\ud83d"))

    assert [info.notebook_id for info in store.notebooks.find("First look")] == [one.notebook_id, two.notebook_id]
    assert [info.cells for info in store.notebooks.all()] == [2, 0]
    assert [info.notebook_id for info in store.notebooks.find(two.notebook_id)] == [two.notebook_id]
    assert store.notebooks.find("Nothing") == []
    assert store.notebooks.get("nothing") is None
    assert texts(store, one) == "a\ud83d"


def test_nothing_of_a_batch_that_fails_is_kept(store: Store) -> None:
    """An event of a notebook that never was."""
    book = begin(store, "a")
    with pytest.raises(StoreConflict, match="no notebook"):
        add(store, notebooks.renamed(book.notebook_id, "New"), notebooks.renamed("nowhere", "New"))

    assert read(store, book.notebook_id).name == "First look"


def test_it_is_there_after_opening_again(tmp_path: Path) -> None:
    """With its runs; those that never ended have no end."""
    with open_store(tmp_path / "s.duckdb") as first:
        book = begin(first)
        question = notebooks.added(book.notebook_id, Kind.QUESTION, "Why?")
        add(first, question, notebooks.asked(book.notebook_id, question.cell_id or "", Setup()))
        before = read(first, book.notebook_id)
    with open_store(tmp_path / "s.duckdb") as second:
        assert read(second, book.notebook_id) == before


@settings(max_examples=8, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    steps=st.lists(
        st.tuples(st.sampled_from(["move", "delete", "undo"]), st.integers(0, 3), st.integers(-2, 2)), max_size=6
    )
)
def test_any_steps_and_all_of_them_undone(store: Store, steps: list[tuple[str, int, int]]) -> None:
    """Whatever was moved, deleted and undone in between, undoing the rest gives the beginning."""
    book = begin(store, "a", "b", "c")
    for what, at, by in steps:
        now = read(store, book.notebook_id)
        if what == "undo" and now.undoable:
            add(store, notebooks.undone(now.undoable))
        elif what != "undo" and at < len(now.order):
            name = now.order[at]
            add(store, notebooks.moved(now, name, by) if what == "move" else notebooks.deleted(now, name))
    while undoable := read(store, book.notebook_id).undoable:
        add(store, notebooks.undone(undoable))

    assert texts(store, book) == "abc"
