"""Where a given claim stands in the answer it was taken from.

A claim may be interrupted there by citation markers; then it stands in fragments. What is only nearly there has no
place of its own, and the answer's words are never taken for the claim's.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from functools import cached_property
from typing import NamedTuple

from core.markers import Marker
from core.markers._all import removed
from core.models import AnswerMatch
from core.near_miss import nearest_quote
from core.text import Span, find_quote


class Placed(NamedTuple):
    """A claim's place in an answer."""

    match: AnswerMatch
    fragments: tuple[Span, ...] = ()
    """The claim's pieces; joined, and white space folded, they are its text."""
    near: Span | None = None
    """The stretch that is nearly the claim, when no exact place exists."""
    differs: str = ""
    """In what the near stretch differs, in words."""


class AnswerText:
    """An answer's prose, read with and without its citation markers."""

    def __init__(self, text: str, markers: Sequence[Marker]) -> None:
        """Take a text and all its markers, in order."""
        self.text = text
        self.markers = markers
        self.holes = removed(text, markers)
        """What goes with the markers when they are taken out."""
        self._starts = [marker.start for marker in markers]
        self._covering = [marker for marker in markers if marker.covers]

    def markers_of(self, start: int, end: int) -> Sequence[Marker]:
        """The markers that cite something in a stretch, in order: those that begin in it, or say that they cover it."""
        inside = self.markers[bisect_left(self._starts, start) : bisect_left(self._starts, end)]
        if not self._covering:
            return inside
        own = [marker for marker in inside if marker.covers is None]
        own += [one for one in self._covering if one.covers and one.covers[0] < end and start < one.covers[1]]
        return sorted(own, key=lambda marker: marker.start)

    def place(self, claim: str, after: int = 0) -> Placed:
        """Find a claim, preferably at or after an index of the answer."""
        wanted = claim.strip()
        if not wanted or not self.text:
            return Placed(AnswerMatch.NONE)
        at = self.text.find(wanted, after)
        at = self.text.find(wanted) if at < 0 else at
        if at >= 0:
            return Placed(AnswerMatch.EXACT, ((at, at + len(wanted)),))
        plain, _ = self._plain
        spans = [self._original(span) for span in find_quote(plain, wanted)]
        if spans:
            span = next((span for span in spans if span[0] >= after), spans[0])
            return Placed(AnswerMatch.EXACT, self.without_markers(*span))
        nearest = nearest_quote(plain, wanted)
        if nearest:
            return Placed(AnswerMatch.NEAR, near=self._original(nearest[:2]), differs=nearest[2])
        return Placed(AnswerMatch.NONE)

    def without_markers(self, start: int, end: int) -> tuple[Span, ...]:
        """The pieces of a stretch that are left when the markers are taken out, trimmed of white space at its ends."""
        pieces: list[Span] = []
        left = start
        for index in range(max(0, bisect_left(self.holes, (start, start)) - 1), len(self.holes)):
            first, last = self.holes[index]
            if first >= end:
                break
            if last > start:
                if left < first:
                    pieces.append((left, first))
                left = min(last, end)
        if left < end:
            pieces.append((left, end))
        return self._trimmed(pieces)

    def _trimmed(self, pieces: list[Span]) -> tuple[Span, ...]:
        text = self.text
        while pieces and text[slice(*pieces[0])].isspace():
            del pieces[0]
        while pieces and text[slice(*pieces[-1])].isspace():
            del pieces[-1]
        if pieces and text[pieces[0][0]].isspace():
            start, end = pieces[0]
            pieces[0] = (end - len(text[start:end].lstrip()), end)
        if pieces and text[pieces[-1][1] - 1].isspace():
            start, end = pieces[-1]
            pieces[-1] = (start, start + len(text[start:end].rstrip()))
        return tuple(pieces)

    def within(self, pieces: Sequence[Span], spans: Sequence[Span]) -> tuple[Span, ...]:
        """Where stretches of what ``pieces`` read as stand in the answer, cut where a piece ends.

        Empty when a blank had to be put in to read the pieces, since no place of the answer is that blank.
        """
        places = [at for piece in pieces for at in range(*piece)]
        if len(places) != len(self.read(pieces)):
            return ()
        found: list[Span] = []
        for at in (places[index] for span in spans for index in range(*span)):
            if found and found[-1][1] == at:
                found[-1] = (found[-1][0], at + 1)
            else:
                found.append((at, at + 1))
        return tuple(found)

    def read(self, pieces: Sequence[Span]) -> str:
        """The pieces as they read together; a blank where two words would meet."""
        text = ""
        for piece in pieces:
            part = self.text[slice(*piece)]
            text += f" {part}" if text[-1:].isalnum() and part[:1].isalnum() else part
        return text

    @cached_property
    def _plain(self) -> tuple[str, list[int]]:
        """The text without markers, and the original index of each of its characters."""
        parts: list[str] = []
        places: list[int] = []
        left = 0
        for start, end in [*self.holes, (len(self.text), len(self.text))]:
            parts.append(self.text[left:start])
            places.extend(range(left, start))
            if self.text[end - 1 : end] and parts[-1][-1:].isalnum() and self.text[end : end + 1].isalnum():
                parts.append(" ")
                places.append(start)
            left = end
        return "".join(parts), places

    def _original(self, span: Span) -> Span:
        places = self._plain[1]
        return places[span[0]], places[span[1] - 1] + 1
