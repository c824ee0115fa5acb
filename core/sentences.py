"""Answer text → sentences, each an exact stretch of the text.

Line structure comes first (headings, list items, table rows, code, paragraphs), then sentence ends within a block.
Citation markers are taken out before sentence ends are sought and belong to the sentence before them, also when they
stand after its full stop.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from enum import StrEnum
from typing import NamedTuple

from core.markers import Marker
from core.markers._all import find_all
from core.markers._prose import code_spans
from core.text import Span

WINDOW = 4000
"""Code points that the boundary detector sees at once: its rules take time that grows with the square."""

_LONG_RUN = 60


class Kind(StrEnum):
    """What a unit of an answer is."""

    SENTENCE = "sentence"
    ROW = "row"
    """A row of a table, under its header."""
    HEADING = "heading"
    """A heading, or the header row of a table: states nothing."""
    REFERENCE = "reference"
    """An entry of a list of sources at the end of an answer."""


class Unit(NamedTuple):
    """A stretch of an answer that stands on its own."""

    start: int
    end: int
    kind: Kind


_LINE = re.compile(r"[^\r\n\u2028\u2029]+")
_BREAK = re.compile(r"[\r\n\u2028\u2029]")
_RULE = re.compile(r"(?:[-*_=]\s*){3,}\Z|\|?(?:\s*:?-+:?\s*\|)+(?:\s*:?-+:?)?\s*\|?\Z")
_HEADING = re.compile(r"\s{0,3}#{1,6}\s+\S|\s*(?:\*\*|__)[^*_]{1,90}[^*_.!?](?:\*\*|__):?\s*\Z")
_ITEM = re.compile(r"\s*(?:>\s*)*(?:(?:[-*+•◦▪‣·–]|\(?(?:\d{1,3}|[a-z]|[ivx]{1,4})[.)])\s+|•)(?=\S)|\s*>+\s*")
_ROW = re.compile(r"\s*\|.*\|\s*\Z")
_DEFINITION = re.compile(r"\s{0,3}\[[^\[\]]{1,60}\]:\s")
_SOURCES = re.compile(
    r"[\s#*_>]*(?:sources?|references?|citations?|bibliography|footnotes?|works cited|quellen|literatur)[\s:*_]*\Z",
    re.I,
)
_STOPPED = re.compile(r"[.!?…:;。！？．｡؟।]['\"”’»)\]\s*_]*\Z")
_JOINED_END = re.compile(
    r"(?:[,;–—(/-]|\b(?:the|an?|of|in|on|at|by|to|for|from|with|and|or|than|that|as|is|are|was|were|its?|their|his|her))\s*\Z",
    re.I,
)
_FULL_LINE = 60
"""A line at least this long without a full stop goes on in the next one."""


def sentences(text: str, known: frozenset[str] = frozenset()) -> list[Span]:
    """The sentences, headings, list items and table rows of a text, in order, trimmed of white space.

    Code blocks, rules and lists of sources are none. ``known`` are the ids of the request's registry (they help to tell
    markers from text). No span begins or ends inside a citation marker.
    """
    return [(unit.start, unit.end) for unit in units(text, find_all(text, known)) if unit.kind != Kind.REFERENCE]


def units(text: str, markers: Sequence[Marker]) -> list[Unit]:
    """Cut a text into what stands on its own; ``markers`` are those of the text, in order."""
    found: list[Unit] = []
    starts = [marker.start for marker in markers]
    for block in _blocks(_without_breaks(text, markers)):
        inside = markers[bisect_left(starts, block.start) : bisect_left(starts, block.end)]
        if block.kind is not Kind.SENTENCE:
            found.append(block)
            continue
        spans = _split(text, block.start, block.end, inside)
        if not spans and inside and found and found[-1].kind in (Kind.SENTENCE, Kind.ROW):
            found[-1] = found[-1]._replace(end=inside[-1].end)
        found.extend(Unit(*span, Kind.SENTENCE) for span in spans)
    return found


def _without_breaks(text: str, markers: Sequence[Marker]) -> str:
    """The text with the line ends inside its markers made blanks: a wrapped marker does not end a line."""
    pieces, left = [], 0
    for marker in markers:
        pieces += [text[left : marker.start], _BREAK.sub(" ", text[marker.start : marker.end])]
        left = marker.end
    return "".join(pieces) + text[left:]


class _Line(NamedTuple):
    start: int
    end: int
    text: str
    kind: str
    """text, item, row, heading, rule, reference or code."""
    body: int
    """Where the text of a list item or quotation begins, else the first character."""


def _lines(text: str) -> Iterator[_Line]:
    fences = [
        (a, b) for a, b in code_spans(text) if text[a:b].lstrip(" \t>")[:3] in ("```", "~~~") and "\n" in text[a:b]
    ]
    ends = [b for _, b in fences]
    for found in _LINE.finditer(text):
        start, end, line = *found.span(), found.group()
        if not line.strip():
            continue
        lead = len(line) - len(line.lstrip())
        fence = bisect_right(ends, start + lead)
        if fence < len(fences) and fences[fence][0] <= start + lead:
            yield _Line(start, end, line, "code", start)
        elif _RULE.match(line.strip()):
            yield _Line(start, end, line, "rule", start)
        elif _HEADING.match(line):
            yield _Line(start, end, line, "heading", start)
        elif _DEFINITION.match(line):
            yield _Line(start, end, line, "reference", start)
        elif _ROW.match(line):
            yield _Line(start, end, line, "row", start)
        else:
            item = _ITEM.match(line)
            yield _Line(start, end, line, "item" if item else "text", start + (item.end() if item else lead))


def _blocks(text: str) -> list[Unit]:
    """Join the lines of a paragraph or list item; name headings, rows and lists of sources."""
    blocks: list[Unit] = []
    last: _Line | None = None
    sources = False
    for line in _lines(text):
        if line.kind in ("text", "item", "heading") and _SOURCES.match(line.text):
            sources, line = True, line._replace(kind="heading")
        elif line.kind == "heading":
            sources = False
        if line.kind == "rule":
            if last and _is_title(text, last, line) and last.body == blocks[-1].start:
                blocks[-1] = blocks[-1]._replace(kind=Kind.HEADING)
        elif line.kind != "code":
            kind = Kind.REFERENCE if sources and line.kind != "heading" else _KINDS[line.kind]
            if kind is Kind.SENTENCE and last and last.kind in ("text", "item") and _goes_on(text, last, line):
                blocks[-1] = blocks[-1]._replace(end=line.end)
            else:
                blocks.append(_trimmed(text, line.body, line.end, kind))
        last = line
    return blocks


_KINDS = {
    "text": Kind.SENTENCE,
    "item": Kind.SENTENCE,
    "row": Kind.ROW,
    "heading": Kind.HEADING,
    "reference": Kind.REFERENCE,
}


def _follows(text: str, last: _Line, line: _Line) -> bool:
    """Whether no blank line stands between the two."""
    return len(re.findall(r"\r\n|[\r\n\u2028\u2029]", text[last.end : line.start])) == 1


def _is_title(text: str, last: _Line, rule: _Line) -> bool:
    """Whether the line above a rule is the header of a table, or a heading underlined by it."""
    if last.kind == "row":
        return "|" in rule.text and _follows(text, last, rule)
    return last.kind == "text" and not _STOPPED.search(last.text) and _follows(text, last, rule)


def _goes_on(text: str, last: _Line, line: _Line) -> bool:
    """Whether a line is the soft-wrapped rest of the line before it."""
    if line.kind != "text" or not _follows(text, last, line):
        return False
    before, first = last.text.rstrip(), line.text.lstrip()[0]
    plain = re.sub(r"(?:\s*[\[【][^\[\]【】]{1,60}[\]】])+\Z", "", before[-200:])
    return (
        len(before) >= _FULL_LINE
        or bool(_STOPPED.search(plain) and not plain.endswith(":"))
        or bool(_JOINED_END.search(plain))
        or first.islower()
    )


def _trimmed(text: str, start: int, end: int, kind: Kind) -> Unit:
    stretch = text[start:end]
    return Unit(start + len(stretch) - len(stretch.lstrip()), start + len(stretch.rstrip()), kind)


def _split(text: str, start: int, end: int, markers: Sequence[Marker]) -> list[Span]:
    """Find the sentences of one block; markers stay with the sentence before them, leading ones with the first."""
    clean, places = _without_markers(text, start, end, markers)
    starts = [marker.start for marker in markers]
    spans: list[Span] = []
    left = 0
    for right in _boundaries(clean):
        piece = clean[left:right]
        if piece.strip():
            first = places[left + len(piece) - len(piece.lstrip())]
            last = places[left + len(piece.rstrip()) - 1] + 1
            if not spans and markers and markers[0].start < first:
                first = markers[0].start
            following = right + len(clean[right:]) - len(clean[right:].lstrip()) if right < len(clean) else right
            until = places[following] if following < len(clean) else end
            after = bisect_left(starts, until) - 1
            spans.append((first, max(last, markers[after].end if after >= 0 else last)))
        left = right
    return spans


def _without_markers(text: str, start: int, end: int, markers: Sequence[Marker]) -> tuple[str, list[int]]:
    """The block as the detector should read it, with the original index of each character.

    Markers vanish with the white space before them; a blank stands in where two words would meet. Line ends become
    blanks, code and inch marks become letters, and very long runs are shortened.
    """
    pieces: list[str] = []
    places: list[int] = []

    def keep(left: int, right: int) -> None:
        stretch = re.sub(r"(?<=\d)\"", "x", _BREAK.sub(" ", text[left:right]))
        for run in re.finditer(r"`[^`]+`|\S+|\s+", stretch):
            piece = run.group()
            at: Sequence[int] = range(left + run.start(), left + run.end())
            if piece[0] == "`" and len(piece) > 2:
                piece = "x" * len(piece)
            if len(piece) > _LONG_RUN:
                piece, at = piece[:20] + piece[-20:], [*at[:20], *at[-20:]]
            pieces.append(piece)
            places.extend(at)

    left = start
    for marker in markers:
        keep(left, left + len(text[left : marker.start].rstrip()))
        left = marker.end
        if pieces and text[left : left + 1].isalnum():
            pieces.append(" ")
            places.append(marker.start)
    keep(left, end)
    return "".join(pieces), places


def _boundaries(clean: str) -> Iterator[int]:
    """Where sentences end, window by window, so that the time grows with the length only."""
    from yasbd import BoundaryDetector  # a quarter of a second that a listing should not cost

    detector = BoundaryDetector("en")
    at = 0
    while at < len(clean):
        found = list(detector.detect(clean[at : at + WINDOW]))
        if at + WINDOW >= len(clean):
            yield from (at + boundary for boundary in found if at + boundary < len(clean))
            break
        inner = found[:-1]
        yield from (at + boundary for boundary in inner)
        at += inner[-1] if inner else WINDOW
    yield len(clean)
