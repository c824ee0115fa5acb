"""What is read to see how labelling goes: who labelled what when and how fast, and what was skipped or flagged."""

from __future__ import annotations

from datetime import datetime
from typing import Any, NamedTuple

from core.models import Label
from core.store.connection import Connection, Session
from core.store.encoding import in_utc
from core.store.label_records import LabelKind

_EVENTS = """
select c.claim_uid, s.cite, r.request_uid, e.kind, e.label, e.labeller, e.guideline, e.queue_id, e.reason, e.note,
  e.active_ms, e.after_reveal, e.recorded_at
from standing_labels e join spans s using (span_no) join standing_claims c using (claim_no)
join requests r using (request_no)
where (? is null or e.queue_id = ?) and (? is null or e.recorded_at >= ?)
order by e.event_no
"""
_CHECKS = """
select q.queue_id, c.claim_uid, i.check_label
from current_queue_items i join queues q using (queue_no) join standing_claims c using (claim_no)
where i.check_label is not null and (? is null or q.queue_id = ?)
"""


class LabelFact(NamedTuple):
    """One event that was not taken back."""

    claim_uid: str
    cite: str | None
    request_uid: str
    kind: LabelKind
    label: Label | None
    labeller: str
    guideline: str
    queue_id: str | None
    reason: str
    note: str
    active_ms: int | None
    after_reveal: bool
    recorded_at: datetime


class CheckItem(NamedTuple):
    """A claim whose labels were known before it was put into a queue."""

    queue_id: str
    claim_uid: str
    known: str
    """JSON: by cite, empty for none, the known label."""


class QualityFacts(NamedTuple):
    """All of that in one consistent state of the store."""

    events: list[LabelFact]
    """Oldest first."""
    checks: list[CheckItem]


class LabelQuality:
    """The part of a store that quality is read from; like the store safe to use from many threads."""

    def __init__(self, connection: Connection) -> None:
        """Read through this connection."""
        self._connection = connection

    def facts(self, queue_id: str | None = None, since: datetime | None = None) -> QualityFacts:
        """What people did and did not take back.

        Args:
            queue_id: In which queue; none means everywhere.
            since: From when on; none means from the beginning.
        """
        with self._connection.read() as session:
            return QualityFacts(
                events=[_event(row) for row in session.all(_EVENTS, [queue_id, queue_id, since, since])],
                checks=_checks(session, queue_id),
            )


def _checks(session: Session, queue_id: str | None) -> list[CheckItem]:
    return [CheckItem(*row) for row in session.all(_CHECKS, [queue_id, queue_id])]


def _event(row: tuple[Any, ...]) -> LabelFact:
    made = LabelFact(*row)
    moment = in_utc(made.recorded_at)
    return made._replace(
        kind=LabelKind(made.kind), label=made.label and Label(made.label), recorded_at=moment or made.recorded_at
    )
