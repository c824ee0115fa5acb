"""Excel workbooks (XLSX): the first sheet that has rows, one answer or one claim a row under a row of column names.

Formulas count by the value that was stored with them, dates as dates, numbers as they would be printed in full.
"""

from __future__ import annotations

import re
import zipfile
import zlib
from collections.abc import Callable, Iterator, Mapping
from datetime import date, time
from itertools import zip_longest
from pathlib import Path
from typing import Any, NamedTuple

from core.errors import ImportFormatError
from core.importers import _columns, _table
from core.importers._file import peek
from core.importers._json import RowError
from core.importers._rows import BadLine
from core.models import Answer

MAX_TEXTS = 1 << 29
"""Bytes, unpacked, of the texts that a workbook keeps apart from its sheets: they are held in memory."""

MAX_SHEETS = 1 << 31
"""Bytes, unpacked, of all sheets: they are read piece by piece, but somebody waits for them."""

MAX_ROWS, MAX_CELLS = 1_048_576, 100_000_000
"""Of a sheet, with those that a row or a cell of a high number leaves out: whoever reads it fills them in."""

_PACKED = frozenset({zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED})
"""How the parts of a workbook may be packed (ISO/IEC 29500-2, annex B)."""

_DAMAGE = (
    *(zipfile.BadZipFile, zlib.error, EOFError, OSError, SyntaxError),
    *(AttributeError, LookupError, OverflowError, RuntimeError, TypeError, ValueError),
)
"""What openpyxl raises on workbooks that are damaged or made by hand; it has no one error for them."""

_MAGIC = b"PK\x03\x04"
_ESCAPED = re.compile(r"_x([0-9A-Fa-f]{4})_")


def sniff(path: Path, head: bytes) -> bool:
    """Whether the file is a ZIP archive that holds a workbook."""
    return head.startswith(_MAGIC) and (path.suffix.lower() in (".xlsx", ".xlsm") or b"xl/" in head)


def columns(path: Path) -> list[str]:
    """The names of the columns, each once.

    Raises:
        ImportFormatError: The file is no workbook, or has no row.
    """
    return _header(path).names


def read(path: Path, mapping: Mapping[str, str] | None = None) -> Iterator[Answer | BadLine]:
    """Read the rows in order, one answer each; rows without a filled cell are none.

    Args:
        path: The file.
        mapping: Field (see ``_columns.FIELDS``) → column, for fields that the names do not tell.

    Raises:
        ImportFormatError: At once when the file as a whole cannot be read or no column can be checked, later when a
            part of it is damaged.
    """
    header = _header(path)
    return _answers(path, header, _columns.mapped(header.names, mapping, str(path)))


def count(path: Path) -> int:
    """How many rows ``read`` gives, refused ones included.

    Raises:
        ImportFormatError: The file is no workbook, or has no row.
    """
    header = _header(path)
    return sum(1 for _ in _rows(path, header))


class _Header(NamedTuple):
    """Where the table is in a workbook, and what its columns are called."""

    sheet: str
    others: tuple[str, ...]
    """Sheets with rows that are not read."""
    row: int
    names: list[str]
    formulas: bool


class _Row(NamedTuple):
    """One row with its number in the sheet: values, and columns whose formula has no stored value."""

    number: int
    values: list[Any]
    unstored: list[int]


def _header(path: Path) -> _Header:
    _check_archive(path)
    found: list[tuple[str, int, list[Any]]] = []
    with _Book(path) as book:
        for sheet in book.sheets():
            first = next((row for row in book.rows(sheet) if _filled(row.values)), None)
            if first is not None:
                found.append((sheet, first.number, first.values))
    if not found:
        raise ImportFormatError(f"{path} has no sheet with a row", "check that it was saved with its data")
    (sheet, number, cells), *others = found
    while cells and cells[-1] is None:
        cells.pop()
    names = _columns.named([cell if cell is None else _text(cell) for cell in cells])
    return _Header(sheet, tuple(name for name, _, _ in others), number, names, _has_formulas(path))


def _answers(path: Path, header: _Header, mapping: Mapping[str, str]) -> Iterator[Answer | BadLine]:
    notes = [f"Only the sheet {header.sheet!r} was read; not {', '.join(map(repr, header.others))}"]
    empty = True
    for row in _rows(path, header):
        try:
            yield _answer(row, header, mapping, notes if empty and header.others else [])
        except RowError as refused:
            yield BadLine(file=str(path), line=row.number, field=refused.field, reason=refused.reason)
        empty = False
    if empty:
        raise ImportFormatError(f"{path} holds no row under its column names", "check that it was saved with its data")


def _answer(row: _Row, header: _Header, mapping: Mapping[str, str], notes: list[str]) -> Answer:
    names = header.names
    if _filled(row.values[len(names) :]):
        raise RowError(None, f"{len(row.values)} cells under {len(names)} columns")
    cells = dict(zip_longest(names, row.values[: len(names)]))
    for column in (names[at] for at in row.unstored if at < len(names)):
        if column in mapping.values():
            raise RowError(column, "a formula without a stored value; open the workbook in a spreadsheet and save it")
        notes = [*notes, f"{column} holds a formula without a stored value"]
    dated = frozenset(name for name, value in cells.items() if isinstance(value, date | time))
    return _table.answer(
        {name: _text(value) if isinstance(value, str) else value for name, value in cells.items()},
        mapping,
        notes,
        dated,
    )


