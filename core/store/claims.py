"""Claims and their cited spans: named once, whoever judges them afterwards."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from typing import Any

from core.models import CheckedAnswer, Claim
from core.store.connection import Session
from core.store.encoding import dump_json
from core.store.records import claim_uid


def add(
    session: Session, answers: Mapping[str, CheckedAnswer], requests: Mapping[str, int], splitter: str
) -> tuple[dict[str, list[int]], int]:
    """Store the claims that are not known yet, with one span per citation.

    Args:
        session: A write.
        answers: By request uid.
        requests: The request number of every uid.
        splitter: How the claims were found.

    Returns:
        The claim numbers of every request uid, in claim order, and how many claims are new.
    """
    uids = {uid: [claim_uid(uid, splitter, claim) for claim in one.claims] for uid, one in answers.items()}
    numbers: dict[str, int] = session.pairs(
        "select claim_uid, claim_no from claims where claim_uid in (select unnest(?::varchar[]))",
        [[name for names in uids.values() for name in names]],
    )
    next_claim, next_span = session.next_number("claims", "claim_no"), session.next_number("spans", "span_no")
    rows: list[dict[str, Any]] = []
    spans: list[dict[str, Any]] = []
    for uid, checked in answers.items():
        for position, (name, claim) in enumerate(zip(uids[uid], checked.claims, strict=True), start=1):
            if name in numbers:
                continue
            numbers[name] = next_claim + len(rows)
            rows.append(_claim_row(numbers[name], name, requests[uid], position, splitter, claim))
            spans += [
                {"span_no": next_span + len(spans) + index, "claim_no": numbers[name], "position": index, "cite": cite}
                for index, cite in enumerate(claim.cites or (None,))
            ]
    session.append("claims", rows)
    session.append("spans", spans)
    return {uid: [numbers[name] for name in names] for uid, names in uids.items()}, len(rows)


def _claim_row(number: int, name: str, request_no: int, position: int, splitter: str, claim: Claim) -> dict[str, Any]:
    return {
        "claim_no": number,
        "claim_uid": name,
        "request_no": request_no,
        "position": position,
        "splitter": splitter,
        "claim_id": claim.claim_id,
        "text": claim.text,
        "first_char": claim.start,
        "end_char": claim.end,
        "fragments": dump_json(claim.fragments),
        "answer_match": str(claim.answer_match),
        "material": claim.material,
        "flags": list(claim.flags),
        "leaked": dump_json(claim.leaked),
        "quotes": dump_json(claim.quotes),
        "notes": dump_json(claim.notes),
        "queue_order": int(hashlib.md5(name.encode(), usedforsecurity=False).hexdigest()[:16], 16),
    }
