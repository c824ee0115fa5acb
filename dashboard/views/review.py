"""Review: which claims fail, and why? A list on the left, one claim with all its evidence on the right."""

from __future__ import annotations

import streamlit as st

from dashboard.session import desk
from dashboard.widgets import address, claim_view, filters, plain
from dashboard.widgets.address import PAGE_SIZE
from dashboard.widgets.claim_list import claim_list
from dashboard.widgets.inspector import inspector

store = desk().store
infos = store.protocols()
if not infos:
    st.title("Nothing to review yet")
    st.text("Here you will see every claim of your AI answers, worst first, beside the passage it cites.")
    if st.button("Load the sample or bring your own answers", type="primary"):
        st.switch_page("views/home.py")
    st.stop()

wanted = address.review_filter(st.query_params, infos)
asked_for = st.query_params.get("claim")
position = store.claim_position(wanted, asked_for) if asked_for else None
number = address.page_number(st.query_params) if position is None else position // PAGE_SIZE + 1
page = store.claim_page(wanted, PAGE_SIZE, (number - 1) * PAGE_SIZE)
if page.total and not page.items:
    number = (page.total - 1) // PAGE_SIZE + 1
    page = store.claim_page(wanted, PAGE_SIZE, (number - 1) * PAGE_SIZE)

if st.query_params.get("protocol") not in (None, wanted.protocol):
    st.warning(plain(f"No judge called {st.query_params['protocol']} has verdicts in this store; this is another one."))
filters.review(wanted, page, infos, store.generators())


def go(uid: str, elsewhere: bool = False) -> None:
    """Select a claim; ``elsewhere`` when the list has to be read again to show where it stands."""
    st.query_params["claim"] = uid
    st.query_params.pop("page", None)
    st.session_state["review_list_is_old"] = elsewhere


def turn(to: int, at: str) -> None:
    """Go to another page of the list and select its first or last claim."""
    items = store.claim_page(wanted, PAGE_SIZE, (max(1, to) - 1) * PAGE_SIZE).items
    if items:
        go(items[-1 if at == "last" else 0].claim_uid, elsewhere=True)


@st.fragment
def list_and_inspector() -> None:
    """Both halves; moving through the list runs only this, and reads one claim."""
    if st.session_state.pop("review_list_is_old", False):
        st.rerun()
    here = [item.claim_uid for item in page.items]
    uid = st.query_params.get("claim") or next(iter(here), None)
    left, right = st.columns([9, 11], gap="small")
    with left:
        claim_list(page, number=number, size=PAGE_SIZE, selected=uid, key="review_list", pick=go, turn=turn)
    with right:
        inspect(uid, uid in here)


def inspect(uid: str | None, listed: bool) -> None:
    """Show one claim, or say why there is none to show."""
    if uid is None:
        st.text("Nothing is left under these filters.")
        st.button("Take all filters off", on_click=filters.widen_all)
        return
    detail = desk().claim(uid, wanted.protocol) or desk().claim(uid, None)
    if detail is None:
        view = claim_view.missing(
            uid, "The link may come from another store. Pick a claim from the list, or search above."
        )
    else:
        outside = "" if listed else "This claim is not in the list: your filters leave it out."
        if detail.row.protocol != wanted.protocol:
            outside = f"{wanted.protocol} never judged this claim; this is the verdict of {detail.row.protocol}."
        judged_by = next((info.protocol for info in infos if info.name == detail.row.protocol), None)
        view = claim_view.view(detail, desk().draft(detail), outside, judged_by)
    inspector(view, key="review_inspector", jump=lambda other: go(other, elsewhere=True))


list_and_inspector()
