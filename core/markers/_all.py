"""All notations together, read with the registry of the request in hand."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import cache

from core import markers, plugins
from core.markers import Marker, author_year
from core.markers._prose import Span, may_cite, prose
from core.markers.address import doi_of
from core.markers.footnote import definitions
from core.markers.numbered import expand
from core.markers.worded import number_of

_BRACKET = re.compile(r"\[([^\[\]\n]{1,300})\]|【([^【】\n]{1,300})】")
_JOINT = re.compile(r"[ \t]*(?:[,;&]|and|und|et)?[ \t]*")
_OPENING = re.compile(r"[(（](?:(?:see|cf\.?|e\.g\.,?|source:?)\s)?\s*\Z")
_CLOSING = re.compile(r"\s*[)）]")
_LABEL = re.compile(r"\b(?:sources?|see|via|references?|citations?|quellen?)\s*[:：]\s*\Z", re.I)
_SEPARATOR = re.compile(r"\s*[,;、]\s*")
_RANGE = re.compile(r"\d{1,3}\s?[-‐‑–—]\s?\d{1,3}")
_ID_LIKE = re.compile(r"[@^#]?[\w.:/@#%+~-]*\d[\w.:/@#%+~-]*")


def find_all(
    text: str, known: frozenset[str] = frozenset(), addresses: Mapping[str, str] | None = None
) -> list[Marker]:
    """Find the markers of every notation, in order of position, none overlapping.

    Args:
        text: An answer or a claim.
        known: The ids of the request's registry. A bracket that holds exactly a known id, or a list with one, is a
            marker whatever it looks like; a vendor's raw marker is leaked only when its ids are unknown, and then it
            names none.
        addresses: Ids of the registry by the address of their source, where it has one id only.
    """
    names = _Names(known, addresses or {}, definitions(text))
    found = [(names.settled(marker), 1) for find in _notations() for marker in find(text)]
    found += [(marker, 0) for marker in (*_registered(text, known), *author_year.find_known(text, known))]
    found.sort(key=lambda pair: (pair[0].start, -pair[0].end, pair[1]))
    kept: list[Marker] = []
    for marker, _ in found:
        if not kept or marker.start >= kept[-1].end:
            kept.append(marker)
    return kept


@cache
def _notations() -> tuple[Callable[[str], list[Marker]], ...]:
    """The ``find`` of every notation: the folder is read once, since an answer needs them for each of its claims."""
    return tuple(module.find for module in plugins.load_all(markers))


def removed(text: str, markers: Sequence[Marker]) -> list[Span]:
    """The stretches that go when markers are taken out of a text, in order, so that the rest reads as a sentence.

    Each is a run of markers with what joins them and a word such as "Source:" that introduces them, the white space
    before it, and parentheses that would stand empty. What a marker keeps stays.
    """
    before_words = {marker.start for marker in markers if marker.opening or marker.keeps}
    runs: list[list[int]] = []
    for marker in markers:
        for hole in marker.holes:
            joins = runs and hole[0] not in before_words and hole[0] - runs[-1][1] < 9
            if joins and _JOINT.fullmatch(text, runs[-1][1], hole[0]):
                runs[-1][1] = hole[1]
            else:
                runs.append([*hole])
    spans: list[Span] = []
    for start, end in runs:
        opening, closing = _OPENING.search(text, max(0, start - 12), start), _CLOSING.match(text, end)
        if opening and closing and start not in before_words:
            start, end = opening.start(), closing.end()
        elif start not in before_words and (label := _LABEL.search(text, max(0, start - 20), start)):
            start = label.start()
        left = spans[-1][1] if spans else 0
        while start > left and text[start - 1].isspace() and start not in before_words:
            start -= 1
        spans.append((max(left, start), end))
    return spans


class _Names:
    """What the ids of markers mean in one request: its registry, its addresses, the answer's own definitions."""

    def __init__(self, known: frozenset[str], addresses: Mapping[str, str], defined: Mapping[str, str]) -> None:
        self.known = known
        self._addresses = addresses
        self._defined = defined
        self._keys = author_year.keys_of(known)
        self._dois = {doi: cite for cite in known if (doi := doi_of(cite))}

    def settled(self, marker: Marker) -> Marker:
        """The marker with its ids as the registry writes them, where the notation leaves no other reading."""
        if marker.leaked:
            is_known = bool(marker.ids) and self.known.issuperset(marker.ids)
            return replace(marker, leaked=not is_known, ids=marker.ids if is_known else ())
        if self.known.issuperset(marker.ids):
            return marker
        ids = tuple(dict.fromkeys(cite if cite in self.known else self._meant(cite) for cite in marker.ids))
        return marker if ids == marker.ids else replace(marker, ids=ids)

    def _meant(self, cite: str) -> str:
        """The known id that an id stands for; the id itself when there is none."""
        if (number := number_of(cite)) is not None and number in self.known:
            return number
        if (defined := self._defined.get(cite)) is not None and (meant := self._definition(defined)) is not None:
            return meant
        if cite in self._addresses:
            return self._addresses[cite]
        if (doi := doi_of(cite)) in self._dois:
            return self._dois[doi]
        if (key := author_year.key_of(cite)) in self._keys:
            return self._keys[key]
        return cite

    def _definition(self, defined: str) -> str | None:
        """The known id that a definition names: all of it, in brackets or not, or the address that it starts with."""
        bare = defined.strip("[]<>. ")
        first = defined.split()[0].strip("<>")
        for cite in (defined, bare, first):
            if cite in self.known:
                return cite
            if cite in self._addresses:
                return self._addresses[cite]
        return None


def _registered(text: str, known: frozenset[str]) -> list[Marker]:
    if not known:
        return []
    text = prose(text)
    markers = []
    for found in _BRACKET.finditer(text):
        whole = found.group()
        ids = (whole,) if whole in known else _known_ids(found[1] or found[2], known)
        if ids and may_cite(text, *found.span()):
            markers.append(Marker(start=found.start(), end=found.end(), ids=ids))
    return markers


def _known_ids(content: str, known: frozenset[str]) -> tuple[str, ...]:
    """The ids that a bracket names, when at least one is known; empty when it is ordinary text."""
    trimmed = content.strip()
    if content in known or trimmed in known:
        return (content if content in known else trimmed,)
    parts = [part for part in _SEPARATOR.split(trimmed) if part]
    if known.isdisjoint(parts) and known.issuperset(trimmed.split()):
        parts = trimmed.split()
    if known.isdisjoint(parts):
        loosely = "".join(trimmed.split()).casefold()
        return (trimmed,) if any("".join(cite.split()).casefold() == loosely for cite in known) else ()
    ids: list[str] = []
    for part in parts:
        if part in known or not _RANGE.fullmatch(part):
            ids.append(part)
        else:
            ids.extend(expand(part) or (part,))
    return tuple(ids) if all(cite in known or _ID_LIKE.fullmatch(cite) for cite in ids) else ()
