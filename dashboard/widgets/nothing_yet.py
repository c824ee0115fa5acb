"""What a page shows before there is anything to show: why it is empty, and the next step."""

from __future__ import annotations

from typing import NoReturn

import streamlit as st

from core.people import Person, Role
from dashboard.widgets import plain

BEGIN = "Load the sample, or bring your own answers"


def begin(me: Person) -> None:
    """Lead to the page where answers come in, or say who may bring them."""
    if not me.may(Role.ADMIN):
        st.text("An admin of this desk brings answers in.")
    elif st.button(BEGIN, type="primary"):
        st.switch_page("views/home.py")


def nothing_yet(me: Person, title: str, words: str) -> NoReturn:
    """Fill a page of a store without answers, and end its run.

    Args:
        me: Who looks at it.
        title: That there is nothing.
        words: What will stand here.
    """
    st.title(plain(title), anchor=False)
    st.text(words)
    begin(me)
    st.stop()
