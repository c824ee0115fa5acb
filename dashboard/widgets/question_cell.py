"""The cells of a notebook on the page: a question with its runs beside each other, or a note, and what can be done."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

import streamlit as st

from core import notebooks
from core.notebook_reading import Reader, ShownCell, ShownRun
from core.notebook_work import CellWork
from core.notebooks import Kind, Notebook, NotebookEvent, Setup
from dashboard.jobs import OVER, Job, Status
from dashboard.widgets import cell_causes, cell_reliance, cell_view, plain, showable
from dashboard.widgets.cell_causes import Explain
from dashboard.widgets.cell_reliance import Attempt
from dashboard.widgets.served_answer import served_answer

LOOK_EVERY = 0.5
"""Seconds between two looks at a question under way."""

BESIDE = 3
"""Runs beside each other at most."""

Act = Callable[[NotebookEvent], None]
Ask = Callable[[str, Setup], None]
"""Run the question of a cell again under a setup."""


class Look(NamedTuple):
    """Who looks at a cell, and what they can have looked for."""

    reader: Reader
    explain: Explain
    """Says why claims are not supported."""
    attempt: Attempt
    """Says whether a claim leans on what it cites."""


def draw(
    book: Notebook,
    cell: ShownCell,
    going: Mapping[str, Job],
    act: Act,
    again: Callable[[ShownCell], None],
    focus: bool,
    look: Look,
) -> None:
    """Draw one cell.

    Args:
        book: Its notebook.
        cell: The cell.
        going: Jobs that are not over, by the run they do.
        act: Takes what a person does.
        again: Draws the choice of another run, where a person asked for it.
        focus: Whether the address names this cell.
        look: Who looks, and what can be looked for beside an answer.
    """
    cell_id = cell.cell.cell_id
    with st.container(border=cell.cell.kind is Kind.NOTE, gap="small", key=f"cell_{cell_id}"):
        if cell.cell.kind is Kind.NOTE:
            _note(book, cell, act)
        else:
            number = 1 + [one.cell_id for one in book.content if one.kind is Kind.QUESTION].index(cell_id)
            st.header(plain(f"{number} · {cell.cell.text}"), anchor=False)
            _runs(cell, going, focus, look)
        tools(book, cell, act)
        if st.session_state.get("ask_again") == cell_id:
            again(cell)
        if st.session_state.get("ask_note_below") == cell_id:
            _new_note(book, cell_id, act)


def _runs(cell: ShownCell, going: Mapping[str, Job], focus: bool, look: Look) -> None:
    runs = {one.run.run_id: one for one in cell.runs}
    chosen = list(runs)[-2:]
    if len(runs) > 2:
        names = {
            run_id: f"{at} · {cell_view.setup_words(one.run.setup)}" for at, (run_id, one) in enumerate(runs.items(), 1)
        }
        picked = st.pills(
            "Runs beside each other",
            list(runs),
            selection_mode="multi",
            default=chosen,
            format_func=lambda run_id: plain(names[run_id]),
            key=f"runs_{cell.cell.cell_id}_{len(runs)}",
        )
        chosen = [run_id for run_id in runs if run_id in picked][:BESIDE]
    for column, run_id in zip(st.columns(max(1, len(chosen)), gap="small"), chosen, strict=False):
        with column:
            _run(runs[run_id], going.get(run_id), focus, look)


def _run(shown: ShownRun, job: Job | None, focus: bool, look: Look) -> None:
    if shown.run.end is not None:
        served_answer(cell_view.view(shown, focus))
        cell_causes.button(shown, look.explain)
        cell_reliance.button(shown, look.attempt)
    elif job is None:
        served_answer(cell_view.lost(shown.run.run_id, shown.run.setup))
    else:
        _follow(job, look.reader)


def _follow(job: Job, reader: Reader) -> None:
    """Show how far a question is, and draw the page again as soon as it is over."""

    @st.fragment(run_every=LOOK_EVERY)
    def stages() -> None:
        work = job.work
        assert isinstance(work, CellWork), "only questions are followed here"
        if job.status in OVER:
            st.rerun()
        told = work.events if work.is_open_to(reader) else ()  # stages count passages
        words, done = cell_view.going(told, job.status is Status.WAITING, job.stopping)
        with st.container(border=True, gap="small", key=f"going_{work.run_id}"):
            st.caption(plain(cell_view.setup_words(work.setup)))
            st.text(words)
            if done:
                st.caption(plain(" · ".join(f"✓ {one}" for one in done)))
            st.button("Stop", key=f"stop_{work.run_id}", on_click=job.stop, disabled=job.stopping)

    stages()


def _note(book: Notebook, cell: ShownCell, act: Act) -> None:
    cell_id = cell.cell.cell_id
    if st.session_state.get("ask_edits") != cell_id:
        st.text(showable(cell.cell.text))
        return
    with st.form(f"edit_{cell_id}", border=False):
        text = st.text_area("Note", value=cell.cell.text, max_chars=notebooks.LONGEST_NOTE)
        if st.form_submit_button("Save the note", type="primary"):
            st.session_state["ask_edits"] = None
            if text.strip() and text != cell.cell.text:
                act(notebooks.edited(book, cell_id, text))
            st.rerun()


def _new_note(book: Notebook, cell_id: str, act: Act) -> None:
    with st.form(f"note_{cell_id}", clear_on_submit=True):
        text = st.text_area("Note", max_chars=notebooks.LONGEST_NOTE)
        if st.form_submit_button("Keep the note", type="primary"):
            st.session_state["ask_note_below"] = None
            if text.strip():
                act(notebooks.added(book.notebook_id, Kind.NOTE, text, book.order, cell_id))
            st.rerun()


def tools(book: Notebook, cell: ShownCell, act: Act) -> None:
    """What can be done with a cell."""
    cell_id = cell.cell.cell_id
    place = book.order.index(cell_id)

    def toggle(name: str) -> None:
        st.session_state[name] = None if st.session_state.get(name) == cell_id else cell_id

    def tool(label: str, does: Callable[..., None], *args: object, off: bool = False) -> None:
        st.button(plain(label), key=f"{label}_{cell_id}", type="tertiary", on_click=does, args=args, disabled=off)

    with st.container(horizontal=True, gap="medium", key=f"tools_{cell_id}"):
        if cell.cell.kind is Kind.NOTE:
            tool("Edit", toggle, "ask_edits")
        elif cell.cell.kind is Kind.QUESTION:
            tool("Run again beside…", toggle, "ask_again")
        tool("Note below", toggle, "ask_note_below")
        tool("Up", act, notebooks.moved(book, cell_id, -1), off=place == 0)
        tool("Down", act, notebooks.moved(book, cell_id, 1), off=place == len(book.order) - 1)
        tool("Delete", act, notebooks.deleted(book, cell_id))


def questions_going(there: Sequence[Job]) -> dict[str, Job]:
    """Of some jobs those that answer a question of a notebook, by their run."""
    return {job.work.run_id: job for job in there if isinstance(job.work, CellWork)}
