"""How many more labels until a rate is known to ± so much, if the labels to come are worth what those so far are.

What a label is worth: the number of independent labels whose Wilson interval would be as wide as the interval at hand,
divided by the labels at hand. A judge that helps makes it more than 1, requests that fail together less.
"""

from __future__ import annotations

from core.metrics import Estimate, wilson
from core.models import Record

_MOST = 10**9
"""A number of labels that nobody gives."""


class LabelsNeeded(Record):
    """A plan for labelling."""

    more: int
    """Labels still to give; 0 when the interval is narrow enough."""
    total: int
    """Labels there would then be."""
    within: float
    """Half the width that was asked for, as a share: 0.03 is ± 3 points."""
    worth: float
    """Independent labels that one label is worth."""
    method: str
    warnings: tuple[str, ...] = ()


def estimate(rate: Estimate, within: float, population: int | None = None) -> LabelsNeeded:
    """Plan from a rate with its interval, by the method that found it.

    Args:
        rate: The rate so far; one without a value is planned for as half unsupported, which needs most.
        within: Half the width that is wanted, in (0, 0.5).
        population: Claims there are to label; a plan never asks for more.

    Raises:
        ValueError: ``within`` is not between 0 and 0.5.
    """
    if not 0 < within < 0.5:
        raise ValueError("a margin lies between 0 and 0.5: 0.03 is ± 3 points")
    share, worth, warnings = 0.5, 1.0, ["planned for the worst case, half unsupported: there is no rate yet"]
    if rate.estimate is not None and rate.low is not None and rate.high is not None and rate.n:
        share, worth, warnings = rate.estimate, _least(rate.estimate, (rate.high - rate.low) / 2) / rate.n, []
        if (rate.high - rate.low) / 2 <= within:
            return LabelsNeeded(more=0, total=rate.n, within=within, worth=worth, method=rate.method)
    total = max(rate.n + 1, -int(-_least(share, within) // worth))
    if population is not None and total >= population:
        total = max(population, rate.n)
        warnings.append(f"not to be had by a sample: label all {population} claims")
    return LabelsNeeded(
        more=total - rate.n, total=total, within=within, worth=worth, method=rate.method, warnings=tuple(warnings)
    )


def _least(share: float, half: float) -> float:
    """The least number of independent labels, a fraction allowed, whose Wilson interval is at most this half-width."""
    few, many = 1e-9, 1.0
    while _half(share, many) > half and many < _MOST:
        many *= 2
    for _ in range(100):
        middle = (few + many) / 2
        few, many = (few, middle) if _half(share, middle) <= half else (middle, many)
    return many


def _half(share: float, n: float) -> float:
    low, high = wilson.bounds(share, n)
    return (high - low) / 2
