"""Calibration: how far one judge can be trusted, measured against what people decided on the same claims.

Figures are of the labelled claims, each counting once; only the corrected rate weighs them by how they were drawn.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from pydantic import Field

from core import (
    disagreements,
    human_agreement,
    judge_accuracy,
    rates_corrected,
    score_figures,
    support_scores,
    thresholds,
)
from core.disagreements import Disagreement
from core.errors import InputError
from core.figures import Figure
from core.gold_sets import GoldSet, GoldSetInfo, made
from core.human_agreement import HumanAgreement
from core.judge_accuracy import Cell, LabelFigures
from core.judged_gold import Judged, JudgedItem, Silence, join
from core.metrics import Estimate, labels_needed
from core.metrics.labels_needed import LabelsNeeded
from core.models import Record
from core.people import Person
from core.protocol import ClaimProtocol
from core.rates_corrected import CorrectedRate
from core.score_figures import Scores
from core.store import Store
from core.store.gold_records import GoldFacts
from core.thresholds import ThresholdChoice, ThresholdPoint

MARGINS = (0.01, 0.02, 0.03, 0.05)
"""Half-widths for which labels are planned."""


class GuidelineAgreement(Record):
    """Judge and people under one version of the guideline."""

    guideline: str
    gold_id: str
    n: int
    figures: tuple[Figure, ...]
    """Raw agreement and κ of judge and gold."""
    people: HumanAgreement | None


class Calibration(Record):
    """Everything that is known of one judge against one gold set."""

    protocol: str
    """As printed; whoever shows a figure names it."""
    configuration: ClaimProtocol
    gold: GoldSetInfo
    gold_sha256: str
    seed: int
    n: int
    """Claims with gold that count, those that the judge never saw included."""
    judged: int
    """Of these, on how many it concluded."""
    stale: int
    not_counted: int
    silence: Silence
    figures: tuple[Figure, ...]
    """Binary, by the strict rule; undefined ones say why."""
    cells: tuple[Cell, ...]
    """Binary: ``supported`` and ``not_supported``."""
    labels: LabelFigures | None
    labels_why_not: str
    scores: Scores | None
    scores_why_not: str
    people: HumanAgreement | None
    """The ceiling: people among themselves on the same claims."""
    people_why_not: str
    guidelines: tuple[GuidelineAgreement, ...]
    disagreements: tuple[Disagreement, ...]
    """Worst first."""
    concealed: int
    """Disagreements that the reader may not see yet."""
    rate: CorrectedRate
    lenient: CorrectedRate
    needed: tuple[LabelsNeeded, ...]
    """One for each of ``MARGINS``, for the strict rate."""
    plan: tuple[str, ...]
    """The same in sentences; margins that take the same are named in one."""
    thresholds: tuple[ThresholdPoint, ...]
    best: ThresholdChoice | None
    thresholds_why_not: str
    notes: tuple[str, ...]
    items: tuple[JudgedItem, ...] = Field(default=(), exclude=True, repr=False)
    """What the figures are made of; not printed."""

    def figure(self, key: str) -> Figure:
        """One of the binary figures."""
        return next(one for one in self.figures if one.key == key)


def calibrate(
    store: Store, protocol: str, gold_id: str, seed: int = 0, reader: Person | None = None, weight: float = 1.0
) -> Calibration:
    """Measure a judge against a gold set.

    Args:
        store: Where both are.
        protocol: The judge, as printed.
        gold_id: See ``core.gold_sets``.
        seed: Of all draws.
        reader: Disagreements that are concealed from them are counted, not listed; no figure depends on it.
        weight: How many false strips one false pass is worth, for the cheapest threshold.

    Raises:
        InputError: There is no such protocol or gold set.
    """
    full = rates_corrected.protocol_of(store, protocol)
    sets = list(made(facts := store.gold.facts()))
    gold = _chosen(sets, gold_id)
    found = join(store, full, gold)
    rate, lenient = _rates(store, protocol, sets, gold_id, seed)
    needed = _needed(rate)
    own = support_scores.own_threshold(full)
    scores, scores_why_not = score_figures.measure(found, full, seed)
    people = human_agreement.of(facts, gold, seed)
    shown, concealed = disagreements.listed(store, found.items, reader)
    labels = judge_accuracy.labels(found, protocol, seed) if gold.nine_labels and found.items else None
    best = thresholds.best(found.items, own, weight, seed)
    return Calibration(
        protocol=protocol,
        configuration=full,
        gold=GoldSetInfo.model_validate(gold.model_dump(include=set(GoldSetInfo.model_fields))),
        gold_sha256=gold.sha256,
        seed=seed,
        n=len(found.items) + found.silence.never_seen,
        judged=len(found.items) + found.silence.never_seen - found.silence.total,
        stale=found.stale,
        not_counted=found.not_counted,
        silence=found.silence,
        figures=tuple(judge_accuracy.binary(found.outcomes(), seed)),
        cells=judge_accuracy.cells(found.items, protocol, judge_accuracy.sides),
        labels=labels,
        labels_why_not="" if labels else _no_labels(gold),
        scores=scores,
        scores_why_not=scores_why_not,
        people=people,
        people_why_not="" if people else _NOBODY_TWICE,
        guidelines=tuple(_by_guideline(store, full, facts, sets, gold, seed)),
        disagreements=shown,
        concealed=concealed,
        rate=rate,
        lenient=lenient,
        needed=needed,
        plan=tuple(labels_needed.sentences(needed, rate.corrected, rate.covered or rate.raw.attempted)),
        thresholds=tuple(thresholds.points(found.items, own)),
        best=best,
        thresholds_why_not="" if best else _no_threshold(own, scores),
        notes=tuple(_notes(gold, found)),
        items=found.items,
    )


_NOBODY_TWICE = (
    "Nobody labelled a claim that somebody else labelled too, so how far people agree is not known; give some claims "
    "to two people."
)


def _chosen(sets: Sequence[GoldSet], gold_id: str) -> GoldSet:
    for one in sets:
        if one.gold_id == gold_id:
            return one
    known = ", ".join(one.gold_id for one in sets) or "none yet: label some claims first"
    raise InputError(f"There is no gold set {gold_id!r} in this store", f"choose one of: {known}")


def _rates(
    store: Store, protocol: str, sets: Sequence[GoldSet], gold_id: str, seed: int
) -> tuple[CorrectedRate, CorrectedRate]:
    """The corrected rate by the strict and by the lenient rule."""
    strict = rates_corrected.corrected(store, protocol, None, "strict", [gold_id], seed, sets)
    return strict, rates_corrected.corrected(store, protocol, None, "lenient", [gold_id], seed, sets)


def _by_guideline(
    store: Store, protocol: ClaimProtocol, facts: GoldFacts, sets: Sequence[GoldSet], gold: GoldSet, seed: int
) -> Iterable[GuidelineAgreement]:
    """The sets of the same source, one a guideline."""
    source = gold.gold_id.removesuffix(gold.guideline)
    for one in sets:
        if one.gold_id == source + one.guideline and one.n:
            outcomes = join(store, protocol, one).outcomes()
            figures = [each for each in judge_accuracy.agreement(outcomes, seed) if each.key != "ac1"]
            yield GuidelineAgreement(
                guideline=one.guideline,
                gold_id=one.gold_id,
                n=sum(each.said is not None for each in outcomes),
                figures=tuple(figures),
                people=human_agreement.of(facts, one, seed),
            )


def _needed(rate: CorrectedRate) -> tuple[LabelsNeeded, ...]:
    found: Estimate = rate.corrected or Estimate(estimate=None, low=None, high=None, n=0, method="no labels yet")
    population = rate.covered or rate.raw.attempted
    return tuple(labels_needed.estimate(found, within, population) for within in MARGINS)


def _no_labels(gold: GoldSet) -> str:
    if gold.nine_labels:
        return "No claim of this gold set was judged under this protocol."
    return (
        "This gold tells only supported from not supported, so it fills no table of nine labels; the binary figures "
        "use all of it."
    )


def _no_threshold(own: float | None, scores: Scores | None) -> str:
    if own is None:
        return "This judge has no threshold to set."
    if scores is None:
        return "Without scores there is no threshold to choose."
    return "A threshold needs supported and unsupported claims of several requests to be chosen on."


def _notes(gold: GoldSet, found: Judged) -> Iterable[str]:
    if found.stale:
        yield f"{found.stale:,} labels about texts that have changed since are left out."
    if found.not_counted:
        yield (
            f"{found.not_counted:,} claims that no rate counts, for they state nothing checkable and cite nothing, are "
            "left out."
        )
    if unread := sum(one.gold_strict is None for one in found.items):
        verb = "claim that people could not read counts" if unread == 1 else "claims that people could not read count"
        yield f"{unread:,} {verb} neither as right nor as wrong."
    if len({one.probability for one in found.items}) > 1:
        yield (
            "The claims were not drawn with equal chances: accuracy is of these claims, not of all; the corrected rate "
            "weighs them."
        )
    if not gold.feeds_rates:
        yield "This gold set feeds no rate: nobody can say which claims it stands for. It measures the judge only."
