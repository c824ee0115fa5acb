"""Stuart–Maxwell: do two judges use nine labels equally often on the same items?

χ² = dᵀ S⁻ d: d are the differences of the marginal counts, S_ii = n_i. + n_.i − 2 n_ii and S_ij = −(n_ij + n_ji). A
label that neither uses, or on whose items they never differ, adds nothing and no degree of freedom; where labels fall
into groups that are never exchanged, each group loses one. Source: A. Stuart, Biometrika 42 (1955) 412–416; A. E.
Maxwell, Br. J. Psychiatry 116 (1970) 651–655.
"""

from __future__ import annotations

from collections.abc import Iterable
from math import erfc, exp, fsum, gamma, sqrt

import numpy as np

from core.metrics.paired_test import PairedTest


def test(pairs: Iterable[tuple[str, str]]) -> PairedTest:
    """Test pairs of (label of the first judge, label of the second); no label at all can be a label of its own."""
    seen = list(pairs)
    place = {label: at for at, label in enumerate(sorted({label for pair in seen for label in pair}))}
    table = np.zeros((len(place), len(place)))
    for one, other in seen:
        table[place[one], place[other]] += 1
    exchanged = table + table.T
    np.fill_diagonal(exchanged, 0)
    spread = np.diag(exchanged.sum(axis=1)) - exchanged
    shift = table.sum(axis=1) - table.sum(axis=0)
    degrees = int(np.linalg.matrix_rank(spread)) if seen else 0
    statistic = float(shift @ np.linalg.pinv(spread, hermitian=True) @ shift) if degrees else 0.0
    differing = int(exchanged.sum() / 2)
    few = (f"only {differing} pairs differ: the p-value is rough",) if 0 < differing < 5 * degrees else ()
    return PairedTest(
        p=_beyond(max(statistic, 0.0), degrees) if degrees else 1.0,
        statistic=statistic,
        degrees=degrees,
        n=len(seen),
        differing=differing,
        method="Stuart–Maxwell",
        warnings=few if differing else ("no pair differs, so there is nothing to test",),
    )


def _beyond(value: float, degrees: int) -> float:
    """The chance of more than ``value`` under chi-squared, as a finite sum (Abramowitz and Stegun 26.4.4, 26.4.5)."""
    half = value / 2
    if degrees % 2:
        terms = [half ** (at - 0.5) / gamma(at + 0.5) for at in range(1, (degrees + 1) // 2)]
        return min(1.0, erfc(sqrt(half)) + exp(-half) * fsum(terms))
    return min(1.0, exp(-half) * fsum(half**at / gamma(at + 1) for at in range(degrees // 2)))
