"""JSON Lines: one record a line; claim-table rows exactly as ``citedesk verify --json`` prints them."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from core.models import ClaimRow, Record

SUFFIX = ".jsonl"
KIND = "table"


def line(row: Record) -> str:
    """One row as one line of JSON, without the line break."""
    return row.model_dump_json()


def write(rows: Iterable[Record], path: Path, record: type[Record] = ClaimRow) -> int:
    """Write every row in order; returns how many."""
    count = 0
    with path.open("w", encoding="utf-8", newline="\n") as file:
        for row in rows:
            file.write(line(row) + "\n")
            count += 1
    return count
