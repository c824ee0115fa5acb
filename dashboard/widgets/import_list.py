"""What was brought in, file by file, each to be undone and brought back."""

from __future__ import annotations

import streamlit as st

from core.store import Store
from core.store.imports import ImportInfo
from dashboard.widgets import ago, job_view, many, plain, showable

WIDTHS = (4.6, 1.8, 1.2, 1.2, 1.8, 1.7, 3.3)
AT_FIRST = 12
"""Imports that are listed before somebody asks for all."""


def import_list(store: Store, who: str) -> None:
    """List the imports of a store, the last one first.

    Args:
        store: Whose.
        who: The name under which an undo is written down.
    """
    there = store.imports()
    if not there:
        return
    st.header("What was brought in")
    heads = ("File", "Read", "Answers", "Claims", "Labelled claims", "Refused rows", "")
    for place, words in zip(st.columns(WIDTHS), heads, strict=True):
        place.caption(plain(words))
    everything = len(there) <= AT_FIRST or st.session_state.get("all_imports", False)
    for info in there if everything else there[:AT_FIRST]:
        _line(store, info, who)
    if not everything:
        st.button(f"Show all {len(there):,}", on_click=lambda: st.session_state.update(all_imports=True))


def _line(store: Store, info: ImportInfo, who: str) -> None:
    name, when, answers, claims, labelled, refused, act = st.columns(WIDTHS, vertical_alignment="center")
    with name, st.container(gap=None):
        st.text(showable(info.source))
        if remark := _remark(info):
            st.caption(plain(remark))
    with when:
        st.text(ago(info.last_at))
    for place, number in (
        (answers, info.answers),
        (claims, info.claims),
        (labelled, info.labelled),
        (refused, info.refused),
    ):
        place.text(f"{number:,}")
    with act, st.container(horizontal=True, horizontal_alignment="right", gap="small"):
        if info.refused:
            _download(store, info)
        _switch(store, info, who)


def _remark(info: ImportInfo) -> str:
    said = []
    if info.labels > info.labelled:
        said.append(f"{info.labels:,} labels on {many(info.labelled, 'claim')}: some claims have several")
    if info.withdrawn:
        said.append("undone: out of every list, count and export")
    if info.withdrawn and info.labels:
        said.append("its labels are kept")
    if info.shared:
        said.append(f"{info.shared:,} of its answers came with another import too and stay")
    if not info.complete:
        said.append("was not read to its end; bring it again for the rest")
    return " · ".join(said)


def _switch(store: Store, info: ImportInfo, who: str) -> None:
    key = f"switch_{info.import_id}_{info.withdrawn}"  # a late click on what was undone already does nothing
    if info.withdrawn:
        pressed = st.button("Bring back", key=key, help="Everything is as it was, labels included.")
        change = store.restore_import
    else:
        pressed = st.button("Undo", key=key, help="Out of every list, count and export. Nothing is deleted.")
        change = store.withdraw_import
    if pressed:
        change(info.import_id, who)
        st.rerun()


def _download(store: Store, info: ImportInfo) -> None:
    job_view.download(lambda: store.refused(info.import_id), info.source, info.import_id, "Refused rows")
