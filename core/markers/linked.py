"""Markers that are rendered as links: ``[[1]](https://…)``, ``[1](https://…)``, ``[[C1]]``, however deeply nested."""

from __future__ import annotations

import re

from core.markers import Marker
from core.markers._prose import may_cite, prose

EXAMPLE = "[[1]](https://w.example/a)"
SIGNS = ("](", "[[", "[ ", "[\t")

_INNER = re.compile(r"\[\s*(\d{1,3}|[A-Z]\d{1,4})\s*\]")
_TARGET = re.compile(r"\((?:https?://|/|#|\./|<)(?:[^\s()]|\([^\s()]*\))*\)")
_LEFT = re.compile(r"\[[ \t]*\Z")
_RIGHT = re.compile(r"[ \t]*\]")


def find(text: str) -> list[Marker]:
    """Find the markers; one link is one citation of one id."""
    text = prose(text)
    markers: list[Marker] = []
    for found in _INNER.finditer(text):
        start, end = _grow(text, *found.span())
        if (start, end) != found.span() and may_cite(text, start, end):
            markers.append(Marker(start=start, end=end, ids=(found[1],)))
    return markers


def _grow(text: str, start: int, end: int) -> tuple[int, int]:
    """Widen a marker by link targets and brackets around it until neither is left."""
    while True:
        target = _TARGET.match(text, end)
        if target:
            end = target.end()
        left, right = _LEFT.search(text, max(0, start - 9), start), _RIGHT.match(text, end)
        if not (left and right):
            return start, end
        start, end = left.start(), right.end()
