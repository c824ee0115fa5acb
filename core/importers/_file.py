"""Opening a log: what no importer can read is said in one sentence, and lines come in constant memory."""

from __future__ import annotations

import stat
from collections.abc import Callable, Iterator
from pathlib import Path

from core.errors import ImportFormatError

HEAD = 64 * 1024
"""Bytes that a format is recognised by."""

MAX_LINE = 32 * 1024 * 1024
"""Bytes of a line, without its end; a longer one is refused."""

_BOM = b"\xef\xbb\xbf"
_SIGNATURES = {
    b"\xff\xfe": ("UTF-16 text", "save it as UTF-8"),
    b"\xfe\xff": ("UTF-16 text", "save it as UTF-8"),
    b"\x1f\x8b": ("compressed with gzip", "unpack it first"),
    b"PK\x03\x04": ("a ZIP archive", "unpack it first"),
    b"PAR1": ("a Parquet file", "export it as JSON Lines"),
}


def peek(path: Path) -> bytes:
    """The first 64 KiB of a file as they are.

    Raises:
        ImportFormatError: The file is missing, no file, unreadable or empty.
    """
    try:
        if path.is_dir():
            raise ImportFormatError(f"{path} is a folder", "give the name of a file in it")
        if not stat.S_ISREG(path.stat().st_mode):
            raise ImportFormatError(f"{path} is no ordinary file", "save what it gives to a file first")
        with path.open("rb") as file:
            start = file.read(HEAD)
    except (OSError, ValueError) as error:
        raise unreadable(path, error) from error
    if not start:
        raise ImportFormatError(f"{path} is empty", "check that it was written to its end")
    return start


def head(path: Path) -> bytes:
    """The first 64 KiB of a text file, without a byte order mark.

    Raises:
        ImportFormatError: The file is missing, no file, unreadable, empty, or not UTF-8 text at first sight.
    """
    start = peek(path)
    refuse_signature(path, start)
    if looks_binary(start[:256]):
        raise ImportFormatError(f"{path} looks like UTF-16 or binary data", "save it as UTF-8 text")
    start = start.removeprefix(_BOM)
    if not start.strip() and path.stat().st_size <= HEAD:
        raise ImportFormatError(f"{path} is empty", "check that it was written to its end")
    return start


def refuse_signature(path: Path, start: bytes) -> None:
    """Refuse what is no text by its first bytes.

    Raises:
        ImportFormatError: With what the file is, and what to do.
    """
    for signature, (what, advice) in _SIGNATURES.items():
        if start.startswith(signature):
            raise ImportFormatError(f"{path} is {what}", advice)


def looks_binary(start: bytes) -> bool:
    """Whether a tenth of the bytes are control characters, NUL among them: text has hardly any."""
    controls = sum(byte < 32 and byte not in b"\t\n\f\r" for byte in start)
    return 0 in start and 10 * controls > len(start)


def lines(path: Path) -> Iterator[tuple[int, bytes | None]]:
    """The lines that are not blank, without their ends, numbered from 1; none for one over ``MAX_LINE``.

    Raises:
        ImportFormatError: Reading fails on the way.
    """
    try:
        with path.open("rb") as file:
            number = 0
            while line := file.readline(MAX_LINE + 2):
                number += 1
                if number == 1:
                    line = line.removeprefix(_BOM)
                body = line.rstrip(b"\r\n")
                if len(body) > MAX_LINE:
                    while line and not line.endswith(b"\n"):
                        line = file.readline(HEAD)
                    yield number, None
                elif body.strip():
                    yield number, body
    except OSError as error:
        raise unreadable(path, error) from error


def chunks(path: Path, size: Callable[[], int]) -> Iterator[bytes]:
    """The bytes of a file piece by piece, without a byte order mark.

    Args:
        path: The file.
        size: Asked before each piece for how many bytes it shall have at least.

    Raises:
        ImportFormatError: Reading fails on the way.
    """
    try:
        with path.open("rb") as file:
            if file.read(len(_BOM)) != _BOM:
                file.seek(0)
            while chunk := file.read(max(HEAD, size())):
                yield chunk
    except OSError as error:
        raise unreadable(path, error) from error


def unreadable(path: Path, error: Exception) -> ImportFormatError:
    """The one sentence for a file that the system does not give."""
    if isinstance(error, FileNotFoundError):
        return ImportFormatError(f"{path} does not exist", "check the name and the folder")
    why = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
    return ImportFormatError(f"{path} cannot be read ({why})", "check the name and who may read it")
