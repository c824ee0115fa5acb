"""CSV and TSV: one answer or one claim a line under a line of column names.

Comma, semicolon, tab or bar; UTF-8, UTF-16 with a byte order mark, or Windows-1252 where no byte of the file reads as
UTF-8. A quotation mark that is never closed costs its own line, not the rest of the file.
"""

from __future__ import annotations

import csv
from collections import deque
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TextIO

from core.errors import ImportFormatError
from core.importers import _columns, _table
from core.importers._file import MAX_LINE, peek, unreadable
from core.importers._json import RowError
from core.importers._rows import BadLine
from core.importers._text_encoding import Encoding, encoding_of
from core.models import Answer

SUFFIXES = (".csv", ".tsv", ".tab")

_DELIMITERS = ",;\t|"
_FORMULA_STARTS = ("=", "+", "-", "@", "\t", "\r", "\n")

# The limit is the module's, not a reader's, and its 128 KiB are less than a long passage; what bounds memory is _feed.
csv.field_size_limit(MAX_LINE)


def sniff(path: Path, head: bytes) -> bool:
    """Whether the name says so, or the first line names columns of which one is an answer or a claim."""
    start = head.removeprefix(b"\xef\xbb\xbf").lstrip()
    if not start or start.startswith((b"{", b"[", b"<")):
        return False
    if path.suffix.lower() in SUFFIXES:
        return True
    line = start.splitlines()[0].decode("utf-8", "replace")
    cells = _split(line, _delimiter(line, path))
    found = _columns.guess(cells)
    return len(cells) > 1 and any(field in found for field in _columns.CHECKED)


def columns(path: Path) -> list[str]:
    """The names of the columns, each once.

    Raises:
        ImportFormatError: The file as a whole cannot be read, or has no line.
    """
    return _Table(path).columns


def read(path: Path, mapping: Mapping[str, str] | None = None) -> Iterator[Answer | BadLine]:
    """Read the rows in order, one answer each; rows without a filled cell are none.

    Args:
        path: The file.
        mapping: Field (see ``_columns.FIELDS``) → column, for fields that the names do not tell.

    Raises:
        ImportFormatError: At once when the file as a whole cannot be read or no column can be checked.
    """
    table = _Table(path)
    return _answers(table, _columns.mapped(table.columns, mapping, str(path)))


def count(path: Path) -> int:
    """How many rows ``read`` gives, refused ones included.

    Raises:
        ImportFormatError: The file as a whole cannot be read.
    """
    return sum(1 for _ in _Table(path).rows())


def cells(path: Path) -> Iterator[tuple[int, dict[str, str] | BadLine]]:
    """The rows in order, each as column → cell with the number of its first line; rows without a filled cell are none.

    Raises:
        ImportFormatError: The file as a whole cannot be read, or has no line.
    """
    table = _Table(path)
    for number, row in table.rows():
        try:
            cut = (_unguarded(cell) for cell in _checked(table, row))
            yield number, dict(zip(table.columns, cut, strict=False))
        except RowError as refused:
            yield number, BadLine(file=str(path), line=number, field=refused.field, reason=refused.reason)


def _checked(table: _Table, row: list[str] | RowError) -> list[str]:
    if isinstance(row, RowError):
        raise row
    if len(row) > len(table.columns) and any(cell.strip() for cell in row[len(table.columns) :]):
        raise RowError(None, f"{len(row)} cells under {len(table.columns)} columns")
    if len(row) < len(table.columns):
        raise RowError(None, f"only {len(row)} cells under {len(table.columns)} columns")
    return row


def _unguarded(cell: str) -> str:
    """Exports write an apostrophe before what a spreadsheet would run; quotes must meet the text without it."""
    return cell[1:] if cell.startswith("'") and cell[1:].startswith(_FORMULA_STARTS) else cell


def _answers(table: _Table, mapping: Mapping[str, str]) -> Iterator[Answer | BadLine]:
    empty = True
    for number, row in table.rows():
        empty = False
        try:
            yield table.answer(_checked(table, row), mapping)
        except RowError as refused:
            yield BadLine(file=str(table.path), line=number, field=refused.field, reason=refused.reason)
    if empty:
        raise ImportFormatError(
            f"{table.path} holds no row under its column names", "check that it was written to its end"
        )


