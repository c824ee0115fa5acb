"""Which importer reads a file: by name, or by the first 64 KiB."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

from core import importers, plugins
from core.errors import ImportFormatError
from core.importers._file import head, lines
from core.importers._rows import BadLine
from core.models import Answer


def detect(path: Path) -> ModuleType:
    """The one importer that may read a file.

    Raises:
        ImportFormatError: The file cannot be opened as text, or none or several importers take it for theirs.
    """
    start = head(path)
    takers = [name for name in plugins.names(importers) if plugins.load(importers, name).sniff(path, start)]
    if len(takers) == 1:
        return plugins.load(importers, takers[0])
    known = ", ".join(takers or plugins.names(importers))
    if takers:
        raise ImportFormatError(f"{path} may be in several formats", f"name one with --format: {known}")
    raise ImportFormatError(f"{path} is in no format that is read here", f"bring it into one of these: {known}")


def read(path: Path, format: str = "auto") -> Iterator[Answer | BadLine]:
    """Read a log with the importer named, or with the one that recognises it.

    The file is looked at right away; its rows are read as they are asked for.

    Raises:
        ImportFormatError: There is no such importer, or the file as a whole cannot be read.
    """
    path = Path(path)
    head(path)
    module = detect(path) if format == "auto" else plugins.load(importers, format, ImportFormatError)
    rows: Iterator[Answer | BadLine] = module.read(path)
    return rows


def count_rows(path: Path) -> int:
    """How many rows a line-based log has, refused ones included; what a progress bar counts up to.

    Raises:
        ImportFormatError: The file as a whole cannot be read.
    """
    path = Path(path)
    head(path)
    return sum(1 for _ in lines(path))
