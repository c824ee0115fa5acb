"""The log of labelling events: only ever appended to, once per event id; "current" is what it says after undo."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import datetime
from typing import Any

from core.errors import StoreConflict
from core.models import utc_now
from core.store.answers import texts_of
from core.store.connection import Connection, Session
from core.store.encoding import in_utc
from core.store.records import LabelEvent, LabelKind, LabelRow, StoredLabel

_AT_ONCE = 2000
_FIELDS = (
    "e.event_id, e.kind, c.claim_uid, s.cite, e.labeller, e.label, e.note, e.reason, e.undoes, e.guideline, "
    "e.seen_sha256, e.recorded_at"
)
_CITES = "(select list(o.cite order by o.position) from spans o where o.claim_no = c.claim_no and o.cite is not null)"
_JOINS = "join spans s using (span_no) join claims c using (claim_no)"


def add(session: Session, events: Sequence[LabelEvent], taken_at: Sequence[datetime] | None = None) -> bool:
    """Append the events that the log does not hold yet, in order; gives whether there were any.

    Args:
        session: A write.
        events: In the order in which they happened.
        taken_at: When another store took each of them; none means that they happen now.

    Raises:
        StoreConflict: An event contradicts the log or points at nothing; none of them may be committed.
    """
    known = {stored.event.event_id: stored.event for stored in by_id(session, [event.event_id for event in events])}
    number = session.next_number("label_events", "event_no")
    moments = taken_at or [utc_now()] * len(events)
    new = 0
    for event, moment in zip(events, moments, strict=True):
        if event.event_id in known:
            if known[event.event_id] != event:
                raise StoreConflict(
                    f"Event {event.event_id} is already stored with other content", "give every decision its own id"
                )
            continue
        known[event.event_id] = event
        _check(session, event, known)
        values = [
            number + new,
            event.event_id,
            str(event.kind),
            _span_no(session, event),
            event.labeller,
            event.label and str(event.label),
            event.note,
            event.reason,
            event.undoes,
            event.guideline,
            event.seen_sha256,
            in_utc(moment),
        ]
        session.run("insert into label_events values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", values)
        new += 1
    return new > 0


def by_id(session: Session, event_ids: Sequence[str]) -> list[StoredLabel]:
    """The stored events of these ids, in the order of the ids; ids that are not stored are left out."""
    found = session.all(
        f"select {_FIELDS} from label_events e {_JOINS} where e.event_id in ?", [list(dict.fromkeys(event_ids))]
    )
    stored = {row[0]: _stored(row) for row in found}
    return [stored[event_id] for event_id in event_ids if event_id in stored]


def current(session: Session, claim_uid: str | None) -> list[StoredLabel]:
    """Current labels and skips of one claim, or of all, oldest first."""
    where = "" if claim_uid is None else "where c.claim_uid = ?"
    params = [] if claim_uid is None else [claim_uid]
    return [
        _stored(row)
        for row in session.all(f"select {_FIELDS} from current_labels e {_JOINS} {where} order by e.event_no", params)
    ]


def last(session: Session, labeller: str, limit: int) -> list[StoredLabel]:
    """A labeller's latest labels and skips that were not taken back, newest first."""
    found = session.all(
        f"select {_FIELDS} from standing_labels e {_JOINS} where e.labeller = ? order by e.event_no desc limit ?",
        [labeller, limit],
    )
    return [_stored(row) for row in found]


def export(connection: Connection) -> Iterator[LabelRow]:
    """Stream every person's current labels and skips with claim and cited text, oldest first."""
    with connection.read() as session:
        order = [number for (number,) in session.all("select event_no from current_labels order by event_no")]
    for start in range(0, len(order), _AT_ONCE):
        with connection.read() as session:
            rows = _export_rows(session, order[start : start + _AT_ONCE])
        yield from rows


