"""The Wilson score interval of a share."""

from __future__ import annotations

from math import sqrt
from statistics import NormalDist

from core.metrics import Estimate


def interval(k: int, n: int, level: float = 0.95) -> Estimate:
    """Estimate a share from ``k`` of ``n`` with its Wilson score interval, in [0, 1].

    With ``n`` = 0 there is no share: the estimate and both bounds are none, and a warning says "no data".
    Source: E. B. Wilson, JASA 22 (1927) 209–212; as method 3 in R. G. Newcombe, Statist. Med. 17 (1998) 857–872.

    Raises:
        ValueError: ``k`` is not within 0…``n``, or ``level`` is not between 0 and 1.
    """
    if not 0 <= k <= n:
        raise ValueError(f"{k} of {n} is not a share")
    if not 0 < level < 1:
        raise ValueError(f"a confidence level lies between 0 and 1, not at {level}")
    method = f"Wilson {level:.0%}" if round(level * 100) == level * 100 else f"Wilson {level:.1%}"
    if n == 0:
        return Estimate(estimate=None, low=None, high=None, n=0, method=method, warnings=("no data",))
    low, high = bounds(k / n, n, level)
    return Estimate(estimate=k / n, low=low, high=high, n=n, method=method)


def bounds(share: float, n: float, level: float = 0.95) -> tuple[float, float]:
    """The bounds for a share of ``n`` observations; ``n`` > 0 may be a fraction, an effective number."""
    z = NormalDist().inv_cdf((1 + level) / 2)
    centre = share + z * z / (2 * n)
    half = z * sqrt(share * (1 - share) / n + z * z / (4 * n * n))
    scale = 1 + z * z / n
    # The exact bounds at shares of 0 and 1 are 0 and 1; rounding must not put them a hair inside.
    low = 0.0 if share == 0 else max(0.0, (centre - half) / scale)
    high = 1.0 if share == 1 else min(1.0, (centre + half) / scale)
    return low, high
