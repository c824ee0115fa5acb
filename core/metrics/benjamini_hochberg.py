"""Benjamini and Hochberg's correction: of the slices that are flagged, which share may be flagged by chance?

Source: Y. Benjamini and Y. Hochberg, J. R. Statist. Soc. B 57 (1995) 289–300. Holds for tests that are independent or
positively dependent; slices that overlap are taken to be.
"""

from __future__ import annotations

from collections.abc import Sequence

from core.metrics.p_values import checked


def adjust(p_values: Sequence[float | None]) -> list[float | None]:
    """The adjusted p-values (q-values) in the same order; none stays none and counts as no test.

    Raises:
        ValueError: A p-value is outside [0, 1].
    """
    found = checked(p_values)
    adjusted: list[float | None] = [None] * len(p_values)
    lowest = 1.0
    for rank, (p, at) in reversed(list(enumerate(found, 1))):
        lowest = min(lowest, p * len(found) / rank)
        adjusted[at] = lowest
    return adjusted
