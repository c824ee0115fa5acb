"""A letter and a number in brackets: ``[C1]``, ``[E2, E4,E7]``, ``[S4 S9]``, ``[C1–C3]``."""

from __future__ import annotations

import re

from core.markers import Marker
from core.markers._prose import may_cite, prose
from core.markers.numbered import MAX_RANGE

EXAMPLE = "[C1, C2]"
SIGNS = ("[",)

_ITEM = r"[A-Z]\d{1,4}(?:\s?[-‐‑–—]\s?[A-Z]?\d{1,4})?"
_MARKER = re.compile(rf"\[\s*({_ITEM}(?:\s*[,; ]\s*{_ITEM})*)\s*\]")
_RANGE = re.compile(r"([A-Z])(\d+)\s?[-‐‑–—]\s?([A-Z]?)(\d+)")


def find(text: str) -> list[Marker]:
    """Find the markers; a range with one letter names every label in it."""
    text = prose(text)
    return [
        Marker(start=found.start(), end=found.end(), ids=ids)
        for found in _MARKER.finditer(text)
        if (ids := _expand(found[1])) and may_cite(text, *found.span())
    ]


def _expand(listed: str) -> tuple[str, ...]:
    if listed[1:].isdigit():
        return (listed,)
    ids: list[str] = []
    for item in re.findall(_ITEM, listed):
        ends = _RANGE.fullmatch(item)
        if ends is None:
            ids.append(item)
            continue
        low, high = int(ends[2]), int(ends[4])
        if ends[3] not in ("", ends[1]) or not low < high <= low + MAX_RANGE:
            return ()
        ids.extend(f"{ends[1]}{number}" for number in range(low, high + 1))
    return tuple(ids)
