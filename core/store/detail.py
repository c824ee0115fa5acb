"""Everything about one claim under one protocol."""

from __future__ import annotations

import json

from core.models import StageVerdict
from core.people import Person
from core.store import answers, label_log, references, reveals
from core.store.connection import Session
from core.store.encoding import in_utc
from core.store.records import ClaimDetail, ConcealedClaim
from core.store.review import read_row


def claim(session: Session, claim_uid: str, protocol: str | None, reader: Person | None) -> ClaimDetail | None:
    """Give a claim's details; none when there is no such claim, the protocol never judged it, or it is concealed.

    Args:
        session: A read.
        claim_uid: The claim.
        protocol: As printed; none means the one that judged the claim last.
        reader: For whose eyes; none for whoever keeps the desk.
    """
    claim_no = session.value("select claim_no from claims where claim_uid = ?", [claim_uid])
    found = session.all(  # by number: then only the row groups that hold it are read
        "select p.name, p.protocol_no, v.verdict_no, c.claim_id, c.request_no from claims c "
        "join current_verdicts v using (claim_no) join protocols p using (protocol_no) "
        "where c.claim_no = ? order by v.verdict_no desc",
        [claim_no],
    )
    chosen = next((row for row in found if protocol in (None, row[0])), None)
    if chosen is None:
        return None
    name, protocol_no, verdict_no, claim_id, request_no = chosen
    hidden, params = reveals.concealed(session, reader, "c.claim_no")
    rows = session.all(
        f"select c.claim_uid, v.row_json, {hidden} from claims c join current_verdicts v using (claim_no) "
        "where c.request_no = ? and v.protocol_no = ? order by c.position, c.claim_no",
        [*params, request_no, protocol_no],
    )
    of_answer = tuple((uid, read_row(row_json)) for uid, row_json, is_hidden in rows if not is_hidden)
    if claim_uid not in dict(of_answer):
        return None
    return ClaimDetail(
        claim_uid=claim_uid,
        row=dict(of_answer)[claim_uid],
        answer=answers.get(session, [request_no])[request_no],
        stages=_stages(session, verdict_no, claim_id),
        rows=of_answer,
        protocols=tuple(row[0] for row in found if row[0] != name),
        labels=tuple(label_log.current(session, claim_uid)),
        works=references.of_verdict(session, verdict_no),
        concealed=len(rows) - len(of_answer),
    )


def concealed(session: Session, claim_uid: str) -> ConcealedClaim | None:
    """What may be known of a claim by everybody; reads no verdict."""
    found = session.one(
        "select c.text, r.query, r.answer, r.asked_at, c.fragments from claims c join requests r using (request_no) "
        "where c.claim_uid = ? and claim_no in (select claim_no from standing_claims)",
        [claim_uid],
    )
    if found is None:
        return None
    claim, query, answer, asked_at, fragments = found
    return ConcealedClaim(
        claim_uid=claim_uid,
        claim=claim,
        query=query,
        answer=answer,
        asked_at=in_utc(asked_at),
        fragments=tuple((start, end) for start, end in json.loads(fragments)),
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
