"""Small multiples: one panel a group, all with the same axes, so that heights compare."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from math import ceil

import plotly.graph_objects as go
import streamlit as st
from plotly.subplots import make_subplots

from core import trends
from core.models import Label
from core.store.records import Split
from core.trends import Panels, TrendPoint
from dashboard.widgets import chart_files, look, plain, plain_svg
from dashboard.widgets.address import TrendChoice
from dashboard.widgets.chart_frame import csv_button
from dashboard.widgets.charts import Look, axis, line, top_of, write_caption
from dashboard.widgets.trend_filters import SPLITS

Draw = Callable[[str, go.Figure, Sequence[TrendPoint], str], None]

COLUMNS = 4
PANEL = 150
"""Pixels of a panel's height, its title included."""

NOTHING = {
    Split.GENERATOR: "no generator named",
    Split.CORPUS: "not asked here",
    Split.SOURCE: "nothing cited",
}
"""What a group without a name is."""


def section(
    some: Sequence[TrendPoint], choice: TrendChoice, known: Mapping[str, Look], caption: str, draw: Draw
) -> None:
    """Draw the groups of a split, say how many found no room, and give all as a file.

    Args:
        some: Points of every group.
        choice: What the page shows; it has a split.
        known: The looks of judges.
        caption: Of the chart of all claims.
        draw: Draws a figure whose points lead to their claims: its name, the figure, its points, its description.
    """
    split = Split(choice.split or "")
    there = [point for point in some if point.row.bucket] or list(some)
    panels = trends.panels(there)
    if not panels.shown:
        return
    share = "the share of each verdict" if split is Split.LABEL else "the unsupported share of each"
    st.header(plain(SPLITS[split]))
    st.text(f"All panels have the same axes, so heights compare: {share}, the largest first.")
    said = f"{share.capitalize()}. {caption}"
    made = figure(panels, split, choice.time_zone, known, said)
    draw("split", made, there, "Small charts, one a group; the CSV file holds the same figures.")
    if panels.more:
        st.text(f"And {panels.more:,} more, which the CSV file holds.")
    csv_button(f"by-{split}", partial(chart_files.points, some, [], choice.strictness, choice.time_zone, said))


def group_words(split: Split, group: str) -> str:
    """A group as a person says it."""
    if split is Split.LABEL:
        return look.of(Label(group)).name
    if split is Split.FLAG:
        return look.FLAGS.get(group, group)
    return group or NOTHING[split]


def figure(panels: Panels, split: Split, time_zone: str, known: Mapping[str, Look], caption: str = "") -> go.Figure:
    """A panel a group in reading order; points carry ``[protocol, bucket, group]`` as ``customdata``.

    Args:
        panels: Groups with their points; at least one.
        split: What the groups are.
        time_zone: Where the buckets' days begin.
        known: The looks of judges.
        caption: Written under the figure.
    """
    every = [point for own in panels.shown.values() for point in own]
    along = axis(every, time_zone)
    rows = ceil(len(panels.shown) / COLUMNS)
    height = rows * PANEL + 60.0
    titles = [plain_svg(_short(group_words(split, group))) for group in panels.shown]
    made = make_subplots(
        rows,
        COLUMNS,
        shared_xaxes="all",
        shared_yaxes="all",
        subplot_titles=titles,
        horizontal_spacing=0.02,
        vertical_spacing=36 / height if rows > 1 else 0,
    )
    for number, own in enumerate(panels.shown.values()):
        for protocol in dict.fromkeys(point.row.protocol for point in own):
            points = [point for point in own if point.row.protocol == protocol]
            marker = {"color": known[protocol].colour, "size": 6, "symbol": known[protocol].symbol, "opacity": 1}
            trace = line(points, along, known[protocol], marker=marker)
            made.add_trace(trace, row=number // COLUMNS + 1, col=number % COLUMNS + 1)
    places, names = along.ticks
    some = slice(None, None, ceil(len(places) / 3))
    made.update_annotations(font_size=12.5)
    made.update_xaxes(
        tickvals=places[some],
        ticktext=[plain_svg(name) for name in names[some]],
        range=along.range,
        showgrid=False,
        zeroline=False,
        fixedrange=True,
    )
    made.update_yaxes(ticksuffix=" %", range=[0, top_of(every)], nticks=4, fixedrange=True)
    under = write_caption(made, caption, 30)
    made.update_layout(
        height=height + under,
        margin={"l": 48, "r": 12, "t": 28, "b": 34 + under},
        dragmode=False,
        hoverlabel={"align": "left"},
    )
    return made


def _short(words: str) -> str:
    return words if len(words) <= 34 else f"{words[:33]}…"
