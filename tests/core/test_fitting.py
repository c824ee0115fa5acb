"""Fitting a threshold: by hand, every set weighing the same."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from core.errors import InputError
from core.fitting import fit
from core.gold_pairs import DataSet, Gold, GoldFile, GoldPair
from core.models import Judgement, Label, Pair, Status
from core.protocol import VerifierProtocol


class Scored:
    """Takes the score out of the evidence text; a text without one fails."""

    protocol = VerifierProtocol(verifier="scored", version=1, thresholds={}, windowing="none")

    def judge(self, pairs: Sequence[Pair]) -> list[Judgement]:
        """Judge by the number."""
        return [self._one(pair.evidence) for pair in pairs]

    def _one(self, text: str) -> Judgement:
        if not text:
            return Judgement(status=Status.FAILED, reason="no number")
        return Judgement(status=Status.JUDGED, label=Label.PARTIAL, scores={"nearness": float(text)})


def data(name: str, supported: Sequence[float | None], rest: Sequence[float | None]) -> DataSet:
    """A set with these scores on either side."""
    rows = [(score, "supported") for score in supported] + [(score, "not_supported") for score in rest]
    pairs = tuple(GoldPair(claim="A.", evidence="" if one is None else str(one), label=label) for one, label in rows)
    return DataSet(name=name, split="train", files=(), pairs=pairs, total=len(pairs))


def gold(*sets: DataSet) -> Gold:
    """Files that hold these sets."""
    return Gold(sets=sets, files=(GoldFile(name="a", sha256="cd" * 32, rows=1, set_aside={}),), bad_lines=())


def test_by_hand() -> None:
    """Everything from 0.31 to 0.6 tells the sides apart; the middle one is taken."""
    told: list[tuple[int, int]] = []
    found = fit(
        gold(data("a", [0.6, 0.7], [0.2, 0.3])), Scored(), "nearness", lambda done, total: told.append((done, total))
    )

    assert (found.threshold, found.mean_balanced_accuracy) == (0.46, 1.0)
    assert (found.sets, found.pairs, found.unscored) == (1, 4, 0)
    assert found.sha256 == ("cd" * 32,)
    assert told == [(4, 4)]


def test_every_set_weighs_the_same() -> None:
    """A hundred pairs that want 0.3 do not outvote two sets of two that want 0.8."""
    large = data("large", [0.4] * 50, [0.2] * 50)
    small = [data(name, [0.9], [0.7]) for name in ("a", "b")]

    found = fit(gold(large, *small), Scored(), "nearness", lambda done, total: None)

    assert 0.7 < found.threshold <= 0.9
    assert found.mean_balanced_accuracy == pytest.approx((0.5 + 1 + 1) / 3)


def test_what_has_no_score_or_one_side_is_left_out() -> None:
    """Counted, not guessed."""
    found = fit(
        gold(data("a", [0.9, None], [0.1]), data("b", [0.5], [None])), Scored(), "nearness", lambda done, total: None
    )

    assert (found.sets, found.pairs, found.unscored) == (1, 3, 2)


def test_a_score_that_there_is_not_cannot_be_fitted() -> None:
    """One sentence, with what to do."""
    with pytest.raises(InputError, match="name a score"):
        fit(gold(data("a", [0.9], [0.1])), Scored(), "warmth", lambda done, total: None)
