"""Corpora in the store: what comes in, what is said of it, what a request may see, and every text for ever."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from datetime import datetime

from core.chunking import Piece
from core.loaders import Page
from core.models import Evidence
from core.sources import Chunk, Source
from core.store import source_log, source_texts, withheld
from core.store.connection import Connection
from core.store.source_log import Added, NewSource, SourceEvent
from core.store.source_texts import CorpusInfo
from core.withholding import Hidden


class Corpora:
    """The part of a store that holds sources; like the store safe to use from many threads.

    Where ``groups`` is asked for, it is those of the caller; none stands for whoever keeps the desk and sees all.
    """

    def __init__(self, connection: Connection, changed: Callable[[], None]) -> None:
        """Use the store's connection; ``changed`` is called after every write."""
        self._connection = connection
        self._changed = changed

    def add(self, new: NewSource, pages: Sequence[Page], pieces: Sequence[Piece], chunker: str, who: str) -> Added:
        """Store a source with pages, boxes and chunks in one transaction.

        The text of a place that changed becomes its next version, and the one before it is superseded; the text that
        stands there already adds nothing, however often it comes.

        Raises:
            StoreConflict: Its id is another text's; nothing was written.
        """
        with self._connection.write() as session:
            added = source_log.add(session, new, pages, pieces, chunker, who)
        self._changed()
        return added

    def deactivate(self, doc_id: str, corpus: str | None, who: str) -> list[Source]:
        """Take a document out of use, in one corpus or in all; see ``Source.withheld``.

        Raises:
            StoreError: There is no such source.
        """
        return self._say("deactivated", doc_id, corpus, who)

    def activate(self, doc_id: str, corpus: str | None, who: str) -> list[Source]:
        """Put a document back into use, also a version that a newer one superseded.

        Raises:
            StoreError: There is no such source.
        """
        return self._say("activated", doc_id, corpus, who)

    def retain(self, doc_id: str, corpus: str | None, until: datetime | None, who: str) -> list[Source]:
        """Say from when on a document is withheld; none: never.

        Raises:
            StoreError: There is no such source.
        """
        return self._say("retained", doc_id, corpus, who, until=until)

    def allow(self, doc_id: str, corpus: str | None, groups: Sequence[str], who: str) -> list[Source]:
        """Say who may see a document; nobody named means everyone.

        Raises:
            StoreError: There is no such source.
        """
        return self._say("allowed", doc_id, corpus, who, groups=groups)

    def sources(self, corpus: str | None = None) -> list[Source]:
        """Every source of a corpus, or of all, versions out of use too: by corpus, place and version."""
        with self._connection.read() as session:
            return source_log.select(session, "corpus = coalesce(?, corpus)", [corpus])

    def sources_of(self, doc_ids: Collection[str]) -> list[Source]:
        """Every source that holds one of these documents."""
        with self._connection.read() as session:
            return source_log.select(session, "doc_id in ?", [list(doc_ids)])

    def versions(self, corpus: str, uri: str) -> list[Source]:
        """Every version of one place, the first one first."""
        with self._connection.read() as session:
            return source_log.select(session, "corpus = ? and uri = ?", [corpus, uri])

    def standing(self, corpus: str, uris: Collection[str]) -> dict[str, Source]:
        """By place, the version that came last, in use or not; places that are not known are left out."""
        with self._connection.read() as session:
            return source_texts.standing(session, corpus, uris)

    def events(self, doc_id: str) -> list[SourceEvent]:
        """Everything that was done about a document, oldest first."""
        with self._connection.read() as session:
            return source_log.events(session, doc_id)

    def corpora(self, groups: Collection[str] | None, now: datetime) -> list[CorpusInfo]:
        """The corpora in which the caller may see something, with the counts of what they may see."""
        with self._connection.read() as session:
            return source_texts.infos(session, groups, now)

    def visible(self, corpus: str, groups: Collection[str] | None, now: datetime) -> frozenset[str]:
        """The ids of the documents that a new request of the caller may see."""
        with self._connection.read() as session:
            return frozenset(source_texts.visible(session, corpus, groups, now))

    def chunks(self, corpus: str, groups: Collection[str] | None, now: datetime) -> Iterator[Chunk]:
        """Stream what a new request of the caller may see, in the order in which it came; each chunk once."""
        return source_texts.chunks(self._connection, corpus, groups, now)

    def chunk(self, chunk_id: str, corpus: str | None = None) -> Chunk | None:
        """The chunk of this name, in use or not, for ever; see ``chunks_of``. It does not ask who may see it."""
        return self.chunks_of([chunk_id], corpus).get(chunk_id)

    def chunks_of(self, chunk_ids: Sequence[str], corpus: str | None = None) -> dict[str, Chunk]:
        """The chunks of these names; what was never a chunk is left out.

        Of a chunk that several corpora hold, the source in ``corpus`` is told, else the one that came first.
        """
        with self._connection.read() as session:
            return source_texts.by_ids(session, chunk_ids, corpus)

    def chunk_count(self, doc_id: str) -> int:
        """How many chunks a document has as it is cut now."""
        with self._connection.read() as session:
            return source_texts.chunk_count(session, doc_id)

    def page(self, doc_id: str, number: int) -> Page | None:
        """A page as it was read, with its size and boxes, without headings; none when there is no such page."""
        with self._connection.read() as session:
            return source_texts.page(session, doc_id, number)

    def page_text(self, doc_id: str, number: int) -> str | None:
        """The stored text of a page, which the places of chunks count in."""
        page = self.page(doc_id, number)
        return None if page is None else page.text

    def page_boxes(self, doc_id: str, number: int) -> bytes | None:
        """Where each code point of a page stands; see ``Page.boxes``."""
        page = self.page(doc_id, number)
        return None if page is None else page.boxes

    def any_hidden(self, groups: Collection[str] | None, now: datetime) -> bool:
        """Whether the words of any source are hidden from the caller."""
        with self._connection.read() as session:
            return withheld.any_hidden(session, groups, now)

    def changed_between(self, since: datetime, now: datetime) -> bool:
        """Whether what may be shown of any source may have become less between two moments."""
        with self._connection.read() as session:
            return withheld.changed_between(session, since, now)

    def hidden(self, entries: Sequence[Evidence], groups: Collection[str] | None, now: datetime) -> Hidden:
        """Which entries of one request are hidden from the caller; see ``core.withholding``."""
        with self._connection.read() as session:
            return withheld.hidden_in(session, {0: entries}, groups, now)[0]

    def hidden_of_claims(
        self, claim_uids: Collection[str], groups: Collection[str] | None, now: datetime
    ) -> dict[str, Hidden]:
        """The same for the requests of some claims, by claim uid; those with nothing hidden are left out."""
        with self._connection.read() as session:
            return withheld.hidden_of_claims(session, claim_uids, groups, now)

    def state(self, corpus: str) -> tuple[int, int]:
        """Two numbers that stay the same as long as nothing is added to a corpus and nothing said about it."""
        with self._connection.read() as session:
            return source_texts.state(session, corpus)

    def _say(
        self,
        kind: str,
        doc_id: str,
        corpus: str | None,
        who: str,
        groups: Sequence[str] | None = None,
        until: datetime | None = None,
    ) -> list[Source]:
        with self._connection.write() as session:
            found = source_log.say(session, kind, doc_id, corpus, who, groups, until)
        self._changed()
        return found
