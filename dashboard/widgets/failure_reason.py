"""One reason that is open: its groups of words with their names, its claims in order, one of them as an example."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import streamlit as st

from core import failure_groups, failures
from core.desk import Desk
from core.failures import FailureReason
from core.people import Person
from core.store.records import ClaimFilter, ProtocolInfo
from core.store.saved_views import view_id
from dashboard.widgets import address, failure_tables, plain, saved_views
from dashboard.widgets.failure_example import example, neighbours
from dashboard.widgets.pick_table import pick_table


def toggle(code: str) -> None:
    """Open a reason, or close the one that is open."""
    st.query_params.pop("claim", None)
    if st.query_params.get("reason") == code:
        st.query_params.pop("reason")
    else:
        st.query_params["reason"] = code


def inside(
    desk: Desk,
    me: Person,
    here: FailureReason,
    whole: ClaimFilter,
    strictness: str,
    infos: Sequence[ProtocolInfo],
    review: Callable[[ClaimFilter], None],
) -> None:
    """Draw what is in a reason.

    Args:
        desk: Open.
        me: Who looks.
        here: The reason.
        whole: The filter without a reason.
        strictness: ``strict`` or ``lenient``.
        infos: The protocols of the store.
        review: Goes to the claims of a filter.
    """
    report = failure_groups.groups(desk.store, here.wanted, strictness)
    by_terms = {",".join(one.terms): one for one in report.groups}
    params = {terms: address.review_params(one.wanted) for terms, one in by_terms.items()}
    known = {view.view_id: view.name for view in desk.store.saved_views.all()}
    names = {terms: known.get(view_id("review", one), "") for terms, one in params.items()}
    st.header(plain(f"{here.words} · {here.claims:,}"), anchor=False)
    with st.container(horizontal=True, gap="medium", vertical_alignment="center"):
        st.button(plain(f"Show these {here.claims:,} claims"), type="primary", on_click=review, args=(here.wanted,))
        terms = ""
        if by_terms:
            terms = st.selectbox(
                "Group",
                ["", *by_terms],
                format_func=lambda terms: terms or "Every group",
                key="group_named",
                width=220,
                label_visibility="collapsed",
                help="A group that is chosen here can be named, and its claims be put in order.",
            )
        if chosen := by_terms.get(terms):
            saved_views.keep(desk.store, me, "review", params[terms], chosen.name, "group", "Name it")
    pick_table(
        failure_tables.GROUPS,
        failure_tables.groups(report.groups, {terms: name for terms, name in names.items() if name}),
        key="groups",
        pick=lambda terms: review(by_terms[terms].wanted),
        empty="No words stand out here: failing claims speak like passing ones, or there are too few of either.",
        named="Groups",
    )
    st.caption(
        plain(
            f"Words that these claims have more often than passing ones; {report.compared:,} and {report.passing:,} "
            "claims were compared. Groups may overlap. Open one to see its claims."
        )
    )
    neighbours(
        desk,
        chosen.wanted if chosen else here.wanted,
        f"Put like beside like in “{terms}”" if chosen else "Put like beside like",
        "Neighbours in this list are alike, from the most typical claim on.",
    )
    if uid := st.query_params.get("claim"):
        example(desk, me, uid, failures.failing(whole, strictness), infos)
