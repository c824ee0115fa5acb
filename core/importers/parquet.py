"""Parquet: one answer or one claim a row; lists of passages and ids as lists, or written into text."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any

from core.errors import ImportFormatError
from core.importers import _columns, _table
from core.importers._file import peek
from core.importers._json import RowError
from core.importers._rows import BadLine
from core.models import Answer

_MAGIC = b"PAR1"
_AT_ONCE = 32
"""Rows that are unpacked together: one long value, written once and named by every row, is then held so often."""

MAX_ROWS = 100_000_000
"""Rows of a file: a column that says the same of each takes no room at all in it."""

MAX_GROUP = 1 << 31
"""Bytes, unpacked, of one row group, as the file says."""


def sniff(path: Path, head: bytes) -> bool:
    """Whether the file begins as every Parquet file does."""
    return head.startswith(_MAGIC)


def columns(path: Path) -> list[str]:
    """The names of the columns, each once.

    Raises:
        ImportFormatError: The file is no whole Parquet file.
    """
    try:
        with _opened(path) as file:
            return _columns.named(file.schema_arrow.names)
    except _damage() as error:
        raise _damaged(path, error) from error


def read(path: Path, mapping: Mapping[str, str] | None = None) -> Iterator[Answer | BadLine]:
    """Read the rows in order, one answer each, in constant memory for row groups of a usual size.

    Args:
        path: The file.
        mapping: Field (see ``_columns.FIELDS``) → column, for fields that the names do not tell.

    Raises:
        ImportFormatError: At once when the file as a whole cannot be read or no column can be checked, later when a
            part of it is damaged.
    """
    names = columns(path)
    return _answers(path, names, _columns.mapped(names, mapping, str(path)))


def count(path: Path) -> int:
    """How many rows the file says that it has.

    Raises:
        ImportFormatError: The file is no whole Parquet file.
    """
    with _opened(path) as file:
        return int(file.metadata.num_rows)


def _answers(path: Path, names: list[str], mapping: Mapping[str, str]) -> Iterator[Answer | BadLine]:
    number = 0
    for batch in _batches(path):
        for index in range(batch.num_rows):
            number += 1
            yield _row(path, number, {name: batch.column(at)[index] for at, name in enumerate(names)}, mapping)
    if not number:
        raise ImportFormatError(f"{path} holds no row", "check that it was written to its end")


def _batches(path: Path) -> Iterator[Any]:
    """Rows by column, a few hundred at a time."""
    try:
        with _opened(path) as file:
            yield from file.iter_batches(batch_size=_AT_ONCE)
    except _damage() as error:
        raise _damaged(path, error) from error


def _row(path: Path, number: int, scalars: Mapping[str, Any], mapping: Mapping[str, str]) -> Answer | BadLine:
    try:
        return _table.answer({name: _value(scalar, name) for name, scalar in scalars.items()}, mapping)
    except RowError as refused:
        return BadLine(file=str(path), line=number, field=refused.field, reason=refused.reason)


def _value(scalar: Any, column: str) -> object:
    try:
        value: object = scalar.as_py()
    except UnicodeDecodeError as error:
        raise RowError(column, f"not UTF-8 text (byte {error.start + 1} of the cell)") from error
    except (ValueError, OverflowError) as error:
        raise RowError(column, "a value that cannot be read, such as a date beyond the year 9999") from error
    return value


def _opened(path: Path) -> Any:
    """The file opened by pyarrow, which closes it at the end of a ``with``."""
    start = peek(path)
    if not start.startswith(_MAGIC):
        raise ImportFormatError(f"{path} is no Parquet file", "leave the format to be recognised")
    import pyarrow.parquet as pq  # a tenth of a second that no other format needs

    try:
        file = pq.ParquetFile(path)
        about = file.metadata
        largest = max((about.row_group(at).total_byte_size for at in range(about.num_row_groups)), default=0)
    except _damage() as error:
        raise _damaged(path, error) from error
    if about.num_rows > MAX_ROWS or largest > MAX_GROUP:
        file.close()
        raise ImportFormatError(
            f"{path} has {about.num_rows:,} rows, in groups of up to {largest >> 20:,} MiB",
            f"write it with at most {MAX_ROWS:,} rows, in groups of at most {MAX_GROUP >> 20:,} MiB",
        )
    return file


@cache
def _damage() -> tuple[type[Exception], ...]:
    """What is raised on a damaged file; names and sizes are read before Arrow checks them."""
    import pyarrow as pa

    return (pa.ArrowException, OSError, ValueError, OverflowError)


def _damaged(path: Path, error: Exception) -> ImportFormatError:
    why = " ".join(str(error).encode("utf-8", "backslashreplace").decode("utf-8").split())[:120].rstrip(".")
    return ImportFormatError(f"{path} cannot be read as Parquet ({why})", "write the file again")
