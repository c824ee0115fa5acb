"""Pearson's correlation of a judge's confidence with whether it was right; Fisher's interval.

Source: R. A. Fisher, Metron 1 (1921) 3–32. Undefined when one of the two never varies.
"""

from __future__ import annotations

from math import atanh, sqrt, tanh
from statistics import NormalDist

import numpy as np

from core.metrics import Measure, Undefined, confidence, undefined
from core.metrics.confidence import Scored

_Z = NormalDist().inv_cdf(0.975)


def estimate(of: Scored) -> Measure:
    """The correlation in [-1, 1]; an interval from four items on, unless it is ±1."""
    n, said = len(of.correct), confidence.warnings(of)
    # Compared as given: the variance of equal floats need not be exactly 0.
    if not n or any(values.min() == values.max() for values in (of.confidence, of.correct)):
        return undefined(Undefined.ZERO_VARIANCE if n else Undefined.NO_DATA, n, "Pearson correlation", *said)
    value = float(np.clip(np.corrcoef(of.confidence, of.correct)[0, 1], -1, 1))
    low = high = None
    if n > 3 and abs(value) < 1:
        half = _Z / sqrt(n - 3)
        low, high = tanh(atanh(value) - half), tanh(atanh(value) + half)
    return Measure(estimate=value, low=low, high=high, n=n, method="Pearson correlation, Fisher 95%", warnings=said)
