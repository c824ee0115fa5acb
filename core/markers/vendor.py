"""Raw markers of a vendor that should have been replaced before a person saw them.

``【4:0†source】``, ``[4:0†source]``, ``:contentReference[oaicite:0]{index=0}``, and the private-use wrapper
``U+E200 cite U+E202 turn0search1 U+E201``, also with its private-use characters lost. They are leaked unless the
request's registry knows their ids (``core.markers._all`` decides that).
"""

from __future__ import annotations

import re

from core.markers import Marker
from core.markers._prose import prose

EXAMPLE = "【4:0†source】"
SIGNS = ("†", "oaicite", "citeturn", *map(chr, range(0xE200, 0xE207)))

_TURN = r"turn\d+(?:[a-z]+)\d+"
_MARKER = re.compile(
    r"[【\[]\s*(?P<dagger>[^\s【】\[\]†]{1,40})†[^【】\[\]\n]{0,200}[】\]]"
    r"|:contentReference\[oaicite:(?P<content>\d+)\](?:\{[^{}\n]{0,80}\})?"
    r"|[【\[]oaicite:(?P<oaicite>\d+)[】\]](?:\{[^{}\n]{0,80}\})?"
    r"|\ue200(?P<wrapped>[^\ue200\ue201\s]{0,400})\ue201"
    rf"|cite(?P<bare>(?:{_TURN})+)"
    r"|[\ue200-\ue206]+"
)
_SOME = re.compile(r"[†\ue200-\ue206]|oaicite|turn\d")


def find(text: str) -> list[Marker]:
    """Find the markers, all as leaked; ids are what a registry could know them by."""
    if not _SOME.search(text):
        return []
    return [
        Marker(start=found.start(), end=found.end(), ids=_ids(found), leaked=True)
        for found in _MARKER.finditer(prose(text))
    ]


def _ids(found: re.Match[str]) -> tuple[str, ...]:
    if found["dagger"]:
        return (found["dagger"],)
    if number := found["content"] or found["oaicite"]:
        return (f"oaicite:{number}",)
    return tuple(re.findall(_TURN, found["wrapped"] or found["bare"] or ""))