def history(connection: Connection) -> Iterator[StoredLabel]:
    """Stream every event in the order in which they were stored, without those on claims that were withdrawn."""
    with connection.read() as session:
        order = session.all("select event_no from label_events anti join withdrawn_spans using (span_no) order by 1")
    for start in range(0, len(order), _AT_ONCE):
        numbers = [number for (number,) in order[start : start + _AT_ONCE]]
        with connection.read() as session:
            found = session.all(
                f"select {_FIELDS} from label_events e {_JOINS} where e.event_no in ? order by e.event_no", [numbers]
            )
        yield from map(_stored, found)


def _export_rows(session: Session, event_nos: Sequence[int]) -> list[LabelRow]:
    found = session.all(
        f"select e.event_no, r.request_id, c.claim_id, c.text, r.query, c.material, {_CITES}, {_FIELDS} "
        f"from label_events e {_JOINS} "
        "join requests r using (request_no) where e.event_no in ? order by e.event_no",
        [list(event_nos)],
    )
    texts = _cited_texts(session, event_nos)
    exported = []
    for event_no, request_id, claim_id, claim, query, material, cites, *fields in found:
        stored = _stored(fields)
        exported.append(
            LabelRow(
                request_id=request_id,
                claim_id=claim_id,
                claim=claim,
                query=query,
                material=material,
                cites=tuple(cites or ()),
                evidence=texts.get(event_no),
                recorded_at=stored.recorded_at,
                **stored.event.model_dump(exclude={"kind", "undoes"}),
            )
        )
    return exported


def _cited_texts(session: Session, event_nos: Sequence[int]) -> dict[int, str]:
    """The cited text of each event, where its id means one text in the request."""
    meant = session.pairs(
        f"select e.event_no, min(t.text_no) from label_events e {_JOINS} "
        "join registry_entries t on t.request_no = c.request_no and t.cite = s.cite "
        "where e.event_no in ? group by 1 having count(distinct t.text_no) = 1",
        [list(event_nos)],
    )
    texts = texts_of(session, sorted(set(meant.values())))
    return {event_no: texts[text_no] for event_no, text_no in meant.items()}


def _stored(row: Sequence[Any]) -> StoredLabel:
    names = [field.split(".")[1] for field in _FIELDS.split(", ")]
    values = dict(zip(names, row, strict=True))
    recorded_at = in_utc(values.pop("recorded_at"))
    return StoredLabel.model_validate({"event": values, "recorded_at": recorded_at})


def _check(session: Session, event: LabelEvent, known: dict[str, LabelEvent]) -> None:
    """Refuse an event that says too little, or that takes back what is not there or is somebody else's."""
    if (event.kind is LabelKind.LABEL) != (event.label is not None):
        raise StoreConflict(
            f"Event {event.event_id} is no label, or a label without a value", "send kind and label together"
        )
    if (event.kind is LabelKind.UNDO) != (event.undoes is not None):
        raise StoreConflict(
            f"Event {event.event_id} is no undo, or an undo of nothing", "send kind and undoes together"
        )
    if event.undoes is None:
        return
    undone = known.get(event.undoes) or next((s.event for s in by_id(session, [event.undoes])), None)
    place = (event.labeller, event.claim_uid, event.cite)
    mine = undone is not None and (undone.labeller, undone.claim_uid, undone.cite) == place
    if not mine or undone is None or undone.kind is LabelKind.UNDO:
        raise StoreConflict(
            f"Event {event.event_id} takes back {event.undoes}, which is no label of {event.labeller!r} on that span",
            "undo one of the labeller's own",
        )


def _span_no(session: Session, event: LabelEvent) -> int:
    found = session.value(
        "select s.span_no from spans s join claims c using (claim_no) "
        "where c.claim_uid = ? and s.cite is not distinct from ?",
        [event.claim_uid, event.cite],
    )
    if found is None:
        raise StoreConflict(
            f"Claim {event.claim_uid} with citation {event.cite!r} is not in the store", "reload the page and try again"
        )
    return int(found)
