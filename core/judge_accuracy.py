"""How often a judge is right: binary figures by the strict rule, agreement with people, nine labels one by one."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from core.figures import Figure, figure
from core.judged_gold import Judged, JudgedItem
from core.metrics import (
    balanced_accuracy,
    cohen_kappa,
    false_pass,
    false_strip,
    gwet_ac1,
    label_scores,
    macro_f1,
    precision,
    raw_agreement,
    recall,
)
from core.metrics.confusion import UNJUDGED, Outcome, in_order
from core.metrics.label_scores import LabelScores
from core.metrics.ratings import Rated
from core.models import Record
from core.store.records import ClaimFilter

Place = tuple[str, str]
"""What people say of a claim, and what the judge says."""


class Cell(Record):
    """One cell of gold × judge."""

    gold: str
    said: str
    """``none`` where the judge did not conclude."""
    n: int
    wanted: ClaimFilter
    """Exactly its claims."""


class LabelFigures(Record):
    """Nine labels told apart."""

    cells: tuple[Cell, ...]
    scores: tuple[LabelScores, ...]
    macro_f1: Figure


def binary(outcomes: Sequence[Outcome], seed: int) -> Iterator[Figure]:
    """The figures in which supported claims stand against all others."""
    yield figure(
        "balanced_accuracy",
        "Balanced accuracy",
        balanced_accuracy.estimate(outcomes, seed),
        "Asked about as many good claims as bad ones, the judge is right on {range} of 100; guessing gives 50.",
    )
    yield figure(
        "precision",
        "Precision",
        precision.estimate(outcomes),
        "Of 100 claims that the judge calls unsupported, people call {range} so too.",
    )
    yield figure(
        "recall",
        "Recall",
        recall.estimate(outcomes),
        "Of 100 claims that people call unsupported, the judge finds {range}.",
    )
    yield figure(
        "false_pass",
        "False pass",
        false_pass.estimate(outcomes),
        "Of 100 claims that people call unsupported, the judge lets {range} pass.",
    )
    yield figure(
        "false_strip",
        "False strip",
        false_strip.estimate(outcomes),
        "Of 100 claims that people call supported, the judge rejects {range}.",
    )
    yield from agreement(outcomes, seed)


def agreement(outcomes: Sequence[Outcome], seed: int) -> Iterator[Figure]:
    """Judge and gold as two raters."""
    rated = [Rated((one.gold, one.said), one.cluster) for one in outcomes]
    golds = {str(at): one.gold for at, one in enumerate(outcomes)}
    saids = {str(at): one.said for at, one in enumerate(outcomes)}
    clusters = {str(at): one.cluster for at, one in enumerate(outcomes) if one.cluster is not None}
    yield figure(
        "raw_agreement",
        "Raw agreement",
        raw_agreement.estimate(rated, seed),
        "Judge and people say the same of {range} of 100 claims.",
    )
    yield figure(
        "kappa",
        "Cohen's κ",
        cohen_kappa.estimate(golds, saids, clusters, seed),
        "Beyond chance, judge and people agree by {value}: 0 is chance, 1 is always.",
    )
    yield figure(
        "ac1",
        "Gwet's AC1",
        gwet_ac1.estimate(rated, seed),
        "The same by a measure that does not suffer when nearly all claims are of one kind: {value}.",
    )


def sides(item: JudgedItem) -> Place | None:
    """Where a claim stands in the binary table."""
    one = item.outcome()
    return None if one is None else (one.gold, one.said or UNJUDGED)


def nine(item: JudgedItem) -> Place:
    """Where a claim stands in the table of nine labels."""
    return item.gold, str(item.said or UNJUDGED)


def cells(items: Sequence[JudgedItem], protocol: str, place: Callable[[JudgedItem], Place | None]) -> tuple[Cell, ...]:
    """The cells that hold something, in the order of the labels."""
    found: dict[Place, list[str]] = {}
    for one in items:
        if (at := place(one)) is not None:
            found.setdefault(at, []).append(one.claim_uid)
    golds, saids = in_order({gold for gold, _ in found}), in_order({said for _, said in found})
    return tuple(
        Cell(gold=gold, said=said, n=len(uids), wanted=ClaimFilter(protocol=protocol, claim_uids=tuple(uids)))
        for gold in golds
        for said in saids
        if (uids := found.get((gold, said)))
    )


def labels(found: Judged, protocol: str, seed: int) -> LabelFigures:
    """Each label on its own; of gold that tells all nine apart.

    Raises:
        ValueError: The gold is coarse.
    """
    outcomes = [Outcome(one.gold, one.said and str(one.said), one.request_uid) for one in found.items]
    return LabelFigures(
        cells=cells(found.items, protocol, nine),
        scores=tuple(label_scores.table(outcomes)),
        macro_f1=figure(
            "macro_f1",
            "Macro-F1",
            macro_f1.estimate(outcomes, seed),
            "Over all labels that people used, each weighing the same, the judge finds and names them by {value}; "
            "1 is perfect.",
        ),
    )
