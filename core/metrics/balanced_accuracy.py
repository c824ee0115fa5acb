"""Balanced accuracy: the mean of two shares, supported pairs judged so and the other pairs judged otherwise.

Supported and secondary_only stand against all else (DESIGN §2), so coarse gold counts too. Guessing gives 0.5 whatever
the mix of labels. Intervals: ``core.metrics.bootstrap``.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain

import numpy as np
from numpy.typing import NDArray

from core.metrics import Bounded, Estimate, bootstrap
from core.metrics.bootstrap import Sums
from core.metrics.confusion import Outcome, is_right, is_supported

Pairing = tuple[Sequence[Outcome], Sequence[Outcome]]
"""What two judges said of the same pairs, in the same order."""


def estimate(outcomes: Sequence[Outcome], seed: int = 0) -> Bounded:
    """Balanced accuracy in [0, 1] over the judged pairs; none unless both sides have one."""
    judged = [one for one in outcomes if one.said is not None]
    found = bootstrap.interval(_sums(judged), _balanced, len(judged), [seed])
    unjudged = [one for one in outcomes if one.said is None]
    return Bounded(
        **found.model_dump(),
        unjudged=len(unjudged),
        worst=_bound(judged, unjudged, 0),
        best=_bound(judged, unjudged, 1),
    )


def difference(pairing: Pairing, seed: int = 0) -> Estimate:
    """How far the first judge is above the second over the pairs that both judged; the same draws serve both.

    Raises:
        ValueError: The two do not speak of the same pairs.
    """
    ours, theirs = _both(pairing)
    return bootstrap.interval(_beside(ours, theirs), _gap, len(ours), [seed])


def mean(sets: Sequence[Sequence[Outcome]], seed: int = 0) -> Estimate:
    """The mean over data sets, every set weighing the same and drawn on its own; sets without a value are left out.

    The interval speaks of other pairs of these sets, not of other sets. ``n`` counts judged pairs.
    """
    judged = [[one for one in outcomes if one.said is not None] for outcomes in sets]
    return _mean([(_sums(one), len(one)) for one in judged], _balanced, seed)


def mean_difference(pairings: Sequence[Pairing], seed: int = 0) -> Estimate:
    """The mean over data sets of ``difference``, as ``mean`` takes it.

    Raises:
        ValueError: Two of a pairing do not speak of the same pairs.
    """
    both = [_both(pairing) for pairing in pairings]
    return _mean([(_beside(ours, theirs), len(ours)) for ours, theirs in both], _gap, seed)


def _mean(parts: Sequence[tuple[Sums, int]], statistic: bootstrap.Statistic, seed: int) -> Estimate:
    values = [float(statistic(sums.sum(axis=0))) if len(sums) else float("nan") for sums, _ in parts]
    kept = [at for at, value in enumerate(values) if not np.isnan(value)]
    warnings = [f"{len(parts) - len(kept)} data sets without a value are left out"] if len(kept) < len(parts) else []
    n = sum(parts[at][1] for at in kept)
    if not kept:
        return bootstrap.between(float("nan"), np.full(1, np.nan), n, warnings=warnings)
    drawn = np.mean([_whole(bootstrap.draws(parts[at][0], statistic, [seed, at])) for at in kept], axis=0)
    return bootstrap.between(float(np.mean([values[at] for at in kept])), drawn, n, warnings=warnings)


def _whole(drawn: NDArray[np.float64]) -> NDArray[np.float64]:
    """As many draws, those without a value replaced by others: one poor set must not leave a mean without interval."""
    defined = drawn[~np.isnan(drawn)]
    return np.resize(defined, drawn.shape) if len(defined) else drawn


def _both(pairing: Pairing) -> tuple[list[Outcome], list[Outcome]]:
    ours, theirs = pairing
    if [(one.gold, one.cluster) for one in ours] != [(one.gold, one.cluster) for one in theirs]:
        raise ValueError("the outcomes of two judges are compared pair by pair, and these are of other pairs")
    both = [(one, other) for one, other in zip(ours, theirs, strict=True) if None not in (one.said, other.said)]
    return [one for one, _ in both], [other for _, other in both]


def _row(outcome: Outcome) -> tuple[int, int, int, int]:
    """Supported and right, supported, otherwise and right, otherwise."""
    side, right = is_supported(outcome.gold), is_right(outcome)
    return (side and right, side, right and not side, not side)


def _sums(outcomes: Sequence[Outcome]) -> Sums:
    return bootstrap.by_cluster([_row(one) for one in outcomes], [one.cluster for one in outcomes])


def _beside(ours: Sequence[Outcome], theirs: Sequence[Outcome]) -> Sums:
    rows = [tuple(chain(_row(one), _row(other))) for one, other in zip(ours, theirs, strict=True)]
    return bootstrap.by_cluster(rows, [one.cluster for one in ours])


def _balanced(sums: Sums) -> NDArray[np.float64]:
    with np.errstate(invalid="ignore"):
        value: NDArray[np.float64] = (sums[..., 0] / sums[..., 1] + sums[..., 2] / sums[..., 3]) / 2
    return value


def _gap(sums: Sums) -> NDArray[np.float64]:
    return _balanced(sums[..., :4]) - _balanced(sums[..., 4:])


def _bound(judged: Sequence[Outcome], unjudged: Sequence[Outcome], right: int) -> float | None:
    """The value if every unjudged pair were wrong (0) or right (1)."""
    sums = np.array([_row(one) for one in judged] or [(0, 0, 0, 0)], dtype=np.float64).sum(axis=0)
    for one in unjudged:
        side = is_supported(one.gold)
        sums += (side * right, side, (not side) * right, not side)
    value = float(_balanced(sums))
    return None if np.isnan(value) else value
