"""Review: which claims fail, and why? A list on the left, one claim with all its evidence on the right."""

from __future__ import annotations

from typing import cast

import streamlit as st

from core import failures, old_answers, page_images
from core.people import Role
from dashboard.session import person
from dashboard.widgets import address, claim_view, filters, page_view, plain, rate_tiles, recheck, reference_view
from dashboard.widgets.address import PAGE_SIZE
from dashboard.widgets.attached import desk, is_attached, look_at
from dashboard.widgets.claim_list import claim_list
from dashboard.widgets.heading import unseen
from dashboard.widgets.inspector import inspector
from dashboard.widgets.nothing_yet import nothing_yet
from dashboard.widgets.what_is_this import LABELS, what_is_this

NAVIGATION = {"section": "Check answers", "place": 20, "role": "reviewer"}

WORDS = ("Claim", "Cited passage", "Judge", "The judge's name", "Verdict", "Unsupported", "Score and threshold", LABELS)
"""What "What is this?" explains."""

me = person(Role.REVIEWER)
look_at(me)
store = desk().store
infos = store.protocols()
if not infos:
    words = "Here you will see every claim of your AI answers, worst first, beside the passage it cites."
    nothing_yet(me, "Nothing to review yet", words)

unseen("Review")
wanted = address.review_filter(st.query_params, infos, me)
asked_for = st.query_params.get("claim")
position = store.claim_position(wanted, asked_for) if asked_for else None
number = address.page_number(st.query_params) if position is None else position // PAGE_SIZE + 1
page = old_answers.page(store, wanted, PAGE_SIZE, (number - 1) * PAGE_SIZE, me.groups)
if page.total and not page.items:
    number = (page.total - 1) // PAGE_SIZE + 1
    page = old_answers.page(store, wanted, PAGE_SIZE, (number - 1) * PAGE_SIZE, me.groups)

if st.query_params.get("protocol") not in (None, wanted.protocol):
    st.warning(plain(f"No judge called {st.query_params['protocol']} has verdicts in this store; this is another one."))
can_queue = me.may(Role.ADMIN) and not is_attached() and bool(page.total) and not wanted.concealed
if filters.review(wanted, page, infos, store.generators(), can_queue):
    st.switch_page("views/queues.py", query_params={"make": "1"} | address.review_params(wanted))


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
    with st.container(key="halves"):
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
    detail = desk().claim(uid, wanted.protocol, me) or desk().claim(uid, None, me)
    if detail is None and (words := store.concealed_claim(uid)) is not None:
        view = claim_view.concealed(words, wanted.protocol)
    elif detail is None:
        view = claim_view.missing(
            uid, "The link may come from another store. Pick a claim from the list, or search above."
        )
    else:
        outside = "" if listed else "This claim is not in the list: your filters leave it out."
        if detail.row.protocol != wanted.protocol:
            outside = f"{wanted.protocol} never judged this claim; this is the verdict of {detail.row.protocol}."
        judged_by = next((info.protocol for info in infos if info.name == detail.row.protocol), None)
        draft = None if detail.concealed else desk().draft(detail)
        view = claim_view.view(detail, draft, outside, judged_by)
        said, corpora = store.corpus_policies.current(), reference_view.corpora_of(detail)
        protocol = judged_by.references if judged_by else None
        also = reference_view.also_of(protocol, desk().settings.references, said, corpora)
        view = reference_view.added(view, detail, store.references, said, may_ask=bool(also) and not is_attached())
        store.reveals.note(me.name, [uid], "review")

    def ask_again(cite: str) -> None:
        if detail is not None and (named := reference_view.reference(detail, cite)):
            recheck.begin(named, also, me, corpora)
            st.session_state["review_list_is_old"] = True

    inspector(
        view,
        key="review_inspector",
        jump=lambda other: go(other, elsewhere=True),
        show_page=page_view.ask_for,
        recheck=ask_again,
    )
    if detail is not None and (cite := page_view.asked_for()):
        page_view.page_dialog(page_images.of_claim(store, detail, cite))


def rate() -> failures.Overview:
    """The rate of these claims, whatever their verdicts; counted anew after every write."""
    whole = wanted.model_copy(
        update={"labels": (), "unsupported": None, "failures": (), "reason": None, "terms": (), "concealed": False}
    )
    key, held = (store.revision(), whole.model_dump_json()), st.session_state.get("review_rate")
    if held is None or held[0] != key:
        held = st.session_state["review_rate"] = key, failures.overview(store, whole, wanted.unsupported or "strict")
    return cast(failures.Overview, held[1])


with st.container(horizontal=True, vertical_alignment="center", gap="small", key="rate_line"):
    st.caption(plain(rate_tiles.line(rate().report, wanted.protocol, wanted.unsupported or "strict")), width="content")
    what_is_this(*WORDS)
recheck.follow()
list_and_inspector()
