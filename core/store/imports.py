"""Imports: which file brought which answers, what of it was refused, and whether it was withdrawn."""

from __future__ import annotations

import json
from collections.abc import Collection, Sequence
from datetime import datetime
from typing import Any

from core.errors import StoreError
from core.importers import BadLine
from core.models import Record, digest, utc_now
from core.store.connection import Session
from core.store.encoding import dump_json, in_utc
from core.store.records import RunHeader


class Outcome(Record):
    """What a run read of its file, when it came to the end."""

    answers_read: int
    answers_new: int


class ImportInfo(Record):
    """One file that was read in one way, however often."""

    import_id: str
    source: str
    """The file's name, as it was given last."""
    format: str
    mapping: dict[str, str]
    times: int
    """How often it was read; runs that have what stands before a ``/`` in common are one reading."""
    first_at: datetime
    last_at: datetime
    complete: bool
    """Whether it was ever read to the end; rows refused are known from then on."""
    refused: int
    answers: int
    claims: int
    shared: int
    """Answers that another import, not withdrawn, brought as well: these stay when this one is withdrawn."""
    labels: int
    """Labels that people gave to its claims, passage by passage or to a whole claim, here or in a file of labels; they
    are kept, and out of sight while it is withdrawn."""
    labelled: int
    """Its claims that hold any of them."""
    withdrawn: bool


_INFOS = """
with brought as (select import_no, count(*) as answers from import_requests group by 1),
claimed as (
  select m.import_no, count(*) as claims from import_requests m join claims c using (request_no) group by 1
),
standing as (select import_no, request_no from import_requests anti join withdrawn_imports using (import_no)),
shared as (
  select m.import_no, count(distinct m.request_no) as shared
  from import_requests m join standing o on o.request_no = m.request_no and o.import_no <> m.import_no
  group by 1
),
labelled as (
  select m.import_no, count(*) as labels, count(distinct l.claim_no) as labelled
  from (
    select s.claim_no
    from label_events e join spans s using (span_no)
    anti join (select undoes as event_id from label_events where undoes is not null) undone using (event_id)
    where e.kind = 'label'
    union all
    select claim_no from (select distinct claim_no, labeller, guideline from claim_gold)
  ) l join claims c using (claim_no) join import_requests m using (request_no)
  group by 1
),
read as (
  select x.import_no, arg_max(r.source, x.run_no) as source, count(distinct split_part(r.run_id, '/', 1)) as times,
    min(r.started_at) as first_at, max(r.started_at) as last_at, bool_or(o.run_no is not null) as complete,
    arg_max(o.refused, o.run_no) as refused
  from import_runs x join runs r using (run_no) left join import_outcomes o using (run_no)
  group by 1
)
select i.import_id, read.source, i.format, i.mapping, times, first_at, last_at, complete, coalesce(refused, 0),
  coalesce(answers, 0), coalesce(claims, 0), coalesce(shared, 0), coalesce(labels, 0), coalesce(labelled, 0),
  w.import_no is not null
from imports i join read using (import_no) left join brought using (import_no) left join claimed using (import_no)
left join shared using (import_no) left join labelled using (import_no) left join withdrawn_imports w using (import_no)
order by last_at desc, i.import_no desc
"""


def import_id(source_sha256: str, format: str, mapping: dict[str, str]) -> str:
    """Name an import for ever: 16 hex, the same however often the same file is read in the same way."""
    return digest([source_sha256, format, mapping])[:16]


def begin(session: Session, run: RunHeader, run_no: int) -> int | None:
    """Give the number of the import that a run belongs to, storing it when it is new; none when it reads no file.

    The first time that a run is seen, an import that was withdrawn stands again: reading a file anew wants it.
    """
    if run.source_sha256 is None or run.format is None:
        return None
    known = session.value("select import_no from import_runs where run_no = ?", [run_no])
    if known is not None:
        return int(known)
    name = import_id(run.source_sha256, run.format, run.mapping)
    number = session.value("select import_no from imports where import_id = ?", [name])
    if number is None:
        number = session.next_number("imports", "import_no")
        values = [number, name, run.source_sha256, run.format, dump_json(run.mapping), utc_now()]
        session.run("insert into imports values (?, ?, ?, ?, ?, ?)", values)
    session.run("insert into import_runs values (?, ?)", [number, run_no])
    _set(session, int(number), "restore", "a new import of the file")
    return int(number)


def add(session: Session, import_no: int, request_nos: Collection[int]) -> None:
    """Remember that an import brought these requests; what is remembered already is left as it is."""
    known = session.all(
        "select request_no from import_requests where import_no = ? and request_no in ?", [import_no, list(request_nos)]
    )
    new = sorted(set(request_nos) - {number for (number,) in known})
    session.append("import_requests", [{"import_no": import_no, "request_no": number} for number in new])


def finish(session: Session, run_no: int, outcome: Outcome, refused: Sequence[BadLine]) -> None:
    """Store what a run read and refused; a run finishes once."""
    if session.value("select run_no from import_outcomes where run_no = ?", [run_no]) is not None:
        return
    values = [run_no, outcome.answers_read, outcome.answers_new, len(refused), utc_now()]
    session.run("insert into import_outcomes values (?, ?, ?, ?, ?)", values)
    rows = [{"run_no": run_no, "position": at, **bad.model_dump()} for at, bad in enumerate(refused, start=1)]
    session.append("refused_rows", rows)


def infos(session: Session) -> list[ImportInfo]:
    """Every import, the one read last first."""
    names = list(ImportInfo.model_fields)
    return [_info(dict(zip(names, row, strict=True))) for row in session.all(_INFOS)]


def refused(session: Session, name: str) -> list[BadLine]:
    """What was refused when an import was last read to its end, in the order of the file."""
    found = session.all(
        "select file, line, field, reason from refused_rows where run_no = (select max(run_no) from import_runs "
        "join import_outcomes using (run_no) join imports using (import_no) where import_id = ?) order by position",
        [name],
    )
    return [BadLine(file=file, line=line, field=field, reason=reason) for file, line, field, reason in found]


def withdraw(session: Session, name: str, who: str) -> bool:
    """Take an import out of every view, and say whether that changed anything."""
    return _set(session, _number(session, name), "withdraw", who)


def restore(session: Session, name: str, who: str) -> bool:
    """Put a withdrawn import back, and say whether that changed anything."""
    return _set(session, _number(session, name), "restore", who)


def _number(session: Session, name: str) -> int:
    number = session.value("select import_no from imports where import_id = ?", [name])
    if number is None:
        raise StoreError(f"No import {name} is in the store", "reload the page and choose one of the list")
    return int(number)


def _set(session: Session, import_no: int, kind: str, who: str) -> bool:
    """Append an event unless the import is in that state already."""
    gone = session.value("select import_no from withdrawn_imports where import_no = ?", [import_no]) is not None
    if gone == (kind == "withdraw"):
        return False
    number = session.next_number("import_events", "event_no")
    session.run("insert into import_events values (?, ?, ?, ?, ?)", [number, import_no, kind, who, utc_now()])
    return True


def _info(values: dict[str, Any]) -> ImportInfo:
    moments = {name: in_utc(values[name]) for name in ("first_at", "last_at")}
    return ImportInfo.model_validate(values | moments | {"mapping": json.loads(values["mapping"])})
