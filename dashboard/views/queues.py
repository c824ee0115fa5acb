"""Queues: which claims people label, drawn how, by how many, and how far that is."""

from __future__ import annotations

import streamlit as st

from core import queues
from core.people import Role
from dashboard.session import desk, person
from dashboard.widgets import address
from dashboard.widgets.heading import headed
from dashboard.widgets.nothing_yet import nothing_yet
from dashboard.widgets.queue_form import queue_form
from dashboard.widgets.queue_list import SAID, queue_list

NAVIGATION = {"section": "Label", "place": 30, "role": "reviewer"}

WORDS = ("Claim", "Cited passage", "Label", "Queue", "Guideline", "Blind", "Gold set")
"""What "What is this?" explains."""

MAKE = "make"
"""In the address: the form is open; the other parameters are those of the review list."""

me = person(Role.REVIEWER)
store = desk().store
infos = store.protocols()
if not infos:
    words = "A queue says which claims people label. There are no claims in this store to draw from."
    nothing_yet(me, "No queues yet", words)

if MAKE in st.query_params and me.may(Role.ADMIN):
    st.title("Make a queue")
    if st.button("Back to the queues"):
        st.query_params.clear()
        st.rerun()
    narrowed = address.review_filter(st.query_params, infos, me) if len(st.query_params) > 1 else None
    made = queue_form(store, me, infos, narrowed)
    if made is not None:
        st.session_state[SAID] = f"{made.name} is made: {made.claims:,} of {made.population:,} claims."
        st.query_params.clear()
        st.rerun()
    st.stop()

queues.everything(store)
headed("Queues", *WORDS)
st.text("A queue says which claims people label, how they were drawn, under which guideline, and by how many people.")
if me.may(Role.ADMIN) and st.button("Make a queue", type="primary"):
    st.query_params[MAKE] = "1"
    st.rerun()
queue_list(store, me)
