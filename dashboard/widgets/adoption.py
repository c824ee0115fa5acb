"""Adopting a threshold: what will happen, asked once more, and what came of it."""

from __future__ import annotations

import streamlit as st

from core import adoption
from core.calibration import Calibration
from core.errors import CitedeskError
from core.people import Person, Role
from core.store import Store
from dashboard.widgets import plain, showable

SAID = "adoption_said"
"""What came of the last press, shown once."""


def adopt(store: Store, me: Person, found: Calibration, threshold: float) -> None:
    """Offer to adopt a threshold, and list what was adopted of this judge before."""
    if said := st.session_state.pop(SAID, None):
        st.info(plain(said))
    own = any(point.own and point.threshold == threshold for point in found.thresholds)
    if me.may(Role.REVIEWER) and st.button(
        f"Adopt {threshold:g} as a new protocol", disabled=own, help="The judge has this one already" if own else None
    ):
        _confirm(store, me, found, threshold)
    for one in store.adoptions.all():
        if one.base == found.protocol:
            st.text(
                f"Adopted by {showable(one.who)} on {one.adopted_at:%d %B %Y}: {one.name} ({one.protocol}). {one.said}"
            )
            st.code(f"citedesk verify --adopted {showable(one.name)}", language=None)


@st.dialog("Adopt this threshold?")
def _confirm(store: Store, me: Person, found: Calibration, threshold: float) -> None:
    try:
        made = adoption.with_threshold(found.configuration, threshold)
    except CitedeskError as error:
        st.warning(plain(str(error)))
        return
    st.text(
        f"A new protocol is made, {made}: the same judge, which calls a claim supported from a score of {threshold:g} "
        f"on. Verdicts of {found.protocol} stay as they are, and no chart joins the two. Nothing is judged now: "
        "afterwards judge the store with the command that is shown."
    )
    name = st.text_input("Name", value=f"{found.configuration.verifier.verifier}-{threshold:g}", max_chars=60)
    if st.button("Adopt it", type="primary"):
        try:
            kept = adoption.adopt(store, found, threshold, me.name, name)
        except CitedeskError as error:
            st.warning(plain(str(error)))
            return
        st.session_state[SAID] = f"{kept.name} is adopted."
        st.rerun()
