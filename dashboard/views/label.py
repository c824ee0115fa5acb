"""Label: say of one claim and one cited passage at a time what the passage makes of the claim."""

from __future__ import annotations

import streamlit as st

from core import queues
from core.store.queue_records import EVERYTHING
from dashboard import session
from dashboard.widgets import showable
from dashboard.widgets.heading import unseen
from dashboard.widgets.label_queue import label_queue
from dashboard.widgets.nothing_yet import nothing_yet

NAVIGATION = {"section": "Label", "place": 10, "role": "labeller", "by_name": True}

me = session.person()
store = session.desk().store
if not store.summary().claims:
    words = "There are no claims in this store. Here you will read one claim beside the passage that it cites."
    nothing_yet(me, "Nothing to label yet", words)

unseen("Label")
queues.everything(store)
open_to_me = {
    queue.queue_id: queue
    for queue in store.queues.list()
    if queue.queue_id == EVERYTHING or not queue.spec.labellers or me.name in queue.spec.labellers
}
asked = st.query_params.get("queue", EVERYTHING)
if asked not in open_to_me and (found := store.queues.find(asked)):
    open_to_me[asked] = found  # a link to a queue of others: the page says whose it is
chosen = asked if asked in open_to_me else EVERYTHING
if len(open_to_me) > 1:
    names = {one: showable(queue.name) for one, queue in open_to_me.items()}
    order = list(names)
    picked = st.sidebar.selectbox("Queue", order, index=order.index(chosen), format_func=names.__getitem__)
    if picked != chosen:
        st.query_params["queue"] = picked
        st.rerun()
if asked != chosen:
    st.sidebar.text("The queue of this link is not in this store; this is another one.")
label_queue(store, me, open_to_me[chosen])
