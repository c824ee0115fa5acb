"""Rows that are vendors' responses → answers: the loop that every vendor's importer runs."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

from core.importers import _records
from core.importers._json import RowError
from core.importers._rows import BadLine
from core.models import Answer


def answers(path: Path, answer_of: Callable[[Mapping[str, Any]], Answer]) -> Iterator[Answer | BadLine]:
    """Read every object of a file, each as one answer or one refused row.

    Raises:
        ImportFormatError: At once when the file is no text, later when it holds no rows or reading fails on the way.
    """
    rows = _records.records(path)
    return (_row(path, number, row, answer_of) for number, row in rows)


def _row(
    path: Path, number: int, row: Mapping[str, Any] | BadLine, answer_of: Callable[[Mapping[str, Any]], Answer]
) -> Answer | BadLine:
    if isinstance(row, BadLine):
        return row
    try:
        return answer_of(row)
    except RowError as refused:
        return BadLine(file=str(path), line=number, field=refused.field, reason=refused.reason)
