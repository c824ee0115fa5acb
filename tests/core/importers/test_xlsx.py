"""Excel workbooks: formulas, dates, numbers, errors and stray sheets."""

from __future__ import annotations

import io
import zipfile
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any

import pytest
from openpyxl import Workbook
from openpyxl.worksheet.worksheet import Worksheet

from core import importers
from core.errors import ImportFormatError
from core.importers import xlsx
from tests.core.importers.logs import answer, answers, evidence, refusals, rows, written


def workbook(folder: Path, *lines: list[Any], name: str = "log.xlsx", **others: list[Any]) -> Path:
    """A workbook of one sheet, and of others with one row each."""
    book = Workbook()
    sheet = book.worksheets[0]
    assert isinstance(sheet, Worksheet)
    for line in lines:
        sheet.append(line)
    for title, line in others.items():
        book.create_sheet(title).append(line)
    path = folder / name
    book.save(path)
    return path


def patched(path: Path, member: str, old: bytes, new: bytes) -> Path:
    """The workbook with some bytes of one member replaced."""
    parts = {}
    with zipfile.ZipFile(path) as archive:
        parts = {name: archive.read(name) for name in archive.namelist()}
    # where lxml is there, openpyxl writes empty elements otherwise
    written = parts[member].replace(b" />", b"/>").replace(b"<v></v>", b"<v/>")
    assert old in written
    parts[member] = written.replace(old, new)
    raw = io.BytesIO()
    with zipfile.ZipFile(raw, "w") as archive:
        for name, content in parts.items():
            archive.writestr(name, content)
    path.write_bytes(raw.getvalue())
    return path


def test_cells(tmp_path: Path) -> None:
    """Whole numbers as ids, dates as moments, lists written into text, other columns kept."""
    when = datetime(2026, 11, 30, 9, tzinfo=UTC)
    found = answer(
        workbook(
            tmp_path,
            ["ID", "Answer", "Timestamp", "Contexts", "Context IDs", "Score"],
            [7.0, "It is 57 km long [C1].", when.replace(tzinfo=None), '["x"]', "C1", 0.5],
        )
    )

    assert (found.request_id, found.answer, found.asked_at) == ("7", "It is 57 km long [C1].", when)
    assert evidence(found) == [("C1", "x")]
    assert found.meta == {"Score": 0.5}
    assert found.notes == ("asked_at has no time zone and was read as UTC",)


def test_formulas_count_by_their_stored_value(tmp_path: Path) -> None:
    """One without a stored value would be an empty cell; it is refused instead."""
    path = workbook(tmp_path, ["id", "answer", "n"], [1, '=CONCAT("a","b")', 1], [2, "x", "=1+1"])
    assert refusals(path) == [
        (2, "answer", "a formula without a stored value; open the workbook in a spreadsheet and save it")
    ]
    assert [row.notes for row in rows(path)[1:]] == [("n holds a formula without a stored value",)]  # type: ignore[union-attr]

    patched(path, "xl/worksheets/sheet1.xml", b'<f>CONCAT("a","b")</f><v/>', b'<f>CONCAT("a","b")</f><v>ab</v>')
    patched(path, "xl/worksheets/sheet1.xml", b'<c r="B2">', b'<c r="B2" t="str">')
    assert [found.answer for found in answers(path)] == ["ab", "x"]


def test_errors_of_formulas_are_placeholders(tmp_path: Path) -> None:
    """#REF! is no answer."""
    found = answer(workbook(tmp_path, ["id", "answer", "query"], [1, "x", "#REF!"]))

    assert found.query is None
    assert found.notes == ("query had the placeholder '#REF!', which was read as nothing",)


def test_an_id_that_the_spreadsheet_made_a_date(tmp_path: Path) -> None:
    """What was typed cannot be known any more."""
    path = workbook(tmp_path, ["id", "answer"], [date(2026, 2, 1), "x"])

    assert refusals(path) == [(2, "id", "a date where an id is due; format the column as text before ids are typed in")]


