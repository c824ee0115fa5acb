"""The unsupported rate as people would see it, from a labelled sample and a judge: the rule that chooses the method.

With fewer than 60 labels or fewer than 5 of them unsupported, the labels alone; else labels within the judge's
verdicts (stratified Beta). Not PPI++: for a binary verdict the two use the same information, and in simulation
(``make coverage-sim``) the Beta interval covered at least 93 per cent in every cell, while the normal interval of PPI++
fell short with few labels or rare failures. Rogan–Gladen is never chosen: it needs no labels of the window, and is
offered apart as "borrowed calibration".
"""

from __future__ import annotations

from typing import Literal

from core.metrics import Measure, Undefined, human_only, stratified_beta, undefined
from core.metrics.labelled import Labelled, Population

FEWEST_LABELS, FEWEST_UNSUPPORTED = 60, 5
"""Below either, only the labels are used."""


class CorrectedRate(Measure):
    """A rate that speaks of what people call unsupported, with how it was found."""

    chosen: Literal["human_only", "stratified_beta"] | None
    """The method by its file; none without a rate."""
    because: str
    """Why this method, in one sentence."""
    unsupported: int
    """Labels that people call unsupported."""
    left_out: int
    """Labels without an inclusion probability: nobody can say which claims they stand for."""


def estimate(labels: Labelled, population: Population, seed: int = 0) -> CorrectedRate:
    """The rate in [0, 1] with its 95 % interval, by the method that the rule chooses.

    Args:
        labels: The labelled sample of the window; those without an inclusion probability are refused and counted.
        population: What the judge said of every claim of the window.
        seed: Of the draws that the stratified interval is read from.
    """
    n, unsupported = len(labels.human), int(labels.human.sum())
    if not n:
        reason = Undefined.NO_PROBABILITY if labels.left_out else Undefined.NO_DATA
        return _made(undefined(reason, 0, "corrected rate"), None, reason.sentence, labels)
    if n < FEWEST_LABELS or unsupported < FEWEST_UNSUPPORTED:
        few = f"{n} labels" if n < FEWEST_LABELS else f"{unsupported} labels that say unsupported"
        least = FEWEST_LABELS if n < FEWEST_LABELS else FEWEST_UNSUPPORTED
        because = f"{few} are too few to correct a judge with (at least {least}), so only the labels are used"
        return _made(human_only.estimate(labels), "human_only", because, labels)
    if not population.unsupported + population.supported:
        because = "the judge concluded on no claim, so only the labels are used"
        return _made(human_only.estimate(labels), "human_only", because, labels)
    because = f"{n} labels, {unsupported} of them unsupported, are enough to correct the judge by what it said"
    return _made(stratified_beta.estimate(labels, population, seed), "stratified_beta", because, labels)


def _made(
    found: Measure, chosen: Literal["human_only", "stratified_beta"] | None, because: str, labels: Labelled
) -> CorrectedRate:
    return CorrectedRate(
        **found.model_dump(),
        chosen=chosen,
        because=because,
        unsupported=int(labels.human.sum()),
        left_out=labels.left_out,
    )
