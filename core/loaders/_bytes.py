"""Bytes of a file, and what characters they stand for where nothing in the file says so."""

from __future__ import annotations

import codecs
import stat
from pathlib import Path

from core.errors import InputError

LARGEST = 256 * 1024 * 1024
"""Bytes of a file above which nothing is read: a source is a document, not an archive."""

BOMS = ((codecs.BOM_UTF8, "utf-8"), (codecs.BOM_UTF16_LE, "utf-16-le"), (codecs.BOM_UTF16_BE, "utf-16-be"))
_BINARY = 1024


def content_of(path: Path) -> bytes:
    """The bytes of a file.

    Raises:
        InputError: It cannot be opened, is a folder or a pipe, or is larger than ``LARGEST``.
    """
    try:
        found = path.stat()
        if not stat.S_ISREG(found.st_mode):
            raise InputError(f"{path} is no ordinary file", "give a file that is written to its end")
        if found.st_size > LARGEST:
            raise InputError(f"{path} has more than {LARGEST // 1024 // 1024} MB", "split it into documents")
        return path.read_bytes()
    except OSError as error:
        raise InputError(f"{path} cannot be read ({error.strerror or error})", "check the name") from error


def text_of(path: Path) -> str:
    """The text of a plain file: by its byte order mark, else UTF-8, else Windows-1252; line ends become one character.

    Raises:
        InputError: It cannot be opened, is too large, or holds no text.
    """
    content = content_of(path)
    for mark, encoding in BOMS:
        if content.startswith(mark):
            return _lines(content[len(mark) :].decode(encoding, "replace"))
    if b"\0" in content[:_BINARY]:
        raise InputError(f"{path} looks like binary data", "give a text, Markdown, HTML, PDF or DOCX file")
    try:
        return _lines(content.decode("utf-8"))
    except UnicodeDecodeError:
        return _lines(content.decode("cp1252", "replace"))


def _lines(text: str) -> str:
    return text.replace("\r\n", "\n").replace("\r", "\n")
