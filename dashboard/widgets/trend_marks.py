"""Marks of the time axis: a form to add one, those of people with a way to take them off, and all in words."""

from __future__ import annotations

from collections.abc import Sequence
from zoneinfo import ZoneInfo

import streamlit as st

from core import time_marks
from core.errors import InputError
from core.models import utc_now
from core.people import Person
from core.store import Store
from core.time_marks import Mark
from dashboard.widgets import plain, showable


def marks(store: Store, me: Person, some: Sequence[Mark]) -> None:
    """Draw the button behind which marks are added and taken off."""
    with st.popover("Marks"):
        with st.form("mark", clear_on_submit=True, border=False):
            day = st.date_input("Mark a day, for everybody", value=utc_now().date(), format="YYYY-MM-DD")
            text = st.text_input("What happened", placeholder="release 4.2", max_chars=time_marks.SIZE_LIMIT)
            if st.form_submit_button("Add the mark"):
                try:
                    time_marks.add(store, day.isoformat(), text, me.name)
                except InputError as error:
                    st.warning(plain(str(error)))
                else:
                    st.rerun()
        for mark in some:
            if mark.mark_id is not None:
                with st.container(horizontal=True, vertical_alignment="center"):
                    st.text(f"{mark.day} {showable(mark.text)}")
                    st.button(
                        "Take off", key=f"mark_{mark.mark_id}", on_click=_take_off, args=(store, mark.mark_id, me.name)
                    )
        st.caption("New guidelines and the first use of each judge are marked by themselves.")


def _take_off(store: Store, mark_id: str, who: str) -> None:
    store.time_marks.take_back(mark_id, who)


def words(some: Sequence[Mark], time_zone: str) -> str:
    """All marks with their days, in time order; empty when there are none."""
    zone = ZoneInfo(time_zone)
    dated = sorted((mark.begins(zone), mark.text) for mark in some)
    said = [f"{at.astimezone(zone):%Y-%m-%d} {text}" for at, text in dated]
    return f"Marks: {'; '.join(said)}." if said else ""
