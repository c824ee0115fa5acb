"""What a test on pairs comes to."""

from __future__ import annotations

from core.models import Record

ALPHA = 0.05
"""A p-value up to this speaks of more than chance."""


class PairedTest(Record):
    """A test of whether two judges differ on the same items; a small p says that chance alone would hardly do this."""

    p: float
    """Two-sided, in [0, 1]; 1 where no pair differs."""
    statistic: float | None
    """The statistic in its own unit; none for an exact test."""
    degrees: int | None
    n: int
    """Pairs."""
    differing: int
    """Pairs that speak for one side or the other."""
    method: str
    warnings: tuple[str, ...] = ()
