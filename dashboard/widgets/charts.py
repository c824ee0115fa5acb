"""Plotly figures: every series has its own colour and its own marker, is named where it ends, and joins no other."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import cycle
from math import ceil
from typing import NamedTuple
from zoneinfo import ZoneInfo

import plotly.graph_objects as go

from core.store.records import TrendRow
from core.trends import TrendPoint
from dashboard.widgets import plain_svg, rates

COLOURS = ("#3b7dbf", "#d0641f", "#0f8f83", "#a45bd0", "#c94f7c", "#7d7a22", "#6d7278", "#c23b32")
"""Legible on the light and on the dark ground alike, so a chart needs no redrawing when the theme changes."""

SYMBOLS = ("circle", "triangle-up", "square", "diamond", "cross", "star", "triangle-down")
GLYPHS = ("●", "▲", "■", "◆", "✚", "★", "▼")

HEIGHT = 350
FEW = 3
"""Fewer dates than this stand side by side, without a time scale between them."""

TICKS = 14
"""At most this many dates are written under the axis."""


class _End(NamedTuple):
    """Where a line ends and what is written there."""

    height: float
    name: str
    share: str
    colour: str


def trend(points: Sequence[TrendPoint], time_zone: str) -> go.Figure:
    """One line a protocol over the dates of its points, with interval bars, n under each, and its name at its end.

    Args:
        points: All of one bucket size; undated ones stand under "no date", apart from any line.
        time_zone: Where the buckets' days begin.

    Returns:
        A figure whose points carry ``[protocol, bucket]`` as ``customdata``.
    """
    protocols = list(dict.fromkeys(point.row.protocol for point in points))
    places = _places(points)
    figure = go.Figure()
    looks = zip(cycle(COLOURS), cycle(SYMBOLS), cycle(GLYPHS), strict=False)
    ends: list[_End] = []
    step = min([b - a for a, b in zip(list(places.values()), list(places.values())[1:], strict=False)], default=1.0)
    for rank, (protocol, (colour, symbol, glyph)) in enumerate(zip(protocols, looks, strict=False)):
        own = [point for point in points if point.row.protocol == protocol]
        aside = (rank - (len(protocols) - 1) / 2) * min(0.12, 0.5 / len(protocols)) * step
        figure.add_trace(_line(own, places, aside, colour, symbol, time_zone))
        judged = [point for point in own if point.rate.estimate.estimate is not None]
        if judged:
            last = judged[-1].rate
            height = 100 * (last.estimate.estimate or 0)
            ends.append(_End(height, f"{glyph} {_short(protocol)}", rates.share(last), colour))
        _counts(figure, own, places, rank, glyph if len(protocols) > 1 else "", colour)
    _frame(figure, points, places, time_zone, len(protocols))
    _names(figure, ends)
    return figure


def _places(points: Sequence[TrendPoint]) -> dict[str | None, float]:
    """Where each bucket stands: in days on a time scale, or side by side when there are few; undated last of all."""
    dated = sorted({point.row.start for point in points if point.row.start}, key=lambda moment: moment)
    bucket = {point.row.start: point.row.bucket for point in points}
    on_scale = len(dated) >= FEW
    places: dict[str | None, float] = {
        bucket[moment]: (moment - dated[0]).total_seconds() / 86400 if on_scale else float(rank)
        for rank, moment in enumerate(dated)
    }
    if any(point.row.start is None for point in points):
        ordered = list(places.values())
        step = ordered[-1] / (len(ordered) - 1) if on_scale else 1.0
        places[None] = ordered[-1] + 1.5 * step if ordered else 0.0
    return places


def _line(
    own: Sequence[TrendPoint],
    places: dict[str | None, float],
    aside: float,
    colour: str,
    symbol: str,
    time_zone: str,
) -> go.Scatter:
    shares = [point.rate.estimate for point in own]
    up = [100 * ((one.high or 0) - (one.estimate or 0)) for one in shares]
    down = [100 * ((one.estimate or 0) - (one.low or 0)) for one in shares]
    return go.Scatter(
        x=[places[point.row.bucket] + aside for point in own],
        y=[None if one.estimate is None else 100 * one.estimate for one in shares],
        mode="lines+markers" if all(point.row.bucket for point in own) else "markers",
        connectgaps=False,
        line={"color": colour, "width": 2},
        marker={"color": colour, "size": 11, "symbol": symbol, "opacity": 1},
        unselected={"marker": {"opacity": 1}},
        error_y={"array": up, "arrayminus": down, "color": f"{colour}80", "thickness": 3, "width": 0},
        customdata=[[point.row.protocol, point.row.bucket] for point in own],
        text=["<br>".join(plain_svg(line) for line in rates.lines(point, time_zone)) for point in own],
        hovertemplate="%{text}<br>Click to see these claims.<extra></extra>",
        showlegend=False,
    )


def _counts(
    figure: go.Figure,
    own: Sequence[TrendPoint],
    places: dict[str | None, float],
    rank: int,
    glyph: str,
    colour: str,
) -> None:
    """Write n, the number judged, under each point; several protocols get a row each, in their colours."""
    every = ceil(len(places) / TICKS)
    written = set(list(places)[::every])
    for point in own:
        if point.row.bucket in written:
            figure.add_annotation(
                x=places[point.row.bucket],
                y=0,
                yref="paper",
                yanchor="top",
                yshift=-24 - 16 * rank,
                text=plain_svg(f"{glyph} n {point.rate.judged:,}"),
                font={"size": 11.5, "color": colour},
                showarrow=False,
            )


def _short(protocol: str) -> str:
    """A protocol's name where there is room for few letters: its hash always stays whole."""
    return protocol if len(protocol) <= 25 else f"{protocol[:12]}…{protocol[-12:]}"


