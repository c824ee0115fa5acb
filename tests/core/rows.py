"""Claim-table rows made by hand, for tests that need one."""

from __future__ import annotations

from typing import Any

from core.models import (
    Action,
    AnswerMatch,
    ClaimRow,
    Label,
    QuoteState,
    Resolve,
    SpanRow,
    Status,
    Structural,
)


def span_row(**changes: Any) -> SpanRow:
    """A span that the lexical verifier found supported, with changes."""
    values: dict[str, Any] = {
        "cite": "C1",
        "label": Label.SUPPORTED,
        "action": Action.KEEP,
        "scores": {"coverage": 0.5},
        "excerpt": "The gate is open.",
        "start": 0,
        "end": 17,
        "tokens_seen": 4,
        "tokens_total": 4,
        "status": Status.JUDGED,
        "reason": "",
    }
    return SpanRow(**(values | changes))


def claim_row(**changes: Any) -> ClaimRow:
    """A supported claim with one cited span, with changes."""
    values: dict[str, Any] = {
        "request_id": "r1",
        "claim_id": "c1",
        "claim": "The gate is open.",
        "start": 0,
        "end": 17,
        "fragments": ((0, 17),),
        "answer_match": AnswerMatch.EXACT,
        "material": True,
        "flags": (),
        "cites": ("C1",),
        "structural": Structural.OK,
        "resolve": Resolve.OK,
        "quote": QuoteState.NOT_GIVEN,
        "quotes": (),
        "semantic": "supported",
        "label": Label.SUPPORTED,
        "action": Action.KEEP,
        "location": "gate.txt:p1",
        "excerpt": "The gate is open.",
        "excerpt_start": 0,
        "excerpt_end": 17,
        "qualifiers": (),
        "spans": (span_row(),),
        "verifier": "lexical",
        "protocol": "lexical@1+00000000",
        "notes": (),
    }
    return ClaimRow(**(values | changes))
