"""Rates over time: one line per protocol, never two protocols in one line."""

from __future__ import annotations

from collections.abc import Sequence

from core.metrics.unsupported_rate import RateReport, report
from core.models import Record
from core.store import Store
from core.store.records import TrendRow


class TrendPoint(Record):
    """The unsupported rate of one protocol in one bucket of ``asked_at``."""

    row: TrendRow
    rate: RateReport


def points(
    store: Store,
    protocols: Sequence[str],
    bucket: str,
    time_zone: str,
    strictness: str = "strict",
    generator: str | None = None,
) -> list[TrendPoint]:
    """Give each protocol's points in time order, its undated answers as a last point of their own.

    Args:
        store: Where the verdicts are.
        protocols: Claim protocols as printed.
        bucket: ``day``, ``week`` (from Monday) or ``month``.
        time_zone: An IANA name; buckets begin at midnight there.
        strictness: ``strict`` or ``lenient`` (DESIGN §2).
        generator: Only answers of this generator's model or name; none means all.
    """
    rows = store.trend(protocols, bucket, time_zone, generator)
    return [TrendPoint(row=row, rate=_rate(row, strictness)) for row in rows]


def _rate(row: TrendRow, strictness: str) -> RateReport:
    unsupported = row.unsupported_strict if strictness == "strict" else row.unsupported_lenient
    return report(
        attempted=row.attempted, inaccessible=row.inaccessible, unjudged=row.unjudged, unsupported=unsupported
    )
