"""What an import may look up outside: asked where a file is looked at, and said in a sentence."""

from __future__ import annotations

from collections.abc import Mapping

import streamlit as st

from core.corpus_policy import CorpusPolicy, own
from core.reference_policy import Also, ReferencePolicy
from core.settings import Settings
from dashboard.uploads import Chosen
from dashboard.widgets import plain

CHOICES: dict[str, frozenset[Also]] = {
    "Nothing": frozenset(),
    "Links": frozenset({Also.URLS}),
    "DOIs and arXiv ids": frozenset({Also.IDENTIFIERS}),
    "Links, DOIs, arXiv ids": frozenset({Also.URLS, Also.IDENTIFIERS}),
}


OF_CORPORA = "As each corpus allows"
"""For answers that name a corpus with a policy of its own; the others are looked up as the desk says."""

SHOWN = 5
"""Corpora whose policies are said in words."""


def ask(chosen: Chosen, settings: Settings, said: Mapping[str, CorpusPolicy]) -> Settings:
    """Ask what to look up; the settings' own unless a person says otherwise.

    Args:
        chosen: The file.
        settings: Those that the file would be judged under.
        said: The policies that corpora have, by name.
    """
    usual = settings.references.also - {Also.SUPPLIED}
    named = [*([OF_CORPORA] if said and not settings.references.chosen else []), *CHOICES]
    picked = st.selectbox(
        "Look up outside",
        named,
        index=0 if named[0] == OF_CORPORA else list(CHOICES.values()).index(usual),
        key=f"references_{chosen.file_id}",
        persist_state="session",
        width=210,
    )
    if picked == OF_CORPORA or (CHOICES[picked] == usual and not said):
        return settings
    update = {"also": CHOICES[picked], "chosen": True}
    return settings.model_copy(update={"references": settings.references.model_copy(update=update)})


def describe(settings: Settings, said: Mapping[str, CorpusPolicy]) -> None:
    """Say what is looked up, what of it cannot be, and what corpora of their own let be looked up."""
    words = [_of_desk(settings.references), own(said, sorted(said)[:SHOWN])]
    if said and not settings.references.offline:
        bound = "No answer over a corpus with a policy of its own gets more than that allows."
        exception = "Answers that name a corpus with a policy of its own are an exception."
        words.insert(1, bound if settings.references.chosen else exception)
    if len(said) > SHOWN:
        words.append(f"{len(said) - SHOWN:,} further corpora have one; citedesk corpus list shows them.")
    st.caption(plain(" ".join(filter(None, words))))


def _of_desk(policy: ReferencePolicy) -> str:
    """What holds for answers that name no corpus."""
    if not policy.also:
        return "Nothing is looked up outside: a citation is judged on the passage that came with the answer."
    if policy.offline:
        return "This desk works offline: sources without a passage will be called “not checked”."
    said = "Sources without a passage are looked up outside, politely; what is closed is called so, never false."
    if Also.IDENTIFIERS in policy.also and policy.contact is None:
        said += " DOIs and arXiv ids stay “not checked” until CITEDESK_REFERENCES__CONTACT names a contact."
    return said
