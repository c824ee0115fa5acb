"""Gwet's AC1: agreement corrected for chance so that a label which nearly everybody gives does not bring it down.

AC1 = (p_a − p_e) / (1 − p_e): p_a is the raw agreement, p_e = Σ π_c (1 − π_c) / (q − 1) over the q labels that occur,
π_c the mean share of label c over all items that have a label, a single one included.
Source: K. L. Gwet, Br. J. Math. Stat. Psychol. 61 (2008) 29–48.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from core.metrics import ratings
from core.metrics.bootstrap import Sums
from core.metrics.ratings import Agreement, Rated
from core.metrics.raw_agreement import agreeing


def estimate(items: Sequence[Rated], seed: int = 0) -> Agreement:
    """AC1 in [-1, 1] with an interval over clusters of items; undefined when all labels are the same."""
    found = ratings.counts(items, least=1)
    sizes = found.numbers.sum(axis=1)
    twice = sizes > 1
    agreed = np.zeros(len(sizes))
    agreed[twice] = agreeing(found.numbers[twice])
    rows = np.column_stack([agreed, twice, found.numbers / sizes[:, None]])
    return ratings.agreement(items, rows, found, _ac1, "Gwet's AC1", seed)


def _ac1(sums: Sums) -> NDArray[np.float64]:
    """Sums: the share of agreeing pairs, the items that have pairs, then the share of each label."""
    each = sums[..., 2:]
    items = each.sum(axis=-1)
    kinds = each.shape[-1]
    if kinds < 2:
        return np.full(items.shape, np.nan)
    mean = each / items[..., None]
    chance = (mean * (1 - mean)).sum(axis=-1) / (kinds - 1)
    with np.errstate(invalid="ignore"):  # a draw may hold no item with a pair
        return np.asarray((sums[..., 0] / sums[..., 1] - chance) / (1 - chance))
