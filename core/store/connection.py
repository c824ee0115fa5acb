"""The one connection: opening the file, a cursor per operation, one writer at a time, errors in a sentence."""

from __future__ import annotations

import errno
import os
import re
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from uuid import uuid4

import duckdb

from core.errors import StoreBusy, StoreError, StoreTooNew
from core.store.encoding import encode
from core.store.migration import Migration, migrate
from core.store.session import Session as Session
from core.store.session import last_change

_CONFIG = {"storage_compatibility_version": "v1.0.0"}
_ROWS_AT_ONCE = 8192
"""Rows of a row group. A checkpoint rewrites one whole, in memory, and joins small ones up to this size: with DuckDB's
own 122,880 rows an import took up to 250 MiB more than with these, and the more the longer its texts."""

_NAME = "desk"
"""What the file is called inside DuckDB; the size of row groups can be told to ATTACH only."""

_PID = re.compile(r"\(PID (\d+)\)")
_TORN = re.compile(r"replaying WAL.*entry at byte position (\d+)", re.DOTALL)
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
        self._last: dict[tuple[str, str], int] = {}
        self._newest: dict[str, Mapping[str, Any]] = {}
        self._changes: Mapping[str, int] = {}
        try:
            if not self.path.exists():
                _create(self.path)
            self._root = connect(self.path, self.path)
        except (duckdb.Error, OSError, ValueError) as error:  # ValueError: a path no file system can hold
            raise explain(error, self.path) from error

    def change(self, tables: Callable[[str], bool]) -> int:
        """The number of the last commit that wrote to one of these tables; 0 when none did since opening.

        What was read under this number is true as long as it stays the same. A statement whose table is not known
        counts as one on the table of no name.
        """
        return last_change(self._changes, tables)

    @contextmanager
    def read(self) -> Iterator[Session]:
        """Look at one consistent state of the store; never waits for a writer."""
        changes = self._changes  # before the state that is looked at
        with self._session() as cursor:
            try:
                yield Session(cursor, {}, {}, changes)
            finally:
                with suppress(duckdb.Error):
                    cursor.rollback()

    @contextmanager
    def write(self) -> Iterator[Session]:
        """Change the store in one transaction; any way out but the normal one leaves it unchanged.

        Rerun and stop of a page and Ctrl-C are ``BaseException``, hence the wide net; all are raised again.
        """
        with self._lock, self._session() as cursor:
            session = Session(cursor, self._last, self._newest, self._changes)
            try:
                yield session
                cursor.commit()
            except BaseException:
                self._last.clear()
                self._newest.clear()
                with suppress(duckdb.Error):  # a failed commit has rolled back already
                    cursor.rollback()
                raise
            number = max(self._changes.values(), default=0) + 1
            for tell in session.afterwards:
                tell(number)
            self._changes = {**self._changes, **dict.fromkeys(session.written, number)}  # others hold the old one

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

    def copy_out(self, path: Path, tables: Callable[[Session], Sequence[tuple[str, str, Sequence[Any]]]]) -> None:
        """Write results of queries, all over one state of the store, as tables of a new file.

        Args:
            path: Where; nothing may be there yet.
            tables: Gives name, query and parameters of each.
        """
        quoted = str(path).replace("'", "''")
        name = f"copy_{uuid4().hex}"
        try:
            with self._lock, self._root.cursor() as cursor:  # nobody writes between the two looks
                with self.read() as session:
                    wanted = tables(session)
                cursor.execute(f"attach '{quoted}' as {name} (type duckdb)")
                try:
                    cursor.execute(f"use {_NAME}")
                    cursor.begin()
                    for table, sql, params in wanted:
                        cursor.execute(f"create table {name}.{table} as {sql}", encode(params))
                    cursor.commit()
                finally:
                    cursor.execute(f"detach {name}")
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


def explain(error: Exception, path: Path, what: str = "store") -> StoreError:
    """Turn DuckDB's or the system's complaint about a store, or about another thing of ours, into one sentence."""
    text = str(error)
    if "Could not set lock" in text or "being used by another process" in text:
        found = _PID.search(text)
        who = f"Another process (PID {found[1]})" if found else "Another process"
        return StoreBusy(f"{who} has the store {path} open", "close it, or choose another file with --store")
    if "we can only read versions" in text:
        return StoreTooNew(
            f"The store {path} was written by a newer DuckDB than the one installed", "update Citedesk and duckdb"
        )
    if found := _TORN.search(text):
        log = path.with_name(f"{path.name}.wal")
        advice = "restore a backup, or keep what stands before that byte: docs/recovery.md says how"
        return StoreError(f"The {what} {path} cannot be used: its log {log} is damaged from byte {found[1]} on", advice)
    for sign, cause, advice in _CAUSES:
        if sign.lower() in text.lower():
            return StoreError(f"The {what} {path} cannot be used: {cause}", advice)
    line = text.splitlines()[0].rstrip(". ") if text.strip() else type(error).__name__
    return StoreError(f"The {what} {path} cannot be used: {line}", "try again, or choose another file with --store")


def connect(file: Path, path: Path, steps: list[Migration] | None = None) -> duckdb.DuckDBPyConnection:
    """Open a file and migrate it, by some steps only if they are given; messages speak of ``path``."""
    root = duckdb.connect(config={**_CONFIG, "temp_directory": f"{file}.tmp"})
    try:
        root.execute("set global TimeZone = 'UTC'")
        root.execute("set global autoinstall_known_extensions = false")  # nothing is fetched from the network
        quoted = str(file).replace("'", "''")
        root.execute(f"attach '{quoted}' as {_NAME} (type duckdb, row_group_size {_ROWS_AT_ONCE})")
        root.execute(f"use {_NAME}")
        migrate(root, path, steps)
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
            with connect(fresh, path) as root:
                root.execute(f"checkpoint {_NAME}")  # closing would do it too, but keep a failure to itself
            with suppress(FileExistsError):  # another process was faster; its store is opened instead
                place(fresh, path)
    except BaseException:
        for folder in missing:
            with suppress(OSError, ValueError):  # not empty, or never made
                folder.rmdir()
        raise


def place(fresh: Path, path: Path) -> None:
    """Put a finished store where it belongs, all at once.

    Raises:
        FileExistsError: There is one by now; it stays.
        OSError: The place cannot be written.
    """
    try:
        os.link(fresh, path)
    except OSError as error:
        if error.errno not in {errno.EPERM, errno.ENOTSUP, errno.ENOSYS, errno.EMLINK}:
            raise
        if path.exists():
            raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST), str(path)) from error
        fresh.rename(path)  # a file system without hard links
