"""Everything about one claim under one protocol."""

from __future__ import annotations

from core.models import StageVerdict
from core.store import answers, label_log
from core.store.connection import Session
from core.store.records import ClaimDetail
from core.store.review import read_row


def claim(session: Session, claim_uid: str, protocol: str | None) -> ClaimDetail | None:
    """Give a claim's details; none when there is no such claim or the protocol never judged it.

    Args:
        session: A read.
        claim_uid: The claim.
        protocol: As printed; none means the one that judged the claim last.
    """
    found = session.all(
        "select p.name, p.protocol_no, v.verdict_no, c.claim_id, c.request_no from claims c "
        "join current_verdicts v using (claim_no) join protocols p using (protocol_no) "
        "where c.claim_uid = ? order by v.verdict_no desc",
        [claim_uid],
    )
    chosen = next((row for row in found if protocol in (None, row[0])), None)
    if chosen is None:
        return None
    name, protocol_no, verdict_no, claim_id, request_no = chosen
    rows = session.all(
        "select c.claim_uid, v.row_json from claims c join current_verdicts v using (claim_no) "
        "where c.request_no = ? and v.protocol_no = ? order by c.position, c.claim_no",
        [request_no, protocol_no],
    )
    of_answer = tuple((uid, read_row(row_json)) for uid, row_json in rows)
    return ClaimDetail(
        claim_uid=claim_uid,
        row=dict(of_answer)[claim_uid],
        answer=answers.get(session, [request_no])[request_no],
        stages=_stages(session, verdict_no, claim_id),
        rows=of_answer,
        protocols=tuple(row[0] for row in found if row[0] != name),
        labels=tuple(label_log.current(session, claim_uid)),
    )


def _stages(session: Session, verdict_no: int, claim_id: str) -> tuple[StageVerdict, ...]:
    found = session.all(
        "select cite, stage, status, outcome, reason from stage_verdicts where verdict_no = ? order by position",
        [verdict_no],
    )
    return tuple(
        StageVerdict(claim_id=claim_id, cite=cite, stage=stage, status=status, outcome=outcome, reason=reason)
        for cite, stage, status, outcome, reason in found
    )
