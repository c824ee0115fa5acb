"""Raw agreement: the share of pairs of labels that are the same, every item weighing the same."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from core.metrics import ratings
from core.metrics.bootstrap import Sums
from core.metrics.ratings import Agreement, Rated


def estimate(items: Sequence[Rated], seed: int = 0) -> Agreement:
    """The share in [0, 1]; undefined when no item has two labels."""
    found = ratings.counts(items)
    shares = agreeing(found.numbers)
    rows = np.column_stack([shares, np.ones(len(shares))])
    return ratings.agreement(items, rows, found, _mean, "raw agreement", seed)


def agreeing(numbers: NDArray[np.float64]) -> NDArray[np.float64]:
    """For each item (row of label counts, two labels or more) the share of its pairs that agree."""
    sizes = numbers.sum(axis=1)
    shares: NDArray[np.float64] = (numbers * (numbers - 1)).sum(axis=1) / (sizes * (sizes - 1))
    return shares


def _mean(sums: Sums) -> NDArray[np.float64]:
    return np.asarray(sums[..., 0] / sums[..., 1])
