"""PDF files made by hand: a few objects, a cross-reference table, Helvetica, and nothing that a page does not need."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

SIZE = (612, 792)
"""US Letter, in points."""

PICTURE = b"q 400 0 0 400 100 300 cm BI /W 1 /H 1 /CS /G /BPC 8 ID \x80 EI Q\n"
"""An inline picture, 400 points square."""

LOCKED = b"/Filter /Standard /V 1 /R 2 /P -44 /O <" + b"00" * 32 + b"> /U <" + b"11" * 32 + b">"
"""An encryption that no password opens."""


class Sheet(NamedTuple):
    """One page: what is drawn, and how it is cut and turned."""

    content: bytes
    extra: bytes = b""
    """Further entries of the page, such as ``/Rotate 90``."""


def words(*lines: str, x: float = 72, y: float = 720, size: float = 12) -> Sheet:
    """A page of lines of Helvetica, one below the other, 14 points apart."""
    shown = [f"({_escaped(line)}) Tj 0 -14 Td" for line in lines]
    return Sheet(f"BT /F1 {size} Tf {x} {y} Td {' '.join(shown)} ET\n".encode("cp1252"))


def pdf(*pages: Sheet, title: str = "", encrypt: bytes = b"") -> bytes:
    """A whole file.

    Args:
        pages: In order.
        title: For the file's information.
        encrypt: What the encryption dictionary holds; empty for a file that is not encrypted.
    """
    kids = b" ".join(b"%d 0 R" % (4 + 2 * at) for at in range(len(pages)))
    objects = [
        b"<< /Type /Catalog /Pages 2 0 R >>",
        b"<< /Type /Pages /Count %d /Kids [%s] >>" % (len(pages), kids),
        b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>",
    ]
    for at, page in enumerate(pages):
        box = b"" if b"/MediaBox" in page.extra else b"/MediaBox [0 0 %d %d]" % SIZE
        objects.append(
            b"<< /Type /Page /Parent 2 0 R /Resources << /Font << /F1 3 0 R >> >> /Contents %d 0 R %s %s >>"
            % (5 + 2 * at, box, page.extra)
        )
        objects.append(b"<< /Length %d >>\nstream\n%s\nendstream" % (len(page.content), page.content))
    objects.append(b"<< /Title (%s) >>" % _escaped(title).encode("cp1252"))
    return _file(objects, encrypt)


def _file(objects: Sequence[bytes], encrypt: bytes) -> bytes:
    written, places = b"%PDF-1.4\n", []
    for number, body in enumerate(objects, start=1):
        places.append(len(written))
        written += b"%d 0 obj\n%s\nendobj\n" % (number, body)
    table = b"".join(b"%010d 00000 n \n" % place for place in places)
    locked = b" /Encrypt << %s >> /ID [<00> <00>]" % encrypt if encrypt else b""
    start = len(written)
    written += b"xref\n0 %d\n0000000000 65535 f \n%s" % (len(objects) + 1, table)
    trailer = b"trailer\n<< /Size %d /Root 1 0 R /Info %d 0 R%s >>" % (len(objects) + 1, len(objects), locked)
    return written + b"%s\nstartxref\n%d\n%%%%EOF\n" % (trailer, start)


def _escaped(text: str) -> str:
    return "".join(f"\\{one}" if one in "()\\" else one for one in text)
