"""What several protocols say of the same claims, and what they cost."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from core.models import Label
from core.store import conditions
from core.store.connection import Connection, Session
from core.store.records import ClaimFilter

_FROM = "from current_verdicts v join claims c using (claim_no) join requests r using (request_no)"
_NUMBER = "(select protocol_no from protocols where name = ?)"


class Said(NamedTuple):
    """One protocol's conclusion on one claim."""

    label: Label | None
    strict: bool | None
    """Whether it counts as unsupported; none where it did not conclude."""
    lenient: bool | None


class SameClaim(NamedTuple):
    """One claim that several protocols judged."""

    claim_uid: str
    request_uid: str
    said: tuple[Said, ...]
    """In the order of the protocols."""


class Spent(NamedTuple):
    """What judging under one protocol cost."""

    calls: int
    cost: float
    """US dollars, of the calls whose cost is known."""
    unknown: int
    """Calls whose cost is not known."""


class Took(NamedTuple):
    """How long judging under one protocol took."""

    judged: int
    """Spans, those from the cache left out."""
    cached: int
    seconds: float
    """Over all that were judged."""


class Comparisons:
    """The part of a store that protocols are compared from; see ``Store`` for what holds of all its methods."""

    def __init__(self, connection: Connection) -> None:
        """Read through this connection."""
        self._connection = connection

    def same_claims(self, protocols: Sequence[str], wanted: ClaimFilter, one_in: int = 1) -> list[SameClaim]:
        """The claims of a filter that count and that every protocol judged, in the order of their import.

        Args:
            protocols: As printed.
            wanted: Of which claims; its protocol is one of them.
            one_in: Above 1, only one answer in about so many: whose digest is a multiple of it, the same every time.
        """
        columns = ", ".join(
            f"v{at}.label, v{at}.unsupported_strict, v{at}.unsupported_lenient" for at in _at(protocols)
        )
        joins = " ".join(
            f"join current_verdicts v{at} on v{at}.claim_no = v.claim_no and v{at}.protocol_no = {_NUMBER}"
            for at in _at(protocols)
        )
        with self._connection.read() as session:
            where, params = conditions.condition(session, wanted)
            drawn, of = ("and md5_number_lower(r.request_uid) % ? = 0", [one_in]) if one_in > 1 else ("", [])
            found = session.all(
                f"select c.claim_uid, r.request_uid, {columns} {_FROM} {joins} where v.attempted and {where} "
                f"{drawn} order by r.request_no, c.position, c.claim_no",
                [*protocols, *params, *of],
            )
        return [SameClaim(row[0], row[1], tuple(_said(row[2 + 3 * at :]) for at in _at(protocols))) for row in found]

    def overlaps(self) -> dict[tuple[str, str], int]:
        """How many claims that count each two protocols both judged, by their names, the one stored first leading."""
        with self._connection.read() as session:
            found = session.all(
                "select p.name, q.name, count(*) from current_verdicts v join current_verdicts w "
                "on w.claim_no = v.claim_no and w.protocol_no > v.protocol_no "
                "join protocols p on p.protocol_no = v.protocol_no join protocols q on q.protocol_no = w.protocol_no "
                "where v.attempted group by 1, 2"
            )
        return {(first, second): n for first, second, n in found}

    def judged(self, protocol: str, wanted: ClaimFilter) -> int:
        """How many claims that count a protocol judged, of those that a filter would hold under it."""
        with self._connection.read() as session:
            return _count(session, wanted.model_copy(update={"protocol": protocol}))

    def spent(self, protocol: str) -> Spent | None:
        """What paid models cost under a protocol; none when it called none."""
        with self._connection.read() as session:
            row = session.one(
                "select count(*), round(coalesce(sum(s.cost), 0), 6), count(*) filter (s.cost is null) "
                f"from spend s join runs using (run_id) where protocol_no = {_NUMBER}",
                [protocol],
            )
        return Spent(*row) if row and row[0] else None

    def took(self, protocol: str) -> Took | None:
        """How long judges took under a protocol; none where nobody counted."""
        with self._connection.read() as session:
            row = session.one(
                "select sum(t.judged)::bigint, sum(t.cached)::bigint, sum(t.seconds) "
                f"from judge_times t join runs using (run_id) where protocol_no = {_NUMBER}",
                [protocol],
            )
        return Took(*row) if row and row[0] is not None else None


def _count(session: Session, wanted: ClaimFilter) -> int:
    where, params = conditions.condition(session, wanted)
    return int(session.value(f"select count(*) {_FROM} where v.attempted and {where}", params))


def _at(protocols: Sequence[str]) -> range:
    return range(len(protocols))


def _said(columns: Sequence[Any]) -> Said:
    label, strict, lenient = columns[:3]
    if label is None or label == Label.INACCESSIBLE:
        return Said(label and Label(label), None, None)
    return Said(Label(label), strict, lenient)
