"""Answers of the outside kept from run to run, and since when something is missing there.

An answer is kept as it came, with its date; a failure is kept as a failure and never as a miss. The cache can spare
requests and nothing else: a row or a file that is not sound is as good as none.
"""

from __future__ import annotations

import hashlib
import json
import logging
import sqlite3
import zlib
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TypeVar

from pydantic import ValidationError

from core.cache_file import Layout, clause, open_file, transaction
from core.web_reply import Reply

LARGEST = 512 * 1024 * 1024
"""Bytes in use above which the answers kept longest ago make room."""
LARGEST_IN_MEMORY = 64 * 1024 * 1024
_ROOM_EVERY = 16
"""Answers after which the size is looked at."""

_LAYOUT = Layout(
    0x43697466,
    1,
    (
        "create table replies (key blob primary key, reply text not null, body blob not null, seal blob not null)",
        "create table absences (key blob primary key, first text not null, last text not null)",
    ),
)
_log = logging.getLogger(__name__)

T = TypeVar("T")


class FetchCache:
    """One file of answers, for one thread; other threads and processes may use the same file.

    Trouble with the file is said once, in one sentence on the log, and ends its use by this object: it never raises.

    Args:
        path: The file; it and its folder are made when it is used first, for their owner only. None keeps everything
            in memory, for one run.
        largest: Bytes in use that it may grow to.
    """

    def __init__(self, path: Path | None, largest: int = LARGEST) -> None:
        """Nothing is opened yet."""
        self.path = path
        self._largest = largest if path else min(largest, LARGEST_IN_MEMORY)
        self._given_up = False
        self._keeps = 0
        self._file: sqlite3.Connection | None = None

    def close(self) -> None:
        """Let go of the file."""
        if self._file is not None:
            self._file.close()
            self._file = None

    def find(self, name: str) -> Reply | None:
        """The answer kept under a name, however old."""
        return self._use(lambda file: _read(file, _key(name)), None)

    def keep(self, reply: Reply, name: str) -> None:
        """Keep an answer under a name, the address that was asked and whatever else tells answers apart."""
        key, text, body = _key(name), reply.model_dump_json(exclude={"body"}), zlib.compress(reply.body, 3)
        row = (key, text, body, _seal(key, text, body))

        def write(file: sqlite3.Connection) -> None:
            with transaction(file):
                file.execute("insert or replace into replies values (?, ?, ?, ?)", row)
                if self._keeps % _ROOM_EVERY == 0:
                    self._make_room(file)
            self._keeps += 1

        self._use(write, None)

    def missing_for(self, url: str, at: datetime) -> timedelta:
        """Note that something was missing, and say for how long it has been at every look that could tell."""

        def write(file: sqlite3.Connection) -> timedelta:
            with transaction(file):
                file.execute(
                    "insert into absences values (?, ?, ?) on conflict (key) do update set "
                    "last = max(last, excluded.last), first = min(first, excluded.first)",
                    (_key(url), _stamp(at), _stamp(at)),
                )
                first, last = file.execute("select first, last from absences where key = ?", (_key(url),)).fetchone()
                return datetime.fromisoformat(last) - datetime.fromisoformat(first)

        return self._use(write, timedelta())

    def is_there(self, url: str) -> None:
        """Note that something is there, so that no earlier miss counts."""

        def write(file: sqlite3.Connection) -> None:
            with transaction(file):
                file.execute("delete from absences where key = ?", (_key(url),))

        self._use(write, None)

    def _use(self, work: Callable[[sqlite3.Connection], T], otherwise: T) -> T:
        if self._given_up:
            return otherwise
        try:
            if self._file is None:
                self._file = open_file(self.path, _LAYOUT) if self.path else _in_memory()
            return work(self._file)
        except (sqlite3.Error, OSError, ValueError) as error:
            self._given_up = True
            told = clause(error) if isinstance(error, sqlite3.Error | OSError) else "it is damaged"
            _log.warning("The cache %s is not used (%s); everything is asked for anew.", self.path, told)
            return otherwise

    def _make_room(self, file: sqlite3.Connection) -> None:
        """Take out the oldest fifth when more is in use than the file may hold."""
        pages, free, size = (
            int(file.execute(f"pragma {name}").fetchone()[0]) for name in ("page_count", "freelist_count", "page_size")
        )
        if (pages - free) * size > self._largest:
            file.execute(
                "delete from replies where rowid <= (select rowid from replies order by rowid "
                "limit 1 offset (select count(*) / 5 from replies))"
            )


def _in_memory() -> sqlite3.Connection:
    file = sqlite3.connect(":memory:", isolation_level=None)
    for statement in _LAYOUT.tables:
        file.execute(statement)
    return file


def _key(url: str) -> bytes:
    return hashlib.sha256(url.encode("utf-8", "surrogatepass")).digest()


def _stamp(at: datetime) -> str:
    return at.astimezone(UTC).isoformat()


def _seal(key: bytes, text: str, body: bytes) -> bytes:
    """A hash over a row, so that a changed row is seen."""
    return hashlib.sha256(b"\0".join((key, text.encode(), body))).digest()


def _read(file: sqlite3.Connection, key: bytes) -> Reply | None:
    row = file.execute("select reply, body, seal from replies where key = ?", (key,)).fetchone()
    if row is None or not isinstance(row[0], str) or _seal(key, row[0], row[1]) != row[2]:
        return None
    try:
        return Reply.model_validate(json.loads(row[0]) | {"body": zlib.decompress(row[1])})
    except (ValidationError, ValueError, zlib.error):  # written by another version
        return None
