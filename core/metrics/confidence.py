"""How sure a judge said it was, beside whether it was right."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]


class Scored(NamedTuple):
    """Items with a confidence and an outcome, one place each."""

    confidence: Floats
    """In [0, 1]."""
    correct: Floats
    """0 or 1."""
    clusters: list[str | None]
    left_out: int
    """Items without a confidence or an outcome: an error is no score."""


def scored(
    confidence: Sequence[float | None],
    correct: Sequence[float | None],
    clusters: Sequence[str | None] | None = None,
) -> Scored:
    """Put together what has both; an item without cluster is its own.

    Raises:
        ValueError: The sequences differ in length, a confidence is outside [0, 1], or an outcome is neither 0 nor 1.
    """
    names = clusters if clusters is not None else [None] * len(confidence)
    rows = list(zip(confidence, correct, names, strict=True))
    kept = [(sure, right, name) for sure, right, name in rows if sure is not None and right is not None]
    if not all(0 <= sure <= 1 for sure, _, _ in kept):
        raise ValueError("a confidence lies between 0 and 1")
    if not all(right in (0, 1) for _, right, _ in kept):
        raise ValueError("an outcome is 1 (right) or 0 (wrong)")
    return Scored(
        np.array([sure for sure, _, _ in kept], dtype=np.float64),
        np.array([right for _, right, _ in kept], dtype=np.float64),
        [name for _, _, name in kept],
        len(rows) - len(kept),
    )


def warnings(of: Scored) -> tuple[str, ...]:
    """What must be said of items that were left out."""
    if not of.left_out:
        return ()
    what = "1 item without a score or an outcome is" if of.left_out == 1 else None
    return (f"{what or f'{of.left_out:,} items without a score or an outcome are'} left out",)
