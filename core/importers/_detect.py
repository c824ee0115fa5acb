"""Which importer reads a file, and reading with it: by name, or by the first 64 KiB."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import islice
from pathlib import Path
from types import ModuleType

from core import importers, plugins
from core.errors import ImportFormatError
from core.importers import _records
from core.importers._file import head, peek
from core.importers._rows import BadLine
from core.models import Answer, Record


class Preview(Record):
    """What an import of a file would begin with; nothing is stored for it."""

    format: str
    """The importer's name."""
    columns: tuple[str, ...]
    """The names of a table's columns; empty for other formats."""
    answers: tuple[Answer, ...]
    bad_lines: tuple[BadLine, ...]
    problem: str | None = None
    """Why a table gives no rows under this mapping, in one sentence."""


def detect(path: Path) -> ModuleType:
    """The one importer that may read a file.

    Raises:
        ImportFormatError: The file cannot be opened, or none or several importers take it for theirs.
    """
    path = Path(path)
    start = peek(path)
    members = {name: plugins.load(importers, name) for name in plugins.names(importers)}
    takers = [name for name, module in members.items() if module.sniff(path, start)]
    takers = [name for name in takers if not _is_last_resort(members[name])] or takers
    if len(takers) == 1:
        return members[takers[0]]
    if takers:
        raise ImportFormatError(f"{path} may be in several formats", f"name one with --format: {', '.join(takers)}")
    head(path)
    raise ImportFormatError(
        f"{path} is in no format that is read here", f"bring it into one of these: {', '.join(members)}"
    )


def read(path: Path, format: str = "auto", mapping: Mapping[str, str] | None = None) -> Iterator[Answer | BadLine]:
    """Read a log with the importer named, or with the one that recognises it.

    The file is looked at right away; its rows are read as they are asked for.

    Args:
        path: The log.
        format: An importer's name, or ``auto``.
        mapping: For a table, our field → the name of its column; columns not named are told by their names.

    Raises:
        ImportFormatError: There is no such importer, it takes no mapping, or the file as a whole cannot be read.
    """
    return _read(_member(path, format), Path(path), mapping)


def preview(path: Path, format: str = "auto", mapping: Mapping[str, str] | None = None, rows: int = 10) -> Preview:
    """Read the first rows of a file as ``read`` would.

    A table whose columns do not say what to check gives its column names and the problem instead of rows.

    Raises:
        ImportFormatError: As ``read`` does.
    """
    path = Path(path)
    module = _member(path, format)
    columns = tuple(module.columns(path)) if hasattr(module, "columns") else ()
    problem = None
    found: list[Answer | BadLine] = []
    try:
        found = list(islice(_read(module, path, mapping), rows))
    except ImportFormatError as error:
        if not columns:
            raise
        problem = str(error)
    return Preview(
        format=_name(module),
        columns=columns,
        answers=tuple(row for row in found if isinstance(row, Answer)),
        bad_lines=tuple(row for row in found if isinstance(row, BadLine)),
        problem=problem,
    )


def count_rows(path: Path, format: str = "auto") -> int:
    """How many rows ``read`` gives, refused ones included; what a progress bar counts up to.

    Raises:
        ImportFormatError: The file as a whole cannot be read.
    """
    module = _member(path, format)
    return int(module.count(Path(path)) if hasattr(module, "count") else _records.count(Path(path)))


def _member(path: Path, format: str) -> ModuleType:
    if format == "auto":
        return detect(path)
    peek(Path(path))
    return plugins.load(importers, format, ImportFormatError)


def _read(module: ModuleType, path: Path, mapping: Mapping[str, str] | None) -> Iterator[Answer | BadLine]:
    if mapping and not hasattr(module, "columns"):
        raise ImportFormatError(f"The format {_name(module)} has no columns to name", "leave the column mapping out")
    rows: Iterator[Answer | BadLine] = module.read(path, mapping) if mapping else module.read(path)
    return rows


def _is_last_resort(module: ModuleType) -> bool:
    return bool(getattr(module, "LAST_RESORT", False))


def _name(module: ModuleType) -> str:
    return module.__name__.rpartition(".")[2]
