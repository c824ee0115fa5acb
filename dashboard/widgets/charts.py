"""What every chart of rates shares: the look of a judge, the time axis, a line that joins no other, the caption."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from math import ceil
from typing import Any, NamedTuple
from zoneinfo import ZoneInfo

import plotly.graph_objects as go

from core.store.records import TrendRow
from core.time_marks import Mark
from core.trends import TrendPoint
from dashboard.widgets import plain_svg, rates

COLOURS = ("#3b7dbf", "#d0641f", "#0f8f83", "#a45bd0", "#c94f7c", "#7d7a22", "#6d7278", "#c23b32")
"""Legible on the light and on the dark ground alike, so a chart needs no redrawing when the theme changes."""

QUIET = "#8a857c"
"""Of what is no judge: excluded claims, marks, captions; legible on both grounds, too."""

SYMBOLS = ("circle", "triangle-up", "square", "diamond", "cross", "star", "triangle-down")
GLYPHS = ("●", "▲", "■", "◆", "✚", "★", "▼")

FEW = 3
"""Fewer dates than this stand side by side, without a time scale between them."""

TICKS = 14
"""At most this many dates are written under the axis."""

_WRAP = 150
"""Characters of a line of the caption inside a figure."""


class Look(NamedTuple):
    """How one judge is drawn, on every page and in every session."""

    colour: str
    symbol: str
    glyph: str


def looks(protocols: Sequence[str]) -> dict[str, Look]:
    """The look of every judge.

    Args:
        protocols: All that the store ever had, in the order of their coming (``Store.protocol_first_uses``): those
            that were there keep their looks when others come, and 56 come before two look alike.
    """
    return {
        name: Look(COLOURS[rank % len(COLOURS)], SYMBOLS[rank % len(SYMBOLS)], GLYPHS[rank % len(GLYPHS)])
        for rank, name in enumerate(dict.fromkeys(protocols))
    }


class Axis(NamedTuple):
    """Where buckets stand: in days on a time scale, or side by side when there are few; undated last of all."""

    places: dict[str | None, float]
    zone: ZoneInfo
    rows: dict[str | None, TrendRow]
    step: float
    """The smallest distance of two buckets."""

    @property
    def on_scale(self) -> bool:
        """Whether distances are times."""
        return sum(bucket is not None for bucket in self.places) >= FEW

    @property
    def ticks(self) -> tuple[list[float], list[str]]:
        """Where dates are written, and which; every so many where there are more than find room."""
        shown = list(self.places.items())[:: ceil(len(self.places) / TICKS)]
        return [place for _, place in shown], [_date(self.rows[bucket], self.zone) for bucket, _ in shown]

    @property
    def range(self) -> list[float]:
        """From a little before the first to a little after the last."""
        first, last = min(self.places.values()), max(self.places.values())
        margin = (last - first) * 0.04 if len(self.places) >= FEW else 0.6
        return [first - margin, last + margin]

    def place(self, mark: Mark) -> float | None:
        """Where a mark stands; none where distances are no times, or outside."""
        starts = [row.start for row in self.rows.values() if row.start]
        if not self.on_scale or not starts:
            return None
        days = (mark.begins(self.zone) - min(starts)).total_seconds() / 86400
        return days if self.range[0] <= days <= self.range[1] else None


def axis(points: Sequence[TrendPoint], time_zone: str) -> Axis:
    """The time axis of some points of one bucket size."""
    rows = {point.row.bucket: point.row for point in points}
    dated = sorted(row.start for row in rows.values() if row.start)
    bucket = {row.start: row.bucket for row in rows.values()}
    on_scale = len(dated) >= FEW
    places: dict[str | None, float] = {
        bucket[moment]: (moment - dated[0]).total_seconds() / 86400 if on_scale else float(rank)
        for rank, moment in enumerate(dated)
    }
    ordered = list(places.values())
    step = min([b - a for a, b in pairwise(ordered)], default=1.0)
    if None in rows:
        mean = ordered[-1] / (len(ordered) - 1) if on_scale else 1.0
        places[None] = ordered[-1] + 1.5 * mean if ordered else 0.0
    return Axis(places, ZoneInfo(time_zone), rows, step)


def line(own: Sequence[TrendPoint], along: Axis, look: Look, aside: float = 0.0, **more: Any) -> go.Scatter:
    """One judge's points; where a bucket between two of them is empty, the line is broken.

    Args:
        own: Points of one protocol in time order.
        along: Their axis.
        look: How the judge is drawn.
        aside: How far beside their dates they stand, so that judges do not cover each other.
        more: Of the trace.
    """
    with_gaps: list[TrendPoint | None] = []
    for point in own:
        before = with_gaps[-1] if with_gaps else None
        if before is not None and before.row.end != point.row.start:
            with_gaps.append(None)
        with_gaps.append(point)
    shares = [point.rate.estimate if point else None for point in with_gaps]
    up = [100 * ((one.high or 0) - (one.estimate or 0)) if one else 0 for one in shares]
    down = [100 * ((one.estimate or 0) - (one.low or 0)) if one else 0 for one in shares]
    words = ["<br>".join(plain_svg(said) for said in rates.lines(p, str(along.zone))) if p else "" for p in with_gaps]
    settings: dict[str, Any] = {
        "x": [along.places[point.row.bucket] + aside if point else None for point in with_gaps],
        "y": [100 * one.estimate if one and one.estimate is not None else None for one in shares],
        "mode": "lines+markers" if all(point.row.bucket for point in own) else "markers",
        "connectgaps": False,
        "line": {"color": look.colour, "width": 2},
        "marker": {"color": look.colour, "size": 11, "symbol": look.symbol, "opacity": 1},
        "unselected": {"marker": {"opacity": 1}},
        "error_y": {"array": up, "arrayminus": down, "color": f"{look.colour}80", "thickness": 3, "width": 0},
        "customdata": [[p.row.protocol, p.row.bucket, p.row.group] if p else [None] * 3 for p in with_gaps],
        "text": words,
        "hovertemplate": "%{text}<br>Click to see these claims.<extra></extra>",
        "showlegend": False,
    }
    return go.Scatter(**settings | more)


def short(protocol: str) -> str:
    """A protocol's name where there is room for few letters: its hash always stays whole."""
    return protocol if len(protocol) <= 25 else f"{protocol[:12]}…{protocol[-12:]}"


