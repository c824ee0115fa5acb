"""Plain text: what stands in the file; a form feed begins a page."""

from __future__ import annotations

from pathlib import Path

from core.loaders._bytes import text_of
from core.loaders._document import Document

SUFFIXES = (".txt", ".text", ".rst", ".adoc")


def load(path: Path) -> Document:
    """Read a file, page by page; its title is its first line when that stands alone and is short.

    Raises:
        InputError: The file cannot be opened, or holds no text.
    """
    text, note = text_of(path)
    first, _, rest = text.lstrip("\n").partition("\n")
    alone = not rest.strip() or rest.startswith("\n") or set(rest.partition("\n")[0].strip()) in ({"="}, {"-"})
    pages = text.split("\f")
    if len(pages) > 1 and not pages[-1].strip():
        pages.pop()  # what stands after the last form feed is the end of the file, not a page
    title = first.strip() if alone and 0 < len(first.strip()) <= 120 else None
    return Document.of(pages, title).noted(note)
