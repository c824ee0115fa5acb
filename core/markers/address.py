"""Bare addresses: ``https://w.example/a``, ``doi:10.5555/1234``, ``10.5555/1234``; the id is the address or the DOI.

Punctuation behind an address is the sentence's. An address in running text stays in the sentence.
"""

from __future__ import annotations

import re

from core.markers import Marker
from core.markers._prose import in_definition, prose, stands_in_sentence

EXAMPLE = "https://w.example/a"
SIGNS = ("://", "10.")

_MARKER = re.compile(
    r"(?P<angle><)?(?:(?P<url>\bhttps?://[^\s<>\"“”«»、。（）【】\\^`{|}\0]+)|\b(?:doi:?\s?)?(?P<doi>10\.\d{4,9}/[^\s<>\"“”\0]+))(?(angle)>?)",
    re.I,
)
_TRAILING = ".,;:!?'’*_~\"…"
_PAIRS = {")": "(", "]": "["}
_IN_TARGET = re.compile(r"\]\(\s*<?\Z|=[\"']\Z")


def find(text: str) -> list[Marker]:
    """Find the markers; none in the target of a link or in the definition of a reference."""
    text = prose(text)
    if "://" not in text and "10." not in text:
        return []
    markers = []
    for found in _MARKER.finditer(text):
        name = "url" if found["url"] else "doi"
        written = _without_trailing(found[name])
        end = found.start(name) + len(written)
        if len(written) < 9 or _IN_TARGET.search(text, max(0, found.start() - 9), found.start()):
            continue
        if in_definition(text, found.start()):
            continue
        start = found.start()
        if found["angle"]:
            start, end = (start, end + 1) if text.startswith(">", end) else (start + 1, end)
        keeps = (start, end) if stands_in_sentence(text, start, end) else None
        markers.append(Marker(start=start, end=end, ids=(written,), keeps=keeps))
    return markers


def doi_of(cite: str) -> str | None:
    """The DOI that an id writes, in lower case (DOIs ignore it), however it is written; none for other ids."""
    found = re.fullmatch(r"(?:(?:https?://)?(?:dx\.)?doi\.org/|doi:?\s?)?(10\.\d{4,9}/\S+)", cite, re.I)
    return found[1].lower() if found else None


def _without_trailing(address: str) -> str:
    while address and (
        address[-1] in _TRAILING
        or (address[-1] in _PAIRS and address.count(address[-1]) > address.count(_PAIRS[address[-1]]))
    ):
        address = address[:-1]
    return address
