"""PDF: the text layer of every page, character by character, with the place of each on the page.

The order and the characters are those of the layer; nothing is joined, folded or guessed. A page without a text layer
is named as a scan, figures and ruled tables as what the text alone may miss.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from core.errors import InputError
from core.loaders._bytes import content_of
from core.loaders._document import Document, Page
from core.loaders._pdf_layer import layer_of
from core.loaders._pdfium import LOCK

SUFFIXES = (".pdf",)

MOST_PAGES = 10_000
MOST_CHARACTERS = 1_000_000
"""Of one page: a layer that repeats itself without end is an attack or a fault."""

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


def load(path: Path) -> Document:
    """Read a file, page by page, the empty ones too.

    Raises:
        InputError: The file cannot be opened, is no PDF, is locked by a password, or has more pages or characters than
            a document has.
    """
    import pypdfium2  # a library of native code that no other format needs

    content = content_of(path)
    try:
        with LOCK:
            pdf = pypdfium2.PdfDocument(content)
            count = len(pdf)
    except pypdfium2.PdfiumError as error:
        locked = "password" in str(error).lower()
        what = "is locked by a password" if locked else "is no PDF that can be read"
        advice = "save a copy without the password" if locked else "open it in a viewer and save it again"
        raise InputError(f"{path} {what}", advice) from error
    try:
        if count > MOST_PAGES:
            raise InputError(f"{path} has {count:,} pages", f"split it into parts of at most {MOST_PAGES:,}")
        pages = tuple(_page(pdf, number, path) for number in range(1, count + 1))
        with LOCK:
            title = (pdf.get_metadata_value("Title") or "").strip()
    finally:
        with LOCK:
            pdf.close()
    return Document(pages=pages, title=title or None)


def _page(pdf: Any, number: int, path: Path) -> Page:
    import pypdfium2

    with LOCK:
        try:
            page = pdf[number - 1]
        except pypdfium2.PdfiumError:
            return Page(number=number, text="", notes=(DAMAGED,))
        try:
            return _read(page, number, path)
        except pypdfium2.PdfiumError:
            return Page(number=number, text="", notes=(DAMAGED,))
        finally:
            page.close()


def _read(page: Any, number: int, path: Path) -> Page:
    layer = page.get_textpage()
    try:
        if layer.count_chars() > MOST_CHARACTERS:
            raise InputError(f"Page {number} of {path} has {layer.count_chars():,} characters", "leave the page out")
        read = layer_of(page, layer)
    finally:
        layer.close()
    size = (round(page.get_width(), 2), round(page.get_height(), 2))
    if not read.text.strip():
        return Page(number=number, text=read.text, notes=(SCAN,), size=size, boxes=read.boxes)
    found = {OUTSIDE: read.outside, UNMAPPED: read.unmapped, **_shapes(page, size)}
    notes = tuple(note for note, count in found.items() if count)
    return Page(number=number, text=read.text, notes=notes, size=size, boxes=read.boxes)


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
