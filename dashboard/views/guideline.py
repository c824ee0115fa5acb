"""Guideline: what each label means, version by version, and a way to add the next one."""

from __future__ import annotations

import streamlit as st

from core import guidelines
from core.errors import InputError
from core.people import Role
from dashboard import session
from dashboard.widgets import plain, showable

NAVIGATION = {"section": "Label", "place": 60, "role": "reviewer"}

me = session.person(Role.REVIEWER)
store = session.desk().store
versions = {one.guideline: one for one in reversed(guidelines.every(store))}


def add(text: str) -> None:
    """Keep a text as the next version, or say what it lacks."""
    try:
        added = guidelines.add(store, text, me.name)
    except InputError as error:
        st.warning(plain(str(error)))
        return
    st.success(plain(f"This is guideline {added.guideline}. Make a queue under it to label by it."))


st.title("Guideline")
chosen = versions[st.selectbox("Version", list(versions), width=320)]
st.text(
    f"Written by {showable(chosen.who)} on {chosen.recorded_at:%d %B %Y} (UTC). A version is never rewritten: labels "
    "keep the one that they were given under."
)
with st.form("next", border=False):
    written = st.text_area("Text, in Markdown; change it to make the next version", showable(chosen.text), height=420)
    if st.form_submit_button("Keep as the next version", type="primary"):
        add(written)