def _rows(path: Path, header: _Header) -> Iterator[_Row]:
    """The rows under the header that have a filled cell, or a formula whose value was not stored."""
    with _Book(path) as book:
        if not header.formulas:
            yield from (row for row in book.rows(header.sheet) if row.number > header.row and _filled(row.values))
            return
        with _Book(path, formulas=True) as written:
            for row, formula in zip(book.rows(header.sheet), written.rows(header.sheet), strict=False):
                unstored = [
                    at for at, (value, cell) in enumerate(zip(row.values, formula.values, strict=False))
                    if value is None and cell is not None
                ]  # fmt: skip
                if row.number > header.row and (_filled(row.values) or unstored):
                    yield row._replace(unstored=unstored)


class _Book:
    """A workbook read from front to back; whatever is wrong in it is one sentence."""

    def __init__(self, path: Path, formulas: bool = False) -> None:
        self.path = path
        self.formulas = formulas
        # An opened file, for of a path openpyxl believes the suffix.
        self.file = self._guarded(lambda: path.open("rb"))
        self.book = self._guarded(self._load)

    def _load(self) -> Any:
        from openpyxl import load_workbook  # a fifth of a second that no other format needs

        return load_workbook(self.file, read_only=True, data_only=not self.formulas, keep_links=False)

    def __enter__(self) -> _Book:
        return self

    def __exit__(self, *_: object) -> None:
        self.book.close()
        self.file.close()

    def sheets(self) -> list[str]:
        """The sheets that are tables, in their order."""
        return [sheet.title for sheet in self.book.worksheets]

    def rows(self, sheet: str) -> Iterator[_Row]:
        """Every row of a sheet, those without a cell too."""
        table = self.book[sheet]
        table.reset_dimensions()  # the stored ones are often wrong, and would cut rows off
        rows = self._guarded(lambda: iter(table.iter_rows(values_only=True)))
        number = cells = 0
        while (row := self._guarded(lambda: next(rows, None))) is not None:
            number += 1
            cells += len(row)
            if number > MAX_ROWS or cells > MAX_CELLS:
                raise ImportFormatError(
                    f"{self.path} has more than {MAX_ROWS:,} rows or {MAX_CELLS:,} cells in a sheet", "save it as CSV"
                )
            yield _Row(number, list(row), [])

    def _guarded(self, step: Callable[[], Any]) -> Any:
        try:
            return step()
        except _DAMAGE as error:
            raise _damaged(self.path, error) from error


def _check_archive(path: Path) -> None:
    """Refuse what is no workbook, and one whose texts would not fit into memory.

    Raises:
        ImportFormatError: Says which.
    """
    start = peek(path)
    if start.startswith(b"\xd0\xcf\x11\xe0"):
        raise ImportFormatError(f"{path} is an old or locked Excel file", "save it as XLSX without a password")
    if not start.startswith(_MAGIC):
        raise ImportFormatError(f"{path} is no Excel workbook", "leave the format to be recognised")
    try:
        with zipfile.ZipFile(path) as archive:
            members = archive.infolist()
        if not {member.compress_type for member in members} <= _PACKED:
            raise zipfile.BadZipFile("it is packed as no workbook is")
    except _DAMAGE as error:
        raise _damaged(path, error) from error
    sheets = sum(member.file_size for member in members if _is_sheet(member.filename))
    texts = sum(member.file_size for member in members) - sheets
    if texts > MAX_TEXTS or sheets > MAX_SHEETS:  # nothing unpacks to more than the archive says
        raise ImportFormatError(
            f"{path} unpacks to {(texts + sheets) >> 20} MiB", "save it as CSV or in several workbooks"
        )


def _has_formulas(path: Path) -> bool:
    """Whether any sheet has a formula: only then the workbook is read a second time, for formulas without a value."""
    try:
        with zipfile.ZipFile(path) as archive:
            for name in filter(_is_sheet, archive.namelist()):
                with archive.open(name) as sheet:
                    before = b""
                    while piece := sheet.read(1 << 20):
                        if re.search(rb"<(?:\w+:)?f[\s/>]", before + piece):
                            return True
                        before = piece[-64:]
    except _DAMAGE as error:
        raise _damaged(path, error) from error
    return False


def _is_sheet(name: str) -> bool:
    return name.startswith("xl/worksheets/")


def _filled(values: list[Any]) -> bool:
    return any(value is not None and str(value).strip() for value in values)


def _text(value: object) -> str:
    """A cell's text, with the characters that the format writes as ``_x000D_``."""
    text = str(value)
    if "_x" not in text:
        return text
    text = _ESCAPED.sub(lambda found: chr(int(found[1], 16)), text)
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "surrogatepass")


def _damaged(path: Path, error: Exception) -> ImportFormatError:
    why = " ".join(str(error).encode("utf-8", "backslashreplace").decode("utf-8").split())[:120].rstrip(".")
    return ImportFormatError(f"{path} cannot be read as an Excel workbook ({why})", "save it again as XLSX")
