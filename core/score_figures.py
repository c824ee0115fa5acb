"""Does a judge's support score mean what it says? Reliability, errors of the score, and how it is spread."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from core.figures import Figure, figure
from core.judged_gold import Judged, JudgedItem
from core.metrics import Estimate, auroc, brier, ece
from core.metrics.confidence import Scored, scored
from core.metrics.ece import Bin
from core.models import MergePolicy, Record
from core.protocol import ClaimProtocol
from core.support_scores import own_threshold

_HISTOGRAM = 20
"""Bins."""


class ScoreBin(Record):
    """How many claims have a support score in [low, high); the last bin holds 1, too."""

    low: float
    high: float
    supported: int
    """By people."""
    unsupported: int


class Scores(Record):
    """Whether the judge's support score means what it says."""

    own_threshold: float | None
    merged: str
    """How the score of a claim is made of those of its spans, in a sentence."""
    figures: tuple[Figure, ...]
    """ECE, Brier score, AUROC."""
    bins: tuple[Bin, ...]
    """Of the reliability diagram: confidence against the share that people call supported."""
    histogram: tuple[ScoreBin, ...]
    unscored: int
    """Claims with gold that were decided without a score."""


def measure(found: Judged, protocol: ClaimProtocol, seed: int) -> tuple[Scores | None, str]:
    """The scores against what people say, or why there is nothing to measure, in a sentence."""
    items = [one for one in found.items if one.gold_strict is not None]
    if all(one.score is None for one in items):
        why = (
            "Spans judged as one text leave no score of their own."
            if protocol.merge is MergePolicy.JOINT
            else "This judge gives no support score, so there is nothing to calibrate but its labels."
        )
        return None, why
    of = scored(
        [one.score for one in items], [not one.gold_strict for one in items], [one.request_uid for one in items]
    )
    error = ece.estimate(of, seed=seed)
    made = Scores(
        own_threshold=own_threshold(protocol),
        merged=_MERGED[protocol.merge],
        figures=tuple(_of_scores(of, error, seed)),
        bins=error.bins,
        histogram=_histogram(items),
        unscored=of.left_out,
    )
    return made, ""


_MERGED = {
    MergePolicy.ALL: "The score of a claim is the lowest of its citations: all of them must carry it.",
    MergePolicy.ANY: "The score of a claim is the highest of its citations: one of them must carry it.",
}


def _of_scores(of: Scored, error: Estimate, seed: int) -> Iterator[Figure]:
    yield figure(
        "ece",
        "Calibration error (ECE)",
        error,
        "On average the score is {range} points of 100 away from the share that people call supported.",
    )
    yield figure(
        "brier",
        "Brier score",
        brier.estimate(of, seed),
        "Taken as a probability, the score is wrong by {value} (squared): 0 is perfect, 0.25 says nothing.",
    )
    yield figure(
        "auroc",
        "AUROC",
        auroc.estimate(of),
        "Of 100 pairs of a supported and an unsupported claim, the supported one has the higher score in {range}.",
    )


def _histogram(items: Sequence[JudgedItem]) -> tuple[ScoreBin, ...]:
    counts = [[0, 0] for _ in range(_HISTOGRAM)]
    for one in items:
        if one.score is not None:
            counts[min(int(one.score * _HISTOGRAM), _HISTOGRAM - 1)][bool(one.gold_strict)] += 1
    return tuple(
        ScoreBin(low=at / _HISTOGRAM, high=(at + 1) / _HISTOGRAM, supported=good, unsupported=bad)
        for at, (good, bad) in enumerate(counts)
    )
