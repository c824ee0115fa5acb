"""Queues as rows: made once, renamed, closed and opened by events, filled by draws."""

from __future__ import annotations

import json
from collections.abc import Sequence
from functools import cache
from typing import Any
from uuid import uuid4

from core.errors import InputError
from core.models import utc_now
from core.store import audit
from core.store.audit import Act, Entry, of_row, of_rows
from core.store.connection import Session
from core.store.encoding import dump_json, in_utc
from core.store.queue_records import Draw, DrawnClaim, Queue, QueueSpec

_QUEUES = """
select q.queue_id, coalesce(e.name, q.name), q.spec, coalesce(e.switch = 'closed', false), q.who, q.recorded_at,
  coalesce(d.population, 0), coalesce(i.claims, 0)
from queues q
left join (
  select queue_no, arg_max(value, event_no) filter (where kind = 'renamed') as name,
    arg_max(kind, event_no) filter (where kind <> 'renamed') as switch
  from queue_events group by 1
) e using (queue_no)
left join (select queue_no, arg_max(population, draw_no) as population from queue_draws group by 1) d using (queue_no)
left join (
  select queue_no, count(distinct claim_no) as claims from queue_items
  where check_label is null and {which} group by 1
) i using (queue_no)
where {which} order by q.queue_no
"""
_ITEMS = """
select c.claim_uid, i.place, i.probability, i.stratum, i.wanted, i.check_label
from current_queue_items i join standing_claims c using (claim_no) where i.queue_no = ? order by i.place, i.claim_no
"""


def queues(session: Session, queue_id: str | None = None) -> list[Queue]:
    """Every queue in the order of their making, or the one asked for."""
    which = "true" if queue_id is None else "queue_no = (select queue_no from queues where queue_id = ?)"
    params = [] if queue_id is None else [queue_id, queue_id]
    return [_queue(row) for row in session.all(_QUEUES.format(which=which), params)]


def number(session: Session, queue_id: str) -> int:
    """The number of a queue.

    Raises:
        InputError: There is none of that id.
    """
    found = session.value("select queue_no from queues where queue_id = ?", [queue_id])
    if found is None:
        raise InputError(f"There is no queue {queue_id}", "list them with: citedesk queue list")
    return int(found)


def spec(session: Session, queue_id: str) -> tuple[int, QueueSpec]:
    """The number and the spec of a queue; see ``number`` for what it raises."""
    row = session.one("select queue_no, spec from queues where queue_id = ?", [queue_id])
    return (int(row[0]), _spec(row[1])) if row else (number(session, queue_id), _spec(""))


def spec_of(session: Session, queue_id: str) -> QueueSpec | None:
    """The spec of a queue; none when there is none of that id."""
    found = session.value("select spec from queues where queue_id = ?", [queue_id])
    return None if found is None else _spec(found)


def has_grown(session: Session, queue_no: int) -> bool:
    """Whether claims came into the store since the last draw of a queue, or went out of it or back."""
    last = session.one("select max(newest), max(recorded_at) from queue_draws where queue_no = ?", [queue_no])
    newest, drawn_at = last or (None, None)
    return bool(
        session.value(
            "select (select coalesce(max(claim_no), 0) from claims) > coalesce(?, 0) "
            "or exists (select 1 from import_events where recorded_at > ?)",
            [newest, drawn_at],
        )
    )


def closed(session: Session) -> list[int]:
    """The numbers of the queues that are closed."""
    last = "select queue_no, arg_max(kind, event_no) from queue_events where kind <> 'renamed' group by 1"
    return [number for number, kind in session.all(last) if kind == "closed"]


def make(session: Session, spec: QueueSpec, who: str, queue_id: str | None) -> str:
    """Write a queue down without claims; gives its id."""
    row = {
        "queue_no": session.next_number("queues", "queue_no"),
        "queue_id": queue_id or uuid4().hex[:16],
        "name": spec.name,
        "spec": spec.model_dump_json(),
        "guideline": spec.guideline,
        "overlap": spec.overlap,
        "feeds_rates": spec.feeds_rates,
        "who": who,
        "recorded_at": utc_now(),
    }
    session.append("queues", [row])
    audit.note(session, [Entry(who, Act.MADE_QUEUE, f"queue {row['queue_id']}", of_row(row))])
    return str(row["queue_id"])


def change(session: Session, queue_no: int, kind: str, value: str | None, who: str) -> None:
    """Note that a queue was closed, opened or renamed."""
    row = {
        "event_no": session.next_number("queue_events", "event_no"),
        "queue_no": queue_no,
        "kind": kind,
        "value": value,
        "who": who,
        "recorded_at": utc_now(),
    }
    session.append("queue_events", [row])
    audit.note(session, [Entry(who, Act.CHANGED_QUEUE, f"queue_event {row['event_no']}", of_row(row))])


def add(session: Session, queue_no: int, draw: Draw, who: str) -> bool:
    """Put the claims of a draw into a queue, or restate them; gives whether that changed anything."""
    there = {item.claim_uid: item for item in items(session, queue_no)}
    new = [item for item in draw.items if there.get(item.claim_uid) != item]
    row = {
        "draw_no": session.next_number("queue_draws", "draw_no"),
        "queue_no": queue_no,
        "population": draw.population,
        "newest": draw.newest,
        "strata": dump_json(draw.strata),
        "who": who,
        "recorded_at": utc_now(),
    }
    rows = sorted(_rows(session, queue_no, row["draw_no"], new), key=lambda item: int(item["claim_no"]))
    session.append("queue_draws", [row])
    session.append("queue_items", rows)
    audit.note(session, [Entry(who, Act.DREW, f"queue_draw {row['draw_no']}", of_rows(row, rows))])
    return bool(new)


def items(session: Session, queue_no: int) -> list[DrawnClaim]:
    """The claims of a queue in the order in which they are given out, without those that were withdrawn."""
    return [
        DrawnClaim(
            claim_uid=uid,
            place=place,
            probability=probability,
            stratum=stratum,
            wanted=wanted,
            check_label=None if check is None else json.loads(check),
        )
        for uid, place, probability, stratum, wanted, check in session.all(_ITEMS, [queue_no])
    ]


def strata(session: Session, queue_no: int) -> dict[str, tuple[int, int]]:
    """Per stratum, claims in it and claims drawn, at the last draw."""
    last = "select strata from queue_draws where queue_no = ? order by draw_no desc limit 1"
    return {
        name: (there, taken) for name, (there, taken) in json.loads(session.value(last, [queue_no]) or "{}").items()
    }


def _rows(session: Session, queue_no: int, draw_no: Any, new: Sequence[DrawnClaim]) -> list[dict[str, Any]]:
    numbers = session.pairs(
        "select claim_uid, claim_no from claims where claim_uid in (select unnest(?::varchar[]))",
        [[item.claim_uid for item in new]],
    )
    return [
        {
            "draw_no": draw_no,
            "queue_no": queue_no,
            "claim_no": numbers[item.claim_uid],
            "place": item.place,
            "probability": item.probability,
            "stratum": item.stratum,
            "wanted": item.wanted,
            "check_label": None if item.check_label is None else dump_json(item.check_label),
        }
        for item in new
    ]


def _queue(row: tuple[Any, ...]) -> Queue:
    queue_id, name, spec, closed, who, made_at, population, claims = row
    return Queue(
        queue_id=queue_id,
        name=name,
        spec=_spec(spec),
        closed=closed,
        who=who,
        made_at=in_utc(made_at),
        population=population,
        claims=claims,
    )


@cache
def _spec(text: str) -> QueueSpec:
    return QueueSpec.model_validate_json(text)
