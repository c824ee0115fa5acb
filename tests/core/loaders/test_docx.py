"""DOCX: what a reader of the document sees, in its order."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import docx
import pytest
from docx.oxml import parse_xml
from hypothesis import given
from hypothesis import strategies as st

from core.errors import InputError
from core.loaders import Document
from core.loaders import docx as loader

W = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'


def made(write: Callable[[Any], None]) -> bytes:
    """The bytes of a document that ``write`` fills."""
    document = docx.Document()
    write(document)
    file = io.BytesIO()
    document.save(file)
    return file.getvalue()


def load(folder: Path, content: bytes) -> Document:
    """Read a file of these bytes."""
    path = folder / "a.docx"
    path.write_bytes(content)
    return loader.load(path)


def body(xml: str) -> bytes:
    """A document whose body begins with this."""
    return made(lambda document: document.element.body.insert(0, parse_xml(xml.replace("<w:p>", f"<w:p {W}>", 1))))


def test_blocks_stand_in_their_order(tmp_path: Path) -> None:
    """Headings, paragraphs, list items, tables with merged cells, a table within a table."""

    def write(document: Any) -> None:
        document.core_properties.title = "Tolls"
        document.add_heading("Fees", 1)
        document.add_paragraph("The toll is 3 crowns.")
        document.add_paragraph("one", style="List Bullet")
        table = document.add_table(3, 2)
        table.cell(0, 0).merge(table.cell(0, 1)).text = "Boat and fee"
        table.cell(1, 0).text = "Ferry"
        table.cell(1, 1).paragraphs[0].text = "see"
        inner = table.cell(1, 1).add_table(1, 2)
        inner.cell(0, 0).text, inner.cell(0, 1).text = "small", "2"
        table.cell(1, 0).merge(table.cell(2, 0))
        table.cell(2, 1).text = "4"
        document.add_heading("Boats", 2)
        document.add_paragraph("")
        document.add_paragraph("Last.")

    document = load(tmp_path, made(write))

    assert document.text == (
        "Fees\n\nThe toll is 3 crowns.\n\n- one\n\nBoat and fee\nFerry\tsee\nsmall\t2\n\t4\n\nBoats\n\nLast."
    )
    assert document.title == "Tolls"
    assert [(one.start, one.text) for one in document.pages[0].headings] == [(0, "Fees"), (71, "Boats")]
    assert document.text[71:].startswith("Boats")


@pytest.mark.parametrize(
    ("xml", "text"),
    [
        ("<w:p><w:r><w:t>a</w:t><w:tab/><w:t>b</w:t><w:br/><w:t>c</w:t></w:r></w:p>", "a\tb\nc"),
        (
            "<w:p><w:ins><w:r><w:t>new</w:t></w:r></w:ins><w:del><w:r><w:delText>old</w:delText></w:r></w:del></w:p>",
            "new",
        ),
        ("<w:p><w:r><w:rPr><w:vanish/></w:rPr><w:t>hidden</w:t></w:r><w:r><w:t>seen</w:t></w:r></w:p>", "seen"),
        ('<w:p><w:r><w:rPr><w:vanish w:val="0"/></w:rPr><w:t>seen</w:t></w:r></w:p>', "seen"),
        (
            "<w:p><w:hyperlink><w:r><w:t>link</w:t></w:r></w:hyperlink><w:r><w:instrText>X</w:instrText></w:r></w:p>",
            "link",
        ),
        (
            f"<w:sdt {W}><w:sdtContent><w:p><w:r><w:t>in a control</w:t></w:r></w:p></w:sdtContent></w:sdt>",
            "in a control",
        ),
    ],
)
def test_what_is_shown_is_read(xml: str, text: str, tmp_path: Path) -> None:
    """Tracked insertions and content controls are text, deletions, field codes and hidden text are not."""
    assert load(tmp_path, body(xml)).text == text


def test_what_the_text_misses_is_noted(tmp_path: Path) -> None:
    """Figures, and texts that stand outside the body."""

    def write(document: Any) -> None:
        document.add_paragraph("Text.").add_run()._r.append(parse_xml(f"<w:drawing {W}/>"))
        document.sections[0].header.paragraphs[0].text = "Draft"

    assert load(tmp_path, made(write)).pages[0].notes == (loader.FIGURE, loader.APART)
    assert load(tmp_path, made(lambda document: document.add_paragraph("Text."))).pages[0].notes == ()


def test_a_document_without_text_has_none(tmp_path: Path) -> None:
    """It is there, and nothing was read."""
    assert load(tmp_path, made(lambda document: None)).status == "no_text"


def test_an_archive_that_unpacks_without_end_is_refused(tmp_path: Path) -> None:
    """By the size that it declares, before anything is unpacked."""
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("word/document.xml", b"0" * 1000)
    content = file.getvalue().replace((1000).to_bytes(4, "little"), (2**32 - 2).to_bytes(4, "little"))

    with pytest.raises(InputError, match="unpacks to more than a document holds"):
        load(tmp_path, content)


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"", "is no DOCX that can be read"),
        (b"PK\x03\x04", "is no DOCX that can be read"),
        (b"%PDF-1.7 ", r"is a PDF by its content; rename it so that it ends in \.pdf"),
        (b"The toll is 3 crowns.", r"is plain text by its content; rename it so that it ends in \.txt"),
        (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "is locked by a password, or older than DOCX"),
    ],
)
def test_what_cannot_be_read_is_said_in_a_sentence(content: bytes, said: str, tmp_path: Path) -> None:
    """Empty, cut short, locked."""
    with pytest.raises(InputError, match=said):
        load(tmp_path, content)


@pytest.mark.parametrize(
    "damaged",
    [
        pytest.param(lambda: _with_packing(PLAIN, zipfile.ZIP_BZIP2), id="packed as no word processor does"),
        pytest.param(
            lambda: _rewritten(PLAIN, lambda part, old: _emptied(old) if part == DOCUMENT else old), id="no body"
        ),
        pytest.param(lambda: _without("word/styles.xml"), id="no styles"),
    ],
)
def test_a_file_that_the_library_does_not_expect_is_one_sentence(damaged: Callable[[], bytes], tmp_path: Path) -> None:
    """Whatever it makes of it."""
    with pytest.raises(InputError, match="is no DOCX that can be read; save it again"):
        load(tmp_path, damaged())


def test_a_fault_of_ours_is_no_damage_of_the_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is not put down to the file."""
    monkeypatch.setattr(loader, "_APART", None)

    with pytest.raises(AttributeError):
        load(tmp_path, PLAIN)


