"""How long questions took and what a served answer cost, over time, by what wrote the answers."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from functools import partial
from itertools import cycle
from zoneinfo import ZoneInfo

import pandas as pd
import plotly.graph_objects as go
import streamlit as st
from plotly.subplots import make_subplots

from core.store.records import QueryTrendRow
from dashboard.widgets import many, plain_svg, rates
from dashboard.widgets.chart_files import Picture, config, queries
from dashboard.widgets.chart_frame import csv_button
from dashboard.widgets.charts import COLOURS, FEW, QUIET, SYMBOLS, TICKS, write_caption


def section(rows: Sequence[QueryTrendRow], bucket: str, time_zone: str, picture: Picture) -> None:
    """Draw what is known of the questions that were asked here; nothing where none was."""
    if not rows:
        return
    st.header("Questions asked here")
    st.text(sentence(rows, time_zone))
    names = ", ".join(f"{name} (n {count:,})" for name, count in _asked(rows).items())
    failed = sum(row.failed for row in rows)
    apart = f"; half of the {failed:,} that got no answer apart" if failed else ""
    caption = (
        f"Questions that were asked here, a point a {bucket}, {time_zone}: {names}. Seconds: median and 95th "
        f"percentile of all that got an answer{apart}; US dollars of served answers whose cost is known, others are "
        "left out and counted."
    )
    with st.container(border=True):
        st.plotly_chart(
            figure(rows, time_zone, caption),
            key="questions_chart",
            config=config("questions", picture),
            alt="Seconds and cost of questions over time; the table below holds the same figures.",
        )
    csv_button("questions", partial(queries, rows, time_zone, caption), "Figures as CSV")
    st.dataframe(table(rows, time_zone), hide_index=True, alt="Seconds and cost of questions per date and generator")


def _asked(rows: Sequence[QueryTrendRow]) -> dict[str, int]:
    """How many questions each generator answered, or was to answer."""
    names = dict.fromkeys(row.generator for row in rows)
    return {name: sum(row.asked + row.failed for row in rows if row.generator == name) for name in names}


def sentence(rows: Sequence[QueryTrendRow], time_zone: str) -> str:
    """The last bucket in words: how long half of the questions took at most, and what an answer cost."""
    last = max(rows, key=lambda row: (row.start, row.asked))
    when = rates.bucket_words(last.start, last.end, time_zone)
    failed = ""
    if last.failed_median_s is not None:
        failed = f"{many(last.failed, 'question')} got no answer, half of them within {last.failed_median_s:.1f} s"
    if last.median_s is None or last.p95_s is None:
        return f"{last.generator}: {failed}, in {when}."
    cost = "what an answer cost is not known"
    if last.per_served is not None:
        cost = f"a served answer cost ${last.per_served:.4f}"
        cost += f" (not known for {last.unknown:,} of {last.served:,})" if last.unknown else ""
    elif not last.served:
        cost = "none was served an answer"
    return (
        f"{last.generator}: half of {many(last.asked, 'question')} took {last.median_s:.1f} s at most, 95 of 100 "
        f"{last.p95_s:.1f} s, in {when}; {'; '.join(filter(None, (failed, cost)))}."
    )


def figure(rows: Sequence[QueryTrendRow], time_zone: str, caption: str = "") -> go.Figure:
    """Seconds on the left, half and 95 of 100; dollars per served answer on the right, absent where not known."""
    places = _places(rows)
    made = make_subplots(1, 2, subplot_titles=["Seconds a question", "US dollars a served answer"])
    looks = zip(cycle(COLOURS), cycle(SYMBOLS), strict=False)
    for generator, (colour, symbol) in zip(dict.fromkeys(row.generator for row in rows), looks, strict=False):
        own = _with_gaps([row for row in rows if row.generator == generator])
        x = [places[row.start] if row else None for row in own]
        lines: list[tuple[str, list[float | None], int, str]] = [
            ("half", [row.median_s if row else None for row in own], 1, "solid"),
            ("95 of 100", [row.p95_s if row else None for row in own], 1, "dot"),
            ("half of those without an answer", [row.failed_median_s if row else None for row in own], 1, "dash"),
            ("a served answer", [row.per_served if row else None for row in own], 2, "solid"),
        ]
        for name, values, column, dash in lines:
            if all(value is None for value in values):
                continue
            made.add_trace(
                go.Scatter(
                    x=x,
                    y=values,
                    mode="lines+markers",
                    connectgaps=False,
                    line={"color": colour, "dash": dash, "width": 2},
                    marker={"symbol": symbol, "size": 9},
                    name=plain_svg(f"{generator}, {name}"),
                    text=[plain_svg(_hover(row)) if row else "" for row in own],
                    hovertemplate="%{text}<extra></extra>",
                ),
                row=1,
                col=column,
            )
    shown = list(places.items())[:: -(-len(places) // (TICKS // 2))]
    zone = ZoneInfo(time_zone)
    made.update_xaxes(
        tickvals=[place for _, place in shown],
        ticktext=[f"{start.astimezone(zone).day} {start.astimezone(zone):%b}" for start, _ in shown],
        showgrid=False,
        zeroline=False,
        fixedrange=True,
    )
    made.update_yaxes(rangemode="tozero", fixedrange=True, nticks=5)
    made.update_annotations(font_size=12.5)
    under = write_caption(made, caption, 26)
    made.update_layout(
        height=250 + under,
        margin={"l": 48, "r": 12, "t": 28, "b": 30 + under},
        dragmode=False,
        legend={"font": {"size": 11, "color": QUIET}},
    )
    return made


def table(rows: Sequence[QueryTrendRow], time_zone: str) -> pd.DataFrame:
    """One line a bucket and generator; what is not known says so."""
    return pd.DataFrame(
        {
            "When": [rates.bucket_words(row.start, row.end, time_zone) for row in rows],
            "Generator": [row.generator for row in rows],
            "Questions": [row.asked for row in rows],
            "Served": [row.served for row in rows],
            "Seconds, half at most": [_seconds(row.median_s) for row in rows],
            "Seconds, 95 of 100 at most": [_seconds(row.p95_s) for row in rows],
            "Without an answer": [row.failed for row in rows],
            "Seconds of these, half at most": [_seconds(row.failed_median_s) for row in rows],
            "US dollars a served answer": [_cost(row) for row in rows],
            "Cost not known": [row.unknown for row in rows],
        }
    )


def _seconds(value: float | None) -> str:
    return "—" if value is None else f"{value:.2f}"


def _cost(row: QueryTrendRow) -> str:
    return "not known" if row.per_served is None and row.served else "—" if row.per_served is None else (
        f"{row.per_served:.4f}"
    )  # fmt: skip


def _hover(row: QueryTrendRow) -> str:
    said = []
    if row.median_s is not None and row.p95_s is not None:
        said.append(
            f"{many(row.asked, 'question')}, {row.served:,} served; half within {row.median_s:.1f} s, 95 of 100 within "
            f"{row.p95_s:.1f} s; US dollars a served answer: {_cost(row)}"
        )
    if row.failed_median_s is not None:
        said.append(f"{row.failed:,} without an answer, half within {row.failed_median_s:.1f} s")
    return "; ".join(said)


def _places(rows: Sequence[QueryTrendRow]) -> dict[datetime, float]:
    """Days on a time scale, or side by side when there are few."""
    starts = sorted({row.start for row in rows})
    if len(starts) < FEW:
        return {start: float(rank) for rank, start in enumerate(starts)}
    return {start: (start - starts[0]).total_seconds() / 86400 for start in starts}


def _with_gaps(own: Sequence[QueryTrendRow]) -> list[QueryTrendRow | None]:
    """An empty bucket between two breaks the line."""
    found: list[QueryTrendRow | None] = []
    for row in own:
        before = found[-1] if found else None
        found += [None, row] if before is not None and before.end != row.start else [row]
    return found
