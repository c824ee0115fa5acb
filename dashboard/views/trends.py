"""Trends: how often are claims unsupported, and does it change?"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

import plotly.graph_objects as go
import streamlit as st

from core import time_marks
from core.people import Role
from core.rates_corrected import CorrectedRate
from core.reveal import left_out
from core.trends import TrendPoint
from dashboard.session import person
from dashboard.widgets import (
    address,
    chart_files,
    charts,
    plain,
    rate_tiles,
    rates,
    trend_filters,
    trend_marks,
    trend_panels,
)
from dashboard.widgets import trend_queries as questions
from dashboard.widgets.attached import desk, look_at
from dashboard.widgets.chart_frame import csv_button
from dashboard.widgets.heading import headed
from dashboard.widgets.nothing_yet import nothing_yet
from dashboard.widgets.rate_tiles import Tile
from dashboard.widgets.trend_chart import one_each, trend
from dashboard.widgets.trend_judges import same_claims
from dashboard.widgets.trend_points import Counted

NAVIGATION = {"section": "Measure judges", "place": 30, "role": "reviewer"}

WORDS = (
    "Claim",
    "Judge",
    "The judge's name",
    "Unsupported",
    "Strict and lenient",
    "Claims that count",
    "Judged and not judged",
    "n",
    "95 % interval",
    "Raw and corrected",
    "Borrowed calibration",
    "Anchor set",
    "Corpus",
    "Bootstrap",
)
"""What "What is this?" explains."""

WHOLE = 60
"""Rows up to which the table stands there whole, on paper too; a longer one scrolls."""

me = person(Role.REVIEWER)
look_at(me)
store = desk().store
infos = store.protocols()
if not infos:
    words = "Here you will see which share of the claims in your AI answers is not supported by the sources they cite."
    nothing_yet(me, "No rates yet", words)

choice = address.trend_choice(st.query_params.get_all("protocols"), st.query_params, infos, st.context.timezone)
zone, counted = choice.time_zone, Counted(store, choice, me)
points = counted.points()
people = counted.corrected(points) if choice.corrected else []
dated = [point for point in points if point.row.bucket]
shown = dated or points
undated = [point for point in points if dated and not point.row.bucket]
looks = charts.looks(list(store.protocol_first_uses()))
marks = time_marks.every(store)


def latest(some: Sequence[TrendPoint]) -> list[TrendPoint]:
    """The last point of each judge, the judge that is shown first elsewhere leading."""
    last = {point.row.protocol: point for point in some}
    usual = address.usual_protocol(infos)
    return sorted(last.values(), key=lambda point: point.row.protocol != usual)


def open_review(point: TrendPoint) -> None:
    """Go to exactly the claims that a point is made of; the list says its days in the same zone."""
    st.switch_page("views/review.py", query_params=address.review_params(point.wanted) | {"tz": zone})


def not_judged(point: TrendPoint) -> str:
    """What of a point was not judged, and why; the reasons are asked for only when something was not."""
    row = point.row
    why = counted.reasons(point) if row.unjudged else {}
    return rates.not_judged(row.attempted, row.inaccessible, row.unjudged, why)


def latest_tiles(point: TrendPoint, people: CorrectedRate) -> list[Tile]:
    """A judge's last point as tiles: what it says itself, and what people would say, where they labelled."""
    name, end = point.row.protocol, f"in {rates.when(point, zone)}"
    own = rate_tiles.unsupported(point.rate, name, choice.strictness, end)
    if people.corrected is not None:
        return [own, rate_tiles.corrected(people)]
    return [own, rate_tiles.borrowed(people.borrowed, people.strictness)] if people.borrowed is not None else [own]


def follow(event: Any, some: Sequence[TrendPoint]) -> None:
    """Open the point that was clicked, looked up among ours: what the browser sends is only a key."""
    keys = {(point.row.protocol, point.row.bucket, point.row.group): point for point in some}
    chosen = event["selection"]["points"]
    hit = keys.get(tuple(chosen[0].get("customdata", ()))) if chosen else None
    if hit is not None:
        open_review(hit)


