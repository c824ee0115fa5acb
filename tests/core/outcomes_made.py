"""Outcomes of each kind, made by hand."""

from __future__ import annotations

from core.gate import GateReason, Level
from core.outcomes import TABLE, Ending, Excerpt, Footnote, Outcome, ServedClaim

NOTE = Footnote(
    label="E1",
    doc_id="9f2c1a7b4e10",
    chunk_id="9f2c1a7b4e10:p1.0-27",
    quote="The gate opens at 7.",
    locator="gate.txt, paragraph 1",
    source_version="v1",
)
CLAIM = ServedClaim(text="The gate opens at 7.", citations=("E1",), quote="The gate opens at 7.")


def outcome(ending: Ending, status: int | None = None) -> Outcome:
    """One outcome of a kind, with all that it may hold."""
    rule = TABLE[ending]
    may: dict[str, object] = {
        "answer": "The gate opens at 7.[E1]",
        "claims": (CLAIM,) if not ending.startswith("abstained") else (),
        "citations": (NOTE,) if not ending.startswith("abstained") else (),
        "excerpts": (Excerpt(**NOTE.model_dump()),),
        "reason": GateReason.HALLUCINATED_CITATION if ending is Ending.BLOCKED else str(ending),
        "claim_index": 0,
    }
    held = {name: value for name, value in may.items() if name in rule.body}
    return Outcome.model_validate(
        {"outcome": ending, "status": status or rule.status, "request_id": "r1", "gate": Level.QUOTES, **held}
    )
