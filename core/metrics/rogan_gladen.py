"""The unsupported rate by borrowed calibration: the judge's share, corrected by errors measured on other claims.

θ = (p + Sp − 1) / (Se + Sp − 1): p is the judge's share, sensitivity Se and specificity Sp come from labels elsewhere,
so it holds only while the judge errs here as it did there. Source: W. J. Rogan and B. Gladen, Am. J. Epidemiol. 107
(1978) 71–76; interval: Z. Lang and J. Reiczigel, Prev. Vet. Med. 113 (2014) 13–22.
"""

from __future__ import annotations

from math import sqrt
from statistics import NormalDist

from core.metrics import Measure, Undefined, undefined

METHOD = "borrowed calibration (Rogan–Gladen)"
_Z = NormalDist().inv_cdf(0.975)
_LEAST_POWER = 0.2
"""Se + Sp − 1 below which the correction multiplies noise more than fivefold."""


def estimate(flagged: int, judged: int, caught: int, bad: int, passed: int, good: int) -> Measure:
    """The rate in [0, 1] with its 95 % interval.

    Args:
        flagged: Claims of the window that the judge calls unsupported.
        judged: Claims of the window that it judged.
        caught: Of ``bad``, how many it called unsupported.
        bad: Labelled claims elsewhere that people call unsupported.
        passed: Of ``good``, how many it called supported.
        good: Labelled claims elsewhere that people call supported.

    Raises:
        ValueError: A count is larger than what it is counted of.
    """
    if not (0 <= flagged <= judged and 0 <= caught <= bad and 0 <= passed <= good):
        raise ValueError("a count cannot be larger than what it is counted of")
    if not (judged and bad and good):
        return undefined(Undefined.NO_DATA, bad + good, METHOD)
    power = caught / bad + passed / good - 1
    if power < _LEAST_POWER:
        return undefined(Undefined.WEAK_JUDGE, bad + good, METHOD)
    value = min(max((flagged / judged + passed / good - 1) / power, 0.0), 1.0)
    low, high = _bounds(flagged, judged, caught, bad, passed, good)
    return Measure(
        estimate=value,
        low=min(max(low, 0.0), value),
        high=max(min(high, 1.0), value),
        n=bad + good,
        method=f"{METHOD} 95%",
        warnings=("holds only while the judge errs here as it did where its errors were measured",),
    )


def _bounds(flagged: int, judged: int, caught: int, bad: int, passed: int, good: int) -> tuple[float, float]:
    """Lang and Reiczigel: one success and one failure added to Se and Sp, z²/2 of each to the share."""
    total, bads, goods = judged + _Z**2, bad + 2, good + 2
    share, se, sp = (flagged + _Z**2 / 2) / total, (caught + 1) / bads, (passed + 1) / goods
    power = se + sp - 1
    value = (share + sp - 1) / power
    se_part, sp_part = se * (1 - se) / bads, sp * (1 - sp) / goods
    centre = value + 2 * _Z**2 * (value * se_part - (1 - value) * sp_part)
    spread = share * (1 - share) / total + (1 - value) ** 2 * sp_part + value**2 * se_part
    half = _Z * sqrt(spread) / abs(power)
    return centre - half, centre + half
