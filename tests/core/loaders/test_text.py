"""Plain text: its encoding, its pages, its title."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.errors import InputError
from core.loaders import text


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

    with pytest.raises(InputError, match="looks like binary data; give a text, Markdown"):
        text.load(path)


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
    try:
        text.load(path).text.encode()
    except InputError:
        assert b"\0" in content
