"""The mean of scores: an error is no score of 0, it is left out and counted."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from core.metrics import Measure, bootstrap, measured
from core.metrics.bootstrap import Sums


class ScoreMean(Measure):
    """A mean in the unit of the scores; ``n`` counts what was scored."""

    errors: int
    """Items that ended in an error, whatever else they hold."""
    missing: int
    """Items with neither score nor error."""


def estimate(
    scores: Sequence[float | None],
    errors: Sequence[str | None],
    clusters: Sequence[str | None] | None = None,
    seed: int = 0,
) -> ScoreMean:
    """The mean with an interval over clusters; an item without cluster is its own.

    Raises:
        ValueError: The sequences differ in length, or a score is not a finite number.
    """
    names = clusters if clusters is not None else [None] * len(scores)
    rows = list(zip(scores, errors, names, strict=True))
    kept = [(score, name) for score, error, name in rows if score is not None and error is None]
    if not np.isfinite([score for score, _ in kept]).all():
        raise ValueError("a score is a finite number; say none where there is none")
    sums = bootstrap.by_cluster([(score, 1) for score, _ in kept], [name for _, name in kept])
    found = bootstrap.interval(sums, _mean, len(kept), [seed])
    failed = sum(error is not None for error in errors)
    return ScoreMean(**measured(found).model_dump(), errors=failed, missing=len(rows) - len(kept) - failed)


def _mean(sums: Sums) -> np.ndarray:
    return np.asarray(sums[..., 0] / sums[..., 1])
