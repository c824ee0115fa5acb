"""The chart of an SQL result: a judge looks as it does in every chart, and no line joins two of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

import plotly.graph_objects as go

from core.sql_results import ChartChoice, ChartKind, SqlResult, Value
from dashboard.widgets import many, plain_svg
from dashboard.widgets.chart_frame import captioned
from dashboard.widgets.charts import QUIET, Look

PROTOCOL = "protocol"
"""The column whose values are judges."""

PLAIN = Look(QUIET, "circle", "●")
"""Of what is under no judge, or under one that this store does not know."""

NONE = "(none)"
"""Where a row has nothing to stand at."""

_TIMES = ("DATE", "TIMESTAMP")


def figure(result: SqlResult, chosen: ChartChoice, looks: Mapping[str, Look]) -> go.Figure:
    """Draw two columns of a result, with its caption.

    Args:
        result: Of which rows.
        chosen: Bars, a line or points, and which columns; both must be of the result.
        looks: The look of each judge that the store knows, by protocol.
    """
    x, y = result.columns.index(chosen.x), result.columns.index(chosen.y)
    judges = result.columns.index(PROTOCOL) if PROTOCOL in result.columns else None
    is_scale = chosen.x in result.numbers or result.types[x].startswith(_TIMES)
    made = go.Figure()
    for judge in dict.fromkeys("" if judges is None else str(row[judges]) for row in result.rows):
        own = [row for row in result.rows if judges is None or str(row[judges]) == judge]
        across = [row[x] if is_scale else _name(row[x]) for row in own]
        made.add_trace(_trace(chosen.kind, judge, looks.get(judge, PLAIN), across, [row[y] for row in own]))
    made.update_xaxes(title=plain_svg(chosen.x), type=None if is_scale else "category", fixedrange=True, showgrid=False)
    made.update_yaxes(title=plain_svg(chosen.y), fixedrange=True, nticks=6)
    made.update_layout(
        height=300,
        barmode="group",
        dragmode=False,
        showlegend=judges is not None,
        legend={"orientation": "h", "y": 1, "yanchor": "bottom", "x": 0, "font": {"size": 11}},
        margin={"l": 64, "r": 12, "t": 36, "b": 64},
    )
    return captioned(made, caption(result, chosen))


def caption(result: SqlResult, chosen: ChartChoice) -> str:
    """What is drawn of what, when it was asked, and what must be read beside it."""
    rows = f"{'more than ' if result.cut else ''}{many(len(result.rows), 'row')}"
    drawn = f"{chosen.y} by {chosen.x}, {rows} of a question in SQL, {result.at:%Y-%m-%d %H:%M} UTC."
    return " ".join([drawn, *result.notes])


def _trace(kind: ChartKind, judge: str, look: Look, across: Sequence[Value], upwards: Sequence[Value]) -> Any:
    marker = {"color": look.colour, "symbol": look.symbol, "size": 9}
    make = {
        ChartKind.BAR: partial(go.Bar, marker={"color": look.colour}),
        ChartKind.LINE: partial(go.Scatter, mode="lines+markers", marker=marker, line={"color": look.colour}),
        ChartKind.POINTS: partial(go.Scatter, mode="markers", marker=marker),
    }[kind]
    return make(x=across, y=upwards, name=plain_svg(f"{look.glyph} {judge}" if judge else ""))


def _name(value: Value) -> str:
    """A value where names stand side by side; what has none is drawn, too."""
    return NONE if value is None else plain_svg(str(value))