def chart(name: str, figure: go.Figure, some: Sequence[TrendPoint], alt: str) -> None:
    """Draw a figure whose points lead to their claims."""
    with st.container(border=True):
        event: Any = st.plotly_chart(
            figure,
            key=f"{name}_chart",
            on_select="rerun",
            selection_mode="points",
            config=chart_files.config(name, choice.picture),
            alt=alt,
        )
    follow(event, some)


if not points:
    st.title("No claim of these answers counts here.", anchor=False)
leading = latest(shown)
heads = counted.corrected(leading)
if leading:
    headed(rates.sentence(leading[0], zone, heads[0]), *WORDS)
    if leading[0].rate.excluded:
        st.caption(plain(not_judged(leading[0])))
drawn = "Bars" if one_each(shown) else "Shaded"
what = "partial support counts as unsupported" if choice.strictness == "strict" else "partial support is let through"
st.caption(
    plain(
        f"{choice.strictness.capitalize()}: {what}. Of {trend_filters.words(choice)}. {drawn}: 95 % interval "
        f"({rates.BY_ANSWER}), {rates.OWN_SHARE}."
    )
)
if hidden := left_out(len(store.reveals.concealed(me))):
    st.caption(plain(hidden))
trend_filters.controls(choice, infos, store.generators(), store.trends.corpora())
caption = rates.figure_caption(
    shown, trend_filters.words(choice), choice.strictness, choice.bucket, zone, bool(people), drawn
)

if shown:
    if not dated:
        st.text("None of these answers says when it was asked, so there is no time line.")
    of_shown = [one for point, one in zip(points, people, strict=False) if not dated or point.row.bucket]
    main = trend(shown, zone, looks, of_shown, marks if dated else (), caption)
    chart("trend", main, shown, "Unsupported rate over time, one line a judge; the table below holds the same figures.")
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key="files_trend"):
        trend_filters.picture(choice.picture)
        csv = partial(chart_files.points, points, people, choice.strictness, zone, caption)
        csv_button("trend", csv, "Figures as CSV")
        trend_marks.marks(store, me, marks)
        each = "what was judged, and hatched what was excluded"
        bars = each if one_each(shown) else "the fewest that a judge judged, and hatched what else counts"
        st.caption(
            f"Click a point to see its claims. n is the number of claims judged; the bars beneath are {bars}. "
            "Lines of different judges never join, and an empty period is a gap."
        )
    if dated and (said := trend_marks.words(marks, zone)):
        st.caption(plain(said))
    rate_tiles.tiles([tile for point, head in zip(leading, heads, strict=True) for tile in latest_tiles(point, head)])
    for point in leading[1:]:
        if point.rate.excluded:
            st.caption(plain(f"{point.row.protocol}: {not_judged(point)}"))

if choice.split:
    raw = rates.figure_caption(shown, trend_filters.words(choice), choice.strictness, choice.bucket, zone)
    trend_panels.section(counted.points(choice.split), choice, looks, raw, chart)

if undated:
    st.header("Without a date")
    st.text("These answers do not say when they were asked, so they stand outside the time line.")
    for point in undated:
        with st.container(horizontal=True, vertical_alignment="center"):
            st.text(rates.sentence(point, zone))
            if st.button(plain(f"Show these {point.rate.attempted:,} claims"), key=f"undated_{point.row.protocol}"):
                open_review(point)

same_claims(store, me, counted.steps(), choice.strictness, looks, choice.picture)
questions.section(store.trends.queries(choice.bucket, zone), choice.bucket, zone, choice.picture)

for words in rates.judges([info.protocol for info in infos if info.name in choice.protocols]):
    st.caption(plain(words))

if points:
    st.header("What was judged, and what could not be")
    st.dataframe(
        rates.table(points, zone, people),
        hide_index=True,
        height="content" if len(points) <= WHOLE else "auto",
        alt="Judged and excluded claims per judge and date",
    )
