"""The store: every read and write of the desk, in terms of records; SQL stays in this folder."""

from __future__ import annotations

import time
from collections.abc import Collection, Iterator, Sequence
from datetime import datetime
from pathlib import Path
from types import TracebackType
from typing import Self

from core.importers import BadLine
from core.models import Answer, ClaimRow, JudgedClaim
from core.spend import Call, CostLine
from core.store import (
    answers,
    detail,
    imports,
    label_log,
    label_queue,
    overview,
    protocol_log,
    recording,
    review,
    spend,
    streams,
    trend,
)
from core.store.connection import Connection
from core.store.corpora import Corpora
from core.store.embeddings import Embeddings
from core.store.imports import ImportInfo, Outcome
from core.store.protocol_log import ProtocolUse
from core.store.queries import QueryLog
from core.store.records import (
    Batch,
    ClaimDetail,
    ClaimFilter,
    ClaimPage,
    LabelEvent,
    LabelRow,
    ProtocolInfo,
    QueueProgress,
    Recorded,
    RunHeader,
    SpanToLabel,
    StoredLabel,
    StoredVerdict,
    StoreSummary,
    TrendRow,
)
from core.store.tokens import TokenLog


class Store:
    """One open store file. Safe to use from many threads; a context manager that closes it.

    Every method raises ``StoreError`` with one sentence when the file cannot be read or written. Writes are whole or
    not at all.
    """

    def __init__(self, path: Path) -> None:
        """Open the file, making it when it is not there; see ``open_store``."""
        self._connection = Connection(path)
        self._revision = time.time_ns()
        self.tokens = TokenLog(self._connection, self._wrote)
        """The bearer tokens of the HTTP API."""
        self.corpora = Corpora(self._connection, self._wrote)
        """Sources, their chunks, and who may see them."""
        self.embeddings = Embeddings(self._connection)
        """Vectors of chunks."""
        self.queries = QueryLog(self._connection, self._wrote)
        """What was asked: what was served, and what reviewers see of the rest."""

    def __enter__(self) -> Self:
        """Give the store itself."""
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        """Close it."""
        self.close()

    @property
    def path(self) -> Path:
        """The file, absolute."""
        return self._connection.path

    def revision(self) -> int:
        """A number that grows with every write and with every opening: what was read under it is still true."""
        return self._revision

    def _wrote(self) -> None:
        self._revision += 1

    def checkpoint(self) -> None:
        """Move what is in the write-ahead log into the file."""
        self._connection.checkpoint()

    def close(self) -> None:
        """Let go of the file; closing twice does no harm."""
        self._connection.close()

    def record(self, batch: Batch) -> Recorded:
        """Write checked answers of one run in one transaction; what is known already is counted, not written again.

        A claim whose row or stages differ from its current ones under the protocol gets a new row; the old one stays.

        Raises:
            StoreError: The batch contradicts itself or an earlier one; nothing of it was written.
        """
        with self._connection.write() as session:
            recorded = recording.record(session, batch)
        self._revision += 1
        return recorded

    def finish_import(self, run: RunHeader, outcome: Outcome, refused: Sequence[BadLine]) -> None:
        """Note that a run has read its file to the end, and keep the rows it refused, with their reasons."""
        with self._connection.write() as session:
            recording.finish(session, run, outcome, refused)
        self._revision += 1

    def imports(self) -> list[ImportInfo]:
        """Every import, withdrawn ones too, the one read last first."""
        with self._connection.read() as session:
            return imports.infos(session)

    def refused(self, import_id: str) -> list[BadLine]:
        """The rows that were refused when an import was last read to its end, in the order of the file."""
        with self._connection.read() as session:
            return imports.refused(session, import_id)

    def withdraw_import(self, import_id: str, who: str) -> bool:
        """Take an import out of every view, count, queue and export; gives whether it stood before.

        Nothing is deleted: answers that another import brought stay, labels are kept, and all is back after
        ``restore_import`` or after the file is imported again.

        Raises:
            StoreError: There is no such import.
        """
        with self._connection.write() as session:
            changed = imports.withdraw(session, import_id, who)
        self._revision += changed
        return changed

    def restore_import(self, import_id: str, who: str) -> bool:
        """Put a withdrawn import back with everything that was said about it; gives whether it was withdrawn.

        Raises:
            StoreError: There is no such import.
        """
        with self._connection.write() as session:
            changed = imports.restore(session, import_id, who)
        self._revision += changed
        return changed

    def summary(self) -> StoreSummary:
        """What is in the store, and the latest runs."""
        with self._connection.read() as session:
            return overview.summary(session, self.path)

    def protocols(self) -> list[ProtocolInfo]:
        """The protocols that judged something, the one used last first."""
        with self._connection.read() as session:
            return overview.protocols(session)

    def protocol_uses(self) -> list[ProtocolUse]:
        """Every protocol there ever was a run under, in the order of their coming, also those whose claims are gone."""
        with self._connection.read() as session:
            return protocol_log.uses(session)

    def add_spend(self, calls: Sequence[Call], run_id: str | None = None) -> None:
        """Keep what calls of paid models cost; a call that is kept already is passed over."""
        with self._connection.write() as session:
            spend.add(session, calls, run_id)
        self._revision += 1

    def costs(self) -> list[CostLine]:
        """What was spent, by day (UTC) and model, the earliest day first."""
        with self._connection.read() as session:
            return spend.lines(session)

    def generators(self) -> list[str]:
        """The generators of the stored answers, by model, or by name where there is no model; sorted."""
        with self._connection.read() as session:
            return review.generators(session)

    def request_ids(self, prefix: str = "", limit: int = 50) -> list[str]:
        """Request ids that begin with ``prefix``, sorted, at most ``limit``."""
        with self._connection.read() as session:
            return review.request_ids(session, prefix, limit)

    def answers(self, after: str | None = None, limit: int = 256) -> list[Answer]:
        """Stored answers in the order of their import, each equal to what was recorded, ``uid`` included.

        Args:
            after: The uid of the last one already seen; none begins at the first.
            limit: How many at most; an empty list means there are no more.

        Raises:
            StoreError: No answer has the uid ``after``.
        """
        with self._connection.read() as session:
            return answers.after(session, after, limit)

    def claim_page(self, wanted: ClaimFilter, limit: int = 50, offset: int = 0) -> ClaimPage:
        """One page of the review list, with its total and the counts of the filter chips.

        ``label_counts`` has all nine labels and ``none``, worst first, zeros too; ``flag_counts`` what occurs. Several
        labels, flags or shapes in the filter mean any of them. Equal claims stand in the order of their import.
        """
        with self._connection.read() as session:
            return review.page(session, wanted, limit, offset)

    def claim_position(self, wanted: ClaimFilter, claim_uid: str) -> int | None:
        """Where a claim stands in that list, from 0; none when the filter does not show it."""
        with self._connection.read() as session:
            return review.position(session, wanted, claim_uid)

    def rows(self, wanted: ClaimFilter) -> Iterator[ClaimRow]:
        """Stream the full rows of that list, in its order: as many as ``total`` said at the same revision."""
        return review.rows(self._connection, wanted)

    def judged_claims(self, wanted: ClaimFilter) -> Iterator[JudgedClaim]:
        """Stream the same rows in the same order, each with its whole answer; slower than ``rows``."""
        return streams.judged_claims(self._connection, wanted)

    def verdicts(self, wanted: ClaimFilter) -> Iterator[StoredVerdict]:
        """Stream what each stage said of the claims of that list, claim after claim, in the order of the stages."""
        return streams.verdicts(self._connection, wanted)

    def claim(self, claim_uid: str, protocol: str | None = None) -> ClaimDetail | None:
        """Everything about a claim under a protocol, or under the one that judged it last; none when there is none."""
        with self._connection.read() as session:
            return detail.claim(session, claim_uid, protocol)

    def trend(
        self, protocols: Sequence[str], bucket: str, time_zone: str, generator: str | None = None
    ) -> list[TrendRow]:
        """Counts by bucket of ``asked_at``, protocol after protocol, in time order, undated answers last.

        Args:
            protocols: As printed; one that judged nothing gives no rows.
            bucket: ``day``, ``week`` (from Monday) or ``month``; buckets without claims are left out.
            time_zone: An IANA name; a bucket begins at midnight there.
            generator: Only answers of this model or, without a model, name.

        Raises:
            InputError: The bucket or the time zone does not exist.
        """
        with self._connection.read() as session:
            return trend.rows(session, protocols, bucket, time_zone, generator)

    def spans_to_label(
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

    def span_to_label(self, claim_uid: str, cite: str | None) -> SpanToLabel | None:
        """One span as a labeller sees it; none when there is no such claim or it does not have that citation."""
        with self._connection.read() as session:
            return label_queue.one(session, claim_uid, cite)

    def add_label_events(
        self, events: Sequence[LabelEvent], taken_at: Sequence[datetime] | None = None
    ) -> list[StoredLabel]:
        """Append labelling events in one transaction and read them back after the commit, in the order given.

        An event whose id is stored already, with the same content, is not written again but given back.

        Args:
            events: In the order in which they happened.
            taken_at: When another store took each of them; none means that they happen now.

        Raises:
            StoreConflict: An id is stored with other content, a claim or citation is unknown, or an undo names no label
                of this labeller on this span; nothing was written.
        """
        with self._connection.write() as session:
            new = label_log.add(session, events, taken_at)
        if new:
            self._revision += 1
        with self._connection.read() as session:
            return label_log.by_id(session, [event.event_id for event in events])

    def current_labels(self, claim_uid: str | None = None) -> list[StoredLabel]:
        """Current labels and skips of one claim or of all, after undo: per span, labeller and guideline the last."""
        with self._connection.read() as session:
            return label_log.current(session, claim_uid)

    def last_events(self, labeller: str, limit: int = 20) -> list[StoredLabel]:
        """A labeller's latest labels and skips that were not taken back, newest first: what undo undoes, in order."""
        with self._connection.read() as session:
            return label_log.last(session, labeller, limit)

    def progress(self, labeller: str, guideline: str | None = None) -> QueueProgress:
        """How far a labeller is with the queue, under one guideline or under any."""
        with self._connection.read() as session:
            return label_queue.progress(session, labeller, guideline)

    def label_rows(self) -> Iterator[LabelRow]:
        """Stream every person's current labels and skips, oldest first, with claim and cited text."""
        return label_log.export(self._connection)

    def known_events(self, event_ids: Sequence[str]) -> set[str]:
        """Those of some event ids that are stored."""
        with self._connection.read() as session:
            return {stored.event.event_id for stored in label_log.by_id(session, event_ids)}

    def label_events(self) -> Iterator[StoredLabel]:
        """Stream every event, labels taken back and undos too, in the order in which they were stored."""
        return label_log.history(self._connection)


def open_store(path: Path) -> Store:
    """Open a store file, making it and its folders when they are not there, and bring its schema up to date.

    Raises:
        StoreBusy: Another process has it open; the message names it when it is known.
        StoreTooNew: A newer Citedesk wrote it.
        StoreError: It cannot be opened or made; nothing half-made is left behind.
    """
    return Store(path)
