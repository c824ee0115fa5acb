"""The unsupported rate by borrowed calibration: the judge's share, corrected by errors measured on other claims.

θ = (p + Sp − 1) / (Se + Sp − 1): p is the judge's share, sensitivity Se and specificity Sp come from labels elsewhere,
so it holds only while the judge errs here as it did there. Source: W. J. Rogan and B. Gladen, Am. J. Epidemiol. 107
(1978) 71–76; interval: Z. Lang and J. Reiczigel, Prev. Vet. Med. 113 (2014) 13–22.
"""

from __future__ import annotations

from math import sqrt
from statistics import NormalDist

from core.metrics import Measure, Undefined, undefined
from core.metrics.clustered_share import Counted

METHOD = "borrowed calibration (Rogan–Gladen)"
_Z = NormalDist().inv_cdf(0.975)
_LEAST_POWER = 0.2
"""Se + Sp − 1 below which the correction multiplies noise more than fivefold."""


def estimate(flagged: Counted, caught: Counted, passed: Counted) -> Measure:
    """The rate in [0, 1] with its 95 % interval.

    Args:
        flagged: Claims that the judge calls unsupported, of those of the window that it judged.
        caught: Claims that it called unsupported, of labelled ones elsewhere that people call unsupported.
        passed: Claims that it called supported, of labelled ones elsewhere that people call supported.

    Raises:
        ValueError: A count is larger than what it is counted of.
    """
    if not all(0 <= one.hits <= one.pairs for one in (flagged, caught, passed)):
        raise ValueError("a count cannot be larger than what it is counted of")
    n = caught.pairs + passed.pairs
    if not (flagged.pairs and caught.pairs and passed.pairs):
        return undefined(Undefined.NO_DATA, n, METHOD)
    share, se, sp = (one.hits / one.pairs for one in (flagged, caught, passed))
    if se + sp - 1 < _LEAST_POWER:
        return undefined(Undefined.WEAK_JUDGE, n, METHOD)
    value = min(max((share + sp - 1) / (se + sp - 1), 0.0), 1.0)
    low, high = _bounds(flagged, caught, passed)
    return Measure(
        estimate=value,
        low=min(max(low, 0.0), value),
        high=max(min(high, 1.0), value),
        n=n,
        method=f"{METHOD} 95%",
        warnings=("holds only while the judge errs here as it did where its errors were measured",),
    )


def _bounds(flagged: Counted, caught: Counted, passed: Counted) -> tuple[float, float]:
    """Lang and Reiczigel: one success and one failure added to Se and Sp, z²/2 of each to the share.

    Claims of one answer are right and wrong together, so each count is taken at its effective number (decision 0027).
    """
    (total, share), (bads, se), (goods, sp) = _padded(flagged, _Z**2), _padded(caught, 2), _padded(passed, 2)
    power = se + sp - 1
    value = (share + sp - 1) / power
    se_part, sp_part = se * (1 - se) / bads, sp * (1 - sp) / goods
    centre = value + 2 * _Z**2 * (value * se_part - (1 - value) * sp_part)
    spread = share * (1 - share) / total + (1 - value) ** 2 * sp_part + value**2 * se_part
    half = _Z * sqrt(spread) / abs(power)
    return centre - half, centre + half


def _padded(counted: Counted, more: float) -> tuple[float, float]:
    """How many there are with ``more`` added, half of them hits, and the share of hits then."""
    of = counted.effective
    return of + more, (counted.hits / counted.pairs * of + more / 2) / (of + more)
