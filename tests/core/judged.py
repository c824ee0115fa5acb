"""Judged claims made by hand, for tests of documents."""

from __future__ import annotations

from typing import Any

from core.models import Answer, ClaimRow, Evidence, JudgedClaim
from tests.core.rows import claim_row

TEXT = "The gate is open."


def judged(row: ClaimRow | None = None, **changes: Any) -> JudgedClaim:
    """A claim that stands in an answer with one piece of evidence, C1, with changes of the answer."""
    values: dict[str, Any] = {
        "request_id": "r1",
        "query": "Is the gate open?",
        "answer": f"{TEXT} [C1]",
        "evidence": (Evidence(id="C1", text=TEXT, title="Gate rules", uri="https://gate.example/rules"),),
    }
    return JudgedClaim(row=row or claim_row(), answer=Answer(**(values | changes)))
