"""The file of a cache: an SQLite database for its owner only, opened for one use at a time.

Opening it is safe from many threads and processes; whose file it is, is checked before anything is read or written.
"""

from __future__ import annotations

import os
import sqlite3
import stat
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

_PATIENCE = 20.0
"""Seconds to wait for another process that is writing."""


_PAUSE = 0.005
"""Seconds between two looks where SQLite does not wait by itself."""


class Layout(NamedTuple):
    """What a cache's file holds."""

    application: int
    """Written into the file's header, so that no other program's file is taken for a cache."""
    version: int
    tables: tuple[str, ...]
    """The statements that make them."""


JUDGEMENTS = Layout(
    0x43697465, 1, ("create table judgements (key blob primary key, judgement text not null, seal blob not null)",)
)
"""The verdict cache."""

_HEADER = (
    "select application_id, user_version, (select count(*) from sqlite_master) "
    "from pragma_application_id, pragma_user_version"
)
"""In one statement, which sees one state: between two of them another thread or process may have laid the file out."""

_making = threading.Lock()
"""Closing any descriptor of a file lets go of SQLite's locks on it in the whole process: ours is closed before."""


def open_file(path: Path, layout: Layout = JUDGEMENTS) -> sqlite3.Connection:
    """Open a cache file, making it for its owner only when it is not there.

    Raises:
        OSError, sqlite3.Error: It cannot be opened, is no cache, or others could have written it.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    _make(path)
    status = path.stat()
    if os.name == "posix":
        if not stat.S_ISREG(status.st_mode) or status.st_uid != os.geteuid() or status.st_mode & 0o022:
            raise sqlite3.DatabaseError("others can write it")
        if status.st_mode & 0o055:
            path.chmod(0o600)
    connection = sqlite3.connect(path, timeout=_PATIENCE, isolation_level=None)
    try:
        _prepare(connection, layout)
    except BaseException:
        connection.close()
        raise
    return connection


def _make(path: Path) -> None:
    with _making:
        try:
            os.close(os.open(path, os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o600))
        except FileExistsError:
            return


def _prepare(connection: sqlite3.Connection, layout: Layout) -> None:
    """Check whose file it is, and lay out an empty one."""
    connection.execute("pragma synchronous = normal")  # a power cut may lose the last entries, nothing else
    if _is_ours(connection, layout):
        return
    _write_ahead(connection)
    with transaction(connection):
        if _is_ours(connection, layout):  # another process was faster
            return
        for statement in layout.tables:
            connection.execute(statement)
        connection.execute(f"pragma application_id = {layout.application}")
        connection.execute(f"pragma user_version = {layout.version}")


def _write_ahead(connection: sqlite3.Connection) -> None:
    """Let readers and a writer work at once, from now on; SQLite itself does not wait for others that do the same."""
    until = time.monotonic() + _PATIENCE
    while True:
        try:
            connection.execute("pragma journal_mode = wal")
        except sqlite3.OperationalError as error:
            if error.sqlite_errorcode & 0xFF != sqlite3.SQLITE_BUSY or time.monotonic() > until:
                raise
            time.sleep(_PAUSE)
        else:
            return


def _is_ours(connection: sqlite3.Connection, layout: Layout) -> bool:
    """Whether the file is such a cache; false when it is empty.

    Raises:
        sqlite3.DatabaseError: It is something else.
    """
    application, version, tables = connection.execute(_HEADER).fetchone()
    if (application, version) == (layout.application, layout.version):
        return True
    if application or version or tables:
        newer = application == layout.application
        raise sqlite3.DatabaseError("another version of Citedesk made it" if newer else "it is another program's file")
    return False


@contextmanager
def transaction(connection: sqlite3.Connection) -> Iterator[None]:
    """All of what is done inside, or nothing."""
    connection.execute("begin immediate")
    try:
        yield
        connection.execute("commit")
    except BaseException:
        if connection.in_transaction:
            connection.execute("rollback")
        raise


def clause(error: sqlite3.Error | OSError) -> str:
    """What is wrong with a cache file, as a clause."""
    if isinstance(error, OSError):
        return error.strerror or str(error)
    return str(error).rstrip(".")
