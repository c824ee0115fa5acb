"""What one judge says of claims that people labelled, and its counts over the claims that these stand for."""

from __future__ import annotations

import json
from collections.abc import Collection, Sequence
from typing import Any, NamedTuple

from core.metrics.clustered_share import Spread
from core.models import Failure, Label, Record
from core.people import Person
from core.store import conditions, reveals, spread
from core.store.connection import Connection, Session
from core.store.records import ClaimFilter

_FROM = "from current_verdicts v join claims c using (claim_no) join requests r using (request_no)"
_SAID = f"""
select c.claim_uid, r.request_uid, r.request_id, c.text, v.label, v.attempted, v.unsupported_strict,
  v.unsupported_lenient, v.why, v.row_json
{_FROM}
where v.protocol_no = (select protocol_no from protocols where name = ?)
and c.claim_uid in (select unnest(?::varchar[]))
"""


class SpanScores(NamedTuple):
    """One citation of a claim as the judge left it."""

    label: Label | None
    scores: dict[str, float]


class Saying(NamedTuple):
    """What a judge says of one claim."""

    claim_uid: str
    request_uid: str
    request_id: str
    claim: str
    label: Label | None
    attempted: bool
    strict: bool
    """Whether the strict rate counts it as unsupported; false also for a claim that the rate leaves out."""
    lenient: bool
    failure: Failure | None
    """Why it has no label, where the judge failed."""
    spans: tuple[SpanScores, ...]
    disagrees: bool
    """Whether a qualifier of the claim was found to differ in the cited text."""


class Frame(Record):
    """The claims that a gold set was drawn from; with nothing said, every claim."""

    filter: ClaimFilter | None = None
    """Under its own protocol, whoever judges now."""
    newest: int | None = None
    """The highest claim number there was when it was drawn: what came later had no chance."""
    request_uids: tuple[str, ...] | None = None
    """Only claims of these requests."""


class Tally(Record):
    """Counts of one protocol over some claims that count (DESIGN §2)."""

    attempted: int
    judged: int
    inaccessible: int
    unjudged: int
    """Without a label."""
    strict: int
    lenient: int
    spread_strict: Spread
    """How the judged and the unsupported lie in answers."""
    spread_lenient: Spread

    def unsupported(self, strictness: str) -> int:
        """Those that a strictness counts as unsupported."""
        return self.strict if strictness == "strict" else self.lenient

    def spread(self, strictness: str) -> Spread:
        """How those lie in answers."""
        return self.spread_strict if strictness == "strict" else self.spread_lenient


class JudgedGold:
    """The part of a store that judges are measured from; see ``Store`` for what holds of all its methods."""

    def __init__(self, connection: Connection) -> None:
        """Read through this connection."""
        self._connection = connection

    def said(self, protocol: str, uids: Collection[str]) -> dict[str, Saying]:
        """What a protocol says of claims, by uid; claims that it never saw are left out."""
        with self._connection.read() as session:
            return {row[0]: _saying(row) for row in session.all(_SAID, [protocol, sorted(uids)])}

    def visible(self, reader: Person, uids: Collection[str]) -> set[str]:
        """Those of some claims whose verdict may be shown to a person."""
        with self._connection.read() as session:
            hidden, params = reveals.concealed(session, reader, "c.claim_no")
            found = session.all(
                f"select c.claim_uid from claims c where c.claim_uid in (select unnest(?::varchar[])) and not {hidden}",
                [sorted(uids), *params],
            )
            return {uid for (uid,) in found}

    def frame(self, queue_id: str) -> Frame:
        """What a queue was drawn from, as it was at its last draw."""
        with self._connection.read() as session:
            row = session.one(
                "select q.spec, (select max(newest) from queue_draws d where d.queue_no = q.queue_no) "
                "from queues q where q.queue_id = ?",
                [queue_id],
            )
        spec = json.loads(row[0]) if row else {}
        wanted = spec.get("filter")
        drawn_from = wanted and ClaimFilter.model_validate(wanted | {"reader": None})
        return Frame(filter=drawn_from, newest=row[1] if row else None)

    def tally(self, wanted: ClaimFilter, frame: Frame | None = None) -> Tally:
        """Counts of the filter's protocol over the claims that it holds and that rates count, those of a frame only."""
        with self._connection.read() as session:
            where, params = _counted(session, wanted, frame)
            (row,) = session.all(
                f"select {spread.totals()}, {spread.sums('judged', 'strict', 'lenient')} from "
                f"(select {spread.PER_ANSWER} {_FROM} where {where} group by c.request_no)",
                params,
            )
        many = len(spread.COUNTS)
        strict, lenient = spread.read(row[many:])
        return Tally(**dict(zip(spread.COUNTS, row[:many], strict=True)), spread_strict=strict, spread_lenient=lenient)

    def sides(
        self, wanted: ClaimFilter, frame: Frame | None, uids: Collection[str]
    ) -> dict[str, tuple[bool | None, bool | None]]:
        """Of some claims those that such a tally counts, with what the protocol makes of them.

        Strict and lenient: whether it calls the claim unsupported; none where it did not conclude.
        """
        with self._connection.read() as session:
            where, params = _counted(session, wanted, frame)
            concluded = "v.label is not null and v.label <> 'inaccessible'"
            return {
                uid: (strict, lenient)
                for uid, strict, lenient in session.all(
                    f"select c.claim_uid, case when {concluded} then v.unsupported_strict end, "
                    f"case when {concluded} then v.unsupported_lenient end {_FROM} "
                    f"where {where} and c.claim_uid in (select unnest(?::varchar[]))",
                    [*params, sorted(uids)],
                )
            }


def _counted(session: Session, wanted: ClaimFilter, frame: Frame | None) -> tuple[str, list[Any]]:
    where, params = conditions.condition(session, wanted)
    parts, values = ["v.attempted", where], list(params)
    if frame and frame.filter is not None:
        inner, more = conditions.condition(session, frame.filter)
        parts.append(f"v.claim_no in (select v.claim_no {_FROM} where {inner})")
        values += more
    if frame and frame.newest is not None:
        parts.append("v.claim_no <= ?")
        values.append(frame.newest)
    if frame and frame.request_uids is not None:
        parts.append("r.request_uid in (select unnest(?::varchar[]))")
        values.append(list(frame.request_uids))
    return " and ".join(parts), values


def _saying(row: Sequence[Any]) -> Saying:
    uid, request_uid, request_id, text, label, attempted, strict, lenient, why, row_json = row
    full = json.loads(row_json)
    kind = why.partition(": ")[0] if label is None else ""
    return Saying(
        claim_uid=uid,
        request_uid=request_uid,
        request_id=request_id,
        claim=text,
        label=label and Label(label),
        attempted=attempted,
        strict=strict,
        lenient=lenient,
        failure=Failure(kind) if kind in set(Failure) else None,
        spans=tuple(SpanScores(one["label"] and Label(one["label"]), one["scores"]) for one in full["spans"]),
        disagrees=any(one["agrees"] is False for one in full["qualifiers"]),
    )
