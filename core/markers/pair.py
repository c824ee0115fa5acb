"""Document and chunk in brackets: ``[9f2c1a7b4e10:p4.0-812]``, also with an empty half or a half too many.

A time (``[10:30]``), a slice (``[1:]``) and a link are none; malformed pairs are found so that they can be reported.
"""

from __future__ import annotations

import re

from core.markers import Marker
from core.markers._prose import may_cite, prose

EXAMPLE = "[9f2c1a7b4e10:p4.0-812]"
SIGNS = ("[",)

_ID = r"[\w./#@%+~-]*"
_PAIR = rf"{_ID}(?::{_ID})+"
_MARKER = re.compile(rf"\[\s*({_PAIR}(?:\s*[,;]\s*{_PAIR})*)\s*\]")
_OTHER = re.compile(
    r"(?:https?|ftp|mailto|file|oaicite|note|nb|edit|update|warning|info|error|debug|tip|sic):|\d{1,2}(?::\d\d)+[ap]m",
    re.I,
)


def find(text: str) -> list[Marker]:
    """Find the markers; ids are whole pairs, as written."""
    text = prose(text)
    markers = []
    for found in _MARKER.finditer(text):
        ids = tuple(re.split(r"\s*[,;]\s*", found[1]))
        if all(map(_names_a_chunk, ids)) and may_cite(text, *found.span()):
            markers.append(Marker(start=found.start(), end=found.end(), ids=ids))
    return markers


def _names_a_chunk(cite: str) -> bool:
    halves = cite.split(":")
    full = [half for half in halves if half]
    if _OTHER.match(cite) or not full:
        return False
    if len(full) == len(halves) == 2:
        return any(char.isalpha() for char in cite)
    return any(char.isalpha() for char in cite) and any(char.isdigit() for char in cite)
