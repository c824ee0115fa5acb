"""Answer text → sentences, each an exact stretch of the text.

Line structure comes first (headings, list items, table rows, code, paragraphs), then sentence ends within a block.
Citation markers are taken out before sentence ends are sought and belong to the sentence before them, also when they
stand after its full stop.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterator, Sequence
from functools import cache, lru_cache
from typing import NamedTuple

from core import plugins, segmenters
from core.blocks import Kind, Unit, blocks
from core.errors import VerifierUnavailable
from core.markers import Marker
from core.markers._all import find_all, removed
from core.segmenters import DEFAULT, Detector
from core.text import Span

WINDOW = 4000
"""Code points that the boundary detector sees at once: its rules take time that grows with the square."""

_LONG_RUN = 60

_SPACE = re.compile(r"\s*")
_INCH = re.compile(r"(?<=\d)\"")
_RUN = re.compile(r"`[^`]+`|\S+|\s+")
_ODD = re.compile(rf"`|\S{{{_LONG_RUN + 1}}}|\s{{{_LONG_RUN + 1}}}")
_LONGEST_ABBREVIATION = 4
_BREAK = re.compile(r"[\r\n\u2028\u2029]")
_ABBREVIATION = re.compile(
    r"\b(?:z\.\s?B|d\.\s?h|u\.\s?a|i\.\s?d\.\s?R|s\.\s?o|s\.\s?u|bzw|vgl|ggf|sog|inkl|Nr|Abs|Hr|Fr|Sra|Srta|Dña|Dra|Mme|Mlle"
    r"|p\.\s?ej|p\.\s?ex)\.\Z"
)
"""Abbreviations of other languages that an English detector ends a sentence at."""
_HALF = re.compile(r"\b[zdup]\.\Z")
_OTHER_HALF = re.compile(r"(?:B|h|a|ej|ex)\.")
_DAY = re.compile(r"\b\d{1,2}\.\Z")
_MONTH = re.compile(
    r"(?:Januar|Jänner|Februar|März|April|Mai|Juni|Juli|August|September|Oktober|November|Dezember|Jahrhundert|Jh\.)"
)


def sentences(text: str, known: frozenset[str] = frozenset()) -> list[Span]:
    """The sentences, headings, list items and table rows of a text, in order, trimmed of white space.

    Code blocks, rules and lists of sources are none. ``known`` are the ids of the request's registry (they help to tell
    markers from text). No span begins or ends inside a citation marker.
    """
    return [(unit.start, unit.end) for unit in units(text, find_all(text, known)) if unit.kind != Kind.REFERENCE]


def units(
    text: str, markers: Sequence[Marker], detect: Detector | None = None, holes: Sequence[Span] | None = None
) -> list[Unit]:
    """Cut a text into what stands on its own.

    Args:
        text: An answer or a passage.
        markers: Those of the text, in order.
        detect: What finds sentence ends within a block; the default of ``core.segmenters`` unless given.
        holes: What goes with the markers (``markers._all.removed``), where it is known already.
    """
    detect = detect or detector(DEFAULT)
    found: list[Unit] = []
    marks = _marks(text, markers, removed(text, markers) if holes is None else holes)
    starts = [mark.start for mark in marks]
    for block in blocks(_without_breaks(text, marks)):
        inside = marks[bisect_left(starts, block.start) : bisect_left(starts, block.end)]
        if block.kind is not Kind.SENTENCE:
            found.append(block)
            continue
        spans = _split(text, block.start, block.end, _as_leading(text, block, inside), detect)
        if not spans and inside and found and found[-1].kind in (Kind.SENTENCE, Kind.ROW):
            found[-1] = found[-1]._replace(end=inside[-1].end)
        found.extend(Unit(*span, Kind.SENTENCE) for span in spans)
    return found


class _Mark(NamedTuple):
    """A run of markers with what goes with them: joining words, parentheses around them, "Source:" before them."""

    start: int
    end: int
    keeps: Span | None
    opening: bool


def _marks(text: str, markers: Sequence[Marker], holes: Sequence[Span]) -> list[_Mark]:
    if not markers:
        return []
    kept = [_Mark(one.start, one.end, one.keeps, False) for one in markers if one.keeps]
    plain = [one for one in markers if not one.keeps]
    starts = [one.start for one in plain]
    found = list(kept)
    for start, end in holes:
        inside = plain[bisect_left(starts, start) : bisect_left(starts, end)]
        if inside:
            first = start + len(text[start:end]) - len(text[start:end].lstrip())
            if kept and any(one.start < first < one.end for one in kept):
                first = inside[0].start
            found.append(_Mark(first, end, None, all(one.opening for one in inside)))
    return sorted(found)


def _as_leading(text: str, block: Unit, marks: list[_Mark]) -> list[_Mark]:
    """The marks of a block whose every marker stands before its sentence ("[1] It rose. [2] It fell.")."""
    if len(marks) < 2 or marks[0].start > block.start or not any(map(str.isalnum, text[marks[-1].end : block.end])):
        return marks
    return [mark._replace(opening=mark.opening or text[mark.start - 1 : mark.start].isspace()) for mark in marks]


def _without_breaks(text: str, marks: Sequence[_Mark]) -> str:
    """The text with the line ends inside its markers made blanks: a wrapped marker does not end a line."""
    if not marks or not _BREAK.search(text) or not any(_BREAK.search(text, mark.start, mark.end) for mark in marks):
        return text
    pieces, left = [], 0
    for mark in marks:
        pieces += [text[left : mark.start], _BREAK.sub(" ", text[mark.start : mark.end])]
        left = mark.end
    return "".join(pieces) + text[left:]


def _split(text: str, start: int, end: int, markers: Sequence[_Mark], detect: Detector) -> list[Span]:
    """Find the sentences of one block; markers stay with the sentence before them, leading ones with the one after."""
    clean, place_of = _without_markers(text, start, end, markers)
    begins = [marker.keeps[0] if marker.keeps else marker.start for marker in markers]
    spans: list[Span] = []
    left = taken = 0
    for right in _boundaries(clean, detect):
        piece = clean[left:right]
        if piece.strip():
            first = place_of(left + len(piece) - len(piece.lstrip()))
            last = place_of(left + len(piece.rstrip()) - 1) + 1
            following = _SPACE.match(clean, right).end()  # type: ignore[union-attr]  # it matches the empty text
            after = bisect_left(begins, place_of(following) if following < len(clean) else end)
            while after > taken and markers[after - 1].opening and markers[after - 1].start >= last:
                after -= 1
            reach = max(last, markers[after - 1].end if after else last)
            spans.append((min(first, markers[taken].start) if taken < len(markers) else first, reach))
            taken = after
        left = right
    return spans


def _without_markers(text: str, start: int, end: int, markers: Sequence[_Mark]) -> tuple[str, Callable[[int], int]]:
    """The block as the detector should read it, and the way from an index of it to the one of the text.

    Markers vanish with the white space before them; a blank stands in where two words would meet. Line ends become
    blanks, code and inch marks become letters, and very long runs are shortened.
    """
    pieces: list[str] = []
    starts: list[int] = []
    origins: list[int] = []
    length = 0

    def add(piece: str, origin: int) -> None:
        nonlocal length
        pieces.append(piece)
        starts.append(length)
        origins.append(origin)
        length += len(piece)

    def keep(left: int, right: int) -> None:
        if left == right:
            return
        stretch = _BREAK.sub(" ", text[left:right])
        if '"' in stretch:
            stretch = _INCH.sub("x", stretch)
        if _is_even(text) or not _ODD.search(stretch):
            add(stretch, left)
            return
        for run in _RUN.finditer(stretch):
            piece, at = run.group(), left + run.start()
            if piece[0] == "`" and len(piece) > 2:
                piece = "x" * len(piece)
            if len(piece) > _LONG_RUN:
                add(piece[:20], at)
                piece, at = piece[-20:], at + len(piece) - 20
            add(piece, at)

    left = start
    for marker in markers:
        is_ahead = marker.opening or marker.keeps
        keep(left, marker.start if is_ahead else left + len(text[left : marker.start].rstrip()))
        if marker.keeps:  # no sentence ends in the title of a link
            add("X" * (marker.keeps[1] - marker.keeps[0]), marker.keeps[0])
        left = marker.end
        if pieces and not pieces[-1][-1].isspace() and text[left : left + 1].isalnum():
            add(" ", marker.start)
    keep(left, end)

    def place_of(index: int) -> int:
        stretch = bisect_right(starts, index) - 1
        return origins[stretch] + index - starts[stretch]

    return "".join(pieces), place_of


@lru_cache(maxsize=4)
def _is_even(text: str) -> bool:
    """Whether a text has no code and surely no very long run; every stretch of it is asked for."""
    if "`" in text:
        return False
    lengths = [len(word) for word in text.split()]
    return max(lengths, default=0) <= _LONG_RUN and len(text) - sum(lengths) - len(lengths) < _LONG_RUN


@cache
def detector(segmenter: str) -> Detector:
    """Build a segmenter, once a process.

    Raises:
        VerifierUnavailable: There is none of that name, or it is not installed.
    """
    detect: Detector = plugins.load(segmenters, segmenter, VerifierUnavailable).build()
    return detect


def _boundaries(clean: str, detect: Detector) -> Iterator[int]:
    """Where sentences end, window by window, so that the time grows with the length only."""
    at = 0
    while at < len(clean):
        found = [boundary for boundary in detect(clean[at : at + WINDOW]) if not _is_inside(clean, at + boundary)]
        if at + WINDOW >= len(clean):
            yield from (at + boundary for boundary in found if at + boundary < len(clean))
            break
        inner = found[:-1]
        yield from (at + boundary for boundary in inner)
        at += inner[-1] if inner else WINDOW
    yield len(clean)


def _is_inside(clean: str, at: int) -> bool:
    """Whether a boundary that the detector found lies inside a sentence after all."""
    before = clean[max(0, at - 24) : at].rstrip()
    last, word = before[-1:], before[-2 - _LONGEST_ABBREVIATION : -1]
    if last not in ".」』" or (last == "." and len(word) > _LONGEST_ABBREVIATION and word.isalpha()):
        return False
    after = clean[at : at + 24].lstrip()
    if before.endswith(("」", "』")):
        return after.startswith(("と", "って", "など"))
    pairs = ((_HALF, _OTHER_HALF), (_DAY, _MONTH))
    return bool(_ABBREVIATION.search(before)) or any(one.search(before) and two.match(after) for one, two in pairs)
