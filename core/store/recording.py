"""Recording a batch: what is new of its answers, claims and verdicts goes in, what is known is counted."""

from __future__ import annotations

from collections.abc import Sequence

from core.errors import StoreError
from core.importers import BadLine
from core.models import digest, utc_now
from core.protocol import ClaimProtocol
from core.store import answers, claims, imports, references, verdicts
from core.store.connection import Session
from core.store.encoding import dump_json
from core.store.imports import Outcome
from core.store.records import Batch, Recorded, RunHeader


def record(session: Session, batch: Batch) -> Recorded:
    """Write a batch inside the transaction of ``session``.

    Raises:
        StoreError: The batch contradicts itself or the store; the transaction must not be committed.
    """
    _check(batch)
    number = protocol_no(session, batch.run.protocol)
    run_no = _run_no(session, batch.run, number)
    by_uid = {checked.answer.uid: checked for checked in batch.answers}
    requests, requests_new = answers.add(session, {uid: one.answer for uid, one in by_uid.items()}, batch.run.source)
    import_no = imports.begin(session, batch.run, run_no)
    if import_no is not None:
        imports.add(session, import_no, requests.values())
    uids = [checked.answer.uid for checked in batch.answers]
    numbers, claims_new = claims.add(session, by_uid, requests, batch.run.protocol.splitter)
    rows = [row for uid, one in zip(uids, batch.answers, strict=True) for row in verdicts.rows_of(one, numbers[uid])]
    verdicts_new = verdicts.add(session, rows, number, run_no)
    references.record(session, batch.answers, [numbers[uid] for uid in uids], number)
    session.run(
        "insert into batches values (?, ?, ?, ?) on conflict do nothing",
        [digest([batch.run.run_id, uids, [row.sha256 for row in rows]]), run_no, len(rows), utc_now()],
    )
    return Recorded(
        requests_new=requests_new,
        requests_known=len(batch.answers) - requests_new,
        claims_new=claims_new,
        verdicts_new=verdicts_new,
        verdicts_known=len(rows) - verdicts_new,
    )


def finish(session: Session, run: RunHeader, outcome: Outcome, refused: Sequence[BadLine]) -> None:
    """Note that an import has read its file to the end; also one of which nothing could be taken."""
    run_no = _run_no(session, run, protocol_no(session, run.protocol))
    if imports.begin(session, run, run_no) is not None:
        imports.finish(session, run_no, outcome, refused)


def _check(batch: Batch) -> None:
    protocol = str(batch.run.protocol)
    for checked in batch.answers:
        name = checked.answer.request_id
        ids = [claim.claim_id for claim in checked.claims]
        if len(set(ids)) != len(ids):
            raise StoreError(f"Request {name!r} has two claims with one id", "give every claim its own id")
        if ids != [row.claim_id for row in checked.rows]:
            raise StoreError(f"The claim rows of request {name!r} are not its claims", "check the answer again")
        if not {verdict.claim_id for verdict in checked.stages} <= set(ids):
            raise StoreError(f"Request {name!r} has a stage verdict on a claim it has not", "check the answer again")
        if any(row.protocol != protocol for row in checked.rows):
            raise StoreError(f"Request {name!r} was judged under another protocol than {protocol}", "check it again")


def protocol_no(session: Session, protocol: ClaimProtocol) -> int:
    """The number of a protocol, which gets one when it has none yet; inside a write only."""
    known = session.one("select protocol_no, sha256 from protocols where name = ?", [str(protocol)])
    if known is not None and known[1] != protocol.sha256:
        raise StoreError(f"Two protocols print as {protocol}", "change a threshold by a hair and run again")
    if known is not None:
        return int(known[0])
    number = session.next_number("protocols", "protocol_no")
    full = dump_json(protocol.model_dump())
    session.run("insert into protocols values (?, ?, ?, ?)", [number, protocol.sha256, str(protocol), full])
    return number


def _run_no(session: Session, run: RunHeader, of: int) -> int:
    known = session.one("select run_no, protocol_no from runs where run_id = ?", [run.run_id])
    if known is not None and known[1] != of:
        raise StoreError(f"Run {run.run_id} went on under another protocol", "give every protocol a run of its own")
    if known is not None:
        return int(known[0])
    number = session.next_number("runs", "run_no")
    values = [number, run.run_id, of, run.started_at, run.source, run.source_sha256, run.package_version]
    session.run("insert into runs values (?, ?, ?, ?, ?, ?, ?)", values)
    return number
