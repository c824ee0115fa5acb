"""Each label on its own: how often a judge is right when it says the label, and how much of it the judge finds.

Coarse gold has no labels to take apart, so outcomes whose gold is ``not_supported`` are refused here.
"""

from __future__ import annotations

from collections.abc import Sequence

from core.metrics import Bounded, Measure, clustered_share, macro_f1, measured
from core.metrics.confusion import NOT_SUPPORTED, Outcome, in_order
from core.models import Record


class LabelScores(Record):
    """One label; shares in [0, 1]."""

    label: str
    gold: int
    """Pairs that people gave the label, judged or not."""
    said: int
    """Pairs that the judge gave it."""
    precision: Measure
    """Of those that the judge gave it, the share that people did."""
    recall: Bounded
    """Of those that people gave it and that were judged, the share that the judge did."""
    f1: float | None
    """Their harmonic mean; none where neither gave it."""


def table(outcomes: Sequence[Outcome]) -> list[LabelScores]:
    """The labels that people or judge used, in the order of the labels.

    Raises:
        ValueError: The gold is coarse.
    """
    if any(one.gold == NOT_SUPPORTED for one in outcomes):
        raise ValueError("coarse gold (not_supported) has no labels to score one by one")
    names = in_order({one.gold for one in outcomes} | {one.said for one in outcomes if one.said is not None})
    f1 = macro_f1.by_label(outcomes)
    return [_scores(name, outcomes, f1.get(name, 0.0)) for name in names]


def _scores(name: str, outcomes: Sequence[Outcome], f1: float | None) -> LabelScores:
    said = [one for one in outcomes if one.said == name]
    gold = [one for one in outcomes if one.gold == name]
    found = clustered_share.estimate([(None if one.said is None else one.said == name, one.cluster) for one in gold])
    return LabelScores(
        label=name,
        gold=len(gold),
        said=len(said),
        precision=measured(clustered_share.interval([(one.gold == name, one.cluster) for one in said])),
        recall=found.model_copy(update={"worst": found.best, "best": found.worst}),  # here to count is good
        f1=f1,
    )
