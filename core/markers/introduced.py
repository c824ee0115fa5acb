r"""A word and ids in parentheses: ``(cite C1, C2)``, ``(source: C1)``, ``(Source 5)``, and LaTeX's ``\cite{a, b}``."""

from __future__ import annotations

import re

from core.markers import Marker
from core.markers._prose import prose

EXAMPLE = "(cite C1, C2)"
SIGNS = ("(", "（", "\\")

_WORD = r"(?:cite[sd]?|citations?|sources?|src|references?|refs?|documents?|docs?|evidence|passages?|quellen?|qu)"
_ID = r"(?![12]\d{3}\b)[\w./@#%+~-]*\d[\w./@#%+~-]*(?::[\w./@#%+~-]+)?"
_LIST = rf"{_ID}(?:\s*(?:[,;&]|and|und)\s*(?:{_ID}))*"
_MARKER = re.compile(
    rf"[(（\\](?:(?<!\\)\s*(?:see\s)?(?P<word>{_WORD})\b\.?(?P<colon>\s*[:：])?\s*#?(?P<ids>{_LIST})\s*[)）]"
    r"|(?<=\\)(?:[pt]?cite[pt]?|parencite|autocite|footcite|textcite)\*?(?:\[[^\[\]\n]{0,60}\]){0,2}"
    r"\{(?P<keys>[^{}\n]{1,200})\})",
    re.I,
)
"""The first character is asked for before the alternatives: an engine skips to it."""
_SEPARATOR = re.compile(r"\s*(?:[,;&]|\band\b|\bund\b)\s*")


def find(text: str) -> list[Marker]:
    """Find the markers; a bare number behind a word and no colon takes the word (``Source 5``)."""
    text = prose(text)
    markers = []
    for found in _MARKER.finditer(text):
        ids = [part for part in _SEPARATOR.split((found["ids"] or found["keys"]).strip()) if part]
        if found["word"] and not found["colon"] and not found["word"].lower().startswith("cite"):
            word = found["word"].removesuffix("s")
            ids = [f"{word} {part}" if part.isdigit() else part for part in ids]
        markers.append(Marker(start=found.start(), end=found.end(), ids=tuple(ids)))
    return markers
