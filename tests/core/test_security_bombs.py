"""Small files that would be large, or take for ever, once they are opened: refused in one sentence, at once."""

from __future__ import annotations

import re
import zipfile
import zlib
from collections.abc import Callable
from pathlib import Path

import docx
import pyarrow as pa
import pytest
from openpyxl import Workbook
from pyarrow import parquet as pq

from core import importers
from core.errors import ImportFormatError, InputError
from core.importers import parquet, xlsx
from core.loaders import _pdf, _pdf_child
from core.loaders import docx as docx_loader
from core.loaders import pdf as pdf_loader
from tests.core.loaders.made_pdf import SIZE, pdf, words

LAUGHS = b"".join(b'<!ENTITY l%d "%s">' % (at, b"&l%d;" % (at - 1) * 10) for at in range(1, 10))
"""Nine entities, each ten times the one before it."""


def workbook(path: Path, change: Callable[[bytes], bytes]) -> Path:
    """A workbook of one answer, whose sheet was changed."""
    book = Workbook()
    for row in (["answer"], ["The gate is open."]):
        book.worksheets[0].append(row)
    book.save(path.with_suffix(".made"))
    with zipfile.ZipFile(path.with_suffix(".made")) as made, zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as out:
        for name in made.namelist():
            content = made.read(name)
            out.writestr(name, change(content) if name.startswith("xl/worksheets/") else content)
    return path


def test_a_workbook_that_skips_rows_without_end_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The rows before a row with a high number are made up by whoever reads it."""
    monkeypatch.setattr(xlsx, "MAX_ROWS", 1000)
    path = workbook(tmp_path / "a.xlsx", lambda sheet: sheet.replace(b'<row r="2"', b'<row r="999999999"'))

    with pytest.raises(ImportFormatError, match="has more than 1,000 rows"):
        list(importers.read(path))


def test_a_workbook_that_unpacks_without_end_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """By the size that the archive declares, which nothing exceeds when it is unpacked."""
    monkeypatch.setattr(xlsx, "MAX_SHEETS", 1 << 20)
    path = workbook(
        tmp_path / "a.xlsx", lambda sheet: sheet.replace(b"</sheetData>", b" " * (1 << 21) + b"</sheetData>")
    )

    assert path.stat().st_size < 20_000
    with pytest.raises(ImportFormatError, match="unpacks to 2 MiB; save it as CSV"):
        importers.read(path)


def test_a_workbook_of_entities_is_refused(tmp_path: Path) -> None:
    """A thousand million laughs are not laughed."""
    laughs = b'<!DOCTYPE worksheet [<!ENTITY l0 "ha">' + LAUGHS + b"]>"
    path = workbook(
        tmp_path / "a.xlsx",
        lambda sheet: re.sub(rb"<worksheet", laughs + b"<worksheet", sheet, count=1).replace(
            b"The gate is open.", b"&l9;"
        ).replace(b"<sheetData>", b"<sheetData>&l9;"),
    )  # fmt: skip

    with pytest.raises(ImportFormatError):
        list(importers.read(path))


def test_a_table_that_says_the_same_for_ever_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """By the rows, and by the bytes of a group, that the file says it has."""
    path = tmp_path / "a.parquet"
    pq.write_table(pa.table({"answer": pa.array(["The gate is open."] * 100_000)}), path)
    assert path.stat().st_size < 5_000

    monkeypatch.setattr(parquet, "MAX_ROWS", 1000)
    with pytest.raises(ImportFormatError, match="has 100,000 rows"):
        importers.read(path)
    monkeypatch.setattr(parquet, "MAX_ROWS", 1_000_000)
    monkeypatch.setattr(parquet, "MAX_GROUP", 10)
    with pytest.raises(ImportFormatError, match="in groups of at most"):
        importers.read(path)


def test_a_word_file_of_markup_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Markup takes many times its size once it is read; pictures do not."""
    path = tmp_path / "a.docx"
    document = docx.Document()
    document.add_paragraph("x" * 2_000_000)
    document.save(str(path))
    monkeypatch.setattr(docx_loader, "LARGEST_XML", 1_000_000)

    assert path.stat().st_size < 100_000
    with pytest.raises(InputError, match="unpacks to more than a document holds"):
        docx_loader.load(path)


def bomb() -> bytes:
    """A page whose lines take some seconds to be drawn or read, in a few kilobytes."""
    lines = zlib.compress(b"0 0 m 9 9 l S\n" * 4_000_000, 9)
    whole = b"<< /Length %d /Filter /FlateDecode >>\nstream\n%s\nendstream" % (len(lines), lines)
    objects = [
        b"<< /Type /Catalog /Pages 2 0 R >>",
        b"<< /Type /Pages /Count 1 /Kids [3 0 R] >>",
        b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 %d %d] /Contents 4 0 R >>" % SIZE,
        whole,
    ]
    content, places = b"%PDF-1.4\n", []
    for number, body in enumerate(objects, 1):
        places.append(len(content))
        content += b"%d 0 obj\n%s\nendobj\n" % (number, body)
    table = b"".join(b"%010d 00000 n \n" % place for place in places)
    return content + b"xref\n0 5\n0000000000 65535 f \n" + table + (
        b"trailer << /Size 5 /Root 1 0 R >>\nstartxref\n%d\n%%%%EOF" % len(content)
    )  # fmt: skip


@pytest.mark.parametrize(
    ("limit", "less"),
    [
        (f"PAGE_SECONDS = {_pdf_child.PAGE_SECONDS}", "PAGE_SECONDS = 0.5"),
        ("SPARE = 2 << 30", "SPARE = 3 << 26"),
    ],
)
def test_a_pdf_that_takes_too_much_ends_its_reader_alone(
    limit: str, less: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Time or memory: one sentence, and the next file is read."""
    source = Path(_pdf_child.__file__).read_text("utf-8")
    assert limit in source
    child = tmp_path / "child.py"
    child.write_text(source.replace(limit, less), "utf-8")
    monkeypatch.setattr(_pdf, "_CHILD", child)
    bad, good = tmp_path / "bad.pdf", tmp_path / "good.pdf"
    bad.write_bytes(bomb())
    good.write_bytes(pdf(words("The gate is open.")))

    assert bad.stat().st_size < 300_000
    with pytest.raises(InputError, match="takes more memory or time than a document may"):
        pdf_loader.load(bad)
    assert pdf_loader.load(good).text == "The gate is open."


def test_a_reader_that_breaks_is_one_sentence(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As when a file finds a fault in native code."""
    child = tmp_path / "child.py"
    child.write_text("import os, signal; os.kill(os.getpid(), signal.SIGSEGV)", "utf-8")
    monkeypatch.setattr(_pdf, "_CHILD", child)
    file = tmp_path / "a.pdf"
    file.write_bytes(pdf(words("x")))

    with pytest.raises(InputError, match="or breaks what reads it; print it to a new PDF"):
        pdf_loader.load(file)
