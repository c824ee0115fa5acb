"""Markdown footnotes: ``[^1]``, ``[^lopez2019]``; the definition ``[^1]: …`` is no citation."""

from __future__ import annotations

import re

from core.markers import Marker
from core.markers._prose import is_definition, prose

EXAMPLE = "[^1]"

_MARKER = re.compile(r"(?<!\\)\[\^([^\s\[\]^:]{1,60})\]")


def find(text: str) -> list[Marker]:
    """Find the markers; the id is what follows the caret."""
    text = prose(text)
    return [
        Marker(start=found.start(), end=found.end(), ids=(found[1],))
        for found in _MARKER.finditer(text)
        if not is_definition(text, *found.span())
    ]
