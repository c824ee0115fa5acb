"""Precision: of the pairs that a judge calls not supported, which share do people call so too?"""

from __future__ import annotations

from collections.abc import Iterable

from core.metrics import Measure, clustered_share, measured
from core.metrics.confusion import Outcome, is_supported


def estimate(outcomes: Iterable[Outcome]) -> Measure:
    """The share in [0, 1] of the alarms that are right; secondary_only counts as supported on both sides."""
    alarms = [
        (not is_supported(one.gold), one.cluster)
        for one in outcomes
        if one.said is not None and not is_supported(one.said)
    ]
    return measured(clustered_share.interval(alarms))
