"""False strip: of the pairs that people call supported, which share does the judge not call so?"""

from __future__ import annotations

from collections.abc import Iterable

from core.metrics import Bounded, clustered_share
from core.metrics.confusion import Outcome, is_supported


def estimate(outcomes: Iterable[Outcome]) -> Bounded:
    """The share in [0, 1] over the judged pairs; secondary_only counts as supported on both sides."""
    return clustered_share.estimate(
        [
            (None if one.said is None else not is_supported(one.said), one.cluster)
            for one in outcomes
            if is_supported(one.gold)
        ]
    )
