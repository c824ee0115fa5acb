"""JSON Lines: one claim-table row a line, exactly as ``citedesk verify --json`` prints it."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from core.models import ClaimRow

SUFFIX = ".jsonl"


def line(row: ClaimRow) -> str:
    """One row as one line of JSON, without the line break."""
    return row.model_dump_json()


def write(rows: Iterable[ClaimRow], path: Path) -> int:
    """Write every row in order; returns how many."""
    count = 0
    with path.open("w", encoding="utf-8", newline="\n") as file:
        for row in rows:
            file.write(line(row) + "\n")
            count += 1
    return count
