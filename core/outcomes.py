"""How a question can end, as data: the status, what a caller may be told, and whether the query log gets a row.

The records enforce the table: an outcome that holds what its row forbids cannot be made.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from enum import StrEnum
from typing import Any

from pydantic import model_validator

from core.gate import Level
from core.models import Answer, ClaimRow, GeneratorName, Record
from core.spend import Call

ABSTENTION = "The sources at hand do not answer this question."
"""What is served when there is no claim to serve."""


class Ending(StrEnum):
    """The outcomes of a question."""

    ANSWERED = "answered"
    REPAIRED = "repaired"
    ABSTAINED_BY_MODEL = "abstained_by_model"
    ABSTAINED_NO_EVIDENCE = "abstained_no_evidence"
    DEGRADED_EXTRACTIVE = "degraded_extractive"
    BLOCKED = "blocked"
    INVALID_OUTPUT = "invalid_output"
    INTERRUPTED = "interrupted"
    PROVIDER_UNAVAILABLE = "provider_unavailable"
    RETRIEVAL_FAILED = "retrieval_failed"
    FORBIDDEN = "forbidden"


class Rule(Record):
    """What holds for one outcome."""

    statuses: tuple[int, ...]
    """The HTTP statuses it may have, the usual one first."""
    body: frozenset[str]
    """The fields of an ``Outcome`` that a caller may be told."""
    logged: bool
    """Whether the query log gets a row."""
    served: bool
    """Whether it is a served answer, for the cost of one."""
    words: str
    """What happened, for a person."""

    @property
    def status(self) -> int:
        """The usual status."""
        return self.statuses[0]


_ANSWER = frozenset({"outcome", "gate", "generator", "answer", "claims", "citations"})
_EXCERPTS = frozenset({"outcome", "gate", "excerpts"})
_REASON = frozenset({"reason"})


def _served(words: str) -> Rule:
    return Rule(statuses=(200,), body=_ANSWER, logged=True, served=True, words=words)


def _failed(words: str, *statuses: int, body: frozenset[str] = _REASON) -> Rule:
    return Rule(statuses=statuses, body=body, logged=False, served=False, words=words)


TABLE: Mapping[Ending, Rule] = {
    Ending.ANSWERED: _served("Answered: every claim passed the gate"),
    Ending.REPAIRED: _served("Answered after a repair: every claim that is left passed the gate"),
    Ending.ABSTAINED_BY_MODEL: _served("No answer: the generator found none in the sources"),
    Ending.ABSTAINED_NO_EVIDENCE: _served("No answer: nothing in the corpus is near enough to the question"),
    Ending.DEGRADED_EXTRACTIVE: Rule(
        statuses=(200,), body=_EXCERPTS, logged=True, served=False, words="No answer, but excerpts of the sources"
    ),
    Ending.BLOCKED: _failed("Not served: the gate stopped the answer", 422, body=_REASON | {"claim_index"}),
    Ending.INVALID_OUTPUT: _failed("Not served: the generator gave nothing that can be used", 502),
    Ending.INTERRUPTED: _failed("Not served: the generator stopped in the middle of its answer", 502),
    Ending.PROVIDER_UNAVAILABLE: _failed("Not asked: the generator cannot be reached or is too busy", 503, 504),
    Ending.RETRIEVAL_FAILED: _failed("Not asked: the corpus could not be searched", 500),
    Ending.FORBIDDEN: _failed("Not asked: this is not the question's user", 403),
}
"""DESIGN §8; a test holds it to the table there."""


class ServedClaim(Record):
    """One claim that passed the gate."""

    text: str
    citations: tuple[str, ...]
    """Labels of the footnotes, in the claim's order."""
    quote: str | None = None
    """Verbatim in what it cites."""


class Footnote(Record):
    """What a label means, from the registry of the request."""

    label: str
    doc_id: str | None
    chunk_id: str | None
    quote: str | None
    """A stretch of the passage, verbatim."""
    locator: str | None
    source_version: str | None


