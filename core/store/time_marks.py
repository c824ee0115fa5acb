"""Days that people marked on the time axis: written once, and taken back by another row."""

from __future__ import annotations

import secrets
from collections.abc import Callable
from datetime import date, datetime

from core.errors import InputError
from core.models import Record, utc_now
from core.store.connection import Connection, Session
from core.store.encoding import in_utc

_STANDING = """
select mark_id, day, text, who, recorded_at from time_marks
where undoes is null and mark_id not in (select undoes from time_marks where undoes is not null)
order by day, mark_no
"""


class TimeMark(Record):
    """A day that a person marked."""

    mark_id: str
    day: date
    text: str
    who: str
    recorded_at: datetime


class TimeMarks:
    """The marks of a store; see ``Store`` for what holds of all its methods."""

    def __init__(self, connection: Connection, wrote: Callable[[], None]) -> None:
        """Read and write through this connection, and say when something was written."""
        self._connection = connection
        self._wrote = wrote

    def list(self) -> list[TimeMark]:
        """Those that stand, by day."""
        with self._connection.read() as session:
            return _standing(session)

    def add(self, day: date, text: str, who: str) -> TimeMark:
        """Keep a mark; one that stands already with the same day and text is not written again."""
        with self._connection.write() as session:
            for one in _standing(session):
                if (one.day, one.text) == (day, text):
                    return one
            new = TimeMark(mark_id=secrets.token_hex(8), day=day, text=text, who=who, recorded_at=utc_now())
            _append(session, new, None)
        self._wrote()
        return new

    def take_back(self, mark_id: str, who: str) -> TimeMark:
        """Take a mark off the axis; gives it.

        Raises:
            InputError: None that stands has this id.
        """
        with self._connection.write() as session:
            gone = next((one for one in _standing(session) if one.mark_id == mark_id), None)
            if gone is None:
                raise InputError(f"There is no mark {mark_id!r}", "see 'citedesk mark list'")
            undo = gone.model_copy(update={"mark_id": secrets.token_hex(8), "who": who, "recorded_at": utc_now()})
            _append(session, undo, mark_id)
        self._wrote()
        return gone


def _standing(session: Session) -> list[TimeMark]:
    names = list(TimeMark.model_fields)
    return [
        TimeMark(**dict(zip(names, row[:-1], strict=False)), recorded_at=in_utc(row[-1]))
        for row in session.all(_STANDING)
    ]


def _append(session: Session, mark: TimeMark, undoes: str | None) -> None:
    number = session.next_number("time_marks", "mark_no")
    session.append("time_marks", [mark.model_dump() | {"mark_no": number, "undoes": undoes}])
