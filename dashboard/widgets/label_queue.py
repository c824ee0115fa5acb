"""The labelling queue: one claim × cited span at a time, a label and the next claim in one press.

The browser keeps every press until it is acknowledged (``label_log.js``, ``label_queue.js``) and shows the next claim
meanwhile. A run of the page gives it the first claims and a line (``dashboard.label_line``); over that it sends presses
and gets answers and more claims, without a further run.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import streamlit as st

from core.people import Person
from core.store import Store
from core.store.queue_records import Queue
from dashboard import identity, label_line
from dashboard.label_exchange import shown
from dashboard.session import settings
from dashboard.widgets import look

OUTSIDE = "28px"
"""What of the window's height the page keeps for itself around the queue."""

_HERE = Path(__file__).parent
PARTS = ("parts", "log", "mark", "panels", "build", "screen", "line", "keys", "queue", "acts")
"""The files ``label_….js`` that make up the component's one module, in this order."""

_component = st.components.v2.component(
    "citedesk_label_queue",
    html="<div class=mount></div>",
    css=f":host{{--outside:{OUTSIDE}}}" + look.CSS + (_HERE / "label_queue.css").read_text(encoding="utf-8"),
    js="".join((_HERE / f"label_{part}.js").read_text(encoding="utf-8") for part in PARTS),
)


def label_queue(store: Store, person: Person, queue: Queue) -> None:
    """Show a queue to one person, and open a line for them; the page runs again when the browser's line is cut.

    Not a fragment: a desk that was started anew does not know the fragments of its pages until each has run as a whole.
    """
    owner = hashlib.sha256(f"{store.path}\n{person.identity}\n{person.name}".encode()).hexdigest()[:16]
    key = f"label_queue_{owner}_{queue.queue_id}"
    log = st.session_state.get(key, {}).get("log")
    message = shown(store, person, queue, log if isinstance(log, Mapping) else {})
    data: dict[str, Any] = {"owner": owner, "line": _line(key, person, queue), "acks": []}
    _component(key=key, data=data | message, default={"log": {}}, on_log_change=lambda: None)


def _line(key: str, person: Person, queue: Queue) -> str:
    """The line of this session for this person and queue, opened when there is none."""
    secret = str(st.session_state.get(f"{key}_line", ""))
    if label_line.find(secret) is None:
        secret = label_line.open_line(identity.seat(person, settings()), queue)
        st.session_state[f"{key}_line"] = secret
    return secret
