"""CSV and TSV: one decision a line, under columns called like the fields of ``GivenLabel``."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path

from core.importers import BadLine
from core.importers import csv as tables
from core.label_importers._given import GivenLabel, about, moment

_LABELS = ("label", "word", "choice", "annotation")
_PEOPLE = ("labeller", "labeler", "annotator", "user", "worker", "rater")
_COMMENTS = ("comment", "note", "notes", "rationale")
_TIMES = ("at", "time", "timestamp", "created_at", "labelled_at", "updated_at")
_ITEMS = ("item", "item_id", "id")


def sniff(path: Path, head: bytes) -> bool:
    """Whether the first line names a label and who gave it."""
    start = head.removeprefix(b"\xef\xbb\xbf").lstrip()
    if not start or start.startswith((b"{", b"[")):
        return False
    line = start.splitlines()[0].decode("utf-8", "replace").lower()
    names = {name.strip(" \"'") for mark in ",;\t|" for name in line.split(mark)}
    return bool(names & {*_LABELS}) and bool(names & {*_PEOPLE})


def read(path: Path) -> Iterator[GivenLabel | BadLine]:
    """One row a line with a filled cell.

    Raises:
        ImportFormatError: The file as a whole cannot be read.
    """
    for number, cells in tables.cells(path):
        yield cells if isinstance(cells, BadLine) else _row(path.name, number, cells)


def _row(file: str, number: int, cells: Mapping[str, str]) -> GivenLabel | BadLine:
    data = {name.strip().lower(): cell for name, cell in cells.items()}
    word, labeller, time = _first(data, _LABELS), _first(data, _PEOPLE), _first(data, _TIMES)
    for field, value in (("label", word), ("labeller", labeller)):
        if not value.strip():
            return BadLine(file=file, line=number, field=field, reason="is missing")
    if time and moment(time) is None:
        return BadLine(file=file, line=number, field="time", reason=f"{time!r} is no time; write it as ISO 8601")
    return GivenLabel(
        line=number,
        item=_first(data, _ITEMS) or str(number),
        labeller=labeller,
        word=word,
        comment=_first(data, _COMMENTS),
        at=moment(time),
        claim=about(data),
    )


def _first(data: Mapping[str, str], names: tuple[str, ...]) -> str:
    return next((data[name] for name in names if data.get(name)), "")
