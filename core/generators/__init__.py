"""Generators, one per file: who writes an answer from the passages of a registry.

A member is a module with ``VERSION: int`` and ``build(settings) -> Generator``; heavy imports belong inside ``build``.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Protocol

from pydantic import Field

from core.asking import Trouble
from core.models import Evidence, GeneratorName, GivenClaim, Record
from core.spend import Call


class Event(Record):
    """Something that happened on the way to an answer; it has no place for words of one."""

    stage: str
    """One of a closed list of words, see ``core.answering.STAGES``."""
    counts: dict[str, int] = Field(default_factory=dict)
    """How many of what."""


Tell = Callable[[Event], None]

FIRST_WORDS = Event(stage="first_words")
"""Told by a generator when its first words came, each time it is asked; the words are held back."""


class Generation(Record):
    """What a generator wrote, whole; nothing in it has been checked."""

    answer: str = ""
    claims: tuple[GivenClaim, ...] = ()
    problems: tuple[str, ...] = ()
    """What is wrong with its shape, in fixed words that may be told to the generator; then there are no claims."""
    notes: tuple[str, ...] = ()
    """What was mended while reading it, in fixed words."""


class Generator(Protocol):
    """Writes answers; stateless but for what it has paid."""

    @property
    def name(self) -> GeneratorName:
        """Its name and number, and its model."""
        ...

    @property
    def shared(self) -> bool:
        """Whether one of it may answer several questions at once; one that pays may not."""
        ...

    @property
    def repairs(self) -> bool:
        """Whether it may give something better when it is told what was wrong."""
        ...

    def generate(
        self,
        query: str,
        evidence: Sequence[Evidence],
        tell: Tell,
        repair: Sequence[str] = (),
        previous: Sequence[GivenClaim] = (),
    ) -> Generation | Trouble:
        """Answer a question from some passages.

        Args:
            query: The question.
            evidence: What it may use and cite, by its ids; never empty.
            tell: Gets ``FIRST_WORDS``.
            repair: What was wrong with its last answer, in fixed words.
            previous: The claims of its last answer, where it had any.
        """
        ...

    def spent(self) -> list[Call]:
        """The paid calls since this was asked last, failed ones too."""
        ...
