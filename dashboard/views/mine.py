"""Your labels: what you said of which claim, the last first, and, if you like, what the judge said of it."""

from __future__ import annotations

import pandas as pd
import streamlit as st

from core.reveal import HIDDEN
from core.store.label_records import StoredLabel
from dashboard.session import desk, person
from dashboard.widgets import BARRED, ago, look, many, showable

NAVIGATION = {"section": "Label", "place": 20, "role": "labeller", "by_name": True}

SHOWN = 100
"""Labels on this page at most."""

me = person()
store = desk().store


def said(claim_uid: str) -> str:
    """The judge's word on a claim, where the reader may know it; then it is noted that they do."""
    detail = desk().claim(claim_uid, None, me)
    if detail is None:
        return HIDDEN
    store.reveals.note(me.name, [claim_uid], "own labels")
    return f"{look.written(detail.row.label)} ({detail.row.protocol})"


def row(stored: StoredLabel, with_judge: bool, barred: bool) -> list[str]:
    """One line of the table; of a claim that its labeller may not read any more, only what they said of it."""
    event = stored.event
    given = look.written(event.label) if event.label else str(event.kind).replace("_", " ")
    if barred:
        return [ago(stored.recorded_at), BARRED, "–", given, "", *([""] if with_judge else [])]
    claim = store.concealed_claim(event.claim_uid)
    words = showable(claim.claim) if claim else "not in this store any more"
    line = [ago(stored.recorded_at), words, showable(event.cite or "–"), given, showable(event.note or event.reason)]
    return [*line, said(event.claim_uid)] if with_judge else line


st.title("Your labels")
mine = store.labels.last(me.name, SHOWN)
if not mine:
    st.text("You have not labelled anything yet. What you say of claims will be listed here, to look up or to change.")
    if st.button("Label the first claim", type="primary"):
        st.switch_page("views/label.py")
    st.stop()
st.text(f"What you said last of {many(len(mine), 'passage')}, newest first.")
with_judge = st.toggle("Show what the judge said", help="A label that you change after that counts as not blind.")
barred = store.labels.barred({one.event.claim_uid for one in mine}, me.groups)
columns = ["When", "Claim", "Cites", "You said", "Note", *(["The judge"] if with_judge else [])]
st.dataframe(
    pd.DataFrame([row(one, with_judge, one.event.claim_uid in barred) for one in mine], columns=columns),
    hide_index=True,
    height="content",
    column_config={"Claim": st.column_config.TextColumn(width="large")}
    | {name: st.column_config.TextColumn(width="small") for name in ("When", "Cites", "You said")},
    alt="Your labels, newest first",
)
