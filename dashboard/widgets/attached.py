"""Which answers a page shows: those of the store, or those of a run folder that is attached beside it."""

from __future__ import annotations

import streamlit as st

from core.desk import Desk
from core.input_blocks import shown
from core.people import Person
from core.store.attached import AttachedStore
from dashboard import session
from dashboard.widgets import plain

PARAM = "from"
"""Names the attached folder in an address, by its place among them from 1."""

_CHOSEN = "attached_place"


def desk() -> Desk:
    """The desk whose answers this session looks at.

    Raises:
        CitedeskError: The attached folder cannot be read; choosing the store shows that again.
    """
    own = session.desk()
    place = _place(len(own.settings.attach))
    return own.attached(own.settings.attach[place - 1]) if place else own


def is_attached() -> bool:
    """Whether an attached folder is looked at, whose claims nobody can label."""
    return _place(len(session.settings().attach)) > 0


def look_at(me: Person) -> None:
    """Let people choose, in the sidebar, and say what an attached folder is; nothing where none is attached.

    Stops the page where the folder would show somebody what they are to label blind.
    """
    places = session.settings().attach
    if not places:
        return
    names = ["This store", *(_name(where) for where in places)]
    chosen = _place(len(places))
    if chosen:
        st.query_params[PARAM] = str(chosen)
    else:
        st.query_params.pop(PARAM, None)
    with st.sidebar:
        picked = st.selectbox(
            "Answers of",
            range(len(names)),
            index=chosen,
            format_func=lambda place: plain(names[place]),
            key="answers_of",
        )
        if picked != chosen:
            st.session_state[_CHOSEN] = picked
            for name in list(st.query_params):
                st.query_params.pop(name)
            st.rerun()
        if chosen and st.button("Read it again", help="Shows what was finished since it was attached."):
            session.desk().attached(places[chosen - 1], anew=True)
    if chosen:
        _say(me, places[chosen - 1])


def _say(me: Person, where: str) -> None:
    store = session.desk().attached(where).store
    assert isinstance(store, AttachedStore), "what is attached is read from its files"
    if hidden := len(store.concealed_from(me)):
        st.warning(
            plain(
                f"{shown(where)} says what judges said of {hidden:,} claims that you are to label without knowing it. "
                "Label them, then come back; or choose this store in the sidebar."
            )
        )
        st.stop()
    double = store.doubled()
    twice = f" {double:,} claims stand in it twice and count twice." if double else ""
    unread = store.unread()
    lacking = f" {unread:,} lines of its input could not be read and are not in it." if unread else ""
    st.caption(
        plain(
            f"Attached, for reading only: {shown(where)}.{twice}{lacking} To label or queue these claims, import their "
            "answers into your store."
        )
    )


def _place(count: int) -> int:
    """The place of the attached folder that is looked at, from 1; 0 for the store."""
    asked = st.query_params.get(PARAM)
    if _CHOSEN not in st.session_state:
        st.session_state[_CHOSEN] = int(asked) if asked and asked.isdecimal() else 0
    place = int(st.session_state[_CHOSEN])
    return place if 0 <= place <= count else 0


def _name(where: str) -> str:
    return shown(where).rstrip("/").rpartition("/")[2] or shown(where)
