"""Plain text: its encoding, its pages, its title."""

from __future__ import annotations

import io
import zipfile
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.errors import InputError
from core.loaders import docx, html, markdown, pdf, text
from tests.core.loaders.test_docx import PLAIN


def load(tmp_path: Path, content: bytes) -> list[str]:
    """The pages of a file."""
    path = tmp_path / "a.txt"
    path.write_bytes(content)
    return [page.text for page in text.load(path).pages]


@pytest.mark.parametrize(
    "content",
    [
        "Café – 3 €".encode(),
        b"\xef\xbb\xbf" + "Café – 3 €".encode(),
        b"\xff\xfe" + "Café – 3 €".encode("utf-16-le"),
        b"\xfe\xff" + "Café – 3 €".encode("utf-16-be"),
        "Café – 3 €".encode("cp1252"),
    ],
)
def test_the_encoding_is_found(content: bytes, tmp_path: Path) -> None:
    """By the mark, else UTF-8, else Windows-1252."""
    assert load(tmp_path, content) == ["Café – 3 €"]


RUSSIAN = "Паром отправляется ежедневно в девять часов утра из порта."
JAPANESE = "フェリーは毎日運航しています。料金は三百円です。"
GERMAN = "Die Fähre fährt täglich nach Nordholm, über das Wasser. "


@pytest.mark.parametrize(
    ("written", "encoding", "named"),
    [
        (GERMAN, "latin-1", "Windows-1252"),
        ("The “ferry” costs 3 € – daily.", "cp1252", "Windows-1252"),
        ("A naïve question.", "latin-1", "Windows-1252"),
        (RUSSIAN, "cp1251", "Windows-1251"),
        (RUSSIAN, "koi8-r", "KOI8-R"),
        ("Το πλοίο αναχωρεί καθημερινά στις εννέα από το λιμάνι.", "cp1253", "Windows-1253"),
        (JAPANESE, "shift-jis", "Shift JIS"),
        (JAPANESE, "euc-jp", "EUC-JP"),
        ("渡轮每天上午九点从港口出发，票价三元。", "gb18030", "GB 18030"),
        ("페리는 매일 아홉 시에 항구에서 출발합니다.", "cp949", "EUC-KR"),
        ("x" * 100_000 + RUSSIAN, "cp1251", "Windows-1251"),
    ],
)
def test_a_guessed_encoding_is_named(written: str, encoding: str, named: str, tmp_path: Path) -> None:
    """The text is right, and a note says that it was a guess and how to be sure."""
    path = tmp_path / "a.txt"
    path.write_bytes(written.encode(encoding))
    (page,) = text.load(path).pages

    assert page.text == written
    assert page.notes == (f"Its encoding was guessed to be {named}: to be sure, save it as UTF-8",)


@pytest.mark.parametrize("encoding", ["cp1251", "koi8-r"])
@pytest.mark.parametrize(
    "before", ["", "x", "The ferry. ", "x" * 31, "x" * 33, "Timetable\n\n", "http://ferry.example/ru\n"]
)
@pytest.mark.parametrize("written", [RUSSIAN, RUSSIAN * 5, RUSSIAN.upper() * 5])
def test_what_stands_before_moves_no_guess(written: str, before: str, encoding: str, tmp_path: Path) -> None:
    """Two encodings of one script swap small letters and capitals: the one that looks written is taken."""
    path = tmp_path / "a.txt"
    path.write_bytes((before + written).encode(encoding))

    assert text.load(path).text == before + written


def test_utf_8_with_a_fault_stays_utf_8(tmp_path: Path) -> None:
    """What cannot be read is one character, counted in a note; a file that says its encoding has no note."""
    path = tmp_path / "a.txt"
    path.write_bytes((GERMAN * 3).encode() + b"\xff.")
    (page,) = text.load(path).pages

    assert page.text == GERMAN * 3 + "\ufffd."
    assert page.notes == ("A character was no UTF-8 and could not be read: save the file again as UTF-8",)
    path.write_bytes(GERMAN.encode("utf-16"))
    assert text.load(path).pages[0].notes == ()


