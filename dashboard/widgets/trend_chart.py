"""The chart of rates over time: one line a judge, named where it ends; beneath it what was judged and excluded."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import ceil
from typing import Any, NamedTuple

import plotly.graph_objects as go

from core.rates_corrected import CorrectedRate
from core.time_marks import Mark
from core.trends import TrendPoint
from dashboard.widgets import plain_svg, rates
from dashboard.widgets.charts import QUIET, TICKS, Axis, Look, axis, line, looks, short, top_of, write_caption

HEIGHT = 400
STRIP = 0.12
"""How much of the height belongs to the strip of counts."""

FINE = 400
"""Bars in the strip that can be told apart on a page; of more, every date has one bar for all judges together."""

FEW_NAMES = 6
"""Names of judges that find room beside a chart with their share beneath them."""

MANY_NAMES = 22
"""Names that find room as one line each; of more the chart grows."""

HATCHED: Mapping[str, Any] = {"color": QUIET, "pattern": {"shape": "/", "size": 4}}


class _End(NamedTuple):
    """Where a line ends and what is written there."""

    height: float
    name: str
    share: str
    colour: str


def trend(
    points: Sequence[TrendPoint],
    time_zone: str,
    known: Mapping[str, Look] | None = None,
    corrected: Sequence[CorrectedRate] = (),
    marks: Sequence[Mark] = (),
    caption: str = "",
) -> go.Figure:
    """One line a protocol over the dates of its points, with interval bars, and beneath what was counted and excluded.

    Args:
        points: All of one bucket size; undated ones stand under "no date", apart from any line.
        time_zone: Where the buckets' days begin.
        known: The looks of judges; without, in the order of the points.
        corrected: The corrected rate of each point, drawn hollow beside it; none draws the raw ones only.
        marks: Lines on the time axis.
        caption: Written under the figure, so that a picture of it says what it shows.

    Returns:
        A figure whose points carry ``[protocol, bucket]`` as ``customdata``.
    """
    protocols = list(dict.fromkeys(point.row.protocol for point in points))
    known = known or looks(protocols)
    along = axis(points, time_zone)
    figure = go.Figure()
    ends: list[_End] = []
    words: list[dict[str, Any]] = []  # set all at once: each that is added alone has the figure check all before it
    for rank, protocol in enumerate(protocols):
        own = [point for point in points if point.row.protocol == protocol]
        aside = (rank - (len(protocols) - 1) / 2) * min(0.12, 0.5 / len(protocols)) * along.step
        look = known[protocol]
        if one_each(points):
            figure.add_trace(line(own, along, look, aside))
        else:
            figure.add_trace(_band(own, along, look, aside))
            figure.add_trace(line(own, along, look, aside, error_y={"visible": False}))
        fixed = [rate for point, rate in zip(points, corrected, strict=False) if point.row.protocol == protocol]
        if any(one.corrected is not None and one.corrected.estimate is not None for one in fixed):
            figure.add_trace(_corrected(own, fixed, along, look, aside + 0.04 * along.step))
        judged = [point for point in own if point.rate.estimate.estimate is not None]
        if judged:
            last = judged[-1].rate
            height = 100 * (last.estimate.estimate or 0)
            ends.append(_End(height, f"{look.glyph} {short(protocol)}", rates.share(last), look.colour))
        if one_each(points):
            counts = {point.row.bucket: point.rate.judged for point in own}
            words += _counts(counts, along, rank, f"{look.glyph} n" if len(protocols) > 1 else "n", look.colour)
            width = min(0.4, 0.8 / len(protocols)) * along.step
            _strip(figure, own, along, (rank - (len(protocols) - 1) / 2) * width, look.colour, 0.9 * width)
    if not one_each(points):
        words += _strip_of_all(figure, points, along)
    taller = ceil(max(0, len(ends) - MANY_NAMES) * HEIGHT / MANY_NAMES)
    _frame(figure, points, along, len(protocols) if one_each(points) else 1, HEIGHT + taller, caption)
    lines, names = _marks(along, marks)
    words += [*names, *_names(top_of(points), ends)]
    return figure.update_layout(shapes=lines, annotations=[*figure.layout.annotations, *words])


def _corrected(
    own: Sequence[TrendPoint], fixed: Sequence[CorrectedRate], along: Axis, look: Look, aside: float
) -> go.Scatter:
    """The corrected rates beside the raw ones, hollow and unjoined: some buckets have no labels."""
    pairs = [(point, rate.corrected) for point, rate in zip(own, fixed, strict=True)]
    shown = [(point, one) for point, one in pairs if one is not None and one.estimate is not None]
    values = [(one.estimate or 0, one.low or 0, one.high or 0) for _, one in shown]
    return go.Scatter(
        x=[along.places[point.row.bucket] + aside for point, _ in shown],
        y=[100 * value for value, _, _ in values],
        mode="markers",
        marker={"color": look.colour, "size": 12, "symbol": f"{look.symbol}-open", "line": {"width": 2}},
        unselected={"marker": {"opacity": 1}},
        error_y={
            "array": [100 * (high - value) for value, _, high in values],
            "arrayminus": [100 * (value - low) for value, low, _ in values],
            "color": look.colour,
            "thickness": 1,
            "width": 5,
        },
        customdata=[[point.row.protocol, point.row.bucket, point.row.group] for point, _ in shown],
        text=[plain_svg(f"corrected by {one.n:,} labels: {rates.percent(one.estimate or 0)}") for _, one in shown],
        hovertemplate="%{text}<extra></extra>",
        showlegend=False,
    )


def one_each(points: Sequence[TrendPoint]) -> bool:
    """Whether each judge has its own count and bars at each date, or there is no room.

    Then all share a count and a bar, and intervals are shaded.
    """
    return len(points) <= FINE


def _band(own: Sequence[TrendPoint], along: Axis, look: Look, aside: float) -> go.Scatter:
    """The intervals of one judge as one shade, broken where its line is."""
    x: list[float | None] = []
    y: list[float | None] = []
    for run in _runs(own):
        ends = [(along.places[point.row.bucket] + aside, point.rate.estimate) for point in run]
        x += [*(place for place, _ in ends), *(place for place, _ in reversed(ends)), None]
        y += [*(100 * (one.high or 0) for _, one in ends), *(100 * (one.low or 0) for _, one in reversed(ends)), None]
    return go.Scatter(
        x=x,
        y=y,
        mode="lines",
        line={"width": 1, "color": f"{look.colour}40"},
        fill="toself",
        fillcolor=f"{look.colour}1f",
        hoverinfo="skip",
        showlegend=False,
    )


def _runs(own: Sequence[TrendPoint]) -> list[list[TrendPoint]]:
    """Judged points that follow each other without an empty bucket between them."""
    runs: list[list[TrendPoint]] = []
    for point in own:
        if point.rate.estimate.estimate is None:
            continue
        if runs and runs[-1][-1].row.end == point.row.start:
            runs[-1].append(point)
        else:
            runs.append([point])
    return runs


def _strip(figure: go.Figure, own: Sequence[TrendPoint], along: Axis, aside: float, colour: str, width: float) -> None:
    """Bars of what was judged, in the judge's colour, and of what was excluded on top of it."""
    places = [along.places[point.row.bucket] + aside for point in own]
    keys = [[point.row.protocol, point.row.bucket, point.row.group] for point in own]
    judged = [point.rate.judged for point in own]
    figure.add_trace(_bars(places, judged, width, "judged", {"color": colour, "opacity": 0.55}, customdata=keys))
    figure.add_trace(
        _bars(places, [point.rate.excluded for point in own], width, "excluded", HATCHED, judged, customdata=keys)
    )


