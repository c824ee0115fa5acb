"""The anchor set: claims that every judge judges, kept as they were drawn."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Sequence
from datetime import datetime

from core.models import Answer, Record, utc_now
from core.store import answers
from core.store.connection import Connection
from core.store.encoding import in_utc

_NOW = "anchor_no = (select max(anchor_no) from anchor_sets)"
_CLAIMS = f"select claim_no from anchor_claims where {_NOW}"


class AnchorSet(Record):
    """Claims that every judge judges."""

    anchor_id: str
    seed: int
    who: str
    recorded_at: datetime
    claim_uids: tuple[str, ...]
    """In the order of their import; without those that were withdrawn since."""


class AnswerClaims(Record):
    """One answer with its claims that count."""

    request_uid: str
    claim_uids: tuple[str, ...]


class Anchors:
    """The anchor sets of a store; see ``Store`` for what holds of all its methods."""

    def __init__(self, connection: Connection, wrote: Callable[[], None]) -> None:
        """Read and write through this connection, and say when something was written."""
        self._connection = connection
        self._wrote = wrote

    def current(self) -> AnchorSet | None:
        """The set that counts; none before one was drawn."""
        with self._connection.read() as session:
            row = session.one(f"select anchor_id, seed, who, recorded_at from anchor_sets where {_NOW}")
            uids = session.all(f"select claim_uid from standing_claims where claim_no in ({_CLAIMS}) order by claim_no")
        if row is None:
            return None
        anchor_id, seed, who, recorded_at = row
        return AnchorSet(
            anchor_id=anchor_id,
            seed=seed,
            who=who,
            recorded_at=in_utc(recorded_at),
            claim_uids=tuple(uid for (uid,) in uids),
        )

    def population(self) -> list[AnswerClaims]:
        """Every answer with those of its claims that count for a judge, in the order of their import."""
        with self._connection.read() as session:
            found = session.all(
                "select any_value(r.request_uid), list(c.claim_uid order by c.claim_no) "
                "from claims c join requests r using (request_no) "
                "where claim_no in (select claim_no from current_verdicts where attempted) "
                "group by r.request_no order by r.request_no"
            )
        return [AnswerClaims(request_uid=uid, claim_uids=tuple(claims)) for uid, claims in found]

    def keep(self, claim_uids: Sequence[str], seed: int, who: str) -> None:
        """Make some claims the set that counts; the one of before stays on record."""
        with self._connection.write() as session:
            number = session.next_number("anchor_sets", "anchor_no")
            row = {"anchor_no": number, "anchor_id": secrets.token_hex(8), "seed": seed, "who": who}
            session.append("anchor_sets", [row | {"recorded_at": utc_now()}])
            claims = session.all("select claim_no from claims where claim_uid in ?", [list(claim_uids)])
            session.append("anchor_claims", [{"anchor_no": number, "claim_no": claim} for (claim,) in sorted(claims)])
        self._wrote()

    def unjudged(self, protocol: str) -> list[Answer]:
        """The answers of the set's claims of which a protocol has not judged any one."""
        with self._connection.read() as session:
            numbers = session.all(
                f"select distinct request_no from standing_claims where claim_no in ({_CLAIMS}) and request_no not in "
                "(select c.request_no from current_verdicts v join claims c using (claim_no) "
                "where v.protocol_no in (select protocol_no from protocols where name = ?)) order by 1",
                [protocol],
            )
            found = answers.get(session, [number for (number,) in numbers])
        return [found[number] for (number,) in numbers]
