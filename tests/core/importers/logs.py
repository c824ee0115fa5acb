"""Small logs written for one test, and what reading them gives."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path

from core import importers
from core.importers import BadLine
from core.models import Answer


def written(folder: Path, content: object, name: str = "log.json") -> Path:
    """A file of bytes, of text, or of an object as JSON."""
    path = folder / name
    raw = content if isinstance(content, bytes | str) else json.dumps(content)
    path.write_bytes(raw.encode() if isinstance(raw, str) else raw)
    return path


def rows(path: Path, format: str = "auto", mapping: Mapping[str, str] | None = None) -> list[Answer | BadLine]:
    """Everything that the file gives; the count said beforehand is the same."""
    found = list(importers.read(path, format, mapping))
    assert importers.count_rows(path, format) == len(found)
    return found


def answers(path: Path, format: str = "auto", mapping: Mapping[str, str] | None = None) -> list[Answer]:
    """The rows, of which none is refused."""
    found = rows(path, format, mapping)
    assert not [str(row) for row in found if isinstance(row, BadLine)]
    return [row for row in found if isinstance(row, Answer)]


def answer(path: Path, format: str = "auto", mapping: Mapping[str, str] | None = None) -> Answer:
    """The one answer."""
    (found,) = answers(path, format, mapping)
    return found


def refusals(path: Path, format: str = "auto") -> list[tuple[int, str | None, str]]:
    """Line, field and reason of every refused row."""
    return [(row.line, row.field, row.reason) for row in rows(path, format) if isinstance(row, BadLine)]


def evidence(found: Answer) -> list[tuple[str, str]]:
    """Id and text of each passage, in order."""
    return [(entry.id, entry.text) for entry in found.evidence]
