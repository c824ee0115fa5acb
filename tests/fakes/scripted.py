"""A verifier that says what a test tells it to, and remembers what it was asked."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from core.models import Judgement, Label, Pair, Status
from core.protocol import VerifierProtocol


class ScriptedVerifier:
    """Gives each evidence text the label it was scripted with.

    Args:
        labels: Evidence text → label; a text that is not in it is judged failed.
    """

    def __init__(self, labels: Mapping[str, Label]) -> None:
        """Remember the script."""
        self.labels = labels
        self.asked: list[Pair] = []

    @property
    def protocol(self) -> VerifierProtocol:
        """A protocol of its own name."""
        return VerifierProtocol(verifier="scripted", version=1, thresholds={}, windowing="whole")

    def judge(self, pairs: Sequence[Pair]) -> list[Judgement]:
        """Judge by the script."""
        self.asked.extend(pairs)
        return [self._one(pair) for pair in pairs]

    def _one(self, pair: Pair) -> Judgement:
        words = len(pair.evidence.split())
        if pair.evidence not in self.labels:
            return Judgement(status=Status.FAILED, tokens_seen=0, tokens_total=words, reason="not in the script")
        return Judgement(
            status=Status.JUDGED,
            label=self.labels[pair.evidence],
            scores={"script": 1.0},
            start=0,
            end=len(pair.evidence),
            tokens_seen=words,
            tokens_total=words,
            reason="so says the script",
        )
