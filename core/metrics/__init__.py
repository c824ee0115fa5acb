"""Metrics, one statistic per file, each giving estimate, interval, n, method and warnings."""

from __future__ import annotations

from core.models import Record


class Estimate(Record):
    """A share with its uncertainty; an undefined value says why."""

    estimate: float | None
    low: float | None
    high: float | None
    """The interval, in the unit of the estimate."""
    n: int
    method: str
    warnings: tuple[str, ...] = ()
