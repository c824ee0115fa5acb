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


class Bounded(Estimate):
    """An estimate over what was judged, with what it could have been had everything been judged."""

    unjudged: int
    """Pairs without a label; they are in neither ``n`` nor the estimate."""
    worst: float | None
    """The value at its worst, whatever the unjudged pairs would have been."""
    best: float | None
    """The value if every unjudged pair had been judged as people did."""
