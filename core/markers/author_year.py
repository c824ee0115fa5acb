"""Authors and a year: ``(Smith et al., 2020; Lee, 2021)``, ``[Okoro & Lind, 2011]``, ``Smith et al. [2004]``.

A year alone names nothing, and ``(Paris, 2015)`` is a place: one name with a year is a citation only in square
brackets, beside others, with a page, again, or when the registry has such a key. After a name in running text only a
known key counts.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection
from functools import lru_cache

from core.markers import Marker
from core.markers._prose import prose

EXAMPLE = "(Smith et al., 2020; Lee, 2021)"
SIGNS = ("(", "[")

_PARTICLE = r"(?:van|von|de|der|den|del|della|di|da|dos|du|la|le|ten|ter)\s"
_NAME = rf"(?:{_PARTICLE}){{0,3}}[^\W\d_a-zß-öø-ÿ][\w'’.-]*+"
_NAMES = rf"{_NAME}(?:\s(?:of\s(?:the\s)?)?{_NAME}){{0,4}}"
_YEAR = r"(?:(?:1[5-9]|20)\d\d[a-z]?(?![\w])|n\.d\.)"
_LOCATOR = r"(?:[,:]\s?(?:(?:pp?|S|ch|chap|sec|fig|tab|table|para|vol)\b\.?\s?|§\s?)?\d[\d.–-]*)"
_ITEM = re.compile(
    rf"(?P<authors>{_NAMES}(?:(?:,\s(?:&\s|and\s)?|\s?&\s|\s(?:and|und|et|y)\s){_NAMES}){{0,8}}"
    rf"(?P<others>,?\s(?:et\sal\.?|u\.\s?a\.|and\scolleagues))?),?\s(?P<years>{_YEAR}(?:,\s?{_YEAR})*)"
    rf"(?P<locator>{_LOCATOR})?"
)
_BRACKET = re.compile(r"\(([^()\[\]\n]{4,400})\)|\[([^()\[\]\n]{4,400})\](?!\()")
_LEAD = re.compile(r"\s*(?:(?:see(?:\salso)?|cf\.|e\.g\.|i\.e\.|vgl\.|siehe|voir),?\s)?\s*", re.I)
_NARRATED = re.compile(
    rf"(?P<authors>{_NAME}(?:(?:\sand\s|\s&\s|\sund\s){_NAME})?(?:,?\set\sal\.?)?)(?:['’]s)?\s"
    rf"(?P<bracket>[(\[](?P<years>{_YEAR}(?:,\s?{_YEAR})*){_LOCATOR}?[)\]])"
)
_DATED = re.compile(
    r"(?:Jan|Feb|Mar|Apr|May|June?|July?|Aug|Sept?|Oct|Nov|Dec|January|February|March|April|August|September|October"
    r"|November|December|Spring|Summer|Autumn|Fall|Winter|Early|Late|Mid|Since|In|On|By|From|Until|Circa|Version|Table"
    r"|Figure|Fig|Section|Chapter|Edition|Q[1-4]|FY)\b"
)
_INITIAL = re.compile(r"\b[^\W\d_a-z]\.")
_KEY = re.compile(r"\W*([^\W\d_]{2,})[^\d]*?((?:1[5-9]|20)\d\d)(?:([a-z]?)\W*|[a-z]{2,}\w*)")
_DATING = re.compile(r"(?:1[5-9]|20)\d\d|n\.d\.")
"""What no marker in this notation lacks."""
_SHORTEST = 6
"""Two letters and a year."""

Key = tuple[str, str]
"""First word of the first author, folded, and year with its letter."""


def find(text: str) -> list[Marker]:
    """Find the markers that are citations whatever the registry holds; an id is authors and year as written."""
    candidates = _candidates(prose(text))
    sure = {cite for marker, is_sure in candidates if is_sure for cite in marker.ids}
    return [marker for marker, is_sure in candidates if is_sure or sure.issuperset(marker.ids)]


def find_known(text: str, known: Collection[str]) -> list[Marker]:
    """Find the markers, also weak and narrated ones, of which every id is a key of the registry; ids are those keys."""
    text = prose(text)
    keys = keys_of(known) if _is_dated(text) else {}
    if not keys:
        return []
    found = [marker for marker, _ in _candidates(text)]
    for one in _NARRATED.finditer(text):
        ids = tuple(f"{one['authors']}, {year}" for year in _years(one["years"]))
        found.append(Marker(start=one.start("bracket"), end=one.end("bracket"), ids=ids))
    markers = []
    for marker in found:
        ids = tuple(keys[key] for cite in marker.ids if (key := key_of(cite)) in keys)
        if len(ids) == len(marker.ids):
            markers.append(marker._replace(ids=ids))
    return markers


def keys_of(known: Collection[str]) -> dict[Key, str]:
    """The ids that read as one author and a year (``okoro2011``, ``Okoro et al., 2011``), each by its key.

    A key that two ids share names neither.
    """
    keyed = [(key, cite) for cite in known if (key := key_of(cite))]
    counts = Counter(key for key, _ in keyed)
    return {key: cite for key, cite in keyed if counts[key] == 1}


@lru_cache(maxsize=4096)  # the ids of one log come again and again
def key_of(cite: str) -> Key | None:
    """The key of an id; none when it does not read as an author and a year."""
    found = _KEY.fullmatch(cite.casefold()) if _SHORTEST <= len(cite) <= 120 else None
    return (found[1], found[2] + (found[3] or "")) if found else None


@lru_cache(maxsize=8)
def _is_dated(text: str) -> bool:
    return bool(_DATING.search(text))


@lru_cache(maxsize=8)  # asked for with and without a registry
def _candidates(text: str) -> tuple[tuple[Marker, bool], ...]:
    """Every bracket that reads as authors and years, and whether it can be nothing else."""
    if not _is_dated(text):
        return ()
    candidates = []
    for bracket in _BRACKET.finditer(text):
        inside = bracket[1] or bracket[2]
        parts = inside[_LEAD.match(inside).end() :].split(";")  # type: ignore[union-attr]  # it matches the empty text
        items = [_ITEM.fullmatch(part.strip()) for part in parts]
        if not all(items) or any(_DATED.match(item["authors"]) for item in items if item):
            continue
        ids = [f"{item['authors']}, {year}" for item in items if item for year in _years(item["years"])]
        is_sure = len(items) > 1 or bool(bracket[2]) or any(_is_sure(item) for item in items if item)
        marker = Marker(start=bracket.start(), end=bracket.end(), ids=tuple(dict.fromkeys(ids)))
        candidates.append((marker, is_sure))
    return tuple(candidates)


def _is_sure(item: re.Match[str]) -> bool:
    """Several authors, initials or a page: no place, event or film is written so."""
    return bool(item["others"] or "&" in item["authors"] or _INITIAL.search(item["authors"]) or item["locator"])


def _years(listed: str) -> list[str]:
    return re.split(r",\s?", listed)
