"""The one heading of a page: with the button that explains its words, or for those alone who hear the page."""

from __future__ import annotations

import streamlit as st

from dashboard.widgets import plain
from dashboard.widgets.what_is_this import what_is_this


def headed(title: str, *names: str) -> None:
    """Draw the heading, and at its right "What is this?".

    Args:
        title: A text; it is escaped here.
        names: What is explained; see ``what_is_this``.
    """
    with st.container(horizontal=True, vertical_alignment="center", gap="medium", key="headed"):
        st.title(plain(title), anchor=False)
        what_is_this(*names)


def unseen(title: str) -> None:
    """Name a page that has no room for a heading: it is heard, and printed."""
    with st.container(key="unseen"):
        st.title(plain(title), anchor=False)
