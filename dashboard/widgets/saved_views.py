"""Naming a filter, and the list of those that have a name."""

from __future__ import annotations

from collections.abc import Mapping
from urllib.parse import urlencode

import streamlit as st

from core.errors import CitedeskError
from core.people import Person
from core.store import Store
from core.store.saved_views import LONGEST_NAME, view_id
from dashboard.widgets import failure_tables, plain
from dashboard.widgets.pick_table import pick_table


def keep(store: Store, me: Person, page: str, params: Mapping[str, str], words: str, key: str, title: str) -> None:
    """A small form that names a filter, or gives it another name."""
    known = store.saved_views.get(view_id(page, params))
    with st.popover(plain("Rename" if known else title), type="tertiary"), st.form(f"{key}_form", border=False):
        name = st.text_input("Name", value=known.name if known else words[:LONGEST_NAME], max_chars=LONGEST_NAME)
        if st.form_submit_button("Save under this name", type="primary"):
            try:
                store.saved_views.save(page, params, name, me.name)
            except CitedeskError as error:
                st.warning(plain(str(error)))
                return
            st.rerun()


def shelf(store: Store, me: Person) -> None:
    """Every saved view: opened, linked, renamed, deleted."""
    found = store.saved_views.all()
    rows = failure_tables.saved(found)
    pick_table(
        failure_tables.SAVED,
        rows,
        key="saved_table",
        pick=_choose,
        selected=st.session_state.get("saved_chosen"),
        empty="No filter has a name yet. Use “Save this view” above any table.",
        named="Saved views",
    )
    chosen = next((one for one in found if one.view_id == st.session_state.get("saved_chosen")), None)
    if chosen is None:
        return
    st.header(plain(chosen.name), anchor=False)
    root = (st.context.url or "").partition("?")[0]
    st.text("Whoever opens this address at this desk sees the same filter:")
    st.code(f"{root}?{urlencode({'view': chosen.view_id})}", language=None)
    with st.container(horizontal=True, gap="medium", vertical_alignment="center"):
        if st.button("Open it", type="primary"):
            open_view(store, chosen.view_id)
        keep(store, me, chosen.page, chosen.params, chosen.name, "saved_rename", "Rename")
        if st.button("Delete it", type="tertiary"):
            store.saved_views.delete(chosen.view_id, me.name)
            st.rerun()


def open_view(store: Store, view: str) -> bool:
    """Go to a saved view; gives False when there is none of that id."""
    found = store.saved_views.get(view)
    if found is None:
        return False
    if found.page == "failures":
        st.query_params.from_dict(found.params)
        st.rerun()
    st.switch_page(f"views/{found.page}.py", query_params=found.params)


def _choose(view: str) -> None:
    st.session_state["saved_chosen"] = view
