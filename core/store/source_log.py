"""What comes into a corpus and what is said of it: documents, places with versions, events; rows are only added."""

from __future__ import annotations

import json
import zlib
from collections.abc import Iterable, Sequence
from datetime import datetime
from enum import StrEnum
from typing import Any

from pydantic import AwareDatetime

from core.chunking import Piece
from core.errors import StoreConflict, StoreError
from core.loaders import Page
from core.models import Record, utc_now
from core.sources import Source, sha256_of
from core.store.connection import Session
from core.store.encoding import dump_json, in_utc


class NewSource(Record):
    """A document as it was read from one place, on its way into a corpus."""

    corpus: str
    uri: str
    title: str | None
    media: str
    file_sha256: str
    groups: tuple[str, ...] | None = None
    """Who may see it, empty for everyone; none: whoever may see the version before it, else everyone."""
    retain_until: AwareDatetime | None = None
    """From when it is withheld; none: as the version before it."""


class Taken(StrEnum):
    """What became of a source that was added."""

    NEW = "new"
    NEW_VERSION = "new_version"
    STANDS_AGAIN = "stands_again"
    """An earlier version of the same place, which is in use again."""
    CHANGED_RIGHTS = "changed_rights"
    """It was there; who may see it, or how long it is kept, is as was asked for now."""
    KNOWN = "known"


class Added(Record):
    """What adding a source did."""

    source: Source
    taken: Taken


class SourceEvent(Record):
    """One thing that was done about a source."""

    corpus: str
    version: str
    kind: str
    groups: tuple[str, ...] | None
    until: datetime | None
    who: str
    recorded_at: datetime


_FIELDS = (
    "doc_id, corpus, uri, title, version, sha256, file_sha256, media, pages, characters, unread, superseded, "
    "deactivated, groups, retain_until, added_at, notes"
)

_Event = tuple[int, str, list[str] | None, datetime | None]
"""Source number, kind, groups, moment."""


def add(
    session: Session, new: NewSource, pages: Sequence[Page], pieces: Sequence[Piece], chunker: str, who: str
) -> Added:
    """Store a source with its text and chunks; of what is there already nothing is written again.

    Raises:
        StoreConflict: Its id is another text's; the transaction must not be committed.
    """
    doc_no = _document(session, new.media, pages, pieces, chunker)
    there = session.all(
        "select source_no, doc_no, version, groups, retain_until, superseded, deactivated from current_sources "
        "where corpus = ? and uri = ? order by stood",
        [new.corpus, new.uri],
    )
    same = next((row for row in there if row[1] == doc_no), None)
    before = there[-1] if there else None
    groups = list(before[3] if before and new.groups is None else new.groups or ())
    until = before[4] if before and new.retain_until is None else new.retain_until
    events: list[_Event] = []
    if same is None:
        source_no = session.next_number("sources", "source_no")
        version = max((row[2] for row in there), default=0) + 1
        values = [source_no, new.corpus, new.uri, version, doc_no, new.title, new.file_sha256, utc_now()]
        session.run("insert into sources values (?, ?, ?, ?, ?, ?, ?, ?)", values)
    else:
        source_no = same[0]
    if same is None or same is not before:
        events.append((source_no, "stood", None, None))
        events += [(row[0], "superseded", None, None) for row in there if row[0] != source_no and not row[5]]
        if before and before[6]:  # what a person took out of use does not come back because its file was written
            events.append((source_no, "deactivated", None, None))
    had_groups, had_until = (list(same[3]), same[4]) if same else ([], None)
    rights: list[_Event] = [(source_no, "allowed", groups, None)] if groups != had_groups else []
    rights += [(source_no, "retained", None, until)] if in_utc(until) != in_utc(had_until) else []
    _append(session, [*events, *rights], who)
    taken = _taken(same is not None, bool(there), bool(events), bool(rights))
    (source,) = select(session, "source_no = ?", [source_no])
    return Added(source=source, taken=taken)


def _taken(known: bool, follows: bool, stands: bool, rights: bool) -> Taken:
    if not known:
        return Taken.NEW_VERSION if follows else Taken.NEW
    if stands:
        return Taken.STANDS_AGAIN
    return Taken.CHANGED_RIGHTS if rights else Taken.KNOWN


def say(
    session: Session,
    kind: str,
    doc_id: str,
    corpus: str | None,
    who: str,
    groups: Sequence[str] | None = None,
    until: datetime | None = None,
) -> list[Source]:
    """Note an event on every source of a document, in one corpus or in all of them; gives them as they are then.

    Raises:
        StoreError: There is no such source.
    """
    numbers = session.all(
        "select source_no from current_sources where doc_id = ? and corpus = coalesce(?, corpus) order by source_no",
        [doc_id, corpus],
    )
    if not numbers:
        where = "any corpus" if corpus is None else f"the corpus {corpus!r}"
        raise StoreError(f"No source {doc_id} is in {where}", "see: citedesk corpus list")
    _append(session, [(number, kind, None if groups is None else list(groups), until) for (number,) in numbers], who)
    return select(session, "source_no in ?", [[number for (number,) in numbers]])


