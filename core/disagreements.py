"""The claims on which judge and people differ, the judge's surest mistakes first."""

from __future__ import annotations

from collections.abc import Sequence

from core.judged_gold import JudgedItem
from core.models import Label, Record
from core.people import Person
from core.store import Store


class Disagreement(Record):
    """One claim on which judge and people differ by the strict rule."""

    claim_uid: str
    request_id: str
    claim: str
    said: Label | None
    gold: str
    score: float | None
    kind: str
    """``false_pass`` or ``false_strip``."""
    wrongness: float
    """In [0, 1]: the score of a claim that passed, 1 − score of one that was stripped; 1 without a score."""


def listed(store: Store, items: Sequence[JudgedItem], reader: Person | None) -> tuple[tuple[Disagreement, ...], int]:
    """Those that a reader may see, worst first, and how many are concealed from them."""
    differ = [one for one in items if one.said_strict not in (None, one.gold_strict)]
    found = [_disagreement(one, one.gold_strict) for one in differ if one.gold_strict is not None]
    visible = {one.claim_uid for one in found}
    if reader is not None:
        visible = store.judged_gold.visible(reader, visible)
    shown = [one for one in found if one.claim_uid in visible]
    shown.sort(key=lambda one: (-one.wrongness, one.kind, one.claim_uid))
    return tuple(shown), len(found) - len(shown)


def _disagreement(item: JudgedItem, bad: bool) -> Disagreement:
    kind = "false_pass" if bad else "false_strip"
    wrongness = 1.0 if item.score is None else item.score if bad else 1 - item.score
    return Disagreement(
        claim_uid=item.claim_uid,
        request_id=item.request_id,
        claim=item.claim,
        said=item.said,
        gold=item.gold,
        score=item.score,
        kind=kind,
        wrongness=wrongness,
    )
