"""Code-point spans over an immutable text: folding of white space, verbatim places, excerpts, highlighted segments.

White space is what Unicode calls ``White_Space``; format characters such as U+200B are not white space. Nothing but
white space is ever folded here: what resembles a quotation without being it is ``core.near_miss``'s concern.
"""

from __future__ import annotations

import hashlib
import re
from array import array
from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

Span = tuple[int, int]
"""``[start, end)`` in code points."""

WHITE = "\\t-\\r \\x85\\xa0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000"
"""The characters with the Unicode property ``White_Space``, as the inside of a regular-expression class."""

_WORD = re.compile(f"[^{WHITE}]+")


class Folded(NamedTuple):
    """A text after white-space folding, and the way back."""

    text: str
    map: Sequence[int]
    """For each index of ``text`` the index of the original; a blank maps to the first character of its run."""


def sha256(text: str) -> str:
    """64 hex over the text's UTF-8; a lone surrogate counts as its three bytes."""
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def fold_white(text: str) -> Folded:
    """Make every run of white space one blank and trim the ends, keeping where each character came from."""
    if " ".join(_WORD.findall(text)) == text:
        return Folded(text, range(len(text)))
    words: list[str] = []
    places = array("q")
    end = 0
    for found in _WORD.finditer(text):
        if words:
            places.append(end)
        words.append(found.group())
        places.extend(range(*found.span()))
        end = found.end()
    return Folded(" ".join(words), places)


def find_quote(source: str, quote: str) -> list[Span]:
    """All places, in order and also overlapping ones, where the quote stands verbatim after white-space folding.

    Offsets are those of ``source``; the list is empty when either text is blank.
    """
    wanted = " ".join(_WORD.findall(quote))
    if not wanted or wanted not in " ".join(_WORD.findall(source)):
        return []
    folded = fold_white(source)
    spans = []
    at = folded.text.find(wanted)
    while at >= 0:
        spans.append((folded.map[at], folded.map[at + len(wanted) - 1] + 1))
        at = folded.text.find(wanted, at + 1)
    return spans


def excerpt(text: str, start: int, end: int, max_words: int = 25, max_chars: int = 160) -> Span:
    """The largest stretch from the start of ``text[start:end]`` that may be shown, trimmed of white space.

    At most ``max_words`` words by ``str.split`` and ``max_chars`` code points; words stay whole unless the very first
    one is too long. A blank stretch gives the empty span ``(start, start)``.
    """
    first: int | None = None
    last = start
    for count, word in enumerate(re.finditer(r"\S+", text[start:end]), 1):
        if first is None:
            first = start + word.start()
            last = min(start + word.end(), first + max_chars)
        elif count > max_words or start + word.end() - first > max_chars:
            break
        else:
            last = start + word.end()
    return (start, start) if first is None else (first, last)


def segments(text: str, marks: Sequence[tuple[int, int, str]]) -> list[tuple[str, tuple[str, ...]]]:
    """Cut a text at every border of every mark; the pieces, joined, are the text.

    Args:
        text: What is shown.
        marks: ``(start, end, kind)`` each; they may nest, cross and repeat.

    Returns:
        The pieces in order, each with the kinds that cover it, in the order of ``marks`` and without repetition.

    Raises:
        ValueError: A mark reaches outside the text or ends before it starts.
    """
    for start, end, kind in marks:
        if not 0 <= start <= end <= len(text):
            raise ValueError(f"the mark {kind} [{start}, {end}) lies outside a text of {len(text)} characters")
    borders = sorted({0, len(text), *(at for start, end, _ in marks for at in (start, end))})
    pieces = []
    for left, right in pairwise(borders):
        kinds = dict.fromkeys(kind for start, end, kind in marks if start <= left and right <= end)
        pieces.append((text[left:right], tuple(kinds)))
    return pieces
