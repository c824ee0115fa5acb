"""The text layer of a PDF page: its characters, and where each stands on the page as it is shown."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

_HYPHENS = frozenset({0xFFFE, 0x2})
"""What PDFium reads for a hyphen at the end of a line."""
_REPLACEMENT = 0xFFFD

Box = tuple[float, float, float, float]
"""Left, bottom, right, top in points from the lower left corner of the page as it is shown."""
NOWHERE: Box = (0.0, 0.0, 0.0, 0.0)


class Layer(NamedTuple):
    """What a page's text layer holds."""

    text: str
    boxes: bytes
    """See ``Page.boxes``."""
    outside: int
    """Characters that stand beyond the edge of the page."""
    unmapped: int
    """Characters that the file gives no meaning to."""


def layer_of(page: Any, layer: Any) -> Layer:
    """Read every character of a text layer; carriage returns, which PDFium puts before line feeds, are left out."""
    import numpy as np
    import pypdfium2.raw as pdfium

    raw, place, rect = layer.raw, _placing(page), pdfium.FS_RECTF()
    count = layer.count_chars()
    units = [pdfium.FPDFText_GetUnicode(raw, at) for at in range(count)]
    text: list[str] = []
    boxes: list[Box] = []
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
            boxes.append(box)
        at += width
    return Layer("".join(text), np.asarray(boxes, dtype="<f4").tobytes(), outside, unmapped)


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
