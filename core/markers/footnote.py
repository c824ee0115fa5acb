"""Markdown footnotes: ``[^1]``, ``[^lopez2019]``, also ``[^1^]``; the definition ``[^1]: …`` is no citation."""

from __future__ import annotations

import re

from core.markers import Marker
from core.markers._prose import is_definition, prose

EXAMPLE = "[^1]"
SIGNS = ("[",)

_MARKER = re.compile(r"(?<!\\)\[\^([^\s\[\]^:]{1,60})\^?\]")
_DEFINITION = re.compile(r"^[ \t>]{0,6}\[\^?([^\s\[\]^]{1,60})\]:[ \t]*(\S[^\n]*)$", re.M)


def find(text: str) -> list[Marker]:
    """Find the markers; the id is what follows the caret."""
    if "[^" not in text:
        return []
    text = prose(text)
    return [
        Marker(start=found.start(), end=found.end(), ids=(found[1],))
        for found in _MARKER.finditer(text)
        if not is_definition(text, *found.span())
    ]


def definitions(text: str) -> dict[str, str]:
    """What footnotes and references are defined as, by their id: the rest of the line; the first definition counts."""
    if "]:" not in text:
        return {}
    defined: dict[str, str] = {}
    for found in _DEFINITION.finditer(prose(text)):
        defined.setdefault(found[1], found[2].strip())
    return defined
