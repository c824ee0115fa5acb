"""The log of labelling events: only ever appended to, once per event id; "current" is what it says after undo."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterator, Mapping, Sequence
from datetime import datetime
from typing import Any

from core.errors import StoreConflict
from core.models import utc_now
from core.store import audit, label_drafts, label_hands
from core.store.answers import texts_of
from core.store.connection import Connection, Session
from core.store.encoding import dump_json, in_utc
from core.store.label_hands import Change
from core.store.label_records import LabelEvent, LabelKind, LabelRow, Sight, StoredLabel
from core.store.places import Places

_AT_ONCE = 2000
_FIELDS = (
    "e.event_id, e.kind, c.claim_uid, s.cite, e.labeller, e.label, e.note, e.reason, e.undoes, e.guideline, "
    "e.seen_sha256, e.recorded_at, e.queue_id, e.sub_reason, e.confidence, e.better, e.after_reveal, e.identity, "
    "e.active_ms, e.decided_at"
)
_OWN = f"select e.span_no, {_FIELDS.replace('c.claim_uid, s.cite, ', '')} from label_events e"
"""Without the names of their spans, to find which two large tables would be read."""
_CITES = "(select list(o.cite order by o.position) from spans o where o.claim_no = c.claim_no and o.cite is not null)"
_ACTS = {
    LabelKind.LABEL: audit.Act.LABELLED,
    LabelKind.NOT_A_CLAIM: audit.Act.LABELLED,
    LabelKind.SKIP: audit.Act.SKIPPED,
    LabelKind.FLAG: audit.Act.FLAGGED,
    LabelKind.UNDO: audit.Act.TOOK_BACK,
}
_UNSETTLING = (LabelKind.FLAG, LabelKind.UNDO)
"""After these a span is still to be labelled, so its draft stays."""

_JOINS = "join spans s using (span_no) join claims c using (claim_no)"


def add(
    session: Session, places: Places, events: Sequence[LabelEvent], taken_at: Sequence[datetime] | None = None
) -> list[Change] | None:
    """Append the events that the log does not hold yet, in order; gives what that changes, none when it holds them all.

    Args:
        session: A write.
        places: Where spans are.
        events: In the order in which they happened.
        taken_at: When another store took each of them; none means that they happen now.

    Raises:
        StoreConflict: An event contradicts the log or points at nothing; none of them may be committed.
    """
    stored = by_id(session, places, [event.event_id for event in events])
    known = {one.event.event_id: one.event for one in stored}
    numbers = places.numbers(session, {(event.claim_uid, event.cite) for event in events})
    moments = taken_at or [utc_now()] * len(events)
    new: list[tuple[LabelEvent, datetime]] = []
    for event, moment in zip(events, moments, strict=True):
        if event.event_id in known:
            if not _is_same(known[event.event_id], event):
                raise StoreConflict(
                    f"Event {event.event_id} is already stored with other content", "give every decision its own id"
                )
            continue
        known[event.event_id] = event
        _check(session, places, event, known)
        new.append((event, moment))
    if not new:
        return None
    shown = {} if taken_at else _shown(session, {numbers[event.claim_uid, event.cite].claim_no for event, _ in new})
    first = session.next_number("label_events", "event_no")
    entries, rows = [], []
    for number, (event, moment) in enumerate(new, first):
        span = numbers[event.claim_uid, event.cite]
        if not taken_at:
            event = event.model_copy(update={"after_reveal": event.labeller in shown.get(span.claim_no, ())})
        rows.append(_row(number, span.span_no, event, moment))
        entries.append(_entry(number, event, moment))
    session.append("label_events", rows)
    label_drafts.forget(session, [(row["labeller"], row["span_no"]) for row in rows if row["kind"] not in _UNSETTLING])
    audit.note(session, entries)
    return label_hands.changes(session, rows)


def saw(session: Session, person: str, sights: Sequence[Sight]) -> None:
    """Note in the audit chain which spans a person had before their eyes."""
    subjects = [f"claim {one.claim_uid}" for one in sights]
    contents = [one.model_dump(mode="json") for one in sights]
    entries = zip(subjects, contents, strict=True)
    audit.note(session, [audit.Entry(person, audit.Act.SAW, subject, content) for subject, content in entries])


def _row(number: int, span_no: int, event: LabelEvent, moment: datetime) -> dict[str, Any]:
    better = [one.model_dump() for one in event.better]
    return {
        "event_no": number,
        "span_no": span_no,
        "recorded_at": in_utc(moment),
        **event.model_dump(mode="json", exclude={"claim_uid", "cite", "better", "decided_at"}),
        "better": dump_json(better) if better else None,
        "decided_at": in_utc(event.decided_at),
    }


def content(number: int, event: LabelEvent, moment: datetime) -> object:
    """What the audit chain binds of an event: all of it, its place in the log, and when it was taken."""
    said = event.model_dump(mode="json", exclude={"decided_at"})
    return [number, said, audit.of_row({"at": moment, "decided_at": event.decided_at})]


def contents(session: Session, event_ids: Sequence[str]) -> dict[str, object]:
    """The same of stored events, by their ids; those that are not stored are left out."""
    found = session.all(
        f"select e.event_no, {_FIELDS} from label_events e {_JOINS} where e.event_id in ?", [list(event_ids)]
    )
    stored = {row[1]: (row[0], _stored(row[1:])) for row in found}
    return {event_id: content(number, one.event, one.recorded_at) for event_id, (number, one) in stored.items()}


def _entry(number: int, event: LabelEvent, moment: datetime) -> audit.Entry:
    subject = f"label_event {event.event_id}"
    return audit.Entry(event.labeller, _ACTS[event.kind], subject, content(number, event, moment))


def _is_same(stored: LabelEvent, sent: LabelEvent) -> bool:
    """Whether both are one decision; what the store itself adds does not count."""
    return stored.model_copy(update={"after_reveal": sent.after_reveal}) == sent


def _shown(session: Session, claim_nos: Collection[int]) -> dict[int, set[str]]:
    """By claim, who was shown a judge's word on it."""
    shown: dict[int, set[str]] = {}
    for claim_no, person in session.all("select claim_no, person from reveals where claim_no in ?", [list(claim_nos)]):
        shown.setdefault(claim_no, set()).add(person)
    return shown


