"""The process that opens a stranger's PDF: no files, no network of its own, little memory, little time.

PDFium is native code; what it does to a hostile file must not happen in the desk. Started by ``core.loaders._pdf`` as a
script, so that nothing but PDFium is loaded: a JSON line and the bytes of the file on standard input, a JSON line and
bytes on standard output. Also imported, for its functions, by tests.
"""

from __future__ import annotations

import io
import json
import sys
from array import array
from collections.abc import Callable
from contextlib import suppress
from typing import Any, NamedTuple

SPARE = 2 << 30
"""Bytes of address space beside the file."""

PAGE_SECONDS = 30
"""Processor seconds for one page."""

SECONDS = 1200
"""Processor seconds for all."""

SCAN = "No text on this page: a scan, or empty"
DAMAGED = "This page is damaged and could not be read"
FIGURE = "Has a figure: text only, may miss content"
TABLE = "Has a table or a drawing: text only, may miss content"
OUTSIDE = "Has text beyond the edge of the page, which a reader does not see"
UNMAPPED = "Has characters that the file does not name: text may be wrong or missing"

_FIGURE = 0.04
"""Share of the page above which a picture is a figure, not a bullet or a logo."""
_RULES = 12
"""Drawn lines and shapes from which on a page is likely to hold a table or a drawing."""
_MOST_SHAPES = 5_000
"""Shapes of a page that are looked at."""
_SHARPEST = 2.0
"""Pixels a point at most: 144 dots an inch."""
_SMALLEST = 0.05

_HYPHENS = frozenset({0xFFFE, 0x2})
"""What PDFium reads for a hyphen at the end of a line."""
_REPLACEMENT = 0xFFFD

Box = tuple[float, float, float, float]
"""Left, bottom, right, top in points from the lower left corner of the page as it is shown."""
NOWHERE: Box = (0.0, 0.0, 0.0, 0.0)


class Refused(Exception):
    """The file cannot be read; holds what the parent is told."""


class Layer(NamedTuple):
    """What a page's text layer holds."""

    text: str
    boxes: bytes
    """See ``Page.boxes``."""
    outside: int
    """Characters that stand beyond the edge of the page."""
    unmapped: int
    """Characters that the file gives no meaning to."""


def main() -> None:
    """Do what is asked."""
    asked = json.loads(sys.stdin.buffer.readline())
    content = sys.stdin.buffer.read()
    limit(SPARE + 4 * len(content))
    try:
        told, data = read(content, **asked["read"]) if "read" in asked else draw(content, **asked["draw"])
    except Refused as error:
        told, data = error.args[0], b""
    sys.stdout.buffer.write(json.dumps(told).encode() + b"\n" + data)


def limit(space: int) -> None:
    """Take away memory, time and files where the system can."""
    with suppress(ImportError):  # not on Windows
        import resource

        resource.setrlimit(resource.RLIMIT_AS, (space, space))
        resource.setrlimit(resource.RLIMIT_CPU, (SECONDS, SECONDS))
        resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def read(content: bytes, most_pages: int, most_characters: int) -> tuple[dict[str, Any], bytes]:
    """Every page of a file: text, notes, size and how many bytes of boxes; then the boxes, one page after the other.

    Raises:
        Refused: It is no PDF, is locked, or has too many pages or characters.
    """
    pdf = _opened(content)
    try:
        if len(pdf) > most_pages:
            raise Refused({"pages": len(pdf)})
        pages, boxes = [], []
        for number in range(1, len(pdf) + 1):
            _begin_page()
            said, places = _page(pdf, number, most_characters)
            pages.append({**said, "boxes": None if places is None else len(places)})
            boxes.append(places or b"")
        return {"title": (pdf.get_metadata_value("Title") or "").strip(), "found": pages}, b"".join(boxes)
    finally:
        pdf.close()


def draw(content: bytes, page: int, longest_edge: int, largest: int) -> tuple[dict[str, Any], bytes]:
    """One page as a PNG, with its width and height in pixels.

    Raises:
        Refused: It is no PDF, or is locked.
    """
    pdf = _opened(content)
    try:
        _begin_page()
        drawn = pdf[page - 1]
        scale = min(_SHARPEST, longest_edge / max(drawn.get_width(), drawn.get_height(), 1.0))
        while True:
            image = drawn.render(scale=scale).to_pil().convert("RGB")
            written = io.BytesIO()
            image.save(written, "PNG", optimize=False)
            if written.tell() <= largest or scale < _SMALLEST:
                return {"width": image.width, "height": image.height}, written.getvalue()
            scale /= 2
    finally:
        pdf.close()


def _opened(content: bytes) -> Any:
    import pypdfium2

    try:
        return pypdfium2.PdfDocument(content)
    except pypdfium2.PdfiumError as error:
        raise Refused({"locked": "password" in str(error).lower()}) from error


