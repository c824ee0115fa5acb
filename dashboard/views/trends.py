"""Trends: how often are claims unsupported, and does it change?"""

from __future__ import annotations

from typing import Any

import streamlit as st

from core.trends import TrendPoint
from dashboard.session import desk
from dashboard.widgets import address, charts, filters, plain, rates

store = desk().store
infos = store.protocols()
if not infos:
    st.title("No rates yet")
    st.text("Here you will see which share of the claims in your AI answers is not supported by the sources they cite.")
    if st.button("Load the sample or bring your own answers", type="primary"):
        st.switch_page("views/home.py")
    st.stop()

choice = address.trend_choice(st.query_params.get_all("protocols"), st.query_params, infos, st.context.timezone)
points = desk().trend(choice.protocols, choice.bucket, choice.time_zone, choice.strictness, choice.generator)
dated = [point for point in points if point.row.bucket]
undated = [point for point in points if not point.row.bucket]
shown = dated or undated
zone = choice.time_zone


def latest(some: list[TrendPoint]) -> list[TrendPoint]:
    """The last point of each judge, the judge that is shown first elsewhere leading."""
    last = {point.row.protocol: point for point in some}
    usual = address.usual_protocol(infos)
    return sorted(last.values(), key=lambda point: point.row.protocol != usual)


def open_review(point: TrendPoint) -> None:
    """Go to exactly the claims that a point is made of."""
    wanted = address.point_filter(point.row, choice.generator)
    st.switch_page("views/review.py", query_params=address.review_params(wanted))


def not_judged(point: TrendPoint) -> str:
    """What of a point was not judged, and why; the reasons are asked for only when something was not."""
    row = point.row
    wanted = address.point_filter(row, choice.generator)
    why = store.claim_page(wanted, 1).failure_counts if row.unjudged else {}
    return rates.not_judged(row.attempted, row.inaccessible, row.unjudged, why)


def clicked(event: Any, some: list[TrendPoint]) -> TrendPoint | None:
    """The point that was clicked, looked up among ours: what the browser sends is only a key."""
    keys = {(point.row.protocol, point.row.bucket): point for point in some}
    chosen = event["selection"]["points"]
    return keys.get(tuple(chosen[0].get("customdata", ()))) if chosen else None


if not points:
    st.header("No claim of these answers counts here.")
for place, point in enumerate(latest(shown)):
    if place == 0:
        st.header(plain(rates.sentence(point, zone)))
    else:
        st.text(rates.sentence(point, zone))
    if point.rate.excluded:
        st.caption(plain(not_judged(point)))
what = "partial support counts as unsupported" if choice.strictness == "strict" else "partial support is let through"
st.caption(
    plain(f"{choice.strictness.capitalize()}: {what}. Brackets and bars: 95 % interval (Wilson), {rates.OWN_SHARE}.")
)
filters.trends(choice, infos, store.generators())

if shown:
    if not dated:
        st.text("None of these answers says when it was asked, so there is no time line.")
    with st.container(border=True):
        event = st.plotly_chart(
            charts.trend(shown, zone),
            key="trend_chart",
            on_select="rerun",
            selection_mode="points",
            config={"displayModeBar": False},
            alt="Unsupported rate over time, one line a judge; the table below holds the same figures.",
        )
    if (hit := clicked(event, shown)) is not None:
        open_review(hit)
    st.caption(
        "Click a point to see its claims. n is the number of claims judged; lines of different judges never join."
    )

if dated and undated:
    st.subheader("Without a date")
    st.text("These answers do not say when they were asked, so they stand outside the time line.")
    for point in undated:
        with st.container(horizontal=True, vertical_alignment="center"):
            st.text(rates.sentence(point, zone))
            if st.button(plain(f"Show these {point.rate.attempted:,} claims"), key=f"undated_{point.row.protocol}"):
                open_review(point)

for words in rates.judges([info.protocol for info in infos if info.name in choice.protocols]):
    st.caption(plain(words))

if points:
    st.subheader("What was judged, and what could not be")
    st.dataframe(rates.table(points, zone), hide_index=True, alt="Judged and excluded claims per judge and date")
