"""Which characters the bytes of a table stand for: by its byte order mark, or by what can be read."""

from __future__ import annotations

import codecs
from enum import Enum
from pathlib import Path

from core.errors import ImportFormatError
from core.importers._file import looks_binary, refuse_signature, unreadable

_PIECE = 1 << 20


class Encoding(Enum):
    """A codec, and what it does with bytes that are no text."""

    UTF_8 = ("utf-8-sig", "surrogateescape")
    UTF_16 = ("utf-16", "replace")
    WINDOWS = ("cp1252", "replace")

    @property
    def codec(self) -> str:
        """The codec's name in Python."""
        return self.value[0]

    @property
    def errors(self) -> str:
        """The error handler's name in Python."""
        return self.value[1]


def encoding_of(path: Path, head: bytes) -> Encoding:
    """The encoding of a text file.

    UTF-8 unless the file starts with a UTF-16 mark, or has bytes that are no UTF-8 and not one character beyond ASCII
    that is: a single damaged cell in a UTF-8 file must not turn all others into other letters.

    Raises:
        ImportFormatError: The file is binary, or reading fails.
    """
    if head.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)) and len(head) % 2 == 0:
        return Encoding.UTF_16
    refuse_signature(path, head)
    if looks_binary(head[:256]):
        raise ImportFormatError(f"{path} looks like binary data", "save it as UTF-8 text")
    decoder = codecs.getincrementaldecoder("utf-8")("surrogateescape")
    damaged = False
    try:
        with path.open("rb") as file:
            while piece := file.read(_PIECE):
                if piece.isascii() and not decoder.getstate()[0]:
                    continue
                text = decoder.decode(piece)
                escaped = sum("\udc80" <= char <= "\udcff" for char in text) if not text.isascii() else 0
                if any(char > "\x7f" and not "\udc80" <= char <= "\udcff" for char in text):
                    return Encoding.UTF_8
                damaged = damaged or escaped > 0
    except OSError as error:
        raise unreadable(path, error) from error
    return Encoding.WINDOWS if damaged else Encoding.UTF_8
