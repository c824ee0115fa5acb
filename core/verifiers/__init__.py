"""Verifiers, one per file: does the cited span entail the claim?

A member is a module with ``VERSION: int`` and ``build(settings) -> Verifier``; heavy imports belong inside ``build``.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from core.models import Judgement, Pair
from core.protocol import VerifierProtocol


class Verifier(Protocol):
    """Judges pairs; stateless, so that one pair's trouble never reaches another."""

    @property
    def protocol(self) -> VerifierProtocol:
        """What decides its labels, without the qualifiers (``core.semantic`` adds those)."""
        ...

    def judge(self, pairs: Sequence[Pair]) -> list[Judgement]:
        """Judge each pair on its own, in order: exactly one judgement a pair, none by absence."""
        ...
