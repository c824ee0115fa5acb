"""Plotly figures of a calibration: do scores mean what they say, and how does the judge stand against people?"""

from __future__ import annotations

from collections.abc import Sequence

import plotly.graph_objects as go
from plotly.subplots import make_subplots

from core.figures import Figure
from core.human_agreement import HumanAgreement
from core.metrics import Estimate
from core.score_figures import Scores
from dashboard.widgets import charts, plain_svg
from dashboard.widgets.charts import Look

GOOD, BAD = charts.COLOURS[2], charts.COLOURS[7]
"""Claims that people call supported, and those that they do not; legible on both grounds."""

QUIET = charts.QUIET


def reliability(scores: Scores, judge: Look) -> go.Figure:
    """Above, score against the share that people call supported, with intervals and n; below, how scores are spread."""
    figure = make_subplots(rows=2, cols=1, shared_xaxes=True, row_heights=[0.66, 0.34], vertical_spacing=0.05)
    figure.add_trace(go.Scatter(x=[0, 1], y=[0, 100], mode="lines", line={"dash": "dot", "color": QUIET}), 1, 1)
    figure.add_trace(_bins(scores, judge), 1, 1)
    for kind, colour, hatched in (("supported", GOOD, ""), ("unsupported", BAD, "/")):
        figure.add_trace(
            go.Bar(
                x=[(one.low + one.high) / 2 for one in scores.histogram],
                y=[getattr(one, kind) for one in scores.histogram],
                width=[0.9 * (one.high - one.low) for one in scores.histogram],
                marker={"color": colour, "pattern": {"shape": hatched, "size": 5}},
                hovertemplate=f"%{{y}} claims that people call {plain_svg(kind)}<extra></extra>",
            ),
            2,
            1,
        )
    if scores.own_threshold is not None:
        figure.add_vline(x=scores.own_threshold, line={"dash": "dash", "color": QUIET, "width": 1.5})
    figure.add_annotation(
        x=1.06,
        y=6,
        text="dotted: a score that means what it says",
        showarrow=False,
        xanchor="right",
        font={"color": QUIET},
    )
    figure.update_layout(
        height=430,
        barmode="stack",
        showlegend=False,
        dragmode=False,
        margin={"l": 56, "r": 16, "t": 10, "b": 44},
    )
    figure.update_xaxes(range=[-0.03, 1.08], fixedrange=True, zeroline=False)
    figure.update_xaxes(title={"text": "the judge's support score"}, row=2, col=1)
    figure.update_yaxes(range=[-4, 106], ticksuffix=" %", fixedrange=True, title={"text": "supported"}, row=1, col=1)
    figure.update_yaxes(fixedrange=True, title={"text": "claims"}, row=2, col=1)
    return figure


def _bins(scores: Scores, judge: Look) -> go.Scatter:
    bins = [one for one in scores.bins if one.observed.estimate is not None]
    seen = [one.observed for one in bins]
    return go.Scatter(
        x=[one.confidence for one in bins],
        y=[100 * (one.estimate or 0) for one in seen],
        mode="markers+text",
        marker={"color": judge.colour, "symbol": judge.symbol, "size": 9},
        error_y=_bars(seen, judge.colour),
        text=[f"n {one.n:,}" for one in bins],
        textposition="middle right",
        textfont={"size": 11},
        hovertemplate="score about %{x:.2f}: people call %{y:.0f} of 100 supported, %{text}<extra></extra>",
    )


def _bars(seen: Sequence[Estimate], colour: str, scale: int = 100) -> dict[str, object]:
    middle = [one.estimate or 0 for one in seen]
    return {
        "array": [scale * ((one.high or at) - at) for one, at in zip(seen, middle, strict=True)],
        "arrayminus": [
            scale * (at - (at if one.low is None else one.low)) for one, at in zip(seen, middle, strict=True)
        ],
        "color": f"{colour}80",
        "thickness": 3,
        "width": 0,
    }


def ceiling(agreement: Sequence[Figure], people: HumanAgreement | None, judge: Look) -> go.Figure:
    """How far the judge agrees with people, a dot with its interval; how far people agree, a band behind it.

    Args:
        agreement: Figures of it, by the keys ``raw_agreement`` and ``ac1``.
        people: The same of people among themselves, if anybody labelled what somebody else did.
        judge: How this judge is drawn everywhere.
    """
    rows = [one for one in agreement if one.key in ("raw_agreement", "ac1")]
    seen = [Estimate.model_validate(one.model_dump(include=set(Estimate.model_fields))) for one in rows]
    figure = go.Figure()
    for place, one in enumerate(rows):
        if people is not None:
            _band(figure, place, people.raw if one.key == "raw_agreement" else people.ac1)
    figure.add_trace(
        go.Scatter(
            x=[one.estimate for one in seen],
            y=list(range(len(rows))),
            mode="markers",
            marker={"size": 11, "color": judge.colour, "symbol": judge.symbol},
            error_x=_bars(seen, judge.colour, 1),
            hovertemplate="judge and people: %{x:.2f}<extra></extra>",
        )
    )
    least = min([0.0, *(one.low for one in rows if one.low is not None)])
    figure.update_layout(
        height=70 + 70 * len(rows), showlegend=False, dragmode=False, margin={"l": 120, "r": 16, "t": 8, "b": 44}
    )
    figure.update_xaxes(
        range=[least - 0.05, 1.05],
        fixedrange=True,
        zeroline=False,
        title={"text": "1 is always the same, 0 is chance or never"},
    )
    figure.update_yaxes(
        tickvals=list(range(len(rows))),
        ticktext=[plain_svg(one.title) for one in rows],
        range=[len(rows) - 0.3, -0.7],
        fixedrange=True,
        showgrid=False,
        zeroline=False,
    )
    return figure


def _band(figure: go.Figure, place: int, people: Estimate) -> None:
    """Draw how far people agree among themselves behind one line of the figure."""
    if people.estimate is None:
        return
    at = {"type": "line", "x0": people.estimate, "x1": people.estimate, "y0": place - 0.3, "y1": place + 0.3}
    if people.low is not None and people.high is not None:
        band = {"type": "rect", "x0": people.low, "x1": people.high, "fillcolor": f"{GOOD}40", "line": {"width": 0}}
        figure.add_shape({**at, **band, "layer": "below"})
    figure.add_shape({**at, "line": {"color": GOOD, "width": 3}})
    figure.add_annotation(
        x=people.estimate,
        y=place - 0.45,
        text=plain_svg(f"people {people.estimate:.2f}"),
        showarrow=False,
        font={"color": GOOD},
    )
