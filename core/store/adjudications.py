"""What somebody decided where labellers differ: appended, never changed; who labelled a claim cannot decide on it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import datetime
from typing import Any

from core.errors import StoreConflict
from core.models import Label, Record, utc_now
from core.store import audit, label_log
from core.store.connection import Connection, Session
from core.store.encoding import in_utc
from core.store.label_records import StoredLabel
from core.store.places import Places

_FIELDS = (
    "a.event_id, c.claim_uid, s.cite, a.queue_id, a.label, a.rationale, a.labels_seen, a.adjudicator, a.identity, "
    "a.guideline, a.seen_sha256, a.undoes, a.recorded_at"
)
_FROM = "from adjudications a join spans s using (span_no) join claims c using (claim_no)"
_OPINIONS = """
select e.event_id
from standing_labels e join spans s using (span_no) join claims c using (claim_no)
left join queues q on q.queue_id = e.queue_id
where c.claim_uid = ? and e.guideline = ? and (q.queue_id is not null) = ? and not e.after_reveal
  and e.kind in ('label', 'not_a_claim', 'skip')
qualify row_number() over (partition by e.span_no, e.labeller order by e.event_no desc) = 1 and e.kind <> 'skip'
order by e.event_no
"""
_FLAGS = """
select e.event_id
from standing_labels e join spans s using (span_no) join standing_claims c using (claim_no)
where e.kind = 'flag' order by e.event_no desc limit ?
"""


class Adjudication(Record):
    """One decision about one span under one guideline, or the taking back of one."""

    event_id: str
    """Made where the key was pressed: the idempotency key."""
    claim_uid: str
    cite: str | None
    queue_id: str | None
    label: Label | None
    """None: there is nothing to check; or this takes another one back."""
    rationale: str
    labels_seen: tuple[str, ...]
    """The ids of the labelling events it decides between, in the order in which they were shown."""
    adjudicator: str
    identity: str
    guideline: str
    seen_sha256: str
    undoes: str | None = None
    recorded_at: datetime | None = None
    """Set by the store."""


class Adjudications:
    """The part of a store that holds decisions; like the store safe to use from many threads."""

    def __init__(self, connection: Connection, wrote: Callable[[], None]) -> None:
        """Read and write through this connection, and say when something was written."""
        self._connection = connection
        self._wrote = wrote

    def add(self, decision: Adjudication) -> Adjudication:
        """Store a decision in one transaction and read it back; one that is there already is given back unchanged.

        Raises:
            StoreConflict: The adjudicator labelled the claim, the span or a label is unknown, what is taken back does
                not stand, or the id is stored with other content; nothing was written.
        """
        with self._connection.write() as session:
            new = _add(session, decision)
        if new:
            self._wrote()
        with self._connection.read() as session:
            return _read(session, "where a.event_id = ?", [decision.event_id])[0]

    def standing(self, limit: int = 50) -> list[Adjudication]:
        """Decisions that were not taken back and that no later one replaces, newest first."""
        with self._connection.read() as session:
            return _read(
                session,
                "semi join standing_adjudications using (adjudication_no) "
                "semi join standing_claims using (claim_no) order by a.adjudication_no desc limit ?",
                [limit],
            )

    def opinions(self, claim_uid: str, guideline: str, in_queue: bool) -> list[StoredLabel]:
        """Each person's last word on each span of a claim before they saw a judge's, oldest first.

        Args:
            claim_uid: Which claim.
            guideline: Under which guideline.
            in_queue: What was said in queues, or what was said outside of any.
        """
        with self._connection.read() as session:
            found = session.all(_OPINIONS, [claim_uid, guideline, in_queue])
            return label_log.by_id(session, Places(), [event_id for (event_id,) in found])

    def flags(self, limit: int = 200) -> list[StoredLabel]:
        """What labellers flagged for a reviewer and did not take back, newest first."""
        with self._connection.read() as session:
            return label_log.by_id(session, Places(), [event_id for (event_id,) in session.all(_FLAGS, [limit])])


def _read(session: Session, rest: str, params: Sequence[Any]) -> list[Adjudication]:
    names = [field.split(".")[1] for field in _FIELDS.split(", ")]
    found = []
    for row in session.all(f"select {_FIELDS} {_FROM} {rest}", params):
        values = dict(zip(names, row, strict=True))
        values["recorded_at"] = in_utc(values["recorded_at"])
        found.append(Adjudication.model_validate(values))
    return found


def _add(session: Session, decision: Adjudication) -> bool:
    known = _read(session, "where a.event_id = ?", [decision.event_id])
    if known:
        if known[0].model_copy(update={"recorded_at": decision.recorded_at}) != decision:
            raise StoreConflict(f"Decision {decision.event_id} is stored with other content", "reload the page")
        return False
    span_no = session.value(
        "select s.span_no from spans s join standing_claims c using (claim_no) "
        "where c.claim_uid = ? and s.cite is not distinct from ?",
        [decision.claim_uid, decision.cite],
    )
    if span_no is None:
        raise StoreConflict(f"Claim {decision.claim_uid} with citation {decision.cite!r} is not in the store", "reload")
    _check(session, decision, span_no)
    row = decision.model_dump(mode="json", exclude={"claim_uid", "cite"}) | {
        "adjudication_no": session.next_number("adjudications", "adjudication_no"),
        "span_no": span_no,
        "recorded_at": utc_now(),
    }
    session.append("adjudications", [row])
    act = audit.Act.TOOK_BACK if decision.undoes else audit.Act.ADJUDICATED
    subject = f"adjudication {decision.event_id}"
    audit.note(session, [audit.Entry(decision.adjudicator, act, subject, audit.of_row(row))])
    return True


def _check(session: Session, decision: Adjudication, span_no: int) -> None:
    if decision.undoes is not None:
        standing = "select 1 from standing_adjudications where event_id = ? and span_no = ?"
        if session.one(standing, [decision.undoes, span_no]) is None:
            raise StoreConflict("This decision does not stand any more, so it cannot be taken back", "reload the page")
        return
    if not decision.rationale.strip():
        raise StoreConflict("A decision needs a reason", "write one sentence that says why")
    own = session.one(
        "select 1 from standing_labels e join spans s using (span_no) join claims c using (claim_no) "
        "where c.claim_uid = ? and e.labeller = ? and e.kind in ('label', 'not_a_claim')",
        [decision.claim_uid, decision.adjudicator],
    )
    if own is not None:
        raise StoreConflict(
            "You labelled this claim yourself, so you cannot decide on it", "leave it to another reviewer"
        )
    labels = label_log.by_id(session, Places(), decision.labels_seen)
    if len(labels) < len(decision.labels_seen) or any(one.event.claim_uid != decision.claim_uid for one in labels):
        raise StoreConflict("A label that this decides on is not one of this claim", "reload the page")
