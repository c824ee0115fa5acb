"""What an import may look up outside: asked where a file is looked at, and said in a sentence."""

from __future__ import annotations

import streamlit as st

from core.reference_policy import Also
from core.settings import Settings
from dashboard.uploads import Chosen
from dashboard.widgets import plain

CHOICES: dict[str, frozenset[Also]] = {
    "Nothing": frozenset(),
    "Links": frozenset({Also.URLS}),
    "DOIs and arXiv ids": frozenset({Also.IDENTIFIERS}),
    "Links, DOIs, arXiv ids": frozenset({Also.URLS, Also.IDENTIFIERS}),
}


def ask(chosen: Chosen, settings: Settings) -> Settings:
    """Ask what to look up; the settings' own unless a person says otherwise."""
    usual = settings.references.also - {Also.SUPPLIED}
    named = list(CHOICES)
    picked = st.selectbox(
        "Look up outside",
        named,
        index=list(CHOICES.values()).index(usual),
        key=f"references_{chosen.file_id}",
        persist_state="session",
        width=210,
    )
    if CHOICES[picked] == usual:
        return settings
    return settings.model_copy(update={"references": settings.references.model_copy(update={"also": CHOICES[picked]})})


def describe(settings: Settings) -> None:
    """Say what is looked up, and what of it cannot be."""
    policy = settings.references
    if not policy.also:
        st.caption("Nothing is looked up outside: a citation is judged on the passage that came with the answer.")
        return
    said = "Sources without a passage are looked up outside, politely; what is closed is called so, never false."
    if policy.offline:
        said = "This desk works offline: sources without a passage will be called “not checked”."
    elif Also.IDENTIFIERS in policy.also and policy.contact is None:
        said += " DOIs and arXiv ids stay “not checked” until CITEDESK_REFERENCES__CONTACT names a contact."
    st.caption(plain(said))
