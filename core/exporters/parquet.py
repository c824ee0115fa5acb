"""Parquet for analysts: one claim a row, nested lists kept nested, names as in DESIGN §4."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

from core.models import ClaimRow

if TYPE_CHECKING:
    import pyarrow as pa

SUFFIX = ".parquet"

ROWS_AT_ONCE = 10_000


def schema() -> pa.Schema:
    """The Arrow schema of a claim-table row; scores are a map, so that another verifier's names fit the same file."""
    import pyarrow as pa

    text, whole, strings = pa.string(), pa.int64(), pa.list_(pa.string())
    place = pa.struct({"cite": text, "start": whole, "end": whole, "text": text, "differs": text})
    quote = pa.struct({"text": text, "start": whole, "end": whole, "match": text, "nearest": place})
    qualifier = pa.struct({"kind": text, "claim": text, "evidence": text, "agrees": pa.bool_()})
    span = pa.struct(
        {"cite": text, "label": text, "action": text, "scores": pa.map_(text, pa.float64()), "excerpt": text}
        | {"start": whole, "end": whole, "tokens_seen": whole, "tokens_total": whole, "status": text, "reason": text}
    )
    special = {
        "material": pa.bool_(),
        "flags": strings,
        "cites": strings,
        "notes": strings,
        "fragments": pa.list_(pa.list_(whole)),
        "quotes": pa.list_(quote),
        "qualifiers": pa.list_(qualifier),
        "spans": pa.list_(span),
    } | dict.fromkeys(("start", "end", "excerpt_start", "excerpt_end"), whole)
    return pa.schema({name: special.get(name, text) for name in ClaimRow.model_fields})


def write(rows: Iterable[ClaimRow], path: Path) -> int:
    """Write every row in order, in groups of ten thousand; returns how many."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    form = schema()
    count = 0
    with pq.ParquetWriter(path, form, compression="zstd") as writer:
        for group in _groups(iter(rows)):
            writer.write_table(pa.Table.from_pylist(group, schema=form))
            count += len(group)
    return count


def _groups(rows: Iterator[ClaimRow]) -> Iterator[list[dict[str, Any]]]:
    while group := [_nested(row) for row in islice(rows, ROWS_AT_ONCE)]:
        yield group


def _nested(row: ClaimRow) -> dict[str, Any]:
    values = row.model_dump(mode="json")
    for span in values["spans"]:
        span["scores"] = sorted(span["scores"].items())
    return values