def by_id(session: Session, places: Places, event_ids: Sequence[str]) -> list[StoredLabel]:
    """The stored events of these ids, in the order of the ids; ids that are not stored are left out."""
    if len(event_ids) == 1:
        found = session.all(f"{_OWN} where e.event_id = ?", list(event_ids))  # by the key
    else:
        found = session.all(f"{_OWN} semi join (select unnest(?::varchar[]) as event_id) using (event_id)", [event_ids])
    spans = places.names(session, {row[0] for row in found})
    stored = {row[1]: _stored((*row[1:3], *spans[row[0]].place, *row[3:])) for row in found}
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
                **stored.event.model_dump(exclude={"undoes", "decided_at"}),
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
    values["better"] = json.loads(values["better"] or "[]")
    values["decided_at"] = in_utc(values["decided_at"])
    return StoredLabel.model_validate({"event": values, "recorded_at": recorded_at})


def _check(session: Session, places: Places, event: LabelEvent, known: Mapping[str, LabelEvent]) -> None:
    """Refuse an event that says too little, is on no span, or takes back what is not there or is somebody else's."""
    place = event.claim_uid, event.cite
    if not places.numbers(session, [place]):
        raise StoreConflict(
            f"Claim {event.claim_uid} with citation {event.cite!r} is not in the store", "reload the page and try again"
        )
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
    undone = known.get(event.undoes) or next((s.event for s in by_id(session, places, [event.undoes])), None)
    mine = undone is not None and (undone.labeller, undone.claim_uid, undone.cite) == (event.labeller, *place)
    if not mine or undone is None or undone.kind is LabelKind.UNDO:
        raise StoreConflict(
            f"Event {event.event_id} takes back {event.undoes}, which is no label of {event.labeller!r} on that span",
            "undo one of the labeller's own",
        )
