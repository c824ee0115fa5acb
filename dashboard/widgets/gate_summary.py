"""How often the gate is wrong, in both directions, held against people's labels, for the page where it decides."""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd
import streamlit as st

from core.desk import Desk
from core.errors import CitedeskError
from core.gate import Level
from core.gate_errors import GateErrors, share_words
from core.gate_work import GateReport, GateWork
from core.guidelines import FIRST
from core.store.records import ProtocolInfo
from dashboard.widgets import plain

NO_LABELS = (
    "Nothing is known yet: no answer has a label of people on every claim. Label some answers whole, and both errors "
    "stand here."
)


@st.fragment
def summary(desk: Desk, infos: Sequence[ProtocolInfo], level: str) -> None:
    """Offer both errors of the gate, and count them when somebody wants to know.

    Args:
        desk: Whose answers and labels are held against each other.
        infos: The protocols with verdicts; none: there is nothing to count.
        level: Of the gate, as the next question would have it.
    """
    if not infos:
        return
    with st.expander("How often is the gate wrong?"):
        names = [info.name for info in infos]
        versions = [one.guideline for one in desk.store.guidelines.list()] or [FIRST]
        with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
            protocol = st.selectbox("Verdicts of", names, key="gate_protocol", width=320)
            guideline = st.selectbox("Labels under", versions, index=len(versions) - 1, key="gate_labels", width=170)
            pressed = st.button("Count it", key="gate_count")
        asked = GateWork(level=Level(level), protocol=protocol, guideline=guideline)
        kept = (desk.store.revision(), asked)
        if pressed:
            _count(desk, asked, kept)
        known, report = st.session_state.get("gate_errors", (None, None))
        if known == kept:
            _draw(report)


def _count(desk: Desk, asked: GateWork, kept: tuple[int, GateWork]) -> None:
    bar = st.progress(0.0, "Passing the answers through the gate…")

    def show(done: int, total: int) -> None:
        bar.progress(done / total if total else 1.0, "Passing the answers through the gate…")

    try:
        report = asked.run(desk, show)
        st.session_state["gate_errors"] = (kept, report)
    except CitedeskError as error:
        st.warning(plain(str(error)))
    finally:
        bar.empty()


def _draw(report: GateReport) -> None:
    whole = report.errors[0]
    if whole.answers == whole.unlabelled:
        st.text(NO_LABELS)
        return
    st.dataframe(
        pd.DataFrame([_row(one) for one in report.errors]), hide_index=True, alt="Leaks and false blocks by length"
    )
    st.caption(
        plain(
            f"Gate {report.level}, verdicts of {report.protocol}, labels under guideline {report.guideline}. Leaks: "
            "answers with a claim that people do not call supported, which passed. False blocks: answers whose claims "
            "people call supported, which were stopped. Intervals are Wilson 95%."
        )
    )


def _row(one: GateErrors) -> dict[str, str | int]:
    return {
        "Answers": one.length,
        "In all": one.answers,
        "Not labelled whole": one.unlabelled,
        "Leaks": share_words(one.leaks, one.leak_rate),
        "False blocks": share_words(one.false_blocks, one.false_block_rate),
    }
