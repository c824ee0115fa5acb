"""How many more labels until a rate is known to ± so much, if the labels to come are worth what those so far are.

What a label is worth: the number of independent labels whose Wilson interval would be as wide as the interval at hand,
divided by the labels at hand. A judge that helps makes it more than 1, requests that fail together less.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

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
        warnings.append(
            f"not to be had by a sample: label all {population:,} claims"
            if total > rate.n
            else f"all {total:,} claims have a label; only more answers can tell"
        )
    return LabelsNeeded(
        more=total - rate.n, total=total, within=within, worth=worth, method=rate.method, warnings=tuple(warnings)
    )


def sentences(needed: Sequence[LabelsNeeded], rate: Estimate | None, population: int) -> Iterator[str]:
    """What each margin takes, in sentences; margins that take the same stand in one.

    Args:
        needed: Plans of one rate, the narrowest margin first.
        rate: That rate; none where there is none yet.
        population: Claims there are to label.
    """
    half = (rate.high - rate.low) / 2 if rate and rate.low is not None and rate.high is not None else None
    known = [one for one in needed if half is not None and half <= one.within]
    unknown = [one for one in needed if one not in known]
    labelled = [one for one in unknown if not one.more]
    whole = [one for one in unknown if one.more and one.total == population]
    if known:
        yield f"There are labels enough to know the rate to within {_margins(known)}."
    for one in reversed(unknown):
        if one not in labelled and one not in whole:
            yield f"To know the rate to within {_margins([one])} takes {_more(one.more)}."
    if whole:
        rest = "the other claim" if whole[0].more == 1 else f"the other {whole[0].more:,} claims"
        yield f"A sample cannot tell the rate to within {_margins(whole)}: label {rest}, too."
    if labelled:
        yield (
            f"All {labelled[0].total:,} claims have a label, so only more answers can tell the rate to within "
            f"{_margins(labelled)}."
        )


def _more(labels: int) -> str:
    return "1 more label" if labels == 1 else f"{labels:,} more labels"


def _margins(some: Sequence[LabelsNeeded]) -> str:
    """Half-widths as ``±1, ±2 or ±5 points``."""
    words = [f"±{100 * one.within:g}" for one in some]
    return f"{', '.join(words[:-1])} or {words[-1]} points" if words[1:] else f"{words[0]} points"


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
