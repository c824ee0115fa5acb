"""The row that an outcome leaves: of the query log with status 200, else of the questions without an answer."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from core.outcomes import TABLE, Outcome
from core.store.queries import FailedQuestion, QueryRow


def row_of(outcome: Outcome, principal: str, corpus: str) -> QueryRow:
    """Make the row; the request and its registry must be recorded.

    Raises:
        ValueError: The table of outcomes allows this one no row.
    """
    rule = TABLE[outcome.outcome]
    if not rule.logged or outcome.request is None or outcome.request.asked_at is None:
        raise ValueError(f"{outcome.outcome} has no row in the query log")
    return QueryRow(
        request_id=outcome.request_id,
        request_uid=outcome.request.uid,
        asked_at=outcome.request.asked_at,
        principal=principal,
        corpus=corpus,
        query=outcome.request.query or "",
        outcome=outcome.outcome,
        served=rule.served,
        gate=outcome.gate,
        generator=outcome.generator.name or "",
        model=outcome.generator.model,
        protocol=outcome.protocol or "",
        registry_sha256=outcome.registry_sha256 or "",
        claims=len(outcome.claims),
        attempts=outcome.attempts,
        **_figures(outcome),
    )


def failed_of(outcome: Outcome, asked_at: datetime) -> FailedQuestion:
    """What is kept of a question without an answer: no text of it, only how it ended, how long it took, what it cost.

    Raises:
        ValueError: The table of outcomes gives this one a row in the query log.
    """
    if TABLE[outcome.outcome].logged:
        raise ValueError(f"{outcome.outcome} has a row in the query log")
    return FailedQuestion(
        request_id=outcome.request_id,
        asked_at=asked_at,
        outcome=outcome.outcome,
        status=outcome.status,
        generator=outcome.generator.name or "",
        model=outcome.generator.model,
        attempts=outcome.attempts,
        **_figures(outcome),
    )


def _figures(outcome: Outcome) -> dict[str, Any]:
    spent, timings = outcome.spent, outcome.timings
    return {
        "first_event_s": timings.first_event,
        "first_content_s": timings.first_content,
        "validation_s": timings.validation,
        "total_s": timings.total,
        "calls": spent.calls,
        "input_tokens": spent.input,
        "output_tokens": spent.output,
        "cache_read_tokens": spent.cache_read,
        "cache_write_tokens": spent.cache_write,
        "cost": spent.cost,
    }
