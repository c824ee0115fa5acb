"""Who is at the desk, in the sidebar: a name to choose where nobody signs in, else a name and the way out."""

from __future__ import annotations

import streamlit as st

from core import labelling
from core.people import CHOSEN, Person
from dashboard.identity import NAME
from dashboard.widgets import plain, showable

UNCHECKED = "Not signed in: nobody has checked this name."


def who(me: Person, default: str, by_name: bool) -> None:
    """Say who the session belongs to.

    Args:
        me: The person.
        default: The name where nobody chose one.
        by_name: Whether this page stores things under the name, so that it can be chosen here and stays in the address.
    """
    with st.sidebar:
        if me.identity != CHOSEN:
            st.text(showable(me.name))
            st.caption(plain(f"{me.role}, signed in with {showable(me.identity)}"))
            st.button("Sign out", on_click=st.logout)
        elif by_name:
            choose(default)
            st.caption(UNCHECKED)


def choose(default: str) -> None:
    """Choose a name, for this session and this address."""
    st.text_input(
        "Labelling as",
        value=default,
        max_chars=labelling.NAME_LIMIT,
        key=NAME,
        bind="query-params",
        persist_state="session",
    )


def sign_in() -> None:
    """The only page of somebody who has not signed in."""
    st.title("Sign in to Citedesk")
    st.text("This desk knows its people by the account that they sign in with; what you do here carries your name.")
    st.button("Sign in", type="primary", on_click=st.login)