class _Table:
    """One opened table: how it is written, and what its columns are called."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.encoding = encoding_of(path, peek(path))
        with self._open() as file:
            start = file.readline(MAX_LINE)
            while start and not start.strip():
                start = file.readline(MAX_LINE)
        self.delimiter = _delimiter(start, path)
        header = next(self._split_rows(), None)
        if header is None:
            raise ImportFormatError(f"{path} is empty", "check that it was written to its end")
        if isinstance(header[1], RowError):
            raise ImportFormatError(f"The first line of {path} names no columns ({header[1].reason})", "mend that line")
        self.header, names = header[0], header[1]
        while len(names) > 1 and not names[-1].strip():
            names.pop()
        self.columns = _columns.named(names)

    def rows(self) -> Iterator[tuple[int, list[str] | RowError]]:
        """The rows under the header with the number of their first line; those without a filled cell are none."""
        return (row for row in self._split_rows() if row[0] > self.header)

    def answer(self, row: list[str], mapping: Mapping[str, str]) -> Answer:
        """The answer of one row, with notes on what was put right."""
        notes = []
        cells: dict[str, object] = {}
        for column, cell in zip(self.columns, row, strict=False):
            if _unguarded(cell) != cell:
                notes.append(f"{column} had an apostrophe before {cell[1]!r} against formulas; it was taken off")
                cell = _unguarded(cell)
            if self.encoding is not Encoding.UTF_8 and "\ufffd" in cell:
                raise RowError(column, "bytes that are no text in the file's encoding")
            cells[column] = cell
        if self.encoding is Encoding.WINDOWS and not all(cell.isascii() for cell in row):
            notes.append("The file is not UTF-8; it was read as Windows-1252")
        return _table.answer(cells, mapping, notes)

    def _open(self) -> TextIO:
        try:
            return self.path.open(encoding=self.encoding.codec, errors=self.encoding.errors, newline="")
        except OSError as error:
            raise unreadable(self.path, error) from error

    def _split_rows(self) -> Iterator[tuple[int, list[str] | RowError]]:
        try:
            with self._open() as file:
                yield from (
                    row
                    for row in _rows(_lines(file), self.delimiter)
                    if isinstance(row[1], RowError) or any(map(str.strip, row[1]))
                )
        except OSError as error:
            raise unreadable(self.path, error) from error


def _delimiter(header: str, path: Path) -> str:
    """The character that parts the header into the most columns; a tab in a TSV file and else a comma when in doubt."""
    order = sorted(_DELIMITERS, key=lambda char: char != ("\t" if path.suffix.lower() in (".tsv", ".tab") else ","))
    return max(order, key=lambda char: len(_split(header, char)))


def _split(line: str, delimiter: str) -> list[str]:
    try:
        return next(csv.reader([line], delimiter=delimiter), [])
    except csv.Error:
        return []


def _lines(file: TextIO) -> Iterator[str | None]:
    """Physical lines with their ends; none for one over the limit, which is read past in pieces."""
    while line := file.readline(MAX_LINE + 2):
        if len(line) <= MAX_LINE:
            yield line
            continue
        while line and not line.endswith(("\n", "\r")):
            line = file.readline(MAX_LINE)
        yield None


def _rows(lines: Iterator[str | None], delimiter: str) -> Iterator[tuple[int, list[str] | RowError]]:
    """Rows with the number of their first line; after one that is no CSV, reading goes on with the next line."""
    waiting: deque[str | None] = deque()
    number = 1
    while True:
        taken: list[str | None] = []
        try:
            row: list[str] | RowError = next(csv.reader(_feed(lines, waiting, taken), delimiter=delimiter, strict=True))
        except StopIteration:
            return
        except RowError as refused:
            row = refused
        except csv.Error as error:
            row = RowError(None, _in_words(error))
        if isinstance(row, RowError):
            waiting.extendleft(reversed(taken[1:]))
            del taken[1:]
        yield number, row
        number += len(taken)


def _feed(lines: Iterator[str | None], waiting: deque[str | None], taken: list[str | None]) -> Iterator[str]:
    """Lines for one row, remembered in ``taken``."""
    size = 0
    while True:
        line = waiting.popleft() if waiting else next(lines, "")
        if line == "":
            return
        taken.append(line)
        size += MAX_LINE + 1 if line is None else len(line)
        if line is None or size > MAX_LINE:
            raise RowError(None, f"longer than {MAX_LINE // 2**20} MiB")
        yield line


def _in_words(error: csv.Error) -> str:
    if "end of data" in str(error):
        return "a quotation mark that is never closed"
    if "expected after" in str(error):
        return "text after a closing quotation mark; quotation marks inside a cell are doubled"
    return f"no CSV ({error})"
