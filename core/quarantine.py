"""What reviewers are left of an answer that was not served."""

from __future__ import annotations

from datetime import timedelta
from uuid import uuid4

from core.gate import Level
from core.models import utc_now
from core.outcomes import Ending
from core.rounds import Rounds
from core.store.queries import BlockedDraft


def draft_of(done: Rounds, ending: Ending, principal: str, corpus: str, level: Level, days: int) -> BlockedDraft:
    """Make the draft of rounds that ended without a passing answer; there must be one that was checked.

    Args:
        done: The rounds.
        ending: What the caller was told.
        principal: Who asked.
        corpus: Of what.
        level: What was to hold.
        days: For how long it is kept.
    """
    assert done.checked is not None  # the caller asks only then
    answer = done.checked.answer
    now = utc_now()
    return BlockedDraft(
        draft_id=uuid4().hex,
        request_id=answer.request_id,
        asked_at=answer.asked_at or now,
        keep_until=now + timedelta(days=days),
        principal=principal,
        corpus=corpus,
        query=answer.query or "",
        outcome=ending,
        reason=done.reason or ending,
        claim_index=done.refusal.claim_index if done.refusal else None,
        gate=level,
        protocol=done.checked.rows[0].protocol if done.checked.rows else "",
        groups=tuple(sorted({group for entry in answer.evidence for group in entry.groups})),
        attempts=done.attempts,
        answer=answer,
        rows=done.checked.rows,
    )
