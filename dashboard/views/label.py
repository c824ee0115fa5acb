"""Label: say of one claim and one cited passage at a time what the passage makes of the claim."""

from __future__ import annotations

import streamlit as st

from core import labelling
from dashboard import session
from dashboard.widgets.label_queue import label_queue

desk = session.desk()
if not desk.store.summary().claims:
    st.title("Nothing to label yet")
    st.text("There are no claims in this store. Here you will read one claim beside the passage that it cites.")
    if st.button("Load the sample, or bring your own answers", type="primary"):
        st.switch_page("views/home.py")
    st.stop()

typed = st.sidebar.text_input(
    "Labelling as",
    value=desk.settings.labeller,
    max_chars=labelling.NAME_LIMIT,
    key="labeller",
    bind="query-params",
    persist_state="session",
)
label_queue(desk.store, labelling.labeller_name(typed or "", desk.settings.labeller))