def test_escaped_characters(tmp_path: Path) -> None:
    """The format writes what XML cannot hold as _x000D_."""
    assert answer(workbook(tmp_path, ["answer"], ["a_x000D_\nb_x005F_x"])).answer == "a\r\nb_x"


def test_rows_are_numbered_as_in_the_sheet(tmp_path: Path) -> None:
    """Blank rows are none, above the header too; the stored size of the sheet is not believed."""
    path = workbook(tmp_path, [None], ["id", "answer"], [], [1, None], [2, "x", "over"], [3, "x"])
    patched(path, "xl/worksheets/sheet1.xml", b'<dimension ref="A1:C6"/>', b'<dimension ref="A1:A1" />')

    assert refusals(path) == [
        (4, "answer", "neither an answer nor claims, so there is nothing to check"),
        (5, None, "3 cells under 2 columns"),
    ]


def test_other_sheets_are_named(tmp_path: Path) -> None:
    """The first sheet with rows is read; that others were not is said once."""
    first, second = answers(workbook(tmp_path, ["answer"], ["x"], ["y"], Old=["answer"]))

    assert "Only the sheet 'Sheet' was read; not 'Old'" in first.notes
    assert not [note for note in second.notes if "sheet" in note]


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        (b"PK\x03\x04rest", "cannot be read as an Excel workbook"),
        (b"\xd0\xcf\x11\xe0rest", "is an old or locked Excel file; save it as XLSX without a password"),
        (b"id,answer\n", "is no Excel workbook; leave the format to be recognised"),
    ],
)
def test_damage_is_one_sentence(tmp_path: Path, content: bytes, sentence: str) -> None:
    """At once."""
    with pytest.raises(ImportFormatError, match=sentence):
        importers.read(written(tmp_path, content, "log.xlsx"), "xlsx")


@pytest.mark.parametrize(
    ("old", "new"),
    [
        pytest.param(b"<worksheet ", b'<?xml version="1.0" encoding="none"?><worksheet ', id="LookupError"),
        pytest.param(b'r="A2"', b'r="2"', id="ValueError"),
        pytest.param(b't="inlineStr"><is><t>x</t></is>', b't="s"><v>9</v>', id="IndexError"),
        pytest.param(b"</sheetData>", b"", id="SyntaxError"),
    ],
)
def test_a_damaged_sheet_is_one_sentence(old: bytes, new: bytes, tmp_path: Path) -> None:
    """Whatever the library makes of it."""
    path = workbook(tmp_path, ["answer"], ["x"])
    with pytest.raises(ImportFormatError, match="cannot be read as an Excel workbook"):
        list(importers.read(patched(path, "xl/worksheets/sheet1.xml", old, new), "xlsx"))


def test_an_archive_that_is_packed_otherwise_is_one_sentence(tmp_path: Path) -> None:
    """As no spreadsheet packs: what unpacks that raises errors of its own."""
    path = workbook(tmp_path, ["answer"], ["x"])
    with zipfile.ZipFile(path) as plain, zipfile.ZipFile(tmp_path / "a.xlsx", "w", zipfile.ZIP_LZMA) as other:
        for name in plain.namelist():
            other.writestr(name, plain.read(name))

    with pytest.raises(ImportFormatError, match=r"\(it is packed as no workbook is\)"):
        importers.read(tmp_path / "a.xlsx", "xlsx")


def test_an_archive_that_would_not_fit_into_memory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its size is looked at before anything is unpacked."""
    monkeypatch.setattr(xlsx, "MAX_TEXTS", 100)
    with pytest.raises(ImportFormatError, match="save it as CSV or in several workbooks"):
        importers.read(workbook(tmp_path, ["answer"], ["x"]))


def test_empty_workbooks(tmp_path: Path) -> None:
    """No row, or a header alone."""
    with pytest.raises(ImportFormatError, match="has no sheet with a row"):
        importers.read(workbook(tmp_path))
    with pytest.raises(ImportFormatError, match="holds no row under its column names"):
        list(importers.read(workbook(tmp_path, ["answer"])))
