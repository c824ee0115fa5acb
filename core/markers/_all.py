"""All notations together, read with the registry of the request in hand."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import cache

from core import markers, plugins
from core.markers import Marker
from core.markers._prose import Span, may_cite, prose
from core.markers.numbered import expand
from core.markers.worded import number_of

_BRACKET = re.compile(r"\[([^\[\]\n]{1,300})\]|【([^【】\n]{1,300})】")
_JOINT = re.compile(r"[ \t]*(?:[,;&]|and|und|et)?[ \t]*")
_OPENING = re.compile(r"[(（](?:(?:see|cf\.?|e\.g\.,?|source:?)\s)?\s*\Z")
_CLOSING = re.compile(r"\s*[)）]")
_SEPARATOR = re.compile(r"\s*[,;、]\s*")
_RANGE = re.compile(r"\d{1,3}\s?[-‐‑–—]\s?\d{1,3}")
_ID_LIKE = re.compile(r"[@^#]?[\w.:/@#%+~-]*\d[\w.:/@#%+~-]*")


def find_all(text: str, known: frozenset[str] = frozenset()) -> list[Marker]:
    """Find the markers of every notation, in order of position, none overlapping.

    Args:
        text: An answer or a claim.
        known: The ids of the request's registry. A bracket that holds exactly a known id, or a list with one, is a
            marker whatever it looks like; a vendor's raw marker is leaked only when its ids are unknown, and then it
            names none.
    """
    found = [(_settled(marker, known), 1) for find in _notations() for marker in find(text)]
    found += [(marker, 0) for marker in _registered(text, known)]
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

    Each is a run of markers with what joins them, the white space before it, and parentheses that would stand empty.
    """
    runs: list[list[int]] = []
    for marker in markers:
        if runs and marker.start - runs[-1][1] < 9 and _JOINT.fullmatch(text, runs[-1][1], marker.start):
            runs[-1][1] = marker.end
        else:
            runs.append([marker.start, marker.end])
    spans = []
    for start, end in runs:
        opening, closing = _OPENING.search(text, max(0, start - 12), start), _CLOSING.match(text, end)
        if opening and closing:
            start, end = opening.start(), closing.end()
        while start and text[start - 1].isspace():
            start -= 1
        spans.append((start, end))
    return spans


def _settled(marker: Marker, known: frozenset[str]) -> Marker:
    if marker.leaked:
        is_known = bool(marker.ids) and known.issuperset(marker.ids)
        return marker.model_copy(update={"leaked": not is_known, "ids": marker.ids if is_known else ()})
    ids = tuple(
        number if cite not in known and (number := number_of(cite)) is not None and number in known else cite
        for cite in marker.ids
    )
    return marker if ids == marker.ids else marker.model_copy(update={"ids": ids})


def _registered(text: str, known: frozenset[str]) -> list[Marker]:
    if not known:
        return []
    text = prose(text)
    loosely = {"".join(cite.split()).casefold() for cite in known}
    markers = []
    for found in _BRACKET.finditer(text):
        whole = found.group()
        ids = (whole,) if whole in known else _known_ids(found[1] or found[2], known, loosely)
        if ids and may_cite(text, *found.span()):
            markers.append(Marker(start=found.start(), end=found.end(), ids=ids))
    return markers


def _known_ids(content: str, known: frozenset[str], loosely: set[str]) -> tuple[str, ...]:
    """The ids that a bracket names, when at least one is known; empty when it is ordinary text."""
    trimmed = content.strip()
    if content in known or trimmed in known:
        return (content if content in known else trimmed,)
    parts = [part for part in _SEPARATOR.split(trimmed) if part]
    if known.isdisjoint(parts) and known.issuperset(trimmed.split()):
        parts = trimmed.split()
    if known.isdisjoint(parts):
        return (trimmed,) if "".join(trimmed.split()).casefold() in loosely else ()
    ids: list[str] = []
    for part in parts:
        if part in known or not _RANGE.fullmatch(part):
            ids.append(part)
        else:
            ids.extend(expand(part) or (part,))
    return tuple(ids) if all(cite in known or _ID_LIKE.fullmatch(cite) for cite in ids) else ()
