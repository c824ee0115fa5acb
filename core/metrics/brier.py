"""The Brier score: the mean squared distance between a judge's confidence and what turned out; 0 is best, 1 worst.

Source: G. W. Brier, Mon. Weather Rev. 78 (1950) 1–3, in its form for two outcomes.
"""

from __future__ import annotations

import numpy as np

from core.metrics import Measure, bootstrap, confidence, measured
from core.metrics.bootstrap import Sums
from core.metrics.confidence import Scored


def estimate(of: Scored, seed: int = 0) -> Measure:
    """The score in [0, 1] with an interval over clusters; undefined without items."""
    rows = np.column_stack([(of.confidence - of.correct) ** 2, np.ones(len(of.correct))])
    found = bootstrap.interval(bootstrap.by_cluster(rows, of.clusters), _mean, len(rows), [seed])
    said = (*found.warnings, *confidence.warnings(of))
    return measured(found.model_copy(update={"method": f"Brier score, {found.method}", "warnings": said}))


def _mean(sums: Sums) -> np.ndarray:
    return np.asarray(sums[..., 0] / sums[..., 1])
