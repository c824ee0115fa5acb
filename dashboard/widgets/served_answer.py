"""One run of a question as a component: its outcome, its answer with footnotes, its claims and its evidence."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import streamlit as st

from dashboard.widgets import look

_HERE = Path(__file__)

_mount = st.components.v2.component(
    "citedesk_served_answer",
    html='<div class="panel cell"></div>',
    css=look.CSS + _HERE.with_suffix(".css").read_text(encoding="utf-8"),
    js=look.script(__file__),
)


def served_answer(view: dict[str, Any]) -> None:
    """Draw what ``cell_view`` made of a run."""
    _mount(key=f"run_{view['run']}", data=view)
