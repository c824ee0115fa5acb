"""Holm's correction: p-values of several comparisons, such that one false alarm among all is as rare as in one test.

Source: S. Holm, Scand. J. Statist. 6 (1979) 65–70.
"""

from __future__ import annotations

from collections.abc import Sequence

from core.metrics.p_values import checked


def adjust(p_values: Sequence[float | None]) -> list[float | None]:
    """The adjusted p-values in the same order; none stays none and counts as no test.

    Raises:
        ValueError: A p-value is outside [0, 1].
    """
    found = checked(p_values)
    adjusted: list[float | None] = [None] * len(p_values)
    highest = 0.0
    for rank, (p, at) in enumerate(found):
        highest = max(highest, min(1.0, p * (len(found) - rank)))
        adjusted[at] = highest
    return adjusted
