"""Protocols that somebody made of a calibration, as they were when they were adopted."""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import datetime

from core.errors import StoreConflict
from core.models import Record, digest, utc_now
from core.protocol import ClaimProtocol
from core.store import audit, recording
from core.store.connection import Connection, Session
from core.store.encoding import in_utc

_ALL = """
select a.name, p.protocol, a.base, a.threshold, a.gold_id, a.gold_sha256, a.said, a.who, a.adopted_at
from adoptions a join protocols p using (protocol_no)
"""


class NewAdoption(Record):
    """What is to be adopted."""

    name: str
    protocol: ClaimProtocol
    base: str
    """The protocol that was measured, as printed."""
    threshold: float
    gold_id: str
    gold_sha256: str
    said: str
    """What the threshold costs, in a sentence."""
    who: str


class AdoptedProtocol(NewAdoption):
    """A protocol that was made of a calibration."""

    adopted_at: datetime


class Adoptions:
    """The part of a store that knows what was adopted; see ``Store`` for what holds of all its methods."""

    def __init__(self, connection: Connection, wrote: Callable[[], None]) -> None:
        """Read and write through this connection, and say when something was written."""
        self._connection = connection
        self._wrote = wrote

    def all(self) -> list[AdoptedProtocol]:
        """Every one, oldest first."""
        with self._connection.read() as session:
            return _read(session)

    def add(self, new: NewAdoption) -> AdoptedProtocol:
        """Keep one; the same protocol chosen on the same gold is kept once, under its first name.

        Raises:
            StoreConflict: Another protocol has the name; nothing was written.
        """
        adoption_id = digest([new.protocol.sha256, new.gold_sha256])[:16]
        with self._connection.write() as session:
            known = _read(session, adoption_id)
            if known:
                return known[0]
            if session.one("select 1 from adoptions where name = ?", [new.name]):
                raise StoreConflict(f"Another adopted protocol is called {new.name!r}", "give this one another name")
            _insert(session, adoption_id, new)
            (made,) = _read(session, adoption_id)
        self._wrote()
        return made


def _insert(session: Session, adoption_id: str, new: NewAdoption) -> None:
    row = new.model_dump(exclude={"protocol"}) | {
        "adoption_no": session.next_number("adoptions", "adoption_no"),
        "adoption_id": adoption_id,
        "protocol_no": recording.protocol_no(session, new.protocol),
        "adopted_at": utc_now(),
    }
    session.append("adoptions", [row])
    audit.note(session, [audit.Entry(new.who, audit.Act.ADOPTED, f"adoption {adoption_id}", audit.of_row(row))])


def _read(session: Session, adoption_id: str | None = None) -> list[AdoptedProtocol]:
    found = session.all(
        f"{_ALL} where ? is null or a.adoption_id = ? order by a.adoption_no", [adoption_id, adoption_id]
    )
    return [
        AdoptedProtocol(
            name=name,
            protocol=ClaimProtocol.model_validate(json.loads(full)),
            base=base,
            threshold=threshold,
            gold_id=gold_id,
            gold_sha256=sha256,
            said=said,
            who=who,
            adopted_at=in_utc(at) or at,
        )
        for name, full, base, threshold, gold_id, sha256, said, who, at in found
    ]