def _begin_page() -> None:
    """Give the next page its time; when it is over, the system ends this process, whatever it is doing."""
    with suppress(ImportError, AttributeError):  # not on Windows
        import signal

        if __name__ == "__main__":
            signal.setitimer(signal.ITIMER_PROF, PAGE_SECONDS)


def _page(pdf: Any, number: int, most: int) -> tuple[dict[str, Any], bytes | None]:
    import pypdfium2

    damaged = {"text": "", "notes": [DAMAGED], "size": None}
    try:
        page = pdf[number - 1]
    except pypdfium2.PdfiumError:
        return damaged, None
    try:
        return _read(page, number, most)
    except pypdfium2.PdfiumError:
        return damaged, None
    finally:
        page.close()


def _read(page: Any, number: int, most: int) -> tuple[dict[str, Any], bytes]:
    layer = page.get_textpage()
    try:
        if layer.count_chars() > most:
            raise Refused({"page": number, "characters": layer.count_chars()})
        found = layer_of(page, layer)
    finally:
        layer.close()
    size = (round(page.get_width(), 2), round(page.get_height(), 2))
    notes = [SCAN]
    if found.text.strip():
        counts = {OUTSIDE: found.outside, UNMAPPED: found.unmapped, **_shapes(page, size)}
        notes = [note for note, count in counts.items() if count]
    return {"text": found.text, "notes": notes, "size": size}, found.boxes


def _shapes(page: Any, size: tuple[float, float]) -> dict[str, int]:
    """How much of a page is figures and tables, which its text does not hold."""
    import pypdfium2.raw as pdfium

    area = max(size[0] * size[1], 1.0)
    figures = rules = 0
    for _, shape in zip(range(_MOST_SHAPES), page.get_objects(max_depth=3), strict=False):
        if shape.type == pdfium.FPDF_PAGEOBJ_IMAGE:
            left, bottom, right, top = shape.get_bounds()
            figures += (right - left) * (top - bottom) > _FIGURE * area
        elif shape.type == pdfium.FPDF_PAGEOBJ_PATH:
            rules += 1
    return {FIGURE: figures, TABLE: rules // _RULES}


def layer_of(page: Any, layer: Any) -> Layer:
    """Read every character of a text layer; carriage returns, which PDFium puts before line feeds, are left out."""
    import pypdfium2.raw as pdfium

    raw, place, rect = layer.raw, _placing(page), pdfium.FS_RECTF()
    count = layer.count_chars()
    units = [pdfium.FPDFText_GetUnicode(raw, at) for at in range(count)]
    text: list[str] = []
    boxes = array("f")
    at = outside = unmapped = 0
    while at < count:
        unit, width = _code_point(units, at)
        unmapped += unit == 0 or pdfium.FPDFText_HasUnicodeMapError(raw, at) == 1
        printed = "-" if unit in _HYPHENS else chr(unit)
        if printed not in ("\0", "\r"):
            box = NOWHERE
            if not printed.isspace() and pdfium.FPDFText_GetLooseCharBox(raw, at, rect):
                box = place(rect.left, rect.bottom, rect.right, rect.top)
                outside += box == NOWHERE
            text.append(printed)
            boxes.extend(box)
        at += width
    if sys.byteorder == "big":
        boxes.byteswap()
    return Layer("".join(text), boxes.tobytes(), outside, unmapped)


def _code_point(units: list[int], at: int) -> tuple[int, int]:
    """The code point at a place, and how many units it takes; half of a surrogate pair is no character."""
    unit = units[at]
    if 0xD800 <= unit < 0xDC00 and at + 1 < len(units) and 0xDC00 <= units[at + 1] < 0xE000:
        return 0x10000 + ((unit - 0xD800) << 10) + (units[at + 1] - 0xDC00), 2
    return (_REPLACEMENT, 1) if unit > 0x10FFFF or 0xD800 <= unit < 0xE000 else (unit, 1)


def _placing(page: Any) -> Callable[[float, float, float, float], Box]:
    """How places on the canvas become places on the page as it is shown: cropped, then turned."""
    left, bottom, right, top = page.get_bbox()
    wide, high = right - left, top - bottom
    turned = page.get_rotation()

    def place(x0: float, y0: float, x1: float, y1: float) -> Box:
        x0, x1 = (min(max(x - left, 0.0), wide) for x in sorted((x0, x1)))
        y0, y1 = (min(max(y - bottom, 0.0), high) for y in sorted((y0, y1)))
        if not (x1 > x0 and y1 > y0):  # beyond the edge, or no number
            return NOWHERE
        if turned == 90:
            return y0, wide - x1, y1, wide - x0
        if turned == 180:
            return wide - x1, high - y1, wide - x0, high - y0
        if turned == 270:
            return high - y1, x0, high - y0, x1
        return x0, y0, x1, y1

    return place


if __name__ == "__main__":
    main()
