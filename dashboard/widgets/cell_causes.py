"""Why claims of a question's answer are not supported, looked for when somebody asks."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import streamlit as st

from core.causes import Cause
from core.errors import CitedeskError
from core.models import Answer, ClaimRow, Label
from core.notebook_reading import ShownRun
from dashboard.widgets import plain, showable

Explain = Callable[[Answer, Sequence[ClaimRow]], dict[str, Cause]]
"""Gives the cause of each claim that is not supported, by claim id."""


@st.fragment
def button(shown: ShownRun, explain: Explain) -> None:
    """Offer to look, where there is a claim that is not supported, and say what was found claim by claim."""
    answer, rows = _looked_at(shown)
    failing = [row for row in rows if row.label not in (Label.SUPPORTED, Label.SECONDARY_ONLY)]
    if answer is None or not failing:
        return
    place = f"causes_{shown.run.run_id}"
    if st.button("Why was it not found?", key=f"why_{shown.run.run_id}", type="tertiary"):
        try:
            with st.spinner("Searching the corpus ten times as deep…"):
                st.session_state[place] = explain(answer, failing)
        except CitedeskError as error:
            st.warning(plain(str(error)))
    for row in failing:
        if (cause := st.session_state.get(place, {}).get(row.claim_id)) is not None:
            st.text(f"“{showable(row.claim)}” {showable(cause.sentence)}")


def _looked_at(shown: ShownRun) -> tuple[Answer | None, Sequence[ClaimRow]]:
    """The answer that was served, or the draft that was not, for those who may see it."""
    if shown.draft is not None:
        return shown.draft.answer, shown.draft.rows
    return shown.answer, shown.rows
