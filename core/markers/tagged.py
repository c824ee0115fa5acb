"""Tags around or behind what is cited: ``<cite>C1</cite>``, ``<cite index="1-17,1-18">…</cite>``, ``<co: 0>…</co: 0>``.

Also Gemini's ``[cite_start]`` before a sentence that ends with ``[cite: 1]``. A tag with text inside cites that text:
its ids are those of the closing tag, and the opening one names nothing by itself.
"""

from __future__ import annotations

import re

from core.markers import Marker
from core.markers._prose import prose

EXAMPLE = "<cite>C1</cite>"
SIGNS = ("</", "/>", "[cite_start]")

_NAME = r"(?:cite|citation|ref|reference|source|src)"
_HELD = re.compile(rf"<(?P<tag>{_NAME})s?>\s*(?P<ids>[^<>\n]{{1,80}}?)\s*</(?P=tag)s?>", re.I)
_OPENING = re.compile(
    rf"[<(](?P<tag>{_NAME})\b(?P<attributes>(?:\s+[\w-]+\s*=\s*(?:\"[^\"<>]{{0,200}}\"|'[^'<>]{{0,200}}'|[^\s\"'<>/()]+))+)\s*(?P<empty>/?)>"
    r"|<(?P<co>co):\s*(?P<numbers>\d+(?:\s*,\s*\d+)*)>",
    re.I,
)
_ATTRIBUTE = re.compile(
    r"(?P<name>index|ids?|refs?|sources?|src|docs?|document|n|name|key|citation)\s*=\s*"
    r"(?:\"(?P<double>[^\"]*)\"|'(?P<single>[^']*)'|(?P<bare>[^\s\"'<>/()]+))",
    re.I,
)
_STARTED = re.compile(r"\[cite_start\]")
_ID = re.compile(r"[\w.:/@#%+~-]*[\d:][\w.:/@#%+~-]*")
_REACH = 4000


def find(text: str) -> list[Marker]:
    """Find the markers, tags with text inside as two; ids are what a tag holds or what its attribute lists."""
    if "</" not in text and "/>" not in text and "[cite_start]" not in text:
        return []
    text = prose(text)
    markers = [
        Marker(start=found.start(), end=found.end(), ids=ids)
        for found in _HELD.finditer(text)
        if (ids := _listed(found["ids"])) and all(map(_ID.fullmatch, ids))
    ]
    markers += [Marker(start=found.start(), end=found.end(), ids=(), opening=True) for found in _STARTED.finditer(text)]
    closed = 0
    for found in _OPENING.finditer(text):
        ids = _listed(found["numbers"] or _attribute(found["attributes"]))
        if not ids or found.start() < closed:
            continue
        if found["empty"]:
            markers.append(Marker(start=found.start(), end=found.end(), ids=ids))
            continue
        closing = re.compile(rf"</{found['tag'] or 'co'}(?::[\s\d,]*)?>", re.I).search(
            text, found.end(), found.end() + _REACH
        )
        if closing:
            closed = closing.end()
            inside = (found.end(), closing.start())
            markers.append(Marker(start=found.start(), end=found.end(), ids=(), opening=True))
            markers.append(Marker(start=closing.start(), end=closed, ids=ids, covers=inside))
    markers.sort(key=lambda marker: marker.start)
    return _apart(markers)


def _apart(markers: list[Marker]) -> list[Marker]:
    kept: list[Marker] = []
    for marker in markers:
        if not kept or marker.start >= kept[-1].end:
            kept.append(marker)
    return kept


def _attribute(attributes: str) -> str:
    found = _ATTRIBUTE.search(attributes)
    return (found["double"] or found["single"] or found["bare"] or "") if found else ""


def _listed(ids: str) -> tuple[str, ...]:
    return tuple(part for part in re.split(r"\s*[,;]\s*", ids.strip()) if part)