class Excerpt(Footnote):
    """A passage served as it stands, without an answer; ``quote`` is the excerpt."""


class Timings(Record):
    """Seconds since the question came."""

    first_event: float | None = None
    """Until the first status event was told."""
    first_content: float | None = None
    """Until the generator's first words came (they are held back until the gate has decided)."""
    validation: float = 0.0
    """Spent on checking, all rounds together."""
    total: float = 0.0


class Spent(Record):
    """What a question cost, all rounds together; nothing for a generator and a verifier that are free."""

    calls: int = 0
    input: int = 0
    output: int = 0
    cache_read: int = 0
    cache_write: int = 0
    cost: float | None = 0.0
    """US dollars; none when the cost of one of the calls is not known."""

    @classmethod
    def of(cls, calls: Sequence[Call]) -> Spent:
        """Sum calls; tokens that nobody counted are left out, and their cost is not known."""
        usages = [call.usage for call in calls if call.usage is not None]
        costs = [call.cost for call in calls]
        return cls(
            calls=len(calls),
            input=sum(usage.input for usage in usages),
            output=sum(usage.output for usage in usages),
            cache_read=sum(usage.cache_read for usage in usages),
            cache_write=sum(usage.cache_write_5m + usage.cache_write_1h for usage in usages),
            cost=None if None in costs else round(sum(cost for cost in costs if cost is not None), 9),
        )


class Outcome(Record):
    """How one question ended. Of an answer that is not served nothing is in here; reviewers find it by its draft id."""

    outcome: Ending
    status: int
    request_id: str
    gate: Level
    generator: GeneratorName = GeneratorName()
    """Who wrote it; ``extractive`` says that its claims are sentences of the sources, word for word."""
    reason: str | None = None
    """A fixed word; never a text of generator or provider."""
    claim_index: int | None = None
    answer: str | None = None
    claims: tuple[ServedClaim, ...] = ()
    citations: tuple[Footnote, ...] = ()
    excerpts: tuple[Excerpt, ...] = ()
    request: Answer | None = None
    """What was recorded, with its frozen registry; for the desk's own people, never for a caller."""
    rows: tuple[ClaimRow, ...] = ()
    """The claim table of what was recorded; for the desk's own people."""
    protocol: str | None = None
    """Under which it was judged."""
    registry_sha256: str | None = None
    attempts: int = 0
    """How often the generator was asked."""
    timings: Timings = Timings()
    spent: Spent = Spent()
    draft_id: str | None = None
    """Under which reviewers find what was not served, as long as it is kept."""
    notes: tuple[str, ...] = ()
    """For the desk's own people, in fixed words."""

    @model_validator(mode="after")
    def _holds_what_it_may(self) -> Outcome:
        rule = TABLE[self.outcome]
        if self.status not in rule.statuses:
            raise ValueError(f"{self.outcome} cannot have the status {self.status}")
        if not rule.logged and (self.request is not None or self.rows):
            raise ValueError(f"{self.outcome} must not hold the request that was not served")
        for name in _TELLING - rule.body:
            if getattr(self, name) not in (None, ()):
                raise ValueError(f"{self.outcome} must not hold {name}")
        return self

    @property
    def words(self) -> str:
        """What happened, for a person, without a final full stop."""
        words = TABLE[self.outcome].words
        where = "" if self.claim_index is None else f", claim {self.claim_index + 1}"
        return words if self.reason is None else f"{words} ({self.reason.replace('_', ' ')}{where})"

    def body(self) -> dict[str, Any]:
        """The JSON that a caller gets: the table's fields and nothing else, for a failure under ``detail``."""
        rule = TABLE[self.outcome]
        found = self.model_dump(mode="json", include=set(rule.body))
        return found if rule.logged else {"detail": found}


_TELLING = frozenset({"reason", "claim_index", "answer", "claims", "citations", "excerpts"})
