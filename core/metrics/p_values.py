"""The p-values of several tests."""

from __future__ import annotations

from collections.abc import Sequence


def checked(p_values: Sequence[float | None]) -> list[tuple[float, int]]:
    """The p-values there are, smallest first, each with its place.

    Raises:
        ValueError: A p-value is outside [0, 1].
    """
    found = sorted((p, at) for at, p in enumerate(p_values) if p is not None)
    if not all(0 <= p <= 1 for p, _ in found):
        raise ValueError("a p-value lies between 0 and 1")
    return found
