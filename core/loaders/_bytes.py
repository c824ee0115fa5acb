"""Bytes of a file: of what kind they are, and what characters they stand for."""

from __future__ import annotations

import codecs
import io
import re
import stat
import zipfile
from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

from core.errors import InputError

LARGEST = 256 * 1024 * 1024
"""Bytes of a file above which nothing is read: a source is a document, not an archive."""

BOMS = ((codecs.BOM_UTF8, "utf-8"), (codecs.BOM_UTF16_LE, "utf-16-le"), (codecs.BOM_UTF16_BE, "utf-16-be"))

GUESSED = {
    "cp1252": "Windows-1252",
    "cp1251": "Windows-1251",
    "koi8_r": "KOI8-R",
    "cp1253": "Windows-1253",
    "cp1255": "Windows-1255",
    "cp1256": "Windows-1256",
    "cp932": "Shift JIS",
    "euc_jp": "EUC-JP",
    "gb18030": "GB 18030",
    "big5": "Big5",
    "cp949": "EUC-KR",
}
"""Encodings that are guessed, by their codec: of the Latin script one, since a text does not tell its cousins apart."""

_LATIN = "cp1252"
_OWN = 2
"""A text of another script has one letter in so many of that script, at least; accents are rarer."""
_TWINS = {"cp1251": "koi8_r", "koi8_r": "cp1251"}
"""Encodings of one script in which small letters stand where the other has capitals."""

_BINARY = 1024
_TEXT = bytes([*range(0x07, 0x0E), 0x1B, *range(0x20, 0x100)])
"""Bytes that stand in texts."""
_CONTROLS = 20
"""One byte in so many may be another one."""
_PROBED = 64 * 1024
"""Bytes from which an encoding is guessed."""
_BEFORE = 32
"""Bytes before the first beyond ASCII that count as text around it."""
_DAMAGED = 4
"""A text is UTF-8 with faults when it has so many good characters beyond ASCII for each that is none."""
_OF_HTML = re.compile(rb"\s*<(?:!doctype\s+html|html|head|body)\b", re.I)
_OF_DOCX = "word/document.xml"


class Decoded(NamedTuple):
    """Bytes as text."""

    text: str
    note: str | None
    """What makes it doubtful, in words; none where the file says its encoding, or is UTF-8."""


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


def text_of(path: Path) -> Decoded:
    """The text of a plain file: by its byte order mark, else UTF-8, else a guess; line ends become one character.

    Raises:
        InputError: It cannot be opened, is too large, or holds no text.
    """
    content = content_of(path)
    refuse_others(path, content, ".pdf", ".docx")
    if _is_binary(content[:_BINARY]) and not any(content.startswith(mark) for mark, _ in BOMS):
        raise InputError(
            f"{path} looks like binary data", "give a text saved as UTF-8, or a Markdown, HTML, PDF or DOCX file"
        )
    found = decoded(content)
    return found._replace(text=found.text.replace("\r\n", "\n").replace("\r", "\n"))


def _is_binary(start: bytes) -> bool:
    """Whether a file that begins so is no text: a zero byte, or more control characters than a text has."""
    return b"\0" in start or len(start.translate(None, _TEXT)) * _CONTROLS > len(start)


def decoded(content: bytes, declared: Sequence[str] = ()) -> Decoded:
    """Bytes as text: by their byte order mark, else as declared, else UTF-8, else a guess; it never fails.

    What is no character of the encoding becomes U+FFFD.
    """
    for mark, encoding in BOMS:
        if content.startswith(mark):
            return Decoded(content[len(mark) :].decode(encoding, "replace"), None)
    for encoding in (*declared, "utf-8"):
        try:
            return Decoded(content.decode(encoding), None)
        except UnicodeError:
            continue
    text = content.decode("utf-8", "replace")
    bad = text.count("\ufffd")
    beyond = len(text) - len(text.encode("ascii", "ignore"))
    if beyond >= (1 + _DAMAGED) * bad:
        said = "A character was" if bad == 1 else f"{bad:,} characters were"
        return Decoded(text, f"{said} no UTF-8 and could not be read: save the file again as UTF-8")
    encoding = _guess(content)
    said = f"Its encoding was guessed to be {GUESSED[encoding]}: to be sure, save it as UTF-8"
    return Decoded(content.decode(encoding, "replace"), said)


def _guess(content: bytes) -> str:
    """The encoding of bytes that are no UTF-8, told by their first stretch from the first byte beyond ASCII on."""
    from charset_normalizer import from_bytes

    begins = next((at for at, byte in enumerate(content) if byte > 0x7F), 0)
    best = from_bytes(content[begins:][:_PROBED], cp_isolation=list(GUESSED)).best()
    if best is None or best.encoding not in GUESSED:
        return _LATIN
    some = content[max(0, begins - _BEFORE) :][:_PROBED]
    encoding = min((best.encoding, _TWINS.get(best.encoding, best.encoding)), key=lambda one: _swapped(some, one))
    letters = [char for char in some.decode(encoding, "replace") if char.isalpha()]
    return encoding if _OWN * sum(not char.isascii() for char in letters) >= len(letters) else _LATIN


def _swapped(content: bytes, encoding: str) -> int:
    """How often a capital follows a small letter, as it does all over in a text whose case is the wrong way round."""
    text = content.decode(encoding, "replace")
    return sum(one.islower() and two.isupper() and not one.isascii() for one, two in pairwise(text))


def refuse_others(path: Path, content: bytes, *others: str) -> None:
    """Refuse a file that is plainly of another kind than its name says.

    Args:
        path: Its name.
        content: All of it.
        others: Endings of the kinds that cannot be read as what the name says.

    Raises:
        InputError: It is of one of them; the advice is to rename it.
    """
    what, ending = _kind(content)
    if ending in others:
        raise InputError(f"{path} is {what} by its content", f"rename it so that it ends in {ending}")


def _kind(content: bytes) -> tuple[str, str]:
    """What bytes are, in words, and how such a file is named; blank where that cannot be told."""
    if content[:_BINARY].lstrip().startswith(b"%PDF-"):
        return "a PDF", ".pdf"
    if content.startswith(b"PK\x03\x04"):
        try:
            with zipfile.ZipFile(io.BytesIO(content)) as archive:
                return ("a DOCX document", ".docx") if _OF_DOCX in archive.namelist() else ("", "")
        except (zipfile.BadZipFile, NotImplementedError, ValueError):  # the second one for a version it does not know
            return "", ""
    if _OF_HTML.match(content[:_BINARY]):
        return "a web page", ".html"
    is_text = content.strip() and b"\0" not in content and not _is_binary(content[:_BINARY])
    return ("plain text", ".txt") if is_text else ("", "")
