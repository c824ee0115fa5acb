"""The queues as cards: what each is, how far it is, and what can be done with it."""

from __future__ import annotations

from urllib.parse import urljoin

import streamlit as st

from core import queue_readers, queues
from core.errors import CitedeskError
from core.models import utc_now
from core.people import Person, Role
from core.store import Store
from core.store.queue_records import Design, Queue, QueueState
from dashboard.session import settings
from dashboard.widgets import plain, queue_words, showable

SAID = "queue_said"
"""What came of the last press, shown once."""


def queue_list(store: Store, me: Person) -> None:
    """Every queue, those that are open first, the newest of them on top."""
    if said := st.session_state.pop(SAID, None):
        st.info(plain(said))
    found = sorted(store.queues.states(me.name, utc_now(), me.groups), key=lambda pair: pair[0].made_at, reverse=True)
    for queue, state in sorted(found, key=lambda pair: pair[0].closed):
        _card(store, me, queue, state)


def _card(store: Store, me: Person, queue: Queue, state: QueueState) -> None:
    paces = store.queues.pace(queue.queue_id, utc_now())
    with st.container(border=True, key=f"queue_{queue.queue_id}"):
        with st.container(gap=None):
            st.header(plain(showable(queue.name + (" (closed)" if queue.closed else ""))), anchor=False)
            st.text(showable(queue_words.how(queue)))
            st.caption(plain(queue_words.drawn(queue)))
        st.progress(min(1.0, state.complete / max(1, state.claims)), plain(queue_words.complete(state)))
        with st.container(gap=None):
            st.caption(plain(queue_words.remains(state, paces)))
            st.caption(plain(queue_words.people(paces)))
            for sentence in queue_words.withheld(state, queue_readers.unread(store, queue, settings())):
                st.caption(plain(sentence))
        with st.container(horizontal=True, gap="small"):
            _acts(store, me, queue)


def _acts(store: Store, me: Person, queue: Queue) -> None:
    queue_id = queue.queue_id
    is_theirs = not queue.spec.labellers or me.name in queue.spec.labellers
    if is_theirs and not queue.closed and st.button("Label", type="primary", key=f"label_{queue_id}"):
        st.switch_page("views/label.py", query_params={"queue": queue_id})
    with st.popover("Link"):
        st.caption("Whoever opens this labels in this queue.")
        st.code(urljoin(st.context.url or "/", f"label?queue={queue_id}"), language=None)
    if not me.may(Role.ADMIN):
        return
    if not queue.closed:
        with st.popover("Top up"):
            _top_up(store, me, queue)
    with st.popover("Rename"):
        name = st.text_input("New name", value=showable(queue.name), max_chars=80, key=f"name_{queue_id}")
        if st.button("Rename it", key=f"rename_{queue_id}", disabled=not name.strip()):
            _say(f"The queue is called {store.queues.rename(queue_id, name.strip(), me.name).name} now.")
    word = "Open again" if queue.closed else "Close"
    if st.button(word, key=f"switch_{queue_id}_{queue.closed}", help="What was labelled is kept either way."):
        (store.queues.open if queue.closed else store.queues.close)(queue_id, me.name)
        _say(f"{queue.name} is {'open' if queue.closed else 'closed'} now.")


def _top_up(store: Store, me: Person, queue: Queue) -> None:
    more = 0
    if queue.spec.design is Design.CENSUS:
        st.caption("Adds every claim that came since.")
    else:
        more = int(st.number_input("Claims to add", 1, 1_000_000, 50, key=f"more_{queue.queue_id}"))
        st.caption("What was drawn stays, and all of it together is one sample. Later claims have their chance too.")
    if st.button("Draw them", key=f"draw_{queue.queue_id}"):
        try:
            draw = queues.top_up(store, queue.queue_id, more, me.name)
        except CitedeskError as error:
            _say(str(error))
        else:
            _say(
                " ".join((f"{queue.name} holds {len(draw.items):,} of {draw.population:,} claims now.", *draw.remarks))
            )


def _say(words: str) -> None:
    st.session_state[SAID] = words
    st.rerun()