def _date(row: TrendRow, zone: ZoneInfo) -> str:
    """How a bucket is written under the axis: a month by its name, else by its first day."""
    if row.start is None or row.end is None:
        return "no date"
    first = row.start.astimezone(zone)
    return f"{first:%b %Y}" if (row.end - row.start).days >= 28 else f"{first.day} {first:%b}"


def caption_lines(caption: str, longest: int = _WRAP) -> list[str]:
    """A caption cut into the lines that find room inside a figure."""
    lines = [""]
    for word in caption.split():
        if len(lines[-1]) + len(word) > longest:
            lines.append("")
        lines[-1] = f"{lines[-1]} {word}".strip()
    return lines if caption else []


def write_caption(figure: go.Figure, caption: str, below: float, longest: int = _WRAP, left: float = 0.0) -> float:
    """Write a caption so many pixels below the axes; gives how high it is.

    Args:
        figure: Gets it as an annotation.
        caption: Cut into lines of ``longest`` code points.
        below: Pixels between the lower axis and it.
        longest: What finds room beside each other.
        left: Pixels by which it begins before the axis.
    """
    lines = caption_lines(caption, longest)
    if lines:
        figure.add_annotation(
            x=0,
            y=0,
            xref="paper",
            yref="paper",
            xanchor="left",
            yanchor="top",
            yshift=-below,
            xshift=-left,
            align="left",
            text="<br>".join(plain_svg(one) for one in lines),
            font={"size": 11, "color": QUIET},
            showarrow=False,
        )
    return 15.0 * len(lines) + 6 if lines else 0.0


def top_of(points: Sequence[TrendPoint]) -> float:
    """The upper end of an axis of per cent that holds every interval."""
    tops = [100 * point.rate.estimate.high for point in points if point.rate.estimate.high is not None]
    return min(103, max([10.0, *tops]) * 1.08)