def test_deep_nesting_is_read(tmp_path: Path) -> None:
    """As deep as the parser goes; deeper is refused, never a crash."""
    for depth in (20, 400):
        open_, close = "<w:tbl><w:tr><w:tc>" * depth, "</w:tc></w:tr></w:tbl>" * depth
        xml = f"{open_}<w:p><w:r><w:t>deep</w:t></w:r></w:p>{close}"
        plain = body("<w:p><w:r><w:t>here</w:t></w:r></w:p>")
        content = _with_body(plain, xml)
        try:
            assert load(tmp_path, content).text == "deep"
        except InputError:
            assert depth == 400


@given(at=st.integers(0, 10**6), byte=st.integers(0, 255), drop=st.integers(0, 40))
def test_broken_files_are_read_or_refused(
    tmp_path_factory: pytest.TempPathFactory, at: int, byte: int, drop: int
) -> None:
    """No byte that changed and no part that is missing makes the loader stumble."""
    names = zipfile.ZipFile(io.BytesIO(PLAIN)).namelist()
    content = bytearray(_without(names[drop]) if drop < len(names) else PLAIN)
    content[at % len(content)] = byte
    try:
        load(tmp_path_factory.getbasetemp(), bytes(content)).text.encode("utf-8", "surrogatepass")
    except InputError:
        return


PLAIN: bytes = made(lambda document: document.add_paragraph("Text.", style="List Bullet"))


DOCUMENT = "word/document.xml"


def _emptied(content: bytes) -> bytes:
    return content[: content.index(b"<w:body>")] + b"</w:document>"


def _with_packing(content: bytes, kind: int) -> bytes:
    """The archive as it is, but said to be packed in another way."""
    changed = bytearray(content)
    at = 0
    while (at := changed.find(b"PK\x01\x02", at) + 1) > 0:
        changed[at + 9 : at + 11] = kind.to_bytes(2, "little")
    return bytes(changed)


def _without(name: str) -> bytes:
    return _rewritten(PLAIN, lambda part, content: None if part == name else content)


def _with_body(content: bytes, xml: str) -> bytes:
    def change(part: str, old: bytes) -> bytes:
        if part != "word/document.xml":
            return old
        start, end = old.index(b"<w:body>") + 8, old.index(b"</w:body>")
        return old[:start] + xml.encode() + old[end:]

    return _rewritten(content, change)


def _rewritten(content: bytes, change: Callable[[str, bytes], bytes | None]) -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(content)) as old, zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as new:
        for name in old.namelist():
            if (part := change(name, old.read(name))) is not None:
                new.writestr(name, part)
    return file.getvalue()
