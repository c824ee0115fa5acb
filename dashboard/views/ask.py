"""Ask: questions of a corpus as a notebook, each with what was found, what was claimed, and what held."""

from __future__ import annotations

from contextlib import suppress
from functools import partial

import streamlit as st

from core import notebook_reading, notebooks, sample
from core.errors import CitedeskError, StoreError
from core.models import utc_now
from core.notebook_reading import STOPPED, ShownCell
from core.notebook_work import CellWork
from core.notebooks import Kind, NotebookEvent, RunEnd, Setup
from core.people import Role
from core.sql_cell import ask as answer_sql
from dashboard import jobs
from dashboard.session import desk, person
from dashboard.widgets import (
    ask_setup,
    charts,
    gate_summary,
    notebook,
    nothing_to_ask,
    plain,
    question_cell,
    showable,
    sql_cell,
    visitor,
)

NAVIGATION = {"section": "Check answers", "place": 10, "role": "reviewer"}

EXAMPLES = (
    "How quickly does Atlas acknowledge a P1 incident?",
    "When may a hotel cost more than the limit?",
    "Does the inhaler help children?",
    "Who won the chess championship?",
)
"""Questions of the sample corpus; nothing there answers the last one."""

me = person(Role.REVIEWER)
store, settings, reader = desk().store, desk().settings, visitor.reader(me)
going = question_cell.questions_going(jobs.going())  # before the store is read: what is over by then is in it
corpora = [info.name for info in store.corpora.corpora(reader.groups, utc_now()) if info.chunks]
infos, outside = store.protocols(), store.corpus_policies.current()
named = st.query_params.get("notebook")
book = store.notebooks.get(named) if named else None


def act(event: NotebookEvent) -> None:
    """Take what a person did; said again by a page that was old, it is done once."""
    try:
        store.notebooks.add([event], me.name)
    except CitedeskError as error:
        st.session_state["ask_trouble"] = str(error)


def ask(text: str, setup: Setup, cell_id: str | None = None) -> None:
    """Ask a question in a new cell, or again in its own, and go where it is answered."""
    try:
        events = [] if book else [notebooks.created(notebooks.name_for(text))]
        notebook_id = book.notebook_id if book else events[0].notebook_id
        if cell_id is None:
            cell = notebooks.added(notebook_id, Kind.QUESTION, text)
            events, cell_id = [*events, cell], cell.cell_id or ""
        run = notebooks.asked(notebook_id, cell_id, setup)
        store.notebooks.add([*events, run], me.name)
    except CitedeskError as error:
        st.warning(plain(str(error)))
        return
    work = CellWork(
        notebook_id=notebook_id,
        cell_id=cell_id,
        run_id=run.run_id or "",
        query=text,
        setup=setup,
        groups=reader.groups,
        principal=me.name,
    )
    job = jobs.start(work, showable(text), partial(close, work))
    st.session_state["ask_again"] = None
    st.query_params.from_dict({"notebook": notebook_id, "cell": cell_id, "job": job.job_id})
    st.rerun()


def close(work: CellWork) -> None:
    """Note that a question is over which was stopped before it was begun."""
    with suppress(StoreError):  # then the notebook says that the desk went down, and offers to ask again
        work.close(desk(), RunEnd(outcome=STOPPED))


def again(cell: ShownCell) -> None:
    """Offer another run of a question, beside the ones there are."""
    with st.container(border=True):
        last = cell.cell.runs[-1].setup if cell.cell.runs else ask_setup.usual(corpora, settings)
        setup = ask_setup.choose(corpora, settings, f"again_{cell.cell.cell_id}", last, outside)
        if st.button("Run it beside", type="primary", key=f"beside_{cell.cell.cell_id}"):
            ask(cell.cell.text, setup, cell.cell.cell_id)


def cells() -> None:
    """The cells of the open notebook."""
    assert book is not None
    notebook.bar(store, book, reader, act)
    answering = desk().answering
    looks = charts.looks(list(store.protocol_first_uses()))
    look = question_cell.Look(
        reader=reader,
        explain=partial(answering.causes, groups=reader.groups),
        attempt=partial(answering.probe, groups=reader.groups),
    )
    for cell in notebook_reading.read(store, book, reader):
        if cell.cell.kind is Kind.SQL:
            with st.container(gap="small", key=f"cell_{cell.cell.cell_id}"):
                asks = me.model_copy(update={"groups": reader.groups})
                sql_cell.draw(book, cell, act, partial(answer_sql, store, reader=asks), looks)
                question_cell.tools(book, cell, act)
            continue
        focus = st.query_params.get("cell") == cell.cell.cell_id
        question_cell.draw(book, cell, going, act, again, focus, look)


def box() -> None:
    """Where a question is written, with how it is asked, and a few to click."""
    with st.container(key="ask_box"):
        asked = st.chat_input("Ask the corpus, then press Enter", max_chars=notebooks.LONGEST_QUESTION, key="ask_text")
        start = ask_setup.usual(corpora, settings)
        setup = ask_setup.choose(corpora, settings, "ask", start, outside)
    if setup.corpus == sample.CORPUS and not (book and book.content):
        st.caption("For example:")
        with st.container(horizontal=True):
            for example in EXAMPLES:
                if st.button(plain(example), key=f"example_{example}"):
                    asked = example
    if asked and asked.strip():
        ask(asked, setup)
    gate_summary.summary(desk(), infos, setup.gate)


if trouble := st.session_state.pop("ask_trouble", None):
    st.warning(plain(trouble))
if named and book is None:
    st.warning(plain(f"This desk has no notebook {showable(named)}; the link may come from another one."))
if book is not None:
    cells()
elif corpora:
    st.title("Ask", anchor=False)
    st.text("Every sentence of an answer names the passage it rests on. What does not hold is not shown.")
if not corpora and book is None:
    nothing_to_ask.draw(desk())
if corpora or infos:
    sql_cell.offer(store, book, me)
if corpora:
    box()
if book is None:
    notebook.shelf(store)
