"""Streams for exports: the claims of the review list with more around them than their rows."""

from __future__ import annotations

from collections.abc import Iterator

from core.models import ClaimRow, JudgedClaim
from core.store import answers
from core.store.connection import Connection
from core.store.records import ClaimFilter, JudgedAnswer, StoredVerdict
from core.store.review import read_row, verdict_nos

_ANSWERS_AT_ONCE = 200
"""Claims whose whole answers, evidence included, are in memory at a time."""

_AT_ONCE = 2000


def judged_claims(connection: Connection, wanted: ClaimFilter) -> Iterator[JudgedClaim]:
    """The rows of the list in its order, each with its answer."""
    for numbers in verdict_nos(connection, wanted, _ANSWERS_AT_ONCE):
        with connection.read() as session:
            found = session.all(
                "select v.verdict_no, c.request_no, v.row_json from claim_verdicts v join claims c using (claim_no) "
                "where v.verdict_no in ?",
                [numbers],
            )
            of = answers.get(session, sorted({request_no for _, request_no, _ in found}))
        rows = {number: (request_no, row_json) for number, request_no, row_json in found}
        for request_no, row_json in (rows[number] for number in numbers):
            yield JudgedClaim(row=read_row(row_json), answer=of[request_no])


def judged_answers(connection: Connection, protocol: str) -> Iterator[JudgedAnswer]:
    """Every answer that a protocol judged, in the order of their import, with its claims in theirs."""
    judged = (
        "from current_verdicts v join claims c using (claim_no) "
        "where v.protocol_no = (select protocol_no from protocols where name = ?)"
    )
    with connection.read() as session:
        order = session.all(f"select distinct c.request_no {judged} order by 1", [protocol])
    for start in range(0, len(order), _ANSWERS_AT_ONCE):
        numbers = [number for (number,) in order[start : start + _ANSWERS_AT_ONCE]]
        with connection.read() as session:
            found = session.all(
                f"select c.request_no, c.claim_uid, v.row_json {judged} and c.request_no in ? "
                "order by c.position, c.claim_no",
                [protocol, numbers],
            )
            of = answers.get(session, numbers)
        rows: dict[int, list[tuple[str, ClaimRow]]] = {}
        for number, uid, row_json in found:
            rows.setdefault(number, []).append((uid, read_row(row_json)))
        yield from (JudgedAnswer(answer=of[number], rows=tuple(rows[number])) for number in numbers if number in rows)


def verdicts(connection: Connection, wanted: ClaimFilter) -> Iterator[StoredVerdict]:
    """What each stage said of the claims of the list, claim after claim, in the order in which it was said."""
    names = list(StoredVerdict.model_fields)
    for numbers in verdict_nos(connection, wanted, _AT_ONCE):
        with connection.read() as session:
            found = session.all(
                "select v.verdict_no, c.claim_uid, r.request_id, c.claim_id, s.cite, s.stage, s.status, s.outcome, "
                "s.reason, json_extract_string(v.row_json, '$.verifier'), p.name "
                "from stage_verdicts s join claim_verdicts v using (verdict_no) join protocols p using (protocol_no) "
                "join claims c using (claim_no) join requests r using (request_no) "
                "where v.verdict_no in ? order by s.position",
                [numbers],
            )
        of: dict[int, list[StoredVerdict]] = {}
        for number, *values in found:
            of.setdefault(number, []).append(StoredVerdict.model_validate(dict(zip(names, values, strict=True))))
        yield from (one for number in numbers for one in of.get(number, ()))
