"""Reading the audit chain back, beside the rows that it speaks of."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import datetime

from core.models import Record, digest
from core.store.audit import Act, Entry, note
from core.store.audit_subjects import SUBJECTS
from core.store.connection import Connection
from core.store.encoding import in_utc

AT_ONCE = 4000
"""Entries in memory at a time, with the rows they speak of."""


class StoredEntry(Record):
    """One act as the chain holds it."""

    number: int
    done_at: datetime
    person: str
    act: str
    subject: str
    content_sha256: str
    previous: str
    sha256: str

    @property
    def kind(self) -> str:
        """What sort of thing it was done to."""
        return self.subject.partition(" ")[0]

    @property
    def of(self) -> str:
        """The id of that thing."""
        return self.subject.partition(" ")[2]


class AuditLog:
    """The audit chain of one store; see ``Store`` for what holds of all its methods."""

    def __init__(self, connection: Connection) -> None:
        """Read and write through this connection."""
        self._connection = connection

    def count(self) -> int:
        """How many entries there are."""
        with self._connection.read() as session:
            return int(session.value("select count(*) from audit"))

    def note(self, person: str, act: Act, subject: str, content: object) -> None:
        """Append an act that writes no row of its own."""
        with self._connection.write() as session:
            note(session, [Entry(person, act, subject, content)])

    def entries(self, person: str | None = None, subject: str | None = None) -> Iterator[list[StoredEntry]]:
        """The chain in its order, some at a time; of one person, or of one subject or kind of subject, if asked."""
        after = -1
        while True:
            with self._connection.read() as session:
                found = session.all(
                    "select * from audit where entry_no > ? and (? is null or person = ?) "
                    "and (? is null or subject = ? or starts_with(subject, ? || ' ')) order by entry_no limit ?",
                    [after, person, person, subject, subject, subject, AT_ONCE],
                )
            if not found:
                return
            after = int(found[-1][0])
            yield [_entry(*row) for row in found]

    def contents(self, entries: Sequence[StoredEntry]) -> dict[str, str]:
        """By subject, the sha256 of what the rows of some entries hold now; without those whose row is gone."""
        found: dict[str, str] = {}
        with self._connection.read() as session:
            for kind, subject in SUBJECTS.items():
                ids = [entry.of for entry in entries if entry.kind == kind]
                if ids:
                    now = subject.contents(session, ids)
                    found |= {f"{kind} {one}": digest(content) for one, content in now.items()}
        return found

    def not_entered(self) -> Iterator[str]:
        """Subjects of rows that the chain says nothing of, and of those that stand there twice; one of each kind."""
        for kind, subject in SUBJECTS.items():
            with self._connection.read() as session:
                found = session.value(
                    f"select id from (select {subject.key}::varchar as id from {subject.rows} where {subject.since}) "
                    "group by id having count(*) > 1 or id not in "
                    "(select substr(subject, ?) from audit where starts_with(subject, ?)) order by 1 limit 1",
                    [len(kind) + 2, f"{kind} "],
                )
            if found is not None:
                yield f"{kind} {found}"

    def is_older_part_whole(self) -> bool:
        """Whether the labels that are older than the chain add up to what they did when it began."""
        with self._connection.read() as session:
            return bool(
                session.value("select (select content from audit_begins) = (select content from audit_begins_now)")
            )


def _entry(
    number: int, done_at: datetime, person: str, act: str, subject: str, content: str, previous: str, sha256: str
) -> StoredEntry:
    moment = in_utc(done_at)
    assert moment is not None, "the column is not null"
    return StoredEntry(
        number=number,
        done_at=moment,
        person=person,
        act=act,
        subject=subject,
        content_sha256=content,
        previous=previous,
        sha256=sha256,
    )
