"""Failures: why do claims fail, where more than elsewhere, and what can one look at first?"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import cast

import streamlit as st

from core import failure_report, failures, slices
from core.people import Role
from core.store.records import ClaimFilter
from dashboard.session import person
from dashboard.widgets import (
    address,
    failure_changes,
    failure_controls,
    failure_reason,
    failure_tables,
    measure_files,
    plain,
    saved_views,
)
from dashboard.widgets.attached import desk, look_at
from dashboard.widgets.chart_frame import csv_button, csv_line
from dashboard.widgets.nothing_yet import nothing_yet
from dashboard.widgets.pick_table import pick_table

NAVIGATION = {"section": "Check answers", "place": 40, "role": "reviewer"}

me = person(Role.REVIEWER)
look_at(me)
store = desk().store
if going := st.session_state.pop("failures_go", None):
    st.switch_page("views/review.py", query_params=going)
infos = store.protocols()
if not infos:
    words = "Here you will see why claims of your AI answers fail, grouped by reason, and where they fail more often."
    nothing_yet(me, "No failures to look into yet", words)
if (asked := st.query_params.get("view")) and not saved_views.open_view(store, asked):
    st.query_params.pop("view")
    st.warning("This desk has no saved view of that address; it may have been deleted.")

chosen = address.review_filter(st.query_params, infos, me)
strictness = chosen.unsupported or "strict"
base = chosen.model_copy(update={"unsupported": None, "judged_only": False, "concealed": False})
whole = base.model_copy(update={"reason": None, "terms": ()})
found = failures.overview(store, whole, strictness)
part = failure_controls.shown()
in_words = failure_controls.words(base, strictness)


def review(wanted: ClaimFilter) -> None:
    """Go to exactly these claims, once this run is over."""
    st.session_state["failures_go"] = address.review_params(wanted)


def tools() -> None:
    """The filter in words, and what can be done with it as a whole."""
    params = {"show": part, **address.review_params(base), "unsupported": strictness}
    with st.container(horizontal=True, gap="medium", vertical_alignment="center"):
        failure_controls.filter_line(base, strictness)
        saved_views.keep(store, me, "failures", params, in_words, "keep_view", "Save this view")
        st.download_button(
            "One-page report",
            partial(
                failure_report.page,
                store,
                whole,
                strictness,
                failure_controls.words(whole, strictness),
                groups=me.groups,
            ),
            file_name="failures.html",
            mime="text/html",
            on_click="ignore",
            type="tertiary",
        )


def reasons() -> None:
    """The main view: reasons, and inside the one that is open its groups of words."""
    here = next((one for one in found.reasons if one.code == base.reason), None)
    left, right = st.columns([5, 6] if here else [1, 0.001], gap="small")
    with left:
        rows = failure_tables.reasons(found.reasons, found.failed)
        pick_table(
            failure_tables.REASONS,
            rows,
            key="reasons",
            pick=failure_reason.toggle,
            selected=base.reason,
            named="Reasons",
        )
        csv_line(
            "reasons",
            partial(measure_files.reasons, found, base.protocol, in_words),
            "Table as CSV",
            "Every failing claim stands under one reason, so the numbers add up. Open one to see what is in it.",
        )
    if here is not None:
        with right:
            failure_reason.inside(desk(), me, here, whole, strictness, infos, review)


def ranked() -> slices.SliceReport:
    """Every slice of the filter; of a large store this takes a while, so it is kept as long as nothing changes."""
    key, held = (store.revision(), base, strictness), st.session_state.get("failures_slices")
    if held is None or held[0] != key:
        with st.spinner("Comparing slices…"):
            held = st.session_state["failures_slices"] = key, slices.ranked(store, base, strictness)
    return cast(slices.SliceReport, held[1])


def slice_table(sources_only: bool) -> None:
    """Slices, or the sources that failing claims cite most."""
    report = ranked()
    shown = slices.bad_sources(report) if sources_only else list(report.slices)
    by_key = {f"{one.dimension}:{one.value}": one for one in shown}
    if shown and not sources_only:
        st.text(f"Most failures beyond the rate of all claims: {shown[0].words}. {slices.sentence(shown[0])}.")
    overall = found.rate.estimate or 0.0
    rows = failure_tables.ranked(shown, overall)
    pick_table(failure_tables.SLICES, rows, key="slices", pick=lambda key: review(by_key[key].bad), named="Slices")
    st.caption(
        plain(
            "Bars: share that fails, with its 95 % interval; claims of one answer fail together, so they count as "
            f"{report.design_effect:.1f} times fewer. The upright line is the rate of all. “Too many”: failures beyond "
            "that rate. “More than chance” is corrected for the number of slices. Open a row to see what fails."
        )
    )
    csv_button("slices", partial(measure_files.slices, shown, base.protocol, in_words))


failure_controls.headline(found, base.protocol, strictness, len(store.reveals.concealed(me)))
failure_controls.controls(base, strictness, infos, store.generators())
if part == "saved":
    saved_views.shelf(store, me)
else:
    tools()
    PARTS: dict[str, Callable[[], None]] = {
        "reasons": reasons,
        "slices": partial(slice_table, sources_only=False),
        "sources": partial(slice_table, sources_only=True),
        "changes": partial(failure_changes.section, store, base, infos, review),
    }
    PARTS[part]()
