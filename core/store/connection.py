"""The one connection: opening the file, a cursor per operation, one writer at a time, errors in a sentence."""

from __future__ import annotations

import errno
import os
import re
import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import duckdb

from core.errors import StoreBusy, StoreError, StoreTooNew
from core.store.encoding import decode, encode
from core.store.migration import migrate

_CONFIG = {"storage_compatibility_version": "v1.0.0"}
_ROWS_AT_ONCE = 8192
"""Rows of a row group. A checkpoint rewrites one whole, in memory, and joins small ones up to this size: with DuckDB's
own 122,880 rows an import took up to 250 MiB more than with these, and the more the longer its texts."""

_NAME = "desk"
"""What the file is called inside DuckDB; the size of row groups can be told to ATTACH only."""

_PID = re.compile(r"\(PID (\d+)\)")
_CAUSES: Sequence[tuple[str, str, str]] = (
    ("No space left on device", "the disk is full", "free some space and try again"),
    ("Disk quota exceeded", "the disk quota is used up", "free some space and try again"),
    ("File too large", "it may not grow any more", "raise the file size limit and try again"),
    ("Read-only file system", "the disk is read-only", "choose a writable place with --store"),
    ("Permission denied", "you may not write there", "change the permissions or choose another place with --store"),
    ("Operation not permitted", "you may not write there", "change the permissions or choose another place"),
    ("Is a directory", "it is a directory", "name a file with --store"),
    ("Not a directory", "a part of its path is not a directory", "choose another place with --store"),
    ("File name too long", "its name is too long", "choose a shorter one with --store"),
    ("not a valid DuckDB", "it is not a DuckDB file", "choose another file with --store"),
    ("Could not read enough bytes", "it is cut short", "restore it from a copy, or start a new file with --store"),
    ("Corrupt", "it is damaged", "restore it from a copy, or start a new file with --store"),
    ("already closed", "it was closed", "open it again"),
    ("database has been invalidated", "an earlier error stopped it", "restart the desk; what was saved is kept"),
)


class Session:
    """One cursor inside one transaction; texts are encoded on the way in and decoded on the way out."""

    def __init__(self, cursor: duckdb.DuckDBPyConnection) -> None:
        """Speak through this cursor."""
        self._cursor = cursor

    def run(self, sql: str, params: Sequence[Any] = ()) -> None:
        """Execute a statement."""
        self._cursor.execute(sql, encode(params))

    def all(self, sql: str, params: Sequence[Any] = ()) -> list[tuple[Any, ...]]:
        """Fetch every row."""
        rows = self._cursor.execute(sql, encode(params)).fetchall()
        return [tuple(decode(value) for value in row) for row in rows]

    def one(self, sql: str, params: Sequence[Any] = ()) -> tuple[Any, ...] | None:
        """Fetch the first row, or none."""
        return next(iter(self.all(sql, params)), None)

    def value(self, sql: str, params: Sequence[Any] = ()) -> Any:
        """Fetch the first column of the first row, or none."""
        row = self.one(sql, params)
        return None if row is None else row[0]

    def pairs(self, sql: str, params: Sequence[Any] = ()) -> dict[Any, Any]:
        """Fetch two columns, the first one as the key."""
        return {key: value for key, value in self.all(sql, params)}

    def append(self, table: str, rows: Sequence[Mapping[str, Any]]) -> None:
        """Insert many rows at once, each a value per column name; all name the same columns.

        Columns go in as lists: a table of pyarrow is a little faster, but brings 90 MiB of libraries with it.
        """
        if not rows:
            return
        names = ", ".join(rows[0])
        types = self._cursor.sql(f"select {names} from {table} limit 0").types
        columns = ", ".join(f"unnest(?::{kind}[])" for kind in types)
        values = [[encode(row[name]) for row in rows] for name in rows[0]]
        self._cursor.execute(f"insert into {table} ({names}) select {columns}", values)

    def next_number(self, table: str, column: str) -> int:
        """Give the number for the next row of a table; safe only inside a write."""
        return int(self.value(f"select coalesce(max({column}), 0) + 1 from {table}"))


