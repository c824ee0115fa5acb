"""What a loader gives: the text of a source, page by page, and whether there was any to read."""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum

from core.models import Evidence, Record

PAGE_GAP = "\n\n"
"""What stands between two pages when a document is read as one text."""


class SourceStatus(StrEnum):
    """Whether a source can be read at all."""

    READY = "ready"
    NO_TEXT = "no_text"
    """No page has any text, as in a scan without a text layer: nothing was read, so nothing in it can be refuted."""


class Heading(Record):
    """Where a section begins."""

    start: int
    """Code points of the page's text."""
    text: str


class Page(Record):
    """One page, with its text exactly as it is stored; spans and quotes count in its code points."""

    number: int
    """Counted from 1; a format without pages has one."""
    text: str
    headings: tuple[Heading, ...] = ()
    """In order."""
    notes: tuple[str, ...] = ()
    """What a reader of the text alone may miss, in words: a scan, a figure, a table."""
    size: tuple[float, float] | None = None
    """Width and height in points, where the format has pages of a size."""
    boxes: bytes | None = None
    """Where each code point of the text stands on the page: little-endian float32, four a code point (left, bottom,
    right, top in points from the lower left corner), four zeros for one that is not printed."""


class Document(Record):
    """A source as it was read."""

    pages: tuple[Page, ...]
    title: str | None = None

    @classmethod
    def of(cls, texts: Sequence[str], title: str | None = None) -> Document:
        """Number pages from 1, the empty ones too; their text is not touched (no reordering, no joining of lines)."""
        return cls(pages=tuple(Page(number=number, text=text) for number, text in enumerate(texts, 1)), title=title)

    def noted(self, note: str | None) -> Document:
        """The same with a note at its first page with text; unchanged without a note, or without text."""
        at = next((at for at, page in enumerate(self.pages) if page.text.strip()), None)
        if note is None or at is None:
            return self
        pages = list(self.pages)
        pages[at] = pages[at].model_copy(update={"notes": (*pages[at].notes, note)})
        return self.model_copy(update={"pages": tuple(pages)})

    @property
    def text(self) -> str:
        """All pages as one text, a blank line between two."""
        return PAGE_GAP.join(page.text for page in self.pages)

    @property
    def status(self) -> SourceStatus:
        """Ready when any page has a character that is not white space."""
        return SourceStatus.READY if any(page.text.strip() for page in self.pages) else SourceStatus.NO_TEXT

    def evidence(self, id: str) -> Evidence:
        """The whole document as one entry of a registry; without text it is there but inaccessible."""
        return Evidence(id=id, text=self.text, title=self.title, accessible=self.status is SourceStatus.READY)