def _date(row: TrendRow, zone: ZoneInfo) -> str:
    """How a bucket is written under the axis: a month by its name, else by its first day."""
    if row.start is None or row.end is None:
        return "no date"
    first = row.start.astimezone(zone)
    return f"{first:%b %Y}" if (row.end - row.start).days >= 28 else f"{first.day} {first:%b}"


def _frame(
    figure: go.Figure,
    points: Sequence[TrendPoint],
    places: dict[str | None, float],
    time_zone: str,
    judges: int,
) -> None:
    rows = {point.row.bucket: point.row for point in points}
    every = ceil(len(places) / TICKS)
    shown = list(places.items())[::every]
    names = [plain_svg(_date(rows[bucket], ZoneInfo(time_zone))) for bucket, _ in shown]
    spread = max(places.values()) - min(places.values())
    margin = spread * 0.04 if len(places) >= FEW else 0.6
    tops = [100 * point.rate.estimate.high for point in points if point.rate.estimate.high is not None]
    figure.update_layout(
        height=HEIGHT + 16 * (judges - 1),
        margin={"l": 48, "r": 210, "t": 12, "b": 32 + 16 * judges},
        dragmode=False,
        hoverlabel={"align": "left"},
        xaxis={
            "tickvals": [place for _, place in shown],
            "ticktext": names,
            "range": [min(places.values()) - margin, max(places.values()) + margin],
            "showgrid": False,
            "zeroline": False,
            "fixedrange": True,
        },
        yaxis={
            "ticksuffix": " %",
            "range": [0, min(103, max([10.0, *tops]) * 1.08)],
            "rangemode": "tozero",
            "nticks": 7,
            "fixedrange": True,
        },
    )


def _names(figure: go.Figure, ends: list[_End]) -> None:
    """Name each line at the right edge, at the height of its last point, pushed apart where two would overlap."""
    top = figure.layout.yaxis.range[1]
    least = 0.15 * top
    lowest = -least
    for end in sorted(ends):
        lowest = max(end.height, lowest + least)
        figure.add_annotation(
            x=1.0,
            xref="paper",
            xanchor="left",
            xshift=14,
            y=lowest,
            text=f"<b>{plain_svg(end.name)}</b><br>{plain_svg(end.share)}",
            align="left",
            font={"size": 13, "color": end.colour},
            showarrow=False,
        )
