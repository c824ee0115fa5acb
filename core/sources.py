"""Sources and chunks: a document at one version in one corpus, and a stretch of it under a name it keeps for ever."""

from __future__ import annotations

import hashlib
import re
import textwrap
from collections.abc import Collection, Iterable
from datetime import datetime
from enum import StrEnum
from typing import NamedTuple
from urllib.parse import unquote

from core.models import Evidence, Record

CORPUS = "main"
"""The corpus that is meant where none is named."""

_LONGEST_SECTION = 80
_CHUNK = re.compile(
    r"(?P<doc>[0-9a-f]{12}):p(?P<page>[1-9]\d{0,6})\.(?P<start>0|[1-9]\d{0,9})-(?P<end>[1-9]\d{0,9})\Z", re.A
)


class Withheld(StrEnum):
    """Why nothing of a source may be given to a new request; stored nowhere, shown in words."""

    DEACTIVATED = "deactivated"
    SUPERSEDED = "superseded"
    EXPIRED = "expired"
    NO_TEXT = "no_text"
    GROUPS = "groups"
    """Only for groups that the caller is not in; who is told so is told that the source is there."""


class Source(Record):
    """One document at one version, as a corpus holds it."""

    doc_id: str
    """First 12 hex of ``sha256``."""
    corpus: str
    uri: str
    """Where it was read from; two sources of one corpus with the same one are versions of each other."""
    title: str | None
    version: str
    """``v1``, ``v2``, … by the order of their coming at this ``uri``."""
    sha256: str
    """64 hex; see ``sha256_of``."""
    file_sha256: str
    """64 hex over the file's bytes."""
    media: str
    """The loader that read it."""
    pages: int
    characters: int
    """Code points of all pages."""
    unread: tuple[int, ...]
    """Pages without text: scans, or empty ones."""
    superseded: bool
    """Another version of the same ``uri`` came after it."""
    deactivated: bool
    """A person took it out of use."""
    groups: tuple[str, ...]
    """Who may see it; empty means everyone."""
    retain_until: datetime | None
    """From this moment on it is withheld; none means never."""
    added_at: datetime
    notes: tuple[str, ...]
    """What a reader of its text alone may miss, each with its page where there are several."""

    @property
    def active(self) -> bool:
        """Whether it is the version in use, as far as people and newer versions say."""
        return not (self.superseded or self.deactivated)

    def withheld(self, groups: Collection[str] | None, now: datetime) -> Withheld | None:
        """Why it is kept from a new request of somebody in these groups; none when it is not.

        Args:
            groups: Those of the caller; none stands for whoever keeps the desk, who may see everything.
            now: The present moment.
        """
        if groups is not None and self.groups and not set(self.groups) & set(groups):
            return Withheld.GROUPS
        if self.deactivated:
            return Withheld.DEACTIVATED
        if self.retain_until is not None and self.retain_until <= now:
            return Withheld.EXPIRED
        if len(self.unread) >= self.pages:
            return Withheld.NO_TEXT
        return Withheld.SUPERSEDED if self.superseded else None


HIDING = frozenset({Withheld.DEACTIVATED, Withheld.EXPIRED, Withheld.GROUPS})
"""What also hides the text in answers of before; a newer version does not, they go on showing what they cited."""


def hiding(places: Iterable[Source], groups: Collection[str] | None, now: datetime) -> Withheld | None:
    """Why a document of one corpus must not be shown any more; none when any of its places there may still be seen."""
    reasons = [source.withheld(groups, now) for source in places]
    found = [reason for reason in reasons if reason in HIDING]
    return found[0] if found and len(found) == len(reasons) else None


def origin_of(entry: Evidence) -> tuple[str, str] | None:
    """The corpus and the document that an entry of a registry came from; none when it came from no corpus."""
    corpus, chunk_id = entry.meta.get("corpus"), entry.meta.get("chunk_id")
    if not isinstance(corpus, str) or not isinstance(chunk_id, str):
        return None
    return corpus, chunk_id.partition(":")[0]


class Chunk(Record):
    """A stretch of a source's page, with what a reader needs to find it."""

    chunk_id: str
    """``DocID:p{page}.{start}-{end}``."""
    chunk_no: int
    """The store's number for it; the same text in two corpora has one."""
    doc_id: str
    corpus: str
    page: int
    start: int
    """In code points of the stored page text."""
    end: int
    text: str
    """Exactly that stretch."""
    section: str | None
    paragraph: int
    locator: str
    """For a reader: file, page, section, paragraph."""
    ordinal: int
    """Which chunk of its document, counted from 0."""
    uri: str
    title: str | None
    source_version: str
    sha256: str
    """Of the source."""
    groups: tuple[str, ...]


class Place(NamedTuple):
    """What a chunk's id says."""

    doc_id: str
    page: int
    start: int
    end: int

    def __str__(self) -> str:
        """The id."""
        return f"{self.doc_id}:p{self.page}.{self.start}-{self.end}"


def place_of(chunk_id: str) -> Place | None:
    """Read a chunk's id; none when it has not the shape of one, to the character."""
    found = _CHUNK.match(chunk_id)
    if found is None:
        return None
    place = Place(found["doc"], int(found["page"]), int(found["start"]), int(found["end"]))
    return place if place.start < place.end else None


def sha256_of(pages: Iterable[str]) -> str:
    """64 hex over the UTF-8 of a source's text; between two pages stands the byte FF, which UTF-8 never has.

    Where a page ends is part of what a chunk's id means, so the same words on other pages are another source.
    """
    return hashlib.sha256(b"\xff".join(page.encode("utf-8", "surrogatepass") for page in pages)).hexdigest()


def locator(uri: str, pages: int, page: int, section: str | None, paragraph: int) -> str:
    """Where a chunk stands, for a reader: ``policy.pdf, page 4, § Refunds, paragraph 2``."""
    parts = [unquote(uri.rstrip("/").rpartition("/")[2]) or uri]
    parts += [f"page {page}"] if pages > 1 else []
    parts += [f"§ {textwrap.shorten(section, _LONGEST_SECTION, placeholder='…')}"] if section else []
    return ", ".join([*parts, f"paragraph {paragraph}"])
