"""File formats → text with locators, one per file.

A member is a module with ``SUFFIXES: tuple[str, ...]`` (lower case, with the dot) and ``load(path) -> Document``: the
text a reader of the file sees, page by page, or a document that says it has none. Formats whose pages come from
elsewhere, such as a PDF's text layer, give them to ``Document.of``.
"""

from __future__ import annotations

from core.loaders._document import Document, Heading, Page, SourceStatus

__all__ = ["Document", "Heading", "Page", "SourceStatus"]
