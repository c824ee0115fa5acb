"""One claim of a group with everything about it, and the claims that are most like it."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import streamlit as st

from core import failure_groups, page_images
from core.desk import Desk
from core.errors import CitedeskError
from core.failure_groups import Likeness, Progress
from core.people import Person
from core.store.records import ClaimFilter, ProtocolInfo
from dashboard.widgets import claim_view, failure_tables, page_view, plain
from dashboard.widgets.inspector import inspector
from dashboard.widgets.pick_table import pick_table

Found = Callable[[Progress], list[Likeness]]


def neighbours(desk: Desk, wanted: ClaimFilter, label: str, title: str) -> None:
    """The claims of a filter, each beside those it is most like; computed when somebody presses the label."""
    _asked(
        desk,
        f"order {wanted.model_dump_json(exclude={'reader'})}",
        label,
        lambda tell: failure_groups.in_order(desk.store, desk.answering.retriever.embedder, wanted, tell),
        title,
    )


def example(desk: Desk, me: Person, uid: str, wanted: ClaimFilter, infos: Sequence[ProtocolInfo]) -> None:
    """Draw one claim, and offer the ones like it."""
    detail = desk.claim(uid, wanted.protocol, me)
    if detail is None:
        words = desk.store.concealed_claim(uid)
        hidden = claim_view.concealed(words, wanted.protocol) if words else None
        inspector(hidden or claim_view.missing(uid, "Pick another one."), key="failure_inspector", jump=_jump)
        return
    judged_by = next((info.protocol for info in infos if info.name == detail.row.protocol), None)
    draft = None if detail.concealed else desk.draft(detail)
    if not detail.concealed:
        desk.store.reveals.note(me.name, [uid], "failures")
    inspector(
        claim_view.view(detail, draft, "", judged_by), key="failure_inspector", jump=_jump, show_page=page_view.ask_for
    )
    if cite := page_view.asked_for():
        page_view.page_dialog(page_images.of_claim(desk.store, detail, cite))
    text = detail.row.claim
    _asked(
        desk,
        f"like {uid} {wanted.model_dump_json(exclude={'reader'})}",
        "Find similar claims",
        lambda tell: failure_groups.similar(desk.store, desk.answering.retriever.embedder, text, wanted, tell),
        "The claims of this filter that are most like it; 1 is the same, 0 is nothing in common.",
    )


def _asked(desk: Desk, what: str, label: str, find: Found, title: str) -> None:
    """Compute once when the button is pressed, with progress; what was found stays while it is asked for."""
    key = f"{desk.store.revision()} {what}"
    held = st.session_state.get(label)
    if held is None or held[0] != key:
        if not st.button(plain(label), key=f"{label}_do"):
            return
        bar = st.progress(0.0, "Reading the claims…")

        def tell(done: int, total: int) -> None:
            bar.progress(done / total, "Reading the claims…")

        try:
            held = key, find(tell)
        except CitedeskError as error:
            st.warning(plain(str(error)))
            return
        finally:
            bar.empty()
        st.session_state[label] = held
    st.caption(plain(title))
    pick_table(
        failure_tables.LIKE,
        failure_tables.like(held[1]),
        key=f"{label}_table",
        pick=_jump,
        selected=st.query_params.get("claim"),
        named="Claims",
    )


def _jump(uid: str) -> None:
    st.query_params["claim"] = uid
