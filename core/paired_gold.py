"""Which of two judges people agree with more often, on claims with gold that both concluded on."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from core.gold_sets import gold_set
from core.metrics import mcnemar
from core.metrics.corrected_rate import FEWEST_LABELS
from core.metrics.paired_test import PairedTest
from core.metrics.unsupported_rate import Strictness
from core.models import Record
from core.store import Store

Golds = Mapping[str, tuple[bool | None, bool | None]]
"""By claim uid whether people make it unsupported, strict and lenient."""


class GoldTest(Record):
    """Which of two judges people agree with more often, on claims with gold that both concluded on."""

    n: int
    both_right: int
    first_only: int
    second_only: int
    neither: int
    test: PairedTest
    p_holm: float | None
    """Corrected for there being several pairs; none with one pair."""


def golds(store: Store, gold_id: str | None) -> Golds | None:
    """Per claim whether people make it unsupported, strict and lenient; none when no gold is asked for."""
    if gold_id is None:
        return None
    found = gold_set(store, gold_id).claims
    return {one.claim_uid: (one.unsupported_strict, one.unsupported_lenient) for one in found if not one.stale}


def measure(
    scores: Sequence[dict[str, float | None]],
    of: Golds,
    strictness: Strictness,
) -> GoldTest | None:
    """Test two judges by their scores (1: unsupported) by claim; none without a claim that both concluded on."""
    truth = {uid: said[strictness == "lenient"] for uid, said in of.items()}
    right = [
        (first == truth[uid], scores[1][uid] == truth[uid])
        for uid, first in scores[0].items()
        if truth.get(uid) is not None and first is not None and scores[1][uid] is not None
    ]
    if not right:
        return None
    return GoldTest(
        n=len(right),
        both_right=right.count((True, True)),
        first_only=right.count((True, False)),
        second_only=right.count((False, True)),
        neither=right.count((False, False)),
        test=mcnemar.test(right),
        p_holm=None,
    )


def why_not(of: Golds | None, gold: GoldTest | None) -> str:
    """Why there is no such test, in a sentence; empty where there is one."""
    if of is None:
        return "No gold set was chosen, so nobody can say which judge is right."
    return "" if gold else f"No labelled overlap; label {FEWEST_LABELS} to start."
