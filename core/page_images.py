"""A page of a PDF as a picture, with the places of a stretch of its text.

The places are those that the loader found for each character; the text is never searched for again. They are given as
shares of the page, so that they fit at any size.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from core import originals
from core.errors import InputError
from core.loaders import Page, _pdf
from core.models import Evidence, Record
from core.sources import Source, place_of
from core.store import Store
from core.store.records import ClaimDetail
from core.text import Span
from core.withholding import HIDDEN

LONGEST_EDGE = 2_000
"""Pixels of the longer edge at most."""

LARGEST = 3_000_000
"""Bytes of a picture; a larger one is drawn again at half the size."""

Boxes = NDArray[np.float32]
"""``(n, 4)``: left, bottom, right, top, in points from the lower left corner."""


class Rectangle(NamedTuple):
    """A part of a page, in shares of its width and height, from the upper left corner."""

    left: float
    top: float
    width: float
    height: float


class PageImage(Record):
    """One page with what is marked on it."""

    title: str
    """The source's, or its address."""
    page: int
    pages: int
    png: bytes
    width: int
    """In pixels."""
    height: int
    rectangles: tuple[Rectangle, ...]
    """One a line of the marked text, from top to bottom as the text runs."""


def is_from_pdf(entry: Evidence) -> bool:
    """Whether an entry of a registry, as it may be shown, says that it is a stretch of a page of a PDF."""
    place = place_of(str(entry.meta.get("chunk_id")))
    return place is not None and HIDDEN not in entry.meta and bool(entry.text) and _is_pdf(entry.uri)


def draw(store: Store, entry: Evidence, spans: Sequence[Span]) -> PageImage | str:
    """The page that an entry of a registry stands on, or in one sentence why it cannot be drawn.

    Args:
        store: Where pages are, and beside which their files lie.
        entry: As it may be shown; see ``core.old_answers``.
        spans: What to mark, in code points of the entry's text; nothing marks all of it.
    """
    source, place = _source(store, entry), place_of(str(entry.meta.get("chunk_id")))
    page = store.corpora.page(place.doc_id, place.page) if place else None
    if source is None or place is None or page is None:
        return "This passage is not of a PDF, so there is no page to show."
    if page.text[place.start : place.end] != entry.text or page.boxes is None or page.size is None:
        return "The passage does not match its page, so the page is not shown."
    content = originals.read(store.path, source.file_sha256)
    if content is None:
        return "The file of this page is no longer beside the store, or was changed; add it again to see the page."
    marked = [(place.start + start, place.start + end) for start, end in spans or [(0, len(entry.text))]]
    try:
        png, width, height = render(content, place.page)
    except InputError as error:
        return str(error)
    return PageImage(
        title=source.title or entry.locator or source.uri,
        page=place.page,
        pages=source.pages,
        png=png,
        width=width,
        height=height,
        rectangles=tuple(one for span in marked for one in rectangles(page, span)),
    )


def of_claim(store: Store, detail: ClaimDetail, cite: str) -> PageImage | str:
    """The page that a citation of a claim stands on, with the stretch that carries its judgement marked, or why not.

    Args:
        store: Where pages are.
        detail: The claim, as it may be shown.
        cite: One of its citations.
    """
    entry = next((one for one in detail.answer.evidence if one.id == cite), None)
    if entry is None:
        return "No source of this request has this id, so there is no page to show."
    places = [(one.start, one.end) for one in detail.row.spans if one.cite == cite]
    return draw(store, entry, [(start, end) for start, end in places if start is not None and end is not None])


def rectangles(page: Page, span: Span) -> tuple[Rectangle, ...]:
    """Where a stretch of a page's text stands: one rectangle a line; characters that are not printed have no place."""
    if page.boxes is None or page.size is None:
        return ()
    wide, high = page.size
    boxes: Boxes = np.frombuffer(page.boxes, dtype="<f4").reshape(-1, 4)[slice(*span)]
    printed = boxes[(boxes[:, 2] > boxes[:, 0]) & (boxes[:, 3] > boxes[:, 1])]
    return tuple(
        Rectangle(
            left=float(line[0] / wide),
            top=float((high - line[3]) / high),
            width=float((line[2] - line[0]) / wide),
            height=float((line[3] - line[1]) / high),
        )
        for line in _lines(printed)
    )


def render(content: bytes, number: int) -> tuple[bytes, int, int]:
    """Draw one page of a PDF.

    Returns:
        PNG of at most ``LARGEST`` bytes and ``LONGEST_EDGE`` pixels, its width and its height.

    Raises:
        InputError: It cannot be drawn, or not with the memory and time that a page may take.
    """
    told, png = _pdf.ask("draw", content, "This file", page=number, longest_edge=LONGEST_EDGE, largest=LARGEST)
    if not png:
        raise InputError("This file is no PDF that can be drawn", "add it again")
    return png, told["width"], told["height"]


def _is_pdf(uri: str | None) -> bool:
    return (uri or "").lower().endswith(originals.SUFFIX)


def _source(store: Store, entry: Evidence) -> Source | None:
    """The source whose file the boxes of an entry's page were read from: the first that brought this text."""
    place = place_of(str(entry.meta.get("chunk_id")))
    if place is None or not is_from_pdf(entry):
        return None
    found = min(store.corpora.sources_of([place.doc_id]), key=lambda one: one.added_at, default=None)
    return found if found is not None and found.media == "pdf" else None


def _lines(boxes: Boxes) -> Iterator[Boxes]:
    """Boxes of characters in the order of the text, joined as long as each stands beside the one before it.

    A line runs across the page or, on a page that was turned, up or down; which, its first two characters say.
    """
    line: Boxes | None = None
    last: Boxes | None = None
    along: int | None = None
    for box in boxes:
        beside = None if last is None else _beside(last, box)
        if line is not None and beside is not None and along in (None, beside):
            line, along = np.concatenate([np.minimum(line[:2], box[:2]), np.maximum(line[2:], box[2:])]), beside
        else:
            if line is not None:
                yield line
            line, along = box, None
        last = box
    if line is not None:
        yield line


def _beside(one: Boxes, other: Boxes) -> int | None:
    """Along which axis two characters stand beside each other, no further off than a wide gap between words."""
    low, high = np.maximum(one[:2], other[:2]), np.minimum(one[2:], other[2:])
    size = np.minimum(one[2:] - one[:2], other[2:] - other[:2])
    for along, across in ((0, 1), (1, 0)):
        if high[across] - low[across] > size[across] / 2 and low[along] - high[along] < 3 * size[across]:
            return along
    return None