def _strip_of_all(figure: go.Figure, points: Sequence[TrendPoint], along: Axis) -> list[dict[str, Any]]:
    """A bar a date: the fewest that any judge judged, and on top of it what counts with the judge that saw most."""
    places, width = list(along.places.values()), 0.72 * along.step
    at = {bucket: [point.rate for point in points if point.row.bucket == bucket] for bucket in along.places}
    fewest = [min(rate.judged for rate in rates) for rates in at.values()]
    more = [max(rate.attempted for rate in rates) - few for rates, few in zip(at.values(), fewest, strict=True)]
    figure.add_trace(_bars(places, fewest, width, "judged by each judge at least", {"color": QUIET, "opacity": 0.55}))
    figure.add_trace(_bars(places, more, width, "more, not judged by each", HATCHED, fewest))
    return _counts(dict(zip(at, fewest, strict=True)), along, 0, "n ≥", QUIET)


def _bars(
    places: Sequence[float],
    heights: Sequence[int],
    width: float,
    name: str,
    filled: Mapping[str, Any],
    base: Sequence[int] = (),
    **more: Any,
) -> go.Bar:
    return go.Bar(
        x=places,
        y=heights,
        base=base or [0] * len(places),
        width=width,
        marker=filled,
        yaxis="y2",
        unselected={"marker": {"opacity": 0.55}},
        hovertemplate=f"%{{y:,}} {plain_svg(name)}<extra></extra>",
        showlegend=False,
        **more,
    )


