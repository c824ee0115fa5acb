"""Numbers in brackets: ``[1]``, ``[1][2]``, ``[1, 2]``, ``[1-3]``, ``[1]–[3]``, ``[1, p. 3–4]``, ``【1】``.

Four digits are a year, never an id. A page after a number is a locator of that source and names no further one.
"""

from __future__ import annotations

import re

from core.markers import Marker
from core.markers._prose import may_cite, prose

EXAMPLE = "[1, 3–4]"
SIGNS = ("[", "【")

MAX_RANGE = 30
"""Wider ranges are quantities, such as a laboratory's reference values."""

_ITEM = r"\d{1,3}(?:\s?[-‐‑–—]\s?\d{1,3})?"
_UNIT = r"(?:(?:pp?|S|ch|chap|sec|fig|tab|table|para|abs|vol|nos?|nr)\b\.?|[§¶]+)"
_LOCATOR = rf"(?:[,:]\s*(?P<locator>{_UNIT}\s?[\w.–-]+))"
_MARKER = re.compile(
    rf"\[(?P<low>\d{{1,3}})\]\s?[-‐‑–—]\s?\[(?P<high>\d{{1,3}})\]"
    rf"|\^?\[\s*(?P<square>{_ITEM}(?:\s*[,;]\s*{_ITEM})*){_LOCATOR}?\s*\]"
    rf"|【\s*(?P<wide>{_ITEM}(?:\s*[,;、]\s*{_ITEM})*)\s*】",
    re.I,
)
_INTERVAL = re.compile(
    r"(?:\b(?:intervals?|range|arrays?|lists?|vectors?|bounds?|between|within|values?|in|over|on)|∈)\s*\Z", re.I
)


def find(text: str) -> list[Marker]:
    """Find the markers; a range names every number in it."""
    text = prose(text)
    markers = []
    for found in _MARKER.finditer(text):
        ids = expand(found["square"] or found["wide"] or f"{found['low']}-{found['high']}")
        if ids and may_cite(text, *found.span()) and not _is_interval(text, found.start(), ids):
            markers.append(Marker(start=found.start(), end=found.end(), ids=ids, locator=found["locator"]))
    return markers


def expand(listed: str) -> tuple[str, ...]:
    """``"1, 3–4"`` → ``("1", "3", "4")``; empty when a range is no list of sources. ``"156-9"`` ends at 159."""
    ids: list[str] = []
    for item in re.split(r"\s*[,;、]\s*", listed.strip()):
        first, _, last = (part.strip() for part in re.sub("[‐‑–—]", "-", item).partition("-"))
        if not last:
            ids.append(first)
            continue
        low, high = int(first), int(first[: max(0, len(first) - len(last))] + last)
        if not low < high <= low + MAX_RANGE:
            return ()
        ids.extend(str(number) for number in range(low, high + 1))
    return tuple(ids)


def _is_interval(text: str, start: int, ids: tuple[str, ...]) -> bool:
    """``in [0, 1]`` is a stretch of numbers: no one cites source 0 beside another."""
    return len(ids) > 1 and "0" in ids and bool(_INTERVAL.search(text[max(0, start - 20) : start]))
