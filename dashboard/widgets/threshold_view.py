"""The threshold explorer: what another threshold would let pass and what it would strip, and the way to adopt it."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import plotly.graph_objects as go
import streamlit as st

from core import thresholds
from core.calibration import Calibration
from core.metrics import Estimate
from core.thresholds import ThresholdChoice, ThresholdPoint
from dashboard.widgets import chart_frame, charts, measure_files, plain, plain_svg, rates
from dashboard.widgets.reliability import BAD, QUIET

STRIP = charts.COLOURS[0]


def explorer(found: Calibration, key: str) -> float:
    """Draw the explorer and give the threshold that it stands at.

    Args:
        found: With its thresholds; at least one.
        key: Of its controls; another judge has another one.
    """
    left, right = st.columns([11, 9], gap="medium")
    with right:
        weight = st.number_input(
            "One false pass is as bad as so many false strips", 0.1, 100.0, 1.0, 0.5, format="%g", key=f"weight_{key}"
        )
        best = _best(found, weight)
        steps = [point.threshold for point in found.thresholds]
        usual = best.threshold if best else next(point.threshold for point in found.thresholds if point.own)
        at = st.select_slider(
            "Threshold",
            steps,
            format_func=lambda step: plain(f"{step:g}"),
            value=usual,
            key=f"threshold_{key}_{weight:g}",
        )
        point = next(one for one in found.thresholds if one.threshold == at)
        st.text(sentence(point, weight))
        if best is not None:
            st.caption(plain(best.sentence))
        st.caption(
            "Below the threshold a claim is called unsupported. What the slider says of the labels that it was chosen "
            "on is a little too good; the sentence on claims it was not chosen on is fair."
        )
    with left:
        chart_frame.chart(
            "thresholds",
            chart_frame.captioned(chart(found.thresholds, at), measure_files.calibration_caption(found)),
            partial(measure_files.thresholds, found),
            "False pass and false strip at each threshold; the sentence beside it says both at the slider.",
        )
    return at


def _best(found: Calibration, weight: float) -> ThresholdChoice | None:
    """The cheapest threshold under a weight; that of the calibration where it is the one asked for."""
    if found.best is not None and found.best.weight == weight:
        return found.best
    own = next((point.threshold for point in found.thresholds if point.own), None)
    return thresholds.best(found.items, own, weight, found.seed)


def sentence(point: ThresholdPoint, weight: float) -> str:
    """What one threshold does, for a reader who knows no statistics."""
    passed, stripped = point.false_pass, point.false_strip
    if passed.estimate is None or stripped.estimate is None:
        return "People put all of these claims on one side, so a threshold has nothing to tell apart."
    cost = point.cost(weight)
    own = " (the judge's own)" if point.own else ""
    return (
        f"At {point.threshold:g}{own}, of 100 unsupported claims {100 * passed.estimate:.0f} would pass "
        f"({rates.interval(passed)}; n {passed.n:,}), and of 100 supported ones {100 * stripped.estimate:.0f} would be "
        f"stripped ({rates.interval(stripped)}; n {stripped.n:,}). Cost: {weight:g} × {passed.estimate:.2f} + "
        f"{stripped.estimate:.2f} = {cost:.2f}."
    )


def chart(points: Sequence[ThresholdPoint], at: float) -> go.Figure:
    """Both errors over the thresholds, with a line where the slider stands and a dashed one at the judge's own."""
    figure = go.Figure()
    places = [point.threshold for point in points]
    _line(figure, places, [point.false_pass for point in points], "false pass", BAD)
    _line(figure, places, [point.false_strip for point in points], "false strip", STRIP)
    for point in points:
        if point.own:
            figure.add_vline(x=point.threshold, line={"dash": "dash", "color": QUIET, "width": 1.5})
    figure.add_vline(x=at, line={"color": QUIET, "width": 2})
    figure.update_layout(height=300, showlegend=False, dragmode=False, margin={"l": 48, "r": 12, "t": 10, "b": 42})
    figure.update_xaxes(range=[0, 1], fixedrange=True, title={"text": "threshold of the support score"})
    figure.update_yaxes(range=[0, 108], ticksuffix=" %", fixedrange=True)
    return figure


def _line(figure: go.Figure, places: Sequence[float], seen: Sequence[Estimate], name: str, colour: str) -> None:
    """One error, its interval as a band behind it, and its name where it is highest."""
    known = [(x, one.estimate, one.low, one.high) for x, one in zip(places, seen, strict=True)]
    band = [(x, low, high) for x, _, low, high in known if low is not None and high is not None]
    figure.add_trace(
        go.Scatter(
            x=[x for x, _, _ in (*band, *reversed(band))],
            y=[100 * high for _, _, high in band] + [100 * low for _, low, _ in reversed(band)],
            fill="toself",
            fillcolor=f"{colour}26",
            line={"width": 0},
            hoverinfo="skip",
        )
    )
    figure.add_trace(
        go.Scatter(
            x=places,
            y=[None if one.estimate is None else 100 * one.estimate for one in seen],
            mode="lines",
            line={"color": colour, "width": 2},
            hovertemplate="%{y:.0f} % at %{x:.2f}<extra></extra>",
        )
    )
    top = max(known, key=lambda one: one[1] or 0)
    figure.add_annotation(
        x=top[0],
        y=100 * (top[1] or 0),
        text=plain_svg(name),
        showarrow=False,
        xanchor="right" if top[0] > 0.5 else "left",
        yshift=10,
        font={"color": colour},
    )
