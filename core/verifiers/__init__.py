"""Verifiers, one per file: does the cited span entail the claim?

A member is a module with ``VERSION: int`` and ``build(settings) -> Verifier``; heavy imports belong inside ``build``.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol, runtime_checkable

from core.judge_time import JudgeTime
from core.models import Judgement, Pair
from core.protocol import VerifierProtocol
from core.spend import Call


class Verifier(Protocol):
    """Judges pairs; stateless, so that one pair's trouble never reaches another."""

    @property
    def protocol(self) -> VerifierProtocol:
        """What decides its labels, without the qualifiers (``core.semantic`` adds those)."""
        ...

    def judge(self, pairs: Sequence[Pair]) -> list[Judgement]:
        """Judge each pair on its own, in order: exactly one judgement a pair, none by absence."""
        ...


@runtime_checkable
class Paid(Protocol):
    """A verifier that pays for its calls, or what stands before one."""

    @property
    def answers_at_once(self) -> int | None:
        """How many answers' pairs should come together; none leaves it to the caller."""
        ...

    def spent(self) -> list[Call]:
        """The calls since this was asked last, failed ones too."""
        ...


@runtime_checkable
class Timed(Protocol):
    """A judge that counts how long it takes."""

    def took(self) -> list[JudgeTime]:
        """What it did since this was asked last."""
        ...


def took(judge: object) -> list[JudgeTime]:
    """How long a judge took since this was asked last; nothing when it does not count."""
    return judge.took() if isinstance(judge, Timed) else []


def spent(judge: object) -> list[Call]:
    """What a judge has paid for since this was asked last; nothing when it is free."""
    return judge.spent() if isinstance(judge, Paid) else []


def answers_at_once(judge: object) -> int | None:
    """How many answers' pairs a judge wants together; none when it does not mind."""
    return judge.answers_at_once if isinstance(judge, Paid) else None
