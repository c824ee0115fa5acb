"""What people say of claims and cited spans: the log, and what each of them may read next."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from datetime import datetime
from functools import partial

from core.models import digest
from core.store import access, label_log, label_queue
from core.store.access import Groups
from core.store.connection import Connection
from core.store.label_board import Boards
from core.store.label_records import LabelEvent, LabelRow, Place, QueueProgress, Sight, SpanToLabel, StoredLabel
from core.store.label_spans import LabelSpans
from core.store.places import Places


class Labels:
    """The labelling part of a store; see ``Store`` for what holds of all its methods."""

    def __init__(
        self,
        connection: Connection,
        wrote: Callable[[], None],
        boards: Boards,
        places: Places,
        spans: LabelSpans,
    ) -> None:
        """Read and write through this connection, and say when something was written.

        Args:
            connection: To the store.
            wrote: Called after every write.
            boards: Told of every label.
            places: Where spans are.
            spans: What labellers see.
        """
        self._connection = connection
        self._wrote = wrote
        self._boards, self._places, self._spans = boards, places, spans

    def ahead(
        self, labeller: str, guideline: str, limit: int = 30, exclude: Collection[tuple[str, str | None]] = ()
    ) -> list[SpanToLabel]:
        """What a labeller has not labelled under a guideline, next first: cited spans, and material claims without one.

        The order is fixed and says nothing of the claim; the spans of a claim stand together. What was skipped comes
        after all the rest, the longest ago first.

        Args:
            labeller: Whose queue.
            guideline: The guideline version they label by.
            limit: How many at most.
            exclude: Pairs of claim uid and cite that are on their way already.
        """
        with self._connection.read() as session:
            return label_queue.to_label(session, labeller, guideline, limit, exclude)

    def span(self, claim_uid: str, cite: str | None) -> SpanToLabel | None:
        """One span as a labeller sees it; none when there is no such claim or it does not have that citation."""
        return self._spans.get((claim_uid, cite))

    def barred(self, claim_uids: Collection[str], groups: Groups) -> set[str]:
        """Those of some claims that cite what somebody in these groups may not read; none: whoever keeps the desk."""
        with self._connection.read() as session:
            return access.barred(session, claim_uids, groups)

    def rights(self, groups: Groups) -> str:
        """Becomes another one when it may have changed what somebody in these groups may read; says nothing else."""
        return digest([groups and sorted(groups), self._connection.change(access.says)])[:16]

    def spans(self, places: Collection[Place]) -> list[SpanToLabel]:
        """Many spans at once, by claim uid and cite; those that are not in the store are left out."""
        with self._connection.read() as session:
            found = self._places.numbers(session, places)
        return self._spans.read(list(found.values()))

    def add(
        self,
        events: Sequence[LabelEvent],
        taken_at: Sequence[datetime] | None = None,
        sights: Sequence[Sight] = (),
    ) -> list[StoredLabel]:
        """Append labelling events in one transaction and read them back after the commit, in the order given.

        An event whose id is stored already, with the same content, is not written again but given back.

        Args:
            events: In the order in which they happened.
            taken_at: When another store took each of them; none means that they happen now.
            sights: What the person of these events had before their eyes, for the audit chain.

        Raises:
            StoreConflict: An id is stored with other content, a claim or citation is unknown, or an undo names no label
                of this labeller on this span; nothing was written.
        """
        with self._connection.write() as session:
            if sights:
                label_log.saw(session, events[0].labeller, sights)
            changed = label_log.add(session, self._places, events, taken_at)
            if changed is not None:
                session.afterwards.append(partial(self._boards.take, changed))
        if changed is not None:
            self._wrote()
        with self._connection.read() as session:
            return label_log.by_id(session, self._places, [event.event_id for event in events])

    def saw(self, person: str, sights: Sequence[Sight]) -> None:
        """Note which spans a person had before their eyes, for the audit chain alone."""
        if sights:
            with self._connection.write() as session:
                label_log.saw(session, person, sights)

    def current(self, claim_uid: str | None = None) -> list[StoredLabel]:
        """Current labels and skips of one claim or of all, after undo: per span, labeller and guideline the last."""
        with self._connection.read() as session:
            return label_log.current(session, claim_uid)

    def last(self, labeller: str, limit: int = 20) -> list[StoredLabel]:
        """A labeller's latest labels and skips that were not taken back, newest first: what undo undoes, in order."""
        with self._connection.read() as session:
            return label_log.last(session, labeller, limit)

    def progress(self, labeller: str, guideline: str | None = None) -> QueueProgress:
        """How far a labeller is with the queue, under one guideline or under any."""
        with self._connection.read() as session:
            return label_queue.progress(session, labeller, guideline)

    def rows(self) -> Iterator[LabelRow]:
        """Stream every person's current labels and skips, oldest first, with claim and cited text."""
        return label_log.export(self._connection)

    def known(self, event_ids: Sequence[str]) -> set[str]:
        """Those of some event ids that are stored."""
        with self._connection.read() as session:
            return {stored.event.event_id for stored in label_log.by_id(session, self._places, event_ids)}

    def events(self) -> Iterator[StoredLabel]:
        """Stream every event, labels taken back and undos too, in the order in which they were stored."""
        return label_log.history(self._connection)
