"""Charts as files: a picture by the browser's own button, its caption being part of the figure, and a table as CSV.

The picture is drawn by the Plotly that shows the chart: drawing it here would need a whole Chrome (kaleido).
"""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence
from typing import Any, Literal

from core.anchor_set import Step
from core.exporters.csv import cell
from core.rates_corrected import CorrectedRate
from core.store.records import QueryTrendRow
from core.trends import TrendPoint

Picture = Literal["png", "svg"]
PICTURES: tuple[Picture, ...] = ("png", "svg")


def config(name: str, picture: Picture) -> dict[str, Any]:
    """What a chart is told, so that its one button saves it as a picture."""
    return {
        "displaylogo": False,
        "displayModeBar": True,
        "modeBarButtons": [["toImage"]],
        "toImageButtonOptions": {"format": picture, "filename": f"citedesk-{name}", "scale": 2},
    }


def points(
    some: Sequence[TrendPoint], corrected: Sequence[CorrectedRate], strictness: str, time_zone: str, caption: str
) -> bytes:
    """A line a point: which claims, by whom judged, how many, which share by which method; formulas neutralised.

    Args:
        some: The points of a chart.
        corrected: The corrected rate of each, or none at all.
        strictness: Which rule makes a claim unsupported.
        time_zone: Where buckets begin.
        caption: Of the chart, repeated in every line, for lines are cut out and pasted.
    """
    fixed = [(one.corrected, one.borrowed) for one in corrected] or [(None, None)] * len(some)
    lines = []
    for point, (people, lent) in zip(some, fixed, strict=True):
        row, raw = point.row, point.rate
        lines.append(
            {
                "verifier": row.protocol.partition("@")[0],
                "protocol": row.protocol,
                "group": row.group,
                "bucket": row.bucket or "undated",
                "start": row.start and row.start.isoformat(),
                "end": row.end and row.end.isoformat(),
                "time_zone": time_zone,
                "strictness": strictness,
                "claims": row.attempted,
                "attempted": raw.attempted,
                "n": raw.judged,
                "excluded": raw.excluded,
                "rate": raw.estimate.estimate,
                "low": raw.estimate.low,
                "high": raw.estimate.high,
                "method": raw.estimate.method,
                "corrected_rate": people and people.estimate,
                "corrected_low": people and people.low,
                "corrected_high": people and people.high,
                "corrected_method": people and people.method,
                "labels": people and people.n,
                "borrowed_rate": lent and lent.rate.estimate,
                "borrowed_low": lent and lent.rate.low,
                "borrowed_high": lent and lent.rate.high,
                "borrowed_method": lent and lent.rate.method,
                "answers": row.requests,
                "caption": caption,
            }
        )
    return table(lines)


def queries(rows: Sequence[QueryTrendRow], time_zone: str, caption: str) -> bytes:
    """A line a bucket and generator; a cost that is not known is empty, and counted."""
    return table(
        [
            row.model_dump(mode="json") | {"per_served": row.per_served, "time_zone": time_zone, "caption": caption}
            for row in rows
        ]
    )


def steps(some: Sequence[Step], caption: str) -> bytes:
    """Two lines a step, the older judge before the newer: each one's own rate on the claims that both judged."""
    return table(
        [
            {
                "verifier": protocol.partition("@")[0],
                "protocol": protocol,
                "beside": other,
                "claims": step.claims,
                "attempted": raw.attempted,
                "n": raw.judged,
                "excluded": raw.excluded,
                "rate": raw.estimate.estimate,
                "low": raw.estimate.low,
                "high": raw.estimate.high,
                "method": raw.estimate.method,
                "newer_minus_older": step.difference.estimate,
                "difference_low": step.difference.low,
                "difference_high": step.difference.high,
                "difference_method": step.difference.method,
                "caption": caption,
            }
            for step in some
            for protocol, other, raw in zip(
                (step.first, step.second), (step.second, step.first), step.rates, strict=True
            )
        ]
    )


def table(lines: Sequence[dict[str, Any]]) -> bytes:
    """Lines of the same columns; formulas are neutralised."""
    text = io.StringIO(newline="")
    writer = csv.writer(text)
    writer.writerow([cell(name) for name in lines[0]] if lines else ())
    for one in lines:
        writer.writerow([cell(value) for value in one.values()])
    return text.getvalue().encode("utf-8-sig", "replace")
