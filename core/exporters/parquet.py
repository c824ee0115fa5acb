"""Parquet for analysts: one record a row, nested lists kept nested, columns named as the record's fields."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from datetime import datetime
from itertools import islice
from pathlib import Path
from types import NoneType
from typing import TYPE_CHECKING, Any, get_args, get_origin

from core.models import ClaimRow, Record

if TYPE_CHECKING:
    import pyarrow as pa

SUFFIX = ".parquet"
KIND = "table"

ROWS_AT_ONCE = 10_000


def schema(record: type[Record] = ClaimRow) -> pa.Schema:
    """The Arrow schema of a record; scores are a map, so that another verifier's names fit the same file."""
    import pyarrow as pa

    return pa.schema({name: _arrow(field.annotation) for name, field in record.model_fields.items()})


def _arrow(annotation: Any) -> pa.DataType:
    """The Arrow type of a field; every column may hold nulls."""
    import pyarrow as pa

    inner = [each for each in get_args(annotation) if each not in (NoneType, Ellipsis)]
    origin = get_origin(annotation)
    if origin is tuple:
        return pa.list_(_arrow(inner[0]))
    if origin is dict:
        return pa.map_(*map(_arrow, inner))
    if inner:  # X | None
        return _arrow(inner[0])
    if issubclass(annotation, Record):
        return pa.struct({name: _arrow(field.annotation) for name, field in annotation.model_fields.items()})
    kinds = {bool: pa.bool_(), int: pa.int64(), float: pa.float64(), datetime: pa.timestamp("us", "UTC")}
    return kinds.get(annotation, pa.string())


def write(rows: Iterable[Record], path: Path, record: type[Record] = ClaimRow) -> int:
    """Write every row in order, in groups of ten thousand; returns how many."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    form = schema(record)
    count = 0
    with pq.ParquetWriter(path, form, compression="zstd") as writer:
        for group in _groups(iter(rows)):
            writer.write_table(pa.Table.from_pylist(group, schema=form))
            count += len(group)
    return count


def _groups(rows: Iterator[Record]) -> Iterator[list[dict[str, Any]]]:
    while group := [row.model_dump() for row in islice(rows, ROWS_AT_ONCE)]:
        yield group
