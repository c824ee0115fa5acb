"""False pass: of the pairs that people call not supported, which share does the judge call supported?"""

from __future__ import annotations

from collections.abc import Iterable

from core.metrics import Bounded, clustered_share
from core.metrics.confusion import Outcome, is_supported


def estimate(outcomes: Iterable[Outcome]) -> Bounded:
    """The share in [0, 1] over the judged pairs; secondary_only counts as supported on both sides."""
    return clustered_share.estimate(
        [
            (None if one.said is None else is_supported(one.said), one.cluster)
            for one in outcomes
            if not is_supported(one.gold)
        ]
    )
