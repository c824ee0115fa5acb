"""Two judges on the same claims, side by side: what of a step in a chart is the judge's."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import plotly.graph_objects as go

from core.anchor_set import Step
from dashboard.widgets import plain_svg, rates
from dashboard.widgets.charts import QUIET, Look, short, write_caption

ROW = 34
"""Pixels of a judge's row."""


def figure(steps: Sequence[Step], known: Mapping[str, Look], caption: str = "") -> go.Figure:
    """Two rows a step, the older judge above the newer, each its own rate on the claims that both judged.

    Args:
        steps: Those with claims in common; at least one.
        known: The looks of judges.
        caption: Written under the figure.
    """
    made = go.Figure()
    names: list[str] = []
    for number, step in enumerate(steps):
        for rank, (protocol, rate) in enumerate(zip((step.first, step.second), step.rates, strict=True)):
            share, place = rate.estimate, 3 * number + rank
            names.append(f"{known[protocol].glyph} {short(protocol)}")
            if share.estimate is None or share.low is None or share.high is None:
                continue
            made.add_trace(
                go.Scatter(
                    x=[100 * share.estimate],
                    y=[place],
                    mode="markers+text",
                    marker={"color": known[protocol].colour, "size": 11, "symbol": known[protocol].symbol},
                    error_x={
                        "array": [100 * (share.high - share.estimate)],
                        "arrayminus": [100 * (share.estimate - share.low)],
                        "color": f"{known[protocol].colour}80",
                        "thickness": 3,
                        "width": 0,
                    },
                    text=plain_svg(rates.share(rate)),
                    textposition="bottom center",
                    textfont={"size": 11, "color": QUIET},
                    hoverinfo="skip",
                    showlegend=False,
                )
            )
    under = write_caption(made, caption, 28)
    last = 3 * len(steps) - 2
    made.update_layout(
        height=ROW * (3 * len(steps)) + 50 + under,
        margin={"l": 210, "r": 24, "t": 8, "b": 34 + under},
        dragmode=False,
        xaxis={"ticksuffix": " %", "rangemode": "tozero", "fixedrange": True, "zeroline": False},
        yaxis={
            "tickvals": [3 * number + rank for number in range(len(steps)) for rank in (0, 1)],
            "ticktext": [plain_svg(name) for name in names],
            "range": [last + 1, -0.7],
            "showgrid": False,
            "zeroline": False,
            "fixedrange": True,
        },
    )
    return made
