"""A change of judge told from a change of product: judges that follow each other on the same claims."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial

import streamlit as st

from core import anchor_set
from core.anchor_set import Step
from core.metrics.unsupported_rate import Strictness
from core.people import Person, Role
from core.store import Store
from dashboard.widgets import many, plain, rates, trend_overlap
from dashboard.widgets.chart_files import Picture, config, steps
from dashboard.widgets.chart_frame import csv_button
from dashboard.widgets.charts import Look

WHY = (
    "No line runs from one judge to another: a step between them may be the judge's and not the answers'. "
    "These are the same claims, seen by both."
)


def same_claims(
    store: Store,
    me: Person,
    some: Sequence[Step],
    strictness: Strictness,
    known: Mapping[str, Look],
    picture: Picture,
) -> None:
    """Draw each judge beside the one before it on the claims that both judged, with the difference in a sentence."""
    if not some:
        return
    st.header("Judges on the same claims")
    st.text(WHY)
    for step in some:
        st.text(step.sentence)
    drawn = [step for step in some if step.n]
    if drawn:
        said = "; ".join(f"{step.first} and {step.second} on {step.claims}" for step in drawn)
        method = drawn[0].difference.method
        caption = (
            f"Unsupported claims, {strictness}: {said}. Bars: 95 % interval ({rates.BY_ANSWER}). Differences: {method}."
        )
        st.plotly_chart(
            trend_overlap.figure(drawn, known, caption),
            key="overlap_chart",
            config=config("judges", picture),
            alt="Each judge's rate on the claims that both judged; the sentences above hold the differences.",
        )
        csv_button("judges", partial(steps, drawn, caption), "Figures as CSV")
    _anchor(store, me)


def _anchor(store: Store, me: Person) -> None:
    anchor = store.anchors.current()
    if anchor is not None:
        st.caption(
            plain(
                f"The anchor set holds {many(len(anchor.claim_uids), 'claim')}, drawn by {anchor.who} on "
                f"{anchor.recorded_at:%Y-%m-%d} (seed {anchor.seed}). A judge that takes in answers for the first time "
                "judges it, too."
            )
        )
    elif me.may(Role.ADMIN):
        _offer(store, me)


def _offer(store: Store, me: Person) -> None:
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        pressed = st.button(
            plain(f"Draw an anchor set of {anchor_set.SIZE} claims"),
            help="Once and for good. Every judge that takes in answers for the first time will judge these claims, "
            "too, which costs what judging costs.",
        )
        st.caption(
            "Claims that every new judge will judge, too: then its step can be told from a change of the answers.",
            width="content",
        )
    if pressed:
        anchor_set.draw(store, me.name)
        st.rerun()
