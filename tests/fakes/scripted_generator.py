"""A generator that says what a test tells it to, and remembers what it was told."""

from __future__ import annotations

from collections.abc import Sequence

from core.asking import Trouble
from core.generators import FIRST_WORDS, Generation, Tell
from core.models import Evidence, GeneratorName, GivenClaim
from core.spend import Call


class ScriptedGenerator:
    """Gives one reply a call, the last one again and again.

    Args:
        replies: In order.
        repairs: Whether it is asked again when a reply cannot be served.
    """

    shared = True

    def __init__(self, *replies: Generation | Trouble, repairs: bool = True) -> None:
        """Remember the script."""
        self.replies, self.repairs = list(replies), repairs
        self.evidence: list[tuple[Evidence, ...]] = []
        self.told: list[tuple[str, ...]] = []
        self.previous: list[tuple[GivenClaim, ...]] = []
        self.paid: list[Call] = []

    @property
    def name(self) -> GeneratorName:
        """A name of its own."""
        return GeneratorName(name="scripted@1")

    def spent(self) -> list[Call]:
        """What a test put there."""
        paid, self.paid = self.paid, []
        return paid

    def generate(
        self,
        query: str,
        evidence: Sequence[Evidence],
        tell: Tell,
        repair: Sequence[str] = (),
        previous: Sequence[GivenClaim] = (),
    ) -> Generation | Trouble:
        """The next reply."""
        self.evidence.append(tuple(evidence))
        self.told.append(tuple(repair))
        self.previous.append(tuple(previous))
        tell(FIRST_WORDS)
        return self.replies[min(len(self.told), len(self.replies)) - 1]