def select(session: Session, where: str, params: Sequence[Any]) -> list[Source]:
    """The sources that a condition on ``current_sources`` names, by corpus, place and version."""
    found = session.all(
        f"select {_FIELDS} from current_sources where {where} order by corpus, uri, version, source_no", params
    )
    return [_source(dict(zip(_FIELDS.split(", "), row, strict=True))) for row in found]


def events(session: Session, doc_id: str) -> list[SourceEvent]:
    """Everything that was done about a document, oldest first."""
    found = session.all(
        "select s.corpus, s.version, e.kind, e.groups, e.until, e.who, e.recorded_at from source_events e "
        "join sources s using (source_no) join documents d using (doc_no) where d.doc_id = ? order by e.event_no",
        [doc_id],
    )
    return [
        SourceEvent(
            corpus=corpus,
            version=f"v{version}",
            kind=kind,
            groups=None if groups is None else tuple(groups),
            until=in_utc(until),
            who=who,
            recorded_at=in_utc(at),
        )
        for corpus, version, kind, groups, until, who, at in found
    ]


def _source(values: dict[str, Any]) -> Source:
    moments = {name: in_utc(values[name]) for name in ("retain_until", "added_at")}
    lists = {"notes": json.loads(values["notes"]), "version": f"v{values['version']}"}
    return Source.model_validate(values | moments | lists)


def _append(session: Session, events: Iterable[_Event], who: str) -> None:
    first = session.next_number("source_events", "event_no")
    now = utc_now()
    for offset, (source_no, kind, groups, until) in enumerate(events):
        values = [first + offset, source_no, kind, groups, until, who, now]
        session.run("insert into source_events values (?, ?, ?, ?, ?, ?, ?)", values)


def _document(session: Session, media: str, pages: Sequence[Page], pieces: Sequence[Piece], chunker: str) -> int:
    """Store a text with its chunks, or what is missing of them; gives its number."""
    sha256 = sha256_of(page.text for page in pages)
    known = session.one("select doc_no, sha256 from documents where doc_id = ?", [sha256[:12]])
    if known is not None and known[1] != sha256:
        raise StoreConflict(
            f"This text and another one have the id {sha256[:12]}", "add a line to the document, then add it again"
        )
    doc_no = int(known[0]) if known else _new_document(session, media, sha256, pages)
    if session.value("select chunker from current_cuttings where doc_no = ?", [doc_no]) != chunker:
        _cut(session, doc_no, pages, pieces, chunker)
    return doc_no


def _new_document(session: Session, media: str, sha256: str, pages: Sequence[Page]) -> int:
    doc_no = session.next_number("documents", "doc_no")
    several = len(pages) > 1
    notes = [f"page {page.number}: {note}" if several else note for page in pages for note in page.notes]
    unread = [page.number for page in pages if not page.text.strip()]
    characters = sum(len(page.text) for page in pages)
    values = [doc_no, sha256[:12], sha256, media, len(pages), characters, unread, dump_json(notes), utc_now()]
    session.run("insert into documents values (?, ?, ?, ?, ?, ?, ?, ?, ?)", values)
    session.append("document_pages", [_page_row(doc_no, page) for page in pages])
    return doc_no


def _page_row(doc_no: int, page: Page) -> dict[str, Any]:
    width, height = page.size or (None, None)
    return {
        "doc_no": doc_no,
        "page": page.number,
        "text": page.text,
        "notes": dump_json(list(page.notes)),
        "width": width,
        "height": height,
        "boxes": None if page.boxes is None else zlib.compress(page.boxes, 1),
    }


def _cut(session: Session, doc_no: int, pages: Sequence[Page], pieces: Sequence[Piece], chunker: str) -> None:
    texts = {page.number: page.text for page in pages}
    known = {
        (page, start, end): number
        for number, page, start, end in session.all(
            "select chunk_no, page, first_char, end_char from chunks where doc_no = ?", [doc_no]
        )
    }
    places = [(piece.page, piece.start, piece.end) for piece in pieces]
    new = [piece for piece, place in zip(pieces, places, strict=True) if place not in known]
    first = session.next_number("chunks", "chunk_no")
    known |= {(piece.page, piece.start, piece.end): first + offset for offset, piece in enumerate(new)}
    rows = [
        {
            "chunk_no": known[piece.page, piece.start, piece.end],
            "doc_no": doc_no,
            "page": piece.page,
            "first_char": piece.start,
            "end_char": piece.end,
            "section": piece.section,
            "paragraph": piece.paragraph,
            "text": texts[piece.page][piece.start : piece.end],
        }
        for piece in new
    ]
    session.append("chunks", rows)
    number = session.next_number("cuttings", "cutting_no")
    values = [number, doc_no, chunker, [known[place] for place in places], utc_now()]
    session.run("insert into cuttings values (?, ?, ?, ?, ?)", values)
