"""A judge that is asked once a question: each claim is told before it is judged, and nothing is judged twice."""

from __future__ import annotations

from collections.abc import Sequence

from core.means import OncePerQuestion
from core.models import Judgement, Label, Pair
from core.semantic import Judge
from tests.fakes.scripted import ScriptedVerifier

YES = "It is 3."
PAIRS = [Pair(claim=claim, evidence=text) for claim, text in (("a", YES), ("b", YES), ("a", "It is 9."))]


class Batched(Judge):
    """A judge that wants the pairs of many answers together, as one that is paid does."""

    @property
    def answers_at_once(self) -> int | None:
        """Many."""
        return 64


def asked(judge: Judge) -> tuple[list[list[Pair]], list[tuple[int, int]]]:
    """What a judge is given together and what is told, of the same pairs twice."""
    given: list[list[Pair]] = []
    told: list[tuple[int, int]] = []

    def passed(pairs: Sequence[Pair]) -> list[Judgement]:
        given.append(list(pairs))
        return judge.judge(pairs)

    once = OncePerQuestion(passed, judge, lambda claim, of: told.append((claim, of)))
    first = once.judge(PAIRS)
    assert first == once.judge(PAIRS) == judge.judge(PAIRS)
    return given, told


def test_each_claim_is_told_before_it_is_judged() -> None:
    """With its number, from 1, and of how many; what is known is neither judged nor told again."""
    given, told = asked(Judge(ScriptedVerifier({YES: Label.SUPPORTED}), []))

    assert told == [(1, 2), (2, 2)]
    assert given == [[PAIRS[0], PAIRS[2]], [PAIRS[1]]]


def test_a_judge_that_answers_many_at_once_is_asked_at_once() -> None:
    """One claim after another would make it slow, so nothing is told."""
    given, told = asked(Batched(ScriptedVerifier({YES: Label.SUPPORTED}), []))

    assert (given, told) == ([PAIRS], [])