def _counts(judged: Mapping[str | None, int], along: Axis, rank: int, before: str, colour: str) -> list[dict[str, Any]]:
    """Write the number judged under each date; several protocols get a row each, in their colours."""
    written = list(along.places)[:: ceil(len(along.places) / TICKS)]
    return [
        {
            "x": along.places[bucket],
            "y": 0,
            "yref": "paper",
            "yanchor": "top",
            "yshift": -24 - 16 * rank,
            "text": plain_svg(f"{before} {judged[bucket]:,}"),
            "font": {"size": 11.5, "color": colour},
            "showarrow": False,
        }
        for bucket in written
        if bucket in judged
    ]


def _frame(figure: go.Figure, points: Sequence[TrendPoint], along: Axis, rows: int, height: int, caption: str) -> None:
    """Axes and margins around so many pixels, with room for so many rows of counts."""
    places, names = along.ticks
    below = 32.0 + 16 * rows
    under = write_caption(figure, caption, below - 4)
    figure.update_layout(
        height=height + 16 * (rows - 1) + under,
        margin={"l": 48, "r": 210, "t": 30, "b": below + under},
        dragmode=False,
        hoverlabel={"align": "left"},
        barmode="overlay",
        xaxis={
            "tickvals": places,
            "ticktext": [plain_svg(name) for name in names],
            "range": along.range,
            "showgrid": False,
            "zeroline": False,
            "fixedrange": True,
            "anchor": "y2",
        },
        yaxis={
            "ticksuffix": " %",
            "range": [0, top_of(points)],
            "rangemode": "tozero",
            "nticks": 7,
            "fixedrange": True,
            "domain": [STRIP + 0.06, 1],
        },
        yaxis2={
            "domain": [0, STRIP],
            "rangemode": "tozero",
            "nticks": 2,
            "showgrid": False,
            "fixedrange": True,
            "zeroline": False,
        },
    )


def _marks(along: Axis, marks: Sequence[Mark]) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    """Dashed lines over the whole height, each named above; names that would meet stand at two heights.

    Marks of one place share a line: the first is named, and how many more there are.
    """
    at: dict[float, list[str]] = {}
    for mark in marks:
        if (place := along.place(mark)) is not None:
            at.setdefault(place, []).append(mark.text)
    shown = sorted(at.items())
    lines = [
        {
            "type": "line",
            "x0": place,
            "x1": place,
            "y0": 0,
            "y1": 1,
            "yref": "paper",
            "line": {"color": QUIET, "dash": "dot", "width": 1.5},
        }
        for place, _ in shown
    ]
    names = [
        {
            "x": place,
            "y": 1,
            "yref": "paper",
            "xanchor": "left" if place < sum(along.range) / 2 else "right",
            "yanchor": "bottom",
            "yshift": -2 + 13 * (rank % 2),
            "text": plain_svg(_cut(texts)),
            "font": {"size": 11, "color": QUIET},
            "showarrow": False,
        }
        for rank, (place, texts) in enumerate(shown)
    ]
    return lines, names


def _cut(texts: Sequence[str]) -> str:
    first = texts[0] if len(texts[0]) <= 40 else f"{texts[0][:39]}…"
    return f"{first} and {len(texts) - 1:,} more" if len(texts) > 1 else first


def _names(top: float, ends: list[_End]) -> list[dict[str, Any]]:
    """Name each line at the right edge, at the height of its last point, pushed apart where two would overlap.

    Few names have a line for their share; of many each is one line, and those that would leave the top move down.
    """
    few = len(ends) <= FEW_NAMES
    least = (0.15 if few else 1 / max(MANY_NAMES, len(ends))) * top
    heights: list[float] = []
    for end in sorted(ends):
        heights.append(max(end.height, heights[-1] + least) if heights else end.height)
    down = max(0.0, heights[-1] - top) if heights else 0.0
    between = "<br>" if few else " "
    return [
        {
            "x": 1.0,
            "xref": "paper",
            "xanchor": "left",
            "xshift": 14,
            "y": height - down,
            "text": f"<b>{plain_svg(end.name)}</b>{between}{plain_svg(end.share)}",
            "align": "left",
            "font": {"size": 13 if few else 11, "color": end.colour},
            "showarrow": False,
        }
        for end, height in zip(sorted(ends), heights, strict=True)
    ]
