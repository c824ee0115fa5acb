"""Krippendorff's alpha for nominal labels: any number of raters, any labels missing.

α = 1 − (n − 1) (n − Σ o_cc) / (n² − Σ n_c²), where n counts labels in items that have two or more, n_c those of label
c, and o_cc the pairs within items that agree on c, each item's pairs weighing 1 / (its labels − 1).
Source: K. Krippendorff, Computing Krippendorff's Alpha-Reliability (2011), section C.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from core.metrics import ratings
from core.metrics.bootstrap import Sums
from core.metrics.ratings import Agreement, Rated


def estimate(items: Sequence[Rated], seed: int = 0) -> Agreement:
    """Alpha in [-1, 1] with an interval over clusters of items; undefined when all labels are the same."""
    found = ratings.counts(items)
    sizes = found.numbers.sum(axis=1, keepdims=True)
    agreed = (found.numbers * (found.numbers - 1)).sum(axis=1, keepdims=True) / (sizes - 1)
    rows = np.column_stack([sizes - agreed, found.numbers])
    return ratings.agreement(items, rows, found, _alpha, "Krippendorff's alpha, nominal", seed)


def _alpha(sums: Sums) -> NDArray[np.float64]:
    """Sums: pairs that disagree, then the labels of each kind."""
    each = sums[..., 1:]
    total = each.sum(axis=-1)
    with np.errstate(invalid="ignore", divide="ignore"):
        value = 1 - (total - 1) * sums[..., 0] / (total**2 - (each**2).sum(axis=-1))
    return np.asarray(np.where(np.isfinite(value), value, np.nan))
