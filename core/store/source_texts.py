"""Chunks and pages out of the store: for new requests what is in use and may be seen, by its id whatever ever was."""

from __future__ import annotations

import json
import zlib
from collections.abc import Collection, Iterator, Sequence
from datetime import datetime
from typing import Any

from core.loaders import Page
from core.models import Record
from core.sources import Chunk, Place, Source, locator, place_of
from core.store import source_log
from core.store.connection import Connection, Session

_DOCUMENTS_AT_ONCE = 256
"""Documents whose chunks are in memory at a time."""

_MAY_BE_SEEN = (
    "not superseded and not deactivated and (retain_until is null or retain_until > ?) and len(unread) < pages "
    "and (? or len(groups) = 0 or list_has_any(groups, ?::varchar[]))"
)
"""What ``Source.withheld`` says, for many at once."""

_VISIBLE = (
    f"select doc_no, min(source_no) as source_no from current_sources where {_MAY_BE_SEEN} and corpus = ? "
    "group by doc_no"
)
"""One source of each document that a new request may see."""

_CHUNK = (
    "c.chunk_no, d.doc_id, s.corpus, c.page, c.first_char, c.end_char, c.text, c.section, c.paragraph, s.uri, s.title, "
    "s.version, d.sha256, s.groups, d.pages, "
)


class CorpusInfo(Record):
    """One corpus, as somebody sees it."""

    name: str
    sources: int
    pages: int
    chunks: int


def visible(session: Session, corpus: str, groups: Collection[str] | None, now: datetime) -> dict[str, int]:
    """The documents that a new request may see, each with the number of the source it is seen as."""
    found = session.all(
        f"select d.doc_id, v.source_no from ({_VISIBLE}) v join documents d using (doc_no) order by v.source_no",
        [*_asking(groups, now), corpus],
    )
    return dict(found)


def infos(session: Session, groups: Collection[str] | None, now: datetime) -> list[CorpusInfo]:
    """The corpora in which somebody may see something, by name; what they may not see is not counted."""
    found = session.all(
        f"select v.corpus, count(*), sum(d.pages)::bigint, sum(len(k.chunk_nos))::bigint "
        f"from (select distinct corpus, doc_no from current_sources where {_MAY_BE_SEEN}) v "
        "join documents d using (doc_no) join current_cuttings k using (doc_no) group by 1 order by 1",
        _asking(groups, now),
    )
    return [CorpusInfo(name=name, sources=count, pages=pages, chunks=cut) for name, count, pages, cut in found]


def chunks(connection: Connection, corpus: str, groups: Collection[str] | None, now: datetime) -> Iterator[Chunk]:
    """Stream the chunks that a new request may see, source after source in the order of their coming."""
    with connection.read() as session:
        rows = session.all(f"{_VISIBLE} order by source_no", [*_asking(groups, now), corpus])
    for first in range(0, len(rows), _DOCUMENTS_AT_ONCE):
        group = rows[first : first + _DOCUMENTS_AT_ONCE]
        with connection.read() as session:
            found = session.all(
                f"select {_CHUNK} k.at "
                "from (select doc_no, unnest(chunk_nos) as chunk_no, generate_subscripts(chunk_nos, 1) - 1 as at "
                "from current_cuttings where doc_no in ?) k "
                "join chunks c using (chunk_no) join documents d on d.doc_no = c.doc_no "
                "join (select * from current_sources where source_no in ?) s on s.doc_no = c.doc_no "
                "order by s.source_no, k.at",
                [[doc_no for doc_no, _ in group], [source_no for _, source_no in group]],
            )
        yield from map(_chunk, found)


def by_ids(session: Session, chunk_ids: Sequence[str], corpus: str | None) -> dict[str, Chunk]:
    """The chunks of these names, also those of sources out of use; names that mean nothing are left out.

    A chunk that several corpora hold is given as the one named has it, else as the first has it.
    """
    places = {place: name for name in chunk_ids if (place := place_of(name)) is not None}
    found = session.all(
        f"select {_CHUNK} coalesce(list_position(k.chunk_nos, c.chunk_no), 0) - 1 "
        "from (select unnest(?::varchar[]) as doc_id, unnest(?::integer[]) as page, unnest(?::bigint[]) as first_char, "
        "unnest(?::bigint[]) as end_char) w join documents d using (doc_id) "
        "join chunks c on c.doc_no = d.doc_no and c.page = w.page and c.first_char = w.first_char "
        "and c.end_char = w.end_char "
        "join current_sources s on s.doc_no = d.doc_no left join current_cuttings k on k.doc_no = d.doc_no "
        "order by s.corpus is distinct from ?, s.superseded, s.source_no",
        [*([place[at] for place in places] for at in range(4)), corpus],
    )
    chunks: dict[str, Chunk] = {}
    for row in found:
        chunk = _chunk(row)
        chunks.setdefault(chunk.chunk_id, chunk)
    return chunks


def chunk_count(session: Session, doc_id: str) -> int:
    """How many chunks a document has as it is cut now."""
    sql = "select len(chunk_nos) from current_cuttings join documents using (doc_no) where doc_id = ?"
    return int(session.value(sql, [doc_id]) or 0)


def page(session: Session, doc_id: str, number: int) -> Page | None:
    """A page as it was read, without its headings; none when there is no such page."""
    row = session.one(
        "select p.text, p.notes, p.width, p.height, p.boxes from document_pages p join documents d using (doc_no) "
        "where d.doc_id = ? and p.page = ?",
        [doc_id, number],
    )
    if row is None:
        return None
    text, notes, width, height, boxes = row
    return Page(
        number=number,
        text=text,
        notes=tuple(json.loads(notes)),
        size=None if width is None else (width, height),
        boxes=None if boxes is None else zlib.decompress(boxes),
    )


def standing(session: Session, corpus: str, uris: Collection[str]) -> dict[str, Source]:
    """The version that came last at each of these places, whether it is in use or not."""
    found = source_log.select(
        session,
        "source_no in (select arg_max(source_no, stood) from current_sources where corpus = ? and uri in ? "
        "group by uri)",
        [corpus, list(uris)],
    )
    return {source.uri: source for source in found}


def state(session: Session, corpus: str) -> tuple[int, int]:
    """Two numbers, one of which grows with everything that changes a corpus but the passing of time."""
    row = session.one(
        "select coalesce(max(e.event_no), 0), coalesce(max(k.cutting_no), 0) from sources s "
        "join source_events e using (source_no) join cuttings k using (doc_no) where s.corpus = ?",
        [corpus],
    )
    return (0, 0) if row is None else (row[0], row[1])


def _asking(groups: Collection[str] | None, now: datetime) -> list[Any]:
    return [now, groups is None, sorted(groups or ())]


def _chunk(row: Sequence[Any]) -> Chunk:
    number, doc_id, corpus, page, start, end, text, section, paragraph, uri, title, version, sha256, *rest = row
    groups, pages, at = rest
    return Chunk(
        chunk_id=str(Place(doc_id, page, start, end)),
        chunk_no=number,
        doc_id=doc_id,
        corpus=corpus,
        page=page,
        start=start,
        end=end,
        text=text,
        section=section,
        paragraph=paragraph,
        locator=locator(uri, pages, page, section, paragraph),
        ordinal=at,
        uri=uri,
        title=title,
        source_version=f"v{version}",
        sha256=sha256,
        groups=tuple(groups),
    )
