"""Adjudicate: where labellers differ, decide, and say why. For reviewers, who see labels but not whose they are."""

from __future__ import annotations

import pandas as pd
import streamlit as st

from core import adjudication
from core.adjudication import Docket, Flagged
from core.people import Person, Role
from core.store import Store
from core.store.adjudications import Adjudication
from dashboard.session import desk, person
from dashboard.widgets import BARRED, ago, look, many, showable
from dashboard.widgets.adjudicate import adjudicate

NAVIGATION = {"section": "Label", "place": 40, "role": "reviewer", "by_name": True}

SHOWN = 100
"""Flags on this page at most."""

LATELY = 20
"""Decisions on it at most."""

me = person(Role.REVIEWER)
store = desk().store


@st.cache_data(max_entries=8, show_spinner=False)
def docket_of(_store: Store, path: str, revision: int, who: Person) -> Docket:
    """What is open for a person, read anew after every write."""
    return adjudication.docket(_store, who)


def why_empty(docket: Docket) -> str:
    """Why nothing is open, in a sentence."""
    if docket.withheld:
        return withheld(docket.withheld)
    if docket.own:
        return f"{many(docket.own, 'case')} left, but you labelled them yourself: another reviewer has to decide them."
    if docket.compared:
        return f"Nothing to decide: on all {docket.compared:,} passages that two people or more labelled, they agree."
    return (
        "No passage has labels of two people yet, so nobody can differ: "
        "set overlap 2 or a double share when you make a queue."
    )


def withheld(count: int) -> str:
    """How many cases are for others, because of what their claims cite."""
    cites = "passage is" if count == 1 else "passages are"
    return f"{count:,} {cites} for reviewers who may read what the claim cites: its sources are not for your groups."


def flag_row(one: Flagged) -> tuple[str, str, str, str]:
    """One line of the flags."""
    why = " · ".join(filter(None, (one.reason, one.note))) or "no reason given"
    return showable(one.span.claim), showable(one.span.cite or "–"), showable(why), one.guideline


def decided_rows(decided: list[Adjudication]) -> list[tuple[str, ...]]:
    """One line a decision."""
    rows: list[tuple[str, ...]] = []
    barred = store.labels.barred({one.claim_uid for one in decided}, me.groups)
    for one in decided:
        span = store.labels.span(one.claim_uid, one.cite)
        label = look.written(one.label) if one.label else "Not a claim"
        when = ago(one.recorded_at) if one.recorded_at else ""
        words, why = (span.claim if span else ""), one.rationale
        if one.claim_uid in barred:
            words, why = BARRED, ""
        rows.append((when, showable(words), label, showable(why), showable(one.adjudicator)))
    return rows


@st.fragment
def bench() -> None:
    """The case at hand and what was decided; a decision runs only this."""
    docket = docket_of(store, str(store.path), store.revision(), me)
    if docket.cases:
        more = f" {docket.own:,} more are for other reviewers, for you labelled them." if docket.own else ""
        st.text(f"Labellers differ on {many(len(docket.cases), 'passage')}; what you decide becomes gold.{more}")
        if docket.withheld:
            st.text(withheld(docket.withheld))
        adjudicate(store, me, docket, st.session_state.get("adjudicate_at", 0))
    else:
        st.text(why_empty(docket))
        if not docket.compared and me.may(Role.ADMIN) and st.button("Make a queue", type="primary"):
            st.switch_page("views/queues.py", query_params={"make": "1"})
    decided = store.adjudications.standing(LATELY)
    if decided:
        with st.expander("Decided lately"):
            st.text(
                "Every decision stands until its reviewer takes it back; the last one of yours goes with the key z."
            )
            table = pd.DataFrame(decided_rows(decided), columns=["When", "Claim", "Decided", "Because", "By"])
            st.dataframe(table, hide_index=True, alt="Decisions, newest first")


st.title("Adjudicate")
bench()

every_flag, hidden = adjudication.flagged(store, me)
flags = every_flag[:SHOWN]
with st.expander(f"Flagged by labellers ({len(flags):,})", expanded=bool(flags)):
    if hidden:
        st.text(f"{many(hidden, 'more flag')} cannot be shown: the claims cite sources that are not for your groups.")
    if not flags and not hidden:
        st.text("Nobody has flagged anything for a reviewer.")
    elif flags:
        st.text("Labellers wanted a reviewer to look at these; a flag stays until its labeller takes it back.")
        columns = ["Claim", "Cites", "Why", "Guideline"]
        table = pd.DataFrame([flag_row(one) for one in flags], columns=columns)
        st.dataframe(table, hide_index=True, alt="Flagged passages, newest first")
