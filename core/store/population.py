"""The claims that a queue is drawn from, with what a design looks at: the only place where a queue reads verdicts."""

from __future__ import annotations

import json
from typing import Any

from core.models import Label
from core.store import conditions
from core.store.connection import Session
from core.store.queue_records import Candidate, Design, Population, QueueSpec

_WAVE = "(select count(*) from queue_draws d where d.queue_no = {queue_no} and d.newest < c.claim_no)"
_EVERY = """
select c.claim_uid, r.request_uid, null, false, null, c.flags, null, {wave}
from standing_claims c join requests r using (request_no)
where c.material or exists (select 1 from spans s where s.claim_no = c.claim_no and s.cite is not null)
"""
_FILTERED = """
select c.claim_uid, r.request_uid, v.label, v.unsupported_strict, o.label, v.flags, {scores}, {wave}
from current_verdicts v join claims c using (claim_no) join requests r using (request_no)
left join (
  select claim_no, label from current_verdicts
  where protocol_no = (select protocol_no from protocols where name = ?)
) o on o.claim_no = c.claim_no
where v.attempted and {where}
"""
_SCORES = "json_extract(v.row_json, '$.spans[*].scores')"


def read(session: Session, spec: QueueSpec, queue_no: int | None) -> Population:
    """The claims that a spec's filter holds and that rates count, by uid; ``wave`` is 0 without a queue."""
    wave = "0" if queue_no is None else _WAVE.format(queue_no=int(queue_no))
    if spec.filter is None:
        rows = session.all(f"{_EVERY.format(wave=wave)} order by c.claim_uid")
    else:
        where, params = conditions.condition(session, spec.filter)
        scores = _SCORES if spec.design is Design.UNCERTAINTY else "null"
        sql = _FILTERED.format(scores=scores, wave=wave, where=where)
        rows = session.all(f"{sql} order by c.claim_uid", [spec.other_protocol, *params])
    newest = session.value("select coalesce(max(claim_no), 0) from claims")
    return Population([_candidate(row) for row in rows], int(newest))


def _candidate(row: tuple[Any, ...]) -> Candidate:
    uid, request_uid, label, unsupported, other, flags, scores, wave = row
    return Candidate(
        claim_uid=uid,
        request_uid=request_uid,
        label=Label(label) if label else None,
        unsupported=unsupported,
        other_label=Label(other) if other else None,
        flags=tuple(flags),
        sureness=_sureness(scores),
        wave=wave,
    )


def _sureness(spans: list[str] | None) -> float | None:
    """How sure a judge was of the span it was least sure of; none where it gave no scores."""
    found = [list(json.loads(scores).values()) for scores in spans or ()]
    return min((_of_span(scores) for scores in found if scores), default=None)


def _of_span(scores: list[float]) -> float:
    """The highest of several scores that exclude one another; of a lone one, how far it is from undecided."""
    return max(scores) if len(scores) > 1 else max(scores[0], 1 - scores[0])
