"""Offsets as others count them → code points, checked against the text that is said to stand there.

Vendors count UTF-8 bytes, UTF-16 units or code points; some leave a zero out, some mean the last character by ``end``.
What they say of the text is the only proof of how they counted, so a span that contradicts it is no span.
"""

from __future__ import annotations

from array import array
from bisect import bisect_left
from collections.abc import Sequence
from enum import StrEnum
from functools import cached_property
from itertools import accumulate
from typing import NamedTuple

from core.text import Span


class Unit(StrEnum):
    """What an offset counts."""

    CODE_POINTS = "code_points"
    UTF8_BYTES = "utf8_bytes"
    UTF16_UNITS = "utf16_units"


class Located(NamedTuple):
    """A span in code points, or why there is none."""

    span: Span | None
    problem: str = ""


class Ruler:
    """One text measured in one unit. Lone surrogates count as three bytes, or as one unit."""

    def __init__(self, text: str, unit: Unit) -> None:
        """Measure nothing yet."""
        self.text = text
        self.unit = unit

    def code_points(self, at: int) -> int | None:
        """The code point that begins at an offset in the unit, or the text's end; none within one or outside."""
        if self._starts is None:
            return at if 0 <= at <= len(self.text) else None
        found = bisect_left(self._starts, at)
        return found if found < len(self._starts) and self._starts[found] == at else None

    def offset(self, code_points: int) -> int:
        """The offset in the unit of a code point of the text, or of its end.

        Raises:
            IndexError: It lies outside the text.
        """
        if not 0 <= code_points <= len(self.text):
            raise IndexError(f"{code_points} lies outside a text of {len(self.text)} code points")
        return code_points if self._starts is None else self._starts[code_points]

    @cached_property
    def _starts(self) -> Sequence[int] | None:
        """Where each code point begins, and where the text ends; none when that is the code point's own number."""
        if self.unit is Unit.CODE_POINTS or self.text.isascii():
            return None
        width = _utf8_width if self.unit is Unit.UTF8_BYTES else _utf16_width
        return array("q", accumulate((width(ord(char)) for char in self.text), initial=0))


class Offsets:
    """Finds a vendor's spans in one text.

    Args:
        text: What the offsets refer to.
        units: The unit that the vendor counts in. Further ones are tried where a stated text can prove them.
    """

    def __init__(self, text: str, *units: Unit) -> None:
        """Take a text; without units they are code points."""
        self.text = text
        self._rulers = [Ruler(text, unit) for unit in units or (Unit.CODE_POINTS,)]

    def locate(self, start: int | None, end: int | None, stated: str | None = None) -> Located:
        """The span of a vendor's ``start`` and ``end``.

        Args:
            start: Where the span begins; none is a zero that was left out.
            end: One past its last character, or the last character itself where ``stated`` shows that.
            stated: The text that the vendor says stands there; without it the first unit is believed.

        Returns:
            A span that holds at least one character, or the problem in words.
        """
        if end is None:
            return Located(None, "no end is given")
        rulers = self._rulers if stated else self._rulers[:1]
        spans = [span for ruler in rulers for last in (end, end + 1) if (span := self._span(ruler, start or 0, last))]
        if stated:
            proved = next((span for span in spans if self.text[slice(*span)] == stated), None)
            if proved or spans:
                return Located(proved, "" if proved else "span text mismatch: other words stand there than it states")
        elif plain := self._span(rulers[0], start or 0, end):
            return Located(plain)
        unit = self._rulers[0].unit.replace("_", " ")
        return Located(None, f"[{start or 0}, {end}) in {unit} is no stretch of the text")

    def point(self, at: int | None) -> Located:
        """The place of a citation that has no extent, as an empty span."""
        found = None if at is None else self._rulers[0].code_points(at)
        return Located(None, f"{at} is no place in the text") if found is None else Located((found, found))

    def _span(self, ruler: Ruler, start: int, end: int) -> Span | None:
        first, last = ruler.code_points(start), ruler.code_points(end)
        return None if first is None or last is None or first >= last else (first, last)


def _utf8_width(code: int) -> int:
    return 1 + (code > 0x7F) + (code > 0x7FF) + (code > 0xFFFF)


def _utf16_width(code: int) -> int:
    return 1 + (code > 0xFFFF)
