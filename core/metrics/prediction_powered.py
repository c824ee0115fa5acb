"""The unsupported rate by prediction-powered inference: the judge's share, moved by what labels show of its errors.

θ = λ · mean(v over the window) + mean(y − λ v over the labels), the second mean weighted by 1 / inclusion probability;
λ in [0, 1] makes the variance least (power tuning): Cov(y, v) / ((1 + n/N) Var v). Variance = λ² Var(v) / N + that of
the weighted mean with whole requests as drawn. A claim without a verdict has the judge's mean for a verdict, which
leaves it to the labels. The interval is normal, so with few labels or a rate near 0 it is too narrow and may leave
[0, 1]; it is cut there. Source: A. N. Angelopoulos, J. C. Duchi, T. Zrnic, PPI++: efficient prediction-powered
inference, arXiv 2311.01453, sections 2 and 6.
"""

from __future__ import annotations

from math import sqrt
from statistics import NormalDist

import numpy as np

from core.metrics import Measure, Undefined, labelled, undefined
from core.metrics.labelled import Labelled, Population

METHOD = "PPI++"
_Z = NormalDist().inv_cdf(0.975)


def estimate(labels: Labelled, population: Population) -> Measure:
    """The rate with its 95 % interval, both in [0, 1]; at least two clusters are needed for an interval."""
    n, judged = len(labels.human), population.unsupported + population.supported
    if not n or not population.total:
        reason = Undefined.NO_PROBABILITY if labels.left_out and not n else Undefined.NO_DATA
        return undefined(reason, n, METHOD)
    mean = population.unsupported / judged if judged else 0.0
    verdict = np.where(np.isnan(labels.verdict), mean, labels.verdict)
    influence = labels.weight / labels.weight.sum()
    spread = mean * (1 - mean) * judged / population.total
    shift = verdict - influence @ verdict
    joint = float(influence @ (shift * (labels.human - influence @ labels.human)))
    power = min(max(joint / ((1 + n / population.total) * spread), 0.0), 1.0) if spread else 0.0
    rest = labels.human - power * verdict
    raw = power * mean + float(influence @ rest)
    squared = power**2 * spread / population.total
    squared += labelled.variance(influence * (rest - influence @ rest), labels)
    value, warnings = min(max(raw, 0.0), 1.0), labelled.warnings(labels)
    method = f"{METHOD} 95%, power {power:.2f}, {labels.clusters} clusters"
    if np.isnan(squared):
        return Measure(estimate=value, low=None, high=None, n=n, method=method, warnings=warnings)
    low, high = raw - _Z * sqrt(squared), raw + _Z * sqrt(squared)
    if low < 0 or high > 1:
        warnings = (*warnings, "the interval left the range of a share and was cut there: too few labels for it")
    return Measure(
        estimate=value,
        low=min(max(low, 0.0), value),
        high=max(min(high, 1.0), value),
        n=n,
        method=method,
        warnings=warnings,
    )
