"""Both errors of the gate against human labels: what it let pass and should not have, and what it stopped for nothing.

The unit is the answer. An answer is sound when people call every claim of it supported, or secondary, or, as the gate
does too, partial. One with a claim that nobody labelled is counted apart and in neither share. An answer of an imported
log is put before the gate as a generator would have given it: its claims with what they cite.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from core.gate import Level, decide
from core.metrics import Estimate
from core.metrics.wilson import interval
from core.models import CheckedAnswer, ClaimRow, GivenClaim, Label, Record
from core.store.records import JudgedAnswer

SOUND = frozenset({Label.SUPPORTED, Label.PARTIAL, Label.SECONDARY_ONLY})

LENGTHS: Sequence[tuple[str, int]] = (("1 claim", 1), ("2 to 3 claims", 3), ("4 to 6 claims", 6), ("7 and more", 10**9))
"""Answers by how many claims they have; each with the most."""


class Decided(Record):
    """One answer with what the gate and people say of it."""

    claims: int
    passed: bool
    sound: bool | None
    """None when a claim has no gold label."""


class GateErrors(Record):
    """Counts of some answers, with both shares."""

    length: str
    """Which answers."""
    answers: int
    unlabelled: int
    """Answers of which a claim has no gold label."""
    leaks: int
    """Unsound answers that passed."""
    false_blocks: int
    """Sound answers that were stopped."""
    leak_rate: Estimate
    """Leaks among unsound answers."""
    false_block_rate: Estimate
    """False blocks among sound answers."""


def decided(checked: CheckedAnswer, gold: Mapping[str, Label], level: Level) -> Decided:
    """What gate and people say of one answer.

    Args:
        checked: With its rows; an answer without a claim that counts says nothing of the gate's errors.
        gold: The label that people agree on, by claim id.
        level: Of the gate.
    """
    labels = [gold.get(row.claim_id) for row in checked.rows if _counts(row)]
    known = bool(labels) and None not in labels
    return Decided(
        claims=len(labels),
        passed=decide(_with_claims(checked), level) is None,
        sound=all(label in SOUND for label in labels) if known else None,
    )


def decided_of(judged: JudgedAnswer, gold: Mapping[str, Label], level: Level) -> Decided:
    """The same for an answer of a store; ``gold`` is by claim uid."""
    by_id = {row.claim_id: gold[uid] for uid, row in judged.rows if uid in gold}
    rows = tuple(row for _, row in judged.rows)
    return decided(CheckedAnswer(answer=judged.answer, claims=(), rows=rows, stages=()), by_id, level)


def measure(answers: Iterable[Decided]) -> list[GateErrors]:
    """Both errors over all answers, then by their length; lengths that none of them has are left out."""
    everything = [one for one in answers if one.claims]
    found = [_errors("all", everything)]
    least = 1
    for name, most in LENGTHS:
        group = [one for one in everything if least <= one.claims <= most]
        found += [_errors(name, group)] if group else []
        least = most + 1
    return found


def share_words(count: int, rate: Estimate) -> str:
    """A share of some answers with its interval, in words; never 0 where there was none to measure on."""
    if rate.estimate is None or rate.low is None or rate.high is None:
        return "none to measure on"
    return f"{rate.estimate:.1%} [{rate.low:.1%}, {rate.high:.1%}] ({count} of {rate.n})"


def _counts(row: ClaimRow) -> bool:
    return row.material or bool(row.cites)


def _with_claims(checked: CheckedAnswer) -> CheckedAnswer:
    """The answer with the claims that its prose was read as, where it gives none itself."""
    if checked.answer.claims is not None:
        return checked
    claims = tuple(
        GivenClaim(
            text=row.claim,
            citation_ids=row.cites,
            quotes=tuple(quote.text for quote in row.quotes),
            claim_id=row.claim_id,
        )
        for row in checked.rows
        if _counts(row)
    )
    return checked.model_copy(update={"answer": checked.answer.model_copy(update={"claims": claims})})


def _errors(length: str, answers: Sequence[Decided]) -> GateErrors:
    unsound = [one for one in answers if one.sound is False]
    sound = [one for one in answers if one.sound]
    leaks = sum(one.passed for one in unsound)
    blocks = sum(not one.passed for one in sound)
    return GateErrors(
        length=length,
        answers=len(answers),
        unlabelled=len(answers) - len(sound) - len(unsound),
        leaks=leaks,
        false_blocks=blocks,
        leak_rate=interval(leaks, len(unsound)),
        false_block_rate=interval(blocks, len(sound)),
    )
