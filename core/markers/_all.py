"""All notations together, read with the registry of the request in hand."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from functools import cache, cached_property, lru_cache
from types import ModuleType

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
_ALONE = re.compile(r"\[[^\[\]]*\]")
_OPAQUE = re.compile(r"[`$\\<【】]")
"""What may make a bracket code, mathematics or two brackets, so that it is not judged alone."""
_LONGEST_ALONE = 80
_BRACKETS = frozenset("[【")
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
    names = _Names(text, known, addresses or {})
    found = [*_registered(text, known), *author_year.find_known(text, known)]
    found += [names.settled(marker) for module in _possible(prose(text)) for marker in module.find(text)]
    found.sort(key=_place)  # what the registry knows stays before what stands at the same place
    kept: list[Marker] = []
    end = 0
    for marker in found:
        if marker.start >= end:
            kept.append(marker)
            end = marker.end
    return kept


def _place(marker: Marker) -> tuple[int, int]:
    return marker.start, -marker.end


def _possible(text: str) -> Iterable[ModuleType]:
    """The notations that may occur in a prose: those with a sign in it, brackets only where one alone is a marker."""
    table = _by_sign()
    possible = {number for sign in table if sign in text for number in table[sign]}
    brackets = set(_ALONE.findall(text))
    if "【" in text or "】" in text:
        brackets.add("【】")
    possible.update(*map(_bracketed, brackets))
    notations = _notations()
    return [notations[number] for number in sorted(possible)]


@lru_cache(maxsize=4096)  # the same few brackets stand in all answers of a log
def _bracketed(bracket: str) -> tuple[int, ...]:
    """The numbers of the notations that may read a bracket, by what they find in it alone; all where that is open."""
    own = [number for number, module in enumerate(_notations()) if _BRACKETS.issuperset(module.SIGNS)]
    if len(bracket) > _LONGEST_ALONE or _OPAQUE.search(bracket):
        return tuple(own)
    return tuple(number for number in own if _notations()[number].find(bracket))


@cache
def _by_sign() -> Mapping[str, Sequence[int]]:
    """The numbers of the notations by their signs, without those that are brackets only."""
    table: dict[str, list[int]] = defaultdict(list)
    for number, module in enumerate(_notations()):
        for sign in () if _BRACKETS.issuperset(module.SIGNS) else module.SIGNS:
            table[sign].append(number)
    return dict(table)


@cache
def _notations() -> tuple[ModuleType, ...]:
    """Every notation: the folder is read once, since an answer needs them for each of its claims."""
    return tuple(plugins.load_all(markers))


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
        left = spans[-1][1] if spans else 0
        if start not in before_words:
            near = max(0, start - 20)
            closing = _CLOSING.match(text, end)
            opening = _OPENING.search(text, max(0, start - 12), start) if closing else None
            if opening and closing:
                start, end = opening.start(), closing.end()
            elif text[near:start].rstrip()[-1:] in ":：" and (label := _LABEL.search(text, near, start)):
                start = label.start()
            while start > left and text[start - 1].isspace() and start not in before_words:
                start -= 1
        spans.append((max(left, start), end))
    return spans


class _Names:
    """What the ids of markers mean in one request: its registry, its addresses, the answer's own definitions."""

    def __init__(self, text: str, known: frozenset[str], addresses: Mapping[str, str]) -> None:
        self.known = known
        self._addresses = addresses
        self._text = text

    @cached_property
    def _defined(self) -> Mapping[str, str]:
        return definitions(self._text)

    @cached_property
    def _keys(self) -> dict[author_year.Key, str]:
        return author_year.keys_of(self.known)

    @cached_property
    def _dois(self) -> dict[str, str]:
        return {doi: cite for cite in self.known if (doi := doi_of(cite))}

    def settled(self, marker: Marker) -> Marker:
        """The marker with its ids as the registry writes them, where the notation leaves no other reading."""
        if marker.leaked:
            is_known = bool(marker.ids) and self.known.issuperset(marker.ids)
            return marker._replace(leaked=not is_known, ids=marker.ids if is_known else ())
        if self.known.issuperset(marker.ids):
            return marker
        ids = tuple(dict.fromkeys(cite if cite in self.known else self._meant(cite) for cite in marker.ids))
        return marker if ids == marker.ids else marker._replace(ids=ids)

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
