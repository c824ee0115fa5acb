"""Recall: of the pairs that people call not supported, which share does a judge call so too? 1 − false pass."""

from __future__ import annotations

from collections.abc import Iterable

from core.metrics import Bounded, clustered_share
from core.metrics.confusion import Outcome, is_supported


def estimate(outcomes: Iterable[Outcome]) -> Bounded:
    """The share in [0, 1] over the judged pairs; ``worst`` if no unjudged pair had been caught, ``best`` if all."""
    hits = [
        (None if one.said is None else not is_supported(one.said), one.cluster)
        for one in outcomes
        if not is_supported(one.gold)
    ]
    found = clustered_share.estimate(hits)
    return found.model_copy(update={"worst": found.best, "best": found.worst})  # here to count is good
