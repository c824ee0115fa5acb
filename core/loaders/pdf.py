"""PDF: the text layer of every page, character by character, with the place of each on the page.

The order and the characters are those of the layer; nothing is joined, folded or guessed. A page without a text layer
is named as a scan, figures and ruled tables as what the text alone may miss.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from core.errors import InputError
from core.loaders import _pdf
from core.loaders._bytes import content_of, refuse_others
from core.loaders._document import Document, Page
from core.loaders._pdf_child import DAMAGED as DAMAGED
from core.loaders._pdf_child import FIGURE as FIGURE
from core.loaders._pdf_child import OUTSIDE as OUTSIDE
from core.loaders._pdf_child import SCAN as SCAN
from core.loaders._pdf_child import TABLE as TABLE
from core.loaders._pdf_child import UNMAPPED as UNMAPPED

SUFFIXES = (".pdf",)

MOST_PAGES = 10_000
MOST_CHARACTERS = 1_000_000
"""Of one page: a layer that repeats itself without end is an attack or a fault."""


def load(path: Path) -> Document:
    """Read a file, page by page, the empty ones too.

    Raises:
        InputError: The file cannot be opened, is no PDF, is locked by a password, has more pages or characters than
            a document has, or takes more memory or time than one may.
    """
    content = content_of(path)
    told, boxes = _pdf.ask("read", content, path, most_pages=MOST_PAGES, most_characters=MOST_CHARACTERS)
    if "locked" in told:
        refuse_others(path, content, ".docx", ".html", ".txt")
        what = "is locked by a password" if told["locked"] else "is no PDF that can be read"
        advice = "save a copy without the password" if told["locked"] else "open it in a viewer and save it again"
        raise InputError(f"{path} {what}", advice)
    if "pages" in told:
        raise InputError(f"{path} has {told['pages']:,} pages", f"split it into parts of at most {MOST_PAGES:,}")
    if "characters" in told:
        raise InputError(f"Page {told['page']} of {path} has {told['characters']:,} characters", "leave the page out")
    return document(told, boxes)


def document(told: dict[str, Any], boxes: bytes) -> Document:
    """What the reading process told, as a document."""
    pages, at = [], 0
    for number, page in enumerate(told["found"], 1):
        size = page["boxes"]
        places = None if size is None else boxes[at : at + size]
        at += size or 0
        pages.append(Page.model_validate({**page, "number": number, "boxes": places}))
    return Document(pages=tuple(pages), title=told["title"] or None)
