"""CSV for spreadsheets: one record a line, lists as JSON in a cell, formulas neutralised."""

from __future__ import annotations

import csv
import json
from collections.abc import Iterable
from pathlib import Path

from core.models import ClaimRow, Record

SUFFIX = ".csv"
KIND = "table"

FORMULA_STARTS = ("=", "+", "-", "@", "\t", "\r", "\n")
"""A cell that begins so may run as a formula in a spreadsheet (OWASP, CSV injection)."""


def cell(value: object) -> str | int | float | None:
    """One value as a cell: lists and objects as JSON, text that a spreadsheet would run with an apostrophe before."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if value is None or isinstance(value, int | float):
        return value
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    # Full-width forms of = + - @ and leading blanks are stripped by some spreadsheets before they decide.
    begins = text.lstrip(" \u00a0\ufeff").translate({0xFF1D: "=", 0xFF0B: "+", 0xFF0D: "-", 0xFF20: "@"})
    return f"'{text}" if begins.startswith(FORMULA_STARTS) or text.startswith(FORMULA_STARTS) else text


def write(rows: Iterable[Record], path: Path, record: type[Record] = ClaimRow) -> int:
    """Write every row in order under a line with the names of the record's fields; returns how many."""
    count = 0
    with path.open("w", encoding="utf-8-sig", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(record.model_fields)
        for row in rows:
            writer.writerow([cell(value) for value in row.model_dump(mode="json").values()])
            count += 1
    return count
