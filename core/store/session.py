"""One cursor inside one transaction: what a read or a write of the store speaks through."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import duckdb

from core.store.encoding import decode, encode

if TYPE_CHECKING:
    from numpy.typing import NDArray

_WRITTEN = re.compile(r"\s*(?:insert\s+into|delete\s+from|update)\s+(\w+)", re.IGNORECASE)


class Session:
    """One cursor inside one transaction; texts are encoded on the way in and decoded on the way out."""

    def __init__(
        self,
        cursor: duckdb.DuckDBPyConnection,
        last: dict[tuple[str, str], int],
        newest: dict[str, Mapping[str, Any]],
        changes: Mapping[str, int],
    ) -> None:
        """Speak through this cursor.

        Args:
            cursor: In a transaction.
            last: The highest number of each column that ``next_number`` was asked for, kept from write to write.
            newest: The row that was appended to each table last, kept in the same way.
            changes: By table, the number of the commit that wrote to it last, when this one began.
        """
        self._cursor = cursor
        self._last = last
        self._newest = newest
        self._changes = changes
        self.written: set[str] = set()
        """The tables that were written to."""
        self.afterwards: list[Callable[[int], None]] = []
        """What is done with the number of the commit as soon as a write is committed, before the next one begins."""

    def change(self, tables: Callable[[str], bool]) -> int:
        """See ``Connection.change``; what a commit changed after this session began does not count."""
        return last_change(self._changes, tables)

    def run(self, sql: str, params: Sequence[Any] = ()) -> None:
        """Execute a statement."""
        found = _WRITTEN.match(sql)
        self.written.add(found[1].lower() if found else "")
        for table, column in [key for key in self._last if key[0] in sql]:  # it may number rows by itself
            del self._last[table, column]
        for table in [table for table in self._newest if table in sql]:
            del self._newest[table]
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

    def columns(self, sql: str, params: Sequence[Any] = ()) -> dict[str, NDArray[Any]]:
        """Fetch everything column by column, for rows by the hundred thousand; only texts may be null."""
        import numpy as np

        found = self._cursor.execute(sql, encode(params)).fetchnumpy()
        columns = {name: np.ma.asarray(column) for name, column in found.items()}
        texts = {name: column.tolist() for name, column in columns.items() if column.dtype == object}
        decoded = {name: np.array([*map(decode, values)], dtype=object) for name, values in texts.items()}
        return {name: decoded.get(name, column.data) for name, column in columns.items()}

    def append(self, table: str, rows: Sequence[Mapping[str, Any]]) -> None:
        """Insert many rows at once, each a value per column name; all name the same columns.

        Columns go in as lists: a table of pyarrow is a little faster, but brings 90 MiB of libraries with it.
        """
        if not rows:
            return
        self.written.add(table)
        names = ", ".join(rows[0])
        if len(rows) == 1:  # the commonest write is one press of a labeller, and this costs it a third less
            values = ", ".join("?" * len(rows[0]))
            self._cursor.execute(f"insert into {table} ({names}) values ({values})", encode(list(rows[0].values())))
        else:
            types = self._cursor.sql(f"select {names} from {table} limit 0").types
            columns = ", ".join(f"unnest(?::{kind}[])" for kind in types)
            values_by_column = [[encode(row[name]) for row in rows] for name in rows[0]]
            self._cursor.execute(f"insert into {table} ({names}) select {columns}", values_by_column)
        self._newest[table] = rows[-1]
        for key in self._last.keys() & {(table, name) for name in rows[0]}:
            self._last[key] = max(self._last[key], *(row[key[1]] for row in rows))

    def newest(self, table: str) -> Mapping[str, Any] | None:
        """The row that was appended to a table last; none when that is not known, so that the table must be asked."""
        return self._newest.get(table)

    def next_number(self, table: str, column: str) -> int:
        """Give the number for the next row of a table; safe only inside a write.

        The table is asked once: nobody else writes to it, and in a write DuckDB would read the whole column each time.
        """
        if (table, column) not in self._last:
            self._last[table, column] = int(self.value(f"select coalesce(max({column}), 0) from {table}"))
        return self._last[table, column] + 1


def last_change(changes: Mapping[str, int], tables: Callable[[str], bool]) -> int:
    """The number of the last of some changes by table that was one of these tables."""
    return max((number for table, number in changes.items() if tables(table)), default=0)