class Connection:
    """The store's only connection to its file. Safe to use from many threads."""

    def __init__(self, path: Path) -> None:
        """Open the file, making it when it is not there, and bring its schema up to date.

        Raises:
            StoreBusy: Another process has it open.
            StoreTooNew: A newer Citedesk wrote it.
            StoreError: It cannot be opened; nothing new is left behind.
        """
        self.path = path.absolute()
        self._lock = threading.RLock()
        try:
            if not self.path.exists():
                _create(self.path)
            self._root = _connect(self.path, self.path)
        except (duckdb.Error, OSError, ValueError) as error:  # ValueError: a path no file system can hold
            raise explain(error, self.path) from error

    @contextmanager
    def read(self) -> Iterator[Session]:
        """Look at one consistent state of the store; never waits for a writer."""
        with self._session() as cursor:
            try:
                yield Session(cursor)
            finally:
                with suppress(duckdb.Error):
                    cursor.rollback()

    @contextmanager
    def write(self) -> Iterator[Session]:
        """Change the store in one transaction; any way out but the normal one leaves it unchanged.

        Rerun and stop of a page and Ctrl-C are ``BaseException``, hence the wide net; all are raised again.
        """
        with self._lock, self._session() as cursor:
            try:
                yield Session(cursor)
                cursor.commit()
            except BaseException:
                with suppress(duckdb.Error):  # a failed commit has rolled back already
                    cursor.rollback()
                raise

    @contextmanager
    def _session(self) -> Iterator[duckdb.DuckDBPyConnection]:
        try:
            cursor = self._root.cursor()
            try:
                cursor.execute(f"use {_NAME}")
                cursor.begin()
                yield cursor
            finally:
                cursor.close()
        except duckdb.Error as error:
            raise explain(error, self.path) from error

    def checkpoint(self) -> None:
        """Move what is in the write-ahead log into the file."""
        with self._lock:
            try:
                with self._root.cursor() as cursor:
                    cursor.execute(f"checkpoint {_NAME}")
            except duckdb.Error as error:
                raise explain(error, self.path) from error

    def close(self) -> None:
        """Let go of the file after the writer that is at work, if any. Closing twice does no harm."""
        with self._lock:
            self._root.close()


def explain(error: Exception, path: Path) -> StoreError:
    """Turn DuckDB's or the system's complaint about a store into one sentence."""
    text = str(error)
    if "Could not set lock" in text or "being used by another process" in text:
        found = _PID.search(text)
        who = f"Another process (PID {found[1]})" if found else "Another process"
        return StoreBusy(f"{who} has the store {path} open", "close it, or choose another file with --store")
    if "we can only read versions" in text:
        return StoreTooNew(
            f"The store {path} was written by a newer DuckDB than the one installed", "update Citedesk and duckdb"
        )
    for sign, cause, advice in _CAUSES:
        if sign.lower() in text.lower():
            return StoreError(f"The store {path} cannot be used: {cause}", advice)
    line = text.splitlines()[0].rstrip(". ") if text.strip() else type(error).__name__
    return StoreError(f"The store {path} cannot be used: {line}", "try again, or choose another file with --store")


def _connect(file: Path, path: Path) -> duckdb.DuckDBPyConnection:
    """Open a file and migrate it; messages speak of ``path``."""
    root = duckdb.connect(config={**_CONFIG, "temp_directory": f"{file}.tmp"})
    try:
        root.execute("set global TimeZone = 'UTC'")
        root.execute("set global autoinstall_known_extensions = false")  # nothing is fetched from the network
        quoted = str(file).replace("'", "''")
        root.execute(f"attach '{quoted}' as {_NAME} (type duckdb, row_group_size {_ROWS_AT_ONCE})")
        root.execute(f"use {_NAME}")
        migrate(root, path)
    except BaseException:
        root.close()
        raise
    return root


def _create(path: Path) -> None:
    """Make a new store beside its place and put it there whole, so that a failure or a kill leaves no half of one."""
    missing = [folder for folder in path.parents if not folder.exists()]
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with TemporaryDirectory(dir=path.parent, prefix=".citedesk-", ignore_cleanup_errors=True) as beside:
            fresh = Path(beside, "new.duckdb")
            with _connect(fresh, path) as root:
                root.execute(f"checkpoint {_NAME}")  # closing would do it too, but keep a failure to itself
            _place(fresh, path)
    except BaseException:
        for folder in missing:
            with suppress(OSError, ValueError):  # not empty, or never made
                folder.rmdir()
        raise


def _place(fresh: Path, path: Path) -> None:
    try:
        os.link(fresh, path)
    except FileExistsError:
        return  # another process was faster; its store is opened instead
    except OSError as error:
        if error.errno not in {errno.EPERM, errno.ENOTSUP, errno.ENOSYS, errno.EMLINK}:
            raise
        fresh.rename(path)  # a file system without hard links
