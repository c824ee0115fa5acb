"""Every table of a store as a Parquet file, and a new store out of such files, with proof that nothing differs."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from tempfile import TemporaryDirectory

import duckdb

from core.errors import StoreError, StoreTooNew
from core.models import Record
from core.store.connection import Connection, Session, connect, explain, place
from core.store.migration import known, migrate

_AT_ONCE = 8192
"""Rows of a row group, in memory while it is written."""

Told = Callable[[int, int], None]
"""Is told how many rows of how many are done."""


class Copied(Record):
    """What was written."""

    schema_number: int
    """Of the last migration that the tables had gone through."""
    rows: dict[str, int]
    """By table."""


class TableCopies:
    """Copies of one store's tables; see ``Store`` for what holds of all its methods."""

    def __init__(self, connection: Connection) -> None:
        """Read through this connection."""
        self._connection = connection

    def write(self, folder: Path, told: Told) -> Copied:
        """Write one state of all tables as ``TABLE.parquet``; who labels meanwhile does not wait.

        Each file is read back and compared with its table, row by row.

        Args:
            folder: An empty one.
            told: What it raises ends the work.

        Raises:
            StoreError: A file cannot be written, or differs from its table.
        """
        with self._connection.read() as session:
            number = int(session.value("select max(number) from migrations"))
            names = [name for (name,) in session.all(_TABLES)]
            rows = {name: int(session.value(f"select count(*) from {name}")) for name in names}
            done, total = 0, sum(rows.values())
            for name in names:
                try:
                    _write(session, name, folder / f"{name}.parquet", is_empty=not rows[name])
                except duckdb.Error as error:
                    raise explain(error, folder, "place of the backup") from error
                done += rows[name]
                told(done, total)
        return Copied(schema_number=number, rows=rows)


_TABLES = "select table_name from duckdb_tables() where database_name = current_database() and not temporary order by 1"


def _write(session: Session, name: str, file: Path, is_empty: bool) -> None:
    session.run(f"copy {name} to {_quoted(file)} (format parquet, compression zstd, row_group_size {_AT_ONCE})")
    if not is_empty and session.one(_sum(name)) != session.one(_sum(f"read_parquet({_quoted(file)})")):
        raise StoreError(f"The copy of the table {name} differs from it", "try again on another disk")


def _sum(rows: str) -> str:
    """How many rows there are and a sum over what they hold, of which the order is no part."""
    return f"select count(*), sum(hash(one)) from {rows} one"


def _quoted(file: Path) -> str:
    return "'" + str(file).replace("'", "''") + "'"


def load(path: Path, folder: Path, schema_number: int, rows: Mapping[str, int], told: Told) -> None:
    """Make a new store of files that ``TableCopies.write`` wrote, and bring its schema up to date.

    The tables are those that this package's own migrations make: nothing in the files is executed.

    Args:
        path: The new store; nothing may be there. It is put there whole, or not at all.
        folder: Where the files are.
        schema_number: That of the copy.
        rows: By table, how many there must be.
        told: What it raises ends the work.

    Raises:
        StoreTooNew: A newer Citedesk made the copy.
        StoreError: The files are not those of such a store, or the new one cannot be written.
    """
    steps = known()
    if schema_number > steps[-1].number:
        raise StoreTooNew(
            f"The backup was made by a newer Citedesk (schema {schema_number}, this one knows {steps[-1].number})",
            "update Citedesk",
        )
    with TemporaryDirectory(dir=path.parent, prefix=".citedesk-", ignore_cleanup_errors=True) as beside:
        fresh = Path(beside, "new.duckdb")
        try:
            with connect(fresh, path, [step for step in steps if step.number <= schema_number]) as root:
                _fill(root, folder, rows, told)
                migrate(root, path)
                root.execute("checkpoint")
            place(fresh, path)
        except FileExistsError as error:
            raise StoreError(f"There is a store at {path} by now", "name another place with --store") from error
        except (duckdb.Error, OSError) as error:
            raise explain(error, path) from error


def _fill(root: duckdb.DuckDBPyConnection, folder: Path, rows: Mapping[str, int], told: Told) -> None:
    there = {name for (name,) in root.execute(_TABLES).fetchall()}
    if there != set(rows):
        odd = ", ".join(sorted(there ^ set(rows)))
        raise StoreError(f"The backup does not have the tables of its schema ({odd})", "use another backup")
    done = 0
    for name, number in rows.items():
        files = f"read_parquet({_quoted(folder / f'{name}.parquet')})"
        root.execute(f"delete from {name}")  # what a migration put there is in the copy as well
        if not number:
            continue
        root.execute(f"insert into {name} by name select * from {files}")
        found = root.execute(_sum(name)).fetchone()
        if found != root.execute(_sum(files)).fetchone() or found is None or found[0] != number:
            raise StoreError(f"The table {name} did not come back as it was", "use another backup")
        done += number
        told(done, sum(rows.values()))
