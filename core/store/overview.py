"""What the store holds, in a few numbers."""

from __future__ import annotations

import json
from pathlib import Path

from core.protocol import ClaimProtocol
from core.store.connection import Session
from core.store.encoding import in_utc
from core.store.records import ProtocolInfo, RunInfo, StoreSummary

_LATEST_RUNS = 10


def summary(session: Session, path: Path) -> StoreSummary:
    """Count what is in the store."""
    row = session.one(
        "select (select count(*) from standing_requests), (select count(*) from standing_claims), "
        "(select count(*) from standing_requests where asked_at is null), "
        "(select count(*) from label_events anti join withdrawn_spans using (span_no)), "
        "(select count(distinct labeller) from label_events anti join withdrawn_spans using (span_no)), "
        "(select max(moment) from (select max(recorded_at) as moment from batches "
        "union all select max(recorded_at) from label_events "
        "union all select max(recorded_at) from import_events))"
    )
    requests, claims, undated, events, labellers, last_write = row or (0, 0, 0, 0, 0, None)
    return StoreSummary(
        path=str(path),
        requests=requests,
        claims=claims,
        undated_requests=undated,
        label_events=events,
        labellers=labellers,
        last_write=in_utc(last_write),
        runs=_runs(session),
    )


def protocols(session: Session) -> list[ProtocolInfo]:
    """The protocols that judged something, the one used last first."""
    found = session.all(
        "select p.name, p.protocol, v.claims, min(r.started_at), max(r.started_at) from protocols p "
        "join (select protocol_no, count(*) as claims from current_verdicts group by 1) v using (protocol_no) "
        "join runs r using (protocol_no) group by 1, 2, 3, p.protocol_no order by max(r.run_no) desc"
    )
    return [
        ProtocolInfo(
            name=name,
            protocol=ClaimProtocol.model_validate(json.loads(full)),
            claims=claims,
            first_run=in_utc(first),
            last_run=in_utc(last),
        )
        for name, full, claims, first, last in found
    ]


def _runs(session: Session) -> tuple[RunInfo, ...]:
    found = session.all(
        "select r.run_id, r.started_at, r.source, p.name, sum(b.claims) from runs r "
        "join protocols p using (protocol_no) join batches b using (run_no) "
        "anti join (select run_no from import_runs join withdrawn_imports using (import_no)) gone using (run_no) "
        "group by 1, 2, 3, 4, r.run_no order by r.run_no desc limit ?",
        [_LATEST_RUNS],
    )
    return tuple(
        RunInfo(run_id=run_id, started_at=in_utc(started_at), source=source, protocol=protocol, claims=claims)
        for run_id, started_at, source, protocol, claims in found
    )
