"""Source text → chunks: exact stretches of a page, cut between paragraphs, else between sentences."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Container, Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

from core.loaders import Heading, Page
from core.models import Record
from core.sentences import sentences
from core.text import Span

SIZE = 800
"""Code points of a chunk at most: the largest size that answers at most three questions fewer than the best size does.

Measured by ``python -m tests.chunk_sizes --topics 12``: 67 questions of ours, the 11 sample sources among 12 topics of
Python's reference, ranked by words and meaning. Questions with their answer whole in the best chunks, within 1,000,
2,000 and 4,000 code points: size 300: 57, 61, 64; 600: 51, 57, 61; 800: 55, 58, 61; 1,000: 53, 59, 61; 1,200: 48, 59,
60; 1,600: 45, 59, 61. With 67 questions a difference of five is chance; 300 is not taken because an answer in one
sentence is all that the questions ask for, while a claim is judged with the exception that stands beside it.
"""

_LINE = re.compile(r"[^\n]*\n|[^\n]+\Z")
_BLANK = re.compile(r"\s*")
_INDENT = re.compile(r"[ ]*")
_UNDERLINE = re.compile(r"\s{0,3}(?:=+|-+)\s*\Z")
_ITEM = re.compile(r"\s*(?:[-*+•◦▪‣·–]|\(?(?:\d{1,3}|[a-z]|[ivx]{1,4})[.)])\s")


def name_of(size: int = SIZE) -> str:
    """What the rules and the size are called, for a store that keeps chunks of several."""
    return f"paragraphs@2/{size}"


class Piece(Record):
    """One chunk of a document, before it belongs to a source."""

    page: int
    start: int
    """In code points of the page's text, without white space at either end."""
    end: int
    section: str | None
    """The heading under which it stands."""
    paragraph: int
    """Which paragraph of its section, or of a page without headings, it begins in; counted from 1."""


class _Block(NamedTuple):
    """A paragraph: lines between blank ones."""

    start: int
    end: int
    begins: bool
    """It begins with a heading."""
    heading: bool
    """It is nothing but a heading."""
    section: str | None
    paragraph: int


def pieces(pages: Sequence[Page], size: int = SIZE) -> list[Piece]:
    """Cut the pages of a document.

    Every character that is not white space is in exactly one chunk, none has more than ``size`` code points, and no
    sentence is cut that would fit into one. A paragraph, a list and a table stay whole where they fit; a heading stays
    with what follows it and begins a chunk.

    Args:
        pages: In order; what stands on two pages is cut between them, for a place is on one page.
        size: In code points, at least 1.
    """
    found: list[Piece] = []
    section: str | None = None
    for page in pages:
        found += _page(page, size, section)
        section = page.headings[-1].text if page.headings else section
    return found


def _page(page: Page, size: int, section: str | None) -> Iterator[Piece]:
    spans = sentences(page.text)
    blocks = _blocks(page.text, page.headings, spans, section)
    starts = [block.start for block in blocks]
    for start, end in _packed(page.text, blocks, spans, size):
        at = bisect_right(starts, start) - 1
        while blocks[at].heading and at + 1 < len(blocks) and blocks[at + 1].start < end:
            at += 1
        yield Piece(
            page=page.number, start=start, end=end, section=blocks[at].section, paragraph=max(1, blocks[at].paragraph)
        )


def _packed(text: str, blocks: Sequence[_Block], spans: Sequence[Span], size: int) -> Iterator[Span]:
    """Chunks as full as they get without parting what belongs together."""
    start = end = -1
    for group in _groups(text, blocks):
        first, last = group[0].start, group[-1].end
        if start >= 0 and (last - start > size or group[0].begins):
            yield start, end
            start = -1
        if last - first <= size:
            start, end = (first if start < 0 else start), last
            continue
        for left, right in _parts(text, group, spans, size):
            if start >= 0 and right - start > size:
                yield start, end
                start = -1
            start, end = (left if start < 0 else start), right
    if start >= 0:
        yield start, end


def _groups(text: str, blocks: Sequence[_Block]) -> Iterator[list[_Block]]:
    """Blocks that belong together: headings with what follows, a line that announces, the items of a loose list."""
    group: list[_Block] = []
    for block in blocks:
        if group and not _belongs(text, group[-1], block):
            yield group
            group = []
        group.append(block)
    if group:
        yield group


def _belongs(text: str, before: _Block, block: _Block) -> bool:
    if before.heading:
        return True
    if block.begins:
        return False
    items = bool(_ITEM.match(text, before.start)), bool(_ITEM.match(text, block.start))
    return all(items) or (
        text[before.start : before.end].endswith(":") and (items[1] or "\t" in text[block.start : block.end])
    )


def _parts(text: str, group: Sequence[_Block], spans: Sequence[Span], size: int) -> Iterator[Span]:
    """The blocks of a group that is too long for a chunk, its sentences where a block is, stretches where those are."""
    begins = [start for start, _ in spans]
    for block in group:
        inner = begins[bisect_right(begins, block.start) : bisect_left(begins, block.end)]
        cuts = [block.start, *inner, block.end] if block.end - block.start > size else [block.start, block.end]
        for left, right in pairwise(cuts):
            yield from _stretches(text, left, right, size)


def _stretches(text: str, start: int, end: int, size: int) -> Iterator[Span]:
    """A stretch, cut at the last line end or blank that fits; without one in its second half, where it is full."""
    end = start + len(text[start:end].rstrip())  # the blank behind a sentence needs no room
    while start < end:
        start = _BLANK.match(text, start, end).end()  # type: ignore[union-attr]  # it matches the empty text
        cut = min(start + size, end)
        if cut < end:
            found = max(text.rfind("\n", start + size // 2, cut + 1), start)
            found = found if found > start else max(text.rfind(" ", start + size // 2, cut + 1), start)
            cut = found if found > start else cut
        if kept := text[start:cut].rstrip():
            yield start, start + len(kept)
        start = cut


def _blocks(text: str, headings: Sequence[Heading], spans: Sequence[Span], section: str | None) -> list[_Block]:
    """Paragraphs in order; a heading begins one, and no border lies within a sentence."""
    names = {_INDENT.match(text, one.start).end(): one.text for one in headings}  # type: ignore[union-attr]  # as above
    places = sorted(names)
    found: list[_Block] = []
    passed = paragraph = 0
    for start, end in _paragraphs(text, names, spans):
        under = bisect_right(places, start)
        if under > passed:
            section, passed, paragraph = names[places[under - 1]], under, 0
        begins = start in names
        heading = begins and _is_heading(text[start:end])
        paragraph += not heading
        found.append(_Block(start, end, begins, heading, section, paragraph))
    return found


def _paragraphs(text: str, borders: Container[int], spans: Sequence[Span]) -> Iterator[Span]:
    """Runs of lines without a blank one between them, cut where a heading begins."""
    begins = [start for start, _ in spans]
    start = end = -1
    blank = True
    for line in _LINE.finditer(text):
        if line.group().isspace():
            blank = True
            continue
        left = line.start() + len(line.group()) - len(line.group().lstrip())
        before = bisect_left(begins, left) - 1
        within = before >= 0 and spans[before][1] > left
        if start >= 0 and (blank or left in borders) and not within:
            yield start, end
            start = -1
        start = left if start < 0 else start
        end = line.start() + len(line.group().rstrip())
        blank = False
    if start >= 0:
        yield start, end


def _is_heading(block: str) -> bool:
    """Whether a block that begins with a heading holds nothing else."""
    first, _, rest = block.partition("\n")
    return bool(first.strip()) and (not rest.strip() or _UNDERLINE.match(rest) is not None)