def test_line_ends_are_one_character_and_form_feeds_begin_pages(tmp_path: Path) -> None:
    """The form feed after the last page begins none; an empty page in the middle is one."""
    assert load(tmp_path, b"one\r\ntwo\rthree\n\f\ffour\n\f\n") == ["one\ntwo\nthree\n", "", "four\n"]
    assert load(tmp_path, b"") == [""]


@pytest.mark.parametrize(
    ("content", "title"),
    [
        (b"Tolls of 2026\n\nThe toll is 3 crowns.", "Tolls of 2026"),
        (b"Tolls of 2026\n=============\nThe toll", "Tolls of 2026"),
        (b"The toll is\n3 crowns.", None),
        (b"x" * 121 + b"\n\ntext", None),
        (b"", None),
    ],
)
def test_a_first_line_that_stands_alone_is_the_title(content: bytes, title: str | None, tmp_path: Path) -> None:
    """It stays in the text."""
    path = tmp_path / "a.txt"
    path.write_bytes(content)

    assert text.load(path).title == title
    assert text.load(path).text.encode() == content


def test_binary_data_is_refused(tmp_path: Path) -> None:
    """In a sentence that says what can be read."""
    path = tmp_path / "a.txt"
    path.write_bytes(b"\x7fELF\0\0")

    with pytest.raises(InputError, match="looks like binary data; give a text saved as UTF-8"):
        text.load(path)
    path.write_bytes(bytes(range(1, 8)) * 30)
    with pytest.raises(InputError, match="looks like binary data"):
        text.load(path)


@pytest.mark.parametrize(
    ("loader", "name", "content", "said"),
    [
        (text, "a.txt", b"\n%PDF-1.4 1 0 obj", "a PDF by its content; rename it so that it ends in .pdf."),
        (markdown, "a.md", b"%PDF-1.4 1 0 obj", "a PDF by its content; rename it so that it ends in .pdf."),
        (html, "a.html", b"%PDF-1.4 1 0 obj", "a PDF by its content; rename it so that it ends in .pdf."),
        (text, "a.txt", PLAIN, "a DOCX document by its content; rename it so that it ends in .docx."),
    ],
)
def test_a_file_under_the_name_of_another_kind_is_refused(
    loader: Any, name: str, content: bytes, said: str, tmp_path: Path
) -> None:
    """Nobody could cite what its bytes look like as text; the advice is to rename it."""
    path = tmp_path / name
    path.write_bytes(content)

    with pytest.raises(InputError) as refused:
        loader.load(path)

    assert str(refused.value) == f"{path} is {said}"


@pytest.mark.parametrize("loader", [text, markdown, html, docx, pdf])
def test_a_damaged_archive_is_one_sentence_whatever_its_name(loader: Any, tmp_path: Path) -> None:
    """Each byte of its directory changed, the version of a later time too: read, or refused, and never a crash."""
    path = tmp_path / f"a{loader.SUFFIXES[0]}"
    archive = io.BytesIO()
    with zipfile.ZipFile(archive, "w") as made:
        made.writestr("word/document.xml", "x")
    content = archive.getvalue()
    directory = range(content.index(b"PK\x01\x02"), len(content))
    for at in directory if loader is not pdf else directory[6:7]:  # a process for each PDF
        path.write_bytes(content[:at] + b"\xc8" + content[at + 1 :])
        with suppress(InputError):
            loader.load(path).text.encode("utf-8", "surrogatepass")


def test_a_file_too_large_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Before it is read."""
    monkeypatch.setattr("core.loaders._bytes.LARGEST", 4)
    path = tmp_path / "a.txt"
    path.write_bytes(b"12345")

    with pytest.raises(InputError, match="split it into documents"):
        text.load(path)


@given(content=st.binary(max_size=200))
def test_any_bytes_are_text_or_refused(content: bytes, tmp_path_factory: pytest.TempPathFactory) -> None:
    """No input makes the loader stumble, and what it gives can be stored as UTF-8."""
    path = tmp_path_factory.getbasetemp() / "any.txt"
    path.write_bytes(content)
    refused = ""
    try:
        text.load(path).text.encode()
    except InputError as refusal:
        refused = str(refusal)

    assert not refused or "looks like binary data" in refused or "by its content" in refused
