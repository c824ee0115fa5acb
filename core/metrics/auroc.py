"""AUROC: how often a failure gets the higher score than a good claim, ties counting half; 0.5 is guessing.

Variance by DeLong's structural components, added up over clusters (Obuchowski); the interval is symmetric on the logit
scale. Where the components do not vary (every pair in order, or one item of a class) it is Wilson's with the smaller
class for n. Source: E. R. DeLong, D. M. DeLong and D. L. Clarke-Pearson, Biometrics 44 (1988) 837–845; N. A.
Obuchowski, Biometrics 53 (1997) 567–578.
"""

from __future__ import annotations

from math import exp, log, sqrt
from statistics import NormalDist

import numpy as np
from numpy.typing import NDArray

from core.metrics import Measure, Undefined, confidence, undefined, wilson
from core.metrics.confidence import Floats, Scored

_Z = NormalDist().inv_cdf(0.975)


def estimate(of: Scored) -> Measure:
    """The area in [0, 1] with its 95 % interval; ``correct`` is 1 for the class that high scores should have."""
    positive = of.correct == 1
    many, few = int(positive.sum()), int((~positive).sum())
    said = confidence.warnings(of)
    if not many or not few:
        reason = Undefined.ONE_CLASS if len(positive) else Undefined.NO_DATA
        return undefined(reason, len(positive), "AUROC", *said)
    parts = _components(of.confidence, positive)
    value = float(parts[positive].mean())
    spread = _variance(parts - value, positive, of.clusters)
    if 0 < value < 1 and spread > 0:
        low, high = _logit_bounds(value, sqrt(spread))
        method = "AUROC, DeLong 95% on the logit scale"
    else:
        low, high = wilson.bounds(value, min(many, few))
        method = f"AUROC, Wilson 95%, n {min(many, few)} of the smaller class"
    return Measure(estimate=value, low=low, high=high, n=len(positive), method=method, warnings=said)


def _components(scores: Floats, positive: NDArray[np.bool_]) -> Floats:
    """For each item the share of the other class that it stands in order with."""
    parts = np.empty(len(scores))
    for own, sign in ((positive, 1), (~positive, -1)):
        others = np.sort(sign * scores[~own])
        below = np.searchsorted(others, sign * scores[own], side="left")
        parts[own] = (below + np.searchsorted(others, sign * scores[own], side="right")) / (2 * len(others))
    return parts


def _variance(shifts: Floats, positive: NDArray[np.bool_], clusters: list[str | None]) -> float:
    """With every item its own cluster, exactly DeLong's: S10 / m + S01 / n; nan when a class has one item."""
    many, few = int(positive.sum()), int((~positive).sum())
    if min(many, few) < 2:
        return float("nan")
    parts = np.where(positive, shifts / sqrt(many * (many - 1)), shifts / sqrt(few * (few - 1)))
    places: dict[str | int, int] = {}
    index = [places.setdefault(at if name is None else name, len(places)) for at, name in enumerate(clusters)]
    sums = np.bincount(index, parts)
    return float(sums @ sums)


def _logit_bounds(value: float, error: float) -> tuple[float, float]:
    centre, half = log(value / (1 - value)), _Z * error / (value * (1 - value))
    return 1 / (1 + exp(min(half - centre, 700))), 1 / (1 + exp(-centre - half))
