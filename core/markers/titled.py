"""Links as citations: ``[The survey](https://w.example/a)``; the id is the address.

The title of a link in running text is part of the sentence and stays in it; one that only names the source, in
parentheses or behind the sentence, goes with the marker.
"""

from __future__ import annotations

import re

from core.markers import Marker
from core.markers._prose import prose, stands_in_sentence

EXAMPLE = "[The survey](https://w.example/a)"
SIGNS = ("](",)

_MARKER = re.compile(
    r"(?<![!\\])\[(?P<title>(?:[^\[\]\n]|\[[^\[\]\n]{0,60}\]){1,300})\]"
    r"\(\s*<?(?P<address>https?://(?:[^\s()<>]|\([^\s()<>]*\))+)>?(?:\s+(?:\"[^\"\n]*\"|'[^'\n]*'))?\s*\)"
)
_NUMBERED = re.compile(r"[\s\[]*(?:\d{1,3}|[A-Z]\d{1,4})[\s\]]*")


def find(text: str) -> list[Marker]:
    """Find the markers; a title that is a number or a label is another notation's."""
    if "](" not in text:
        return []
    text = prose(text)
    markers = []
    for found in _MARKER.finditer(text):
        if _NUMBERED.fullmatch(found["title"]):
            continue
        keeps = found.span("title") if stands_in_sentence(text, *found.span()) else None
        markers.append(Marker(start=found.start(), end=found.end(), ids=(found["address"],), keeps=keeps))
    return markers
