"""A place kept for a citation that never came: ``[citation needed]``, ``[source]``, ``[insert citation]``, ``[?]``."""

from __future__ import annotations

import re

from core.markers import Marker
from core.markers._prose import may_cite, prose

EXAMPLE = "[citation needed]"
SIGNS = ("[",)

_MARKER = re.compile(
    r"\[\s*(?:(?:insert|add|missing|needs?)\s)?(?:(?:a\s)?(?:citations?|sources?|references?|refs?|cite))"
    r"(?:\s(?:needed|required|missing|here|to\scome|tbd))?\s*\](?![(:])|\[\?{1,3}\](?![(:])",
    re.I,
)


def find(text: str) -> list[Marker]:
    """Find the markers, all as leaked: they name nothing."""
    text = prose(text)
    return [
        Marker(start=found.start(), end=found.end(), ids=(), leaked=True)
        for found in _MARKER.finditer(text)
        if may_cite(text, *found.span())
    ]
