"""Pandoc citation keys: ``[@lopez2019]``, ``[see @lopez2019, p. 3; @okoro2011]``."""

from __future__ import annotations

import re

from core.markers import Marker
from core.markers._prose import may_cite, prose

EXAMPLE = "[@lopez2019]"
SIGNS = ("[",)

_KEY = re.compile(r"(?<!\w)-?@([^\W_][\w:.#$%&+?<>~/-]*[\w/]|[^\W_])")
_MARKER = re.compile(r"\[([^\[\]\n]{0,200}@[^\[\]\n]{1,400})\]")


def find(text: str) -> list[Marker]:
    """Find the markers; the @ of an e-mail address starts no key."""
    text = prose(text)
    markers = []
    for found in _MARKER.finditer(text):
        ids = tuple(_KEY.findall(found[1]))
        if ids and may_cite(text, *found.span()):
            markers.append(Marker(start=found.start(), end=found.end(), ids=ids))
    return markers
