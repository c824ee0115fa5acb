"""A word and a number in brackets: ``[Source 5]``, ``[citation:1]``, ``[Sources 2, 3]``, ``[Doc 1; Doc 4]``."""

from __future__ import annotations

import re

from core.markers import Marker
from core.markers._prose import may_cite, prose

EXAMPLE = "[Source 5]"
SIGNS = ("[", "【")

_WORD = r"(?:source|src|document|doc|reference|ref|citation|cite|passage|chunk|evidence|context|excerpt|snippet|result)"
_ITEM = rf"{_WORD}s?\.?\s?[:#_-]?\s?#?\d{{1,4}}"
_MARKER = re.compile(rf"[\[【]\s*({_ITEM}(?:\s*(?:[,;&]|and)\s*(?:{_ITEM}|\d{{1,4}}))*)\s*[\]】]", re.I)
_PART = re.compile(rf"({_WORD})(s?\.?\s?[:#_-]?\s?#?)(\d+)|(\d+)", re.I)


def find(text: str) -> list[Marker]:
    """Find the markers; an id is word and number as written, and a bare number takes the word before it."""
    text = prose(text)
    markers = []
    for found in _MARKER.finditer(text):
        if not may_cite(text, *found.span()):
            continue
        ids: list[str] = []
        word = link = ""
        for part in _PART.finditer(found[1]):
            if part[1]:
                word, link = part[1], part[2]
            ids.append(f"{word}{link if part[1] and not link.startswith('s') else link[1:] or ' '}{part[3] or part[4]}")
        markers.append(Marker(start=found.start(), end=found.end(), ids=tuple(ids)))
    return markers


def number_of(cite: str) -> str | None:
    """The bare number of an id in this notation, for a registry that numbers its entries; none for other ids."""
    part = _PART.fullmatch(cite)
    return part[3] if part and part[1] else None
