"""A notebook as a whole on the page: its name, its files and its link; and the list of all there are."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from urllib.parse import urlencode

import streamlit as st

from core import notebook_files, notebooks
from core.errors import CitedeskError
from core.notebook_reading import Reader
from core.notebooks import Notebook, NotebookEvent, NotebookInfo
from core.store import Store
from dashboard.widgets import ago, many, plain, showable

LATEST = 6
"""Notebooks that stand in the list before anybody looks for one."""

MIME = {".ipynb": "application/x-ipynb+json", ".html": "text/html", ".md": "text/markdown"}

_WORDS = {"renamed": "the new name", "edited": "the changed note", "moved": "the move", "deleted": "the deletion"}
"""What undo takes back, by kind."""


def bar(store: Store, book: Notebook, reader: Reader, act: Callable[[NotebookEvent], None]) -> None:
    """The line above the cells."""
    st.title(plain(showable(book.name)), anchor=False)
    with st.container(horizontal=True, vertical_alignment="center", gap="medium"):
        st.caption(plain(f"{many(book.cells, 'cell')} · saved {ago(book.changed_at)}"), width="content")
        with st.popover("Rename", type="tertiary"):
            _rename(book, act)
        with st.popover("Link and files", type="tertiary"):
            _files(store, book, reader)
        undoable = book.undoable
        st.button(
            plain(f"Undo {_WORDS[undoable.kind]}" if undoable else "Undo"),
            key="ask_undo",
            type="tertiary",
            disabled=undoable is None,
            on_click=act,
            args=(notebooks.undone(undoable) if undoable else None,),
        )
        if st.button("Other notebooks", type="tertiary"):
            st.query_params.clear()
            st.rerun()


def _rename(book: Notebook, act: Callable[[NotebookEvent], None]) -> None:
    with st.form("ask_rename", border=False):
        name = st.text_input("Name", value=showable(book.name), max_chars=notebooks.LONGEST_NAME)
        if st.form_submit_button("Rename it", type="primary"):
            try:
                act(notebooks.renamed(book.notebook_id, name))
            except CitedeskError as error:
                st.warning(plain(str(error)))
                return
            st.rerun()


def _files(store: Store, book: Notebook, reader: Reader) -> None:
    st.text("Whoever opens this address at this desk sees the same notebook:")
    st.code(f"{(st.context.url or '').partition('?')[0]}?{urlencode({'notebook': book.notebook_id})}", language=None)
    st.text("A file holds questions, notes and what was served; of what was not served only why.")
    with st.container(horizontal=True):
        for suffix, mime in MIME.items():
            st.download_button(
                plain(suffix),
                partial(notebook_files.text_of, store, book, suffix, reader),
                file_name=notebook_files.file_name(book.name, suffix[1:]),
                mime=mime,
                on_click="ignore",
                key=f"ask_file{suffix}",
            )


def shelf(store: Store) -> None:
    """Every notebook there is, the latest in sight."""
    found = store.notebooks.all()
    if not found:
        return
    st.header("Notebooks", anchor=False)
    for info in found[:LATEST]:
        with st.container(horizontal=True, vertical_alignment="center", gap="medium"):
            if st.button(plain(showable(info.name)), key=f"open_{info.notebook_id}", type="tertiary"):
                _open(info.notebook_id)
            st.caption(plain(_about(info)), width="content")
    if len(found) > LATEST:
        names = {info.notebook_id: f"{info.name} · {_about(info)}" for info in found}
        chosen = st.selectbox("All notebooks", list(names), index=None, format_func=lambda one: showable(names[one]))
        if chosen:
            _open(chosen)


def _about(info: NotebookInfo) -> str:
    return f"{many(info.cells, 'cell')} · {ago(info.changed_at)}"


def _open(notebook_id: str) -> None:
    st.query_params.from_dict({"notebook": notebook_id})
    st.rerun()
