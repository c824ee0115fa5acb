"""The store: every read and write of the desk, in terms of records; SQL stays in this folder."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from datetime import datetime
from pathlib import Path
from types import TracebackType
from typing import Self

from core.importers import BadLine
from core.judge_time import JudgeTime
from core.models import Answer, ClaimRow, JudgedClaim
from core.people import Person
from core.spend import Call, CostLine
from core.store import (
    answers,
    detail,
    imports,
    overview,
    protocol_log,
    recording,
    review,
    spend,
    streams,
)
from core.store.adjudications import Adjudications
from core.store.adoptions import Adoptions
from core.store.anchors import Anchors
from core.store.audit_log import AuditLog
from core.store.claim_gold import ClaimGold
from core.store.claim_vectors import ClaimVectors
from core.store.comparisons import Comparisons
from core.store.connection import Connection
from core.store.corpora import Corpora
from core.store.corpus_policies import CorpusPolicies
from core.store.embeddings import Embeddings
from core.store.guidelines import Guidelines
from core.store.imports import ImportInfo, Outcome
from core.store.judged_gold import JudgedGold
from core.store.label_board import Boards
from core.store.label_drafts import Drafts
from core.store.label_quality import LabelQuality
from core.store.label_spans import LabelSpans
from core.store.labels import Labels
from core.store.notebooks import Notebooks
from core.store.places import Places
from core.store.protocol_log import ProtocolUse
from core.store.queries import QueryLog
from core.store.queues import Queues
from core.store.records import (
    Batch,
    ClaimDetail,
    ClaimFilter,
    ClaimPage,
    ConcealedClaim,
    JudgedAnswer,
    ProtocolInfo,
    Recorded,
    RunHeader,
    StoredVerdict,
    StoreSummary,
    TrendRow,
)
from core.store.references import References
from core.store.reveals import Reveals
from core.store.roles import Roles
from core.store.sandbox import Sandbox
from core.store.saved_views import SavedViews
from core.store.slices import Slices
from core.store.table_copies import TableCopies
from core.store.time_marks import TimeMarks
from core.store.tokens import TokenLog
from core.store.trend import Trends


class Store:
    """One open store file. Safe to use from many threads; a context manager that closes it.

    Every method raises ``StoreError`` with one sentence when the file cannot be read or written. Writes are whole or
    not at all.
    """

    def __init__(self, path: Path, connection: Connection | None = None) -> None:
        """Open the file, making it when it is not there; see ``open_store``. A connection given is used instead."""
        self._connection = connection or Connection(path)
        self._revision = time.time_ns()
        self.tokens = TokenLog(self._connection, self._wrote)
        """The bearer tokens of the HTTP API."""
        self.corpora = Corpora(self._connection, self._wrote)
        """Sources, their chunks, and who may see them."""
        self.corpus_policies = CorpusPolicies(self._connection, self._wrote)
        """What corpora let be asked of the outside."""
        self.embeddings = Embeddings(self._connection)
        """Vectors of chunks."""
        boards, places = Boards(), Places()
        spans = LabelSpans(self._connection, places)
        self.labels = Labels(self._connection, self._wrote, boards, places, spans)
        """What people say of claims, and what they may read next."""
        self.gold = ClaimGold(self._connection, self._wrote)
        """What gold is made of, and labels of whole claims from elsewhere."""
        self.judged_gold = JudgedGold(self._connection)
        """What judges are measured from."""
        self.comparisons = Comparisons(self._connection)
        """What protocols are compared from."""
        self.adoptions = Adoptions(self._connection, self._wrote)
        """Protocols that were made of calibrations."""
        self.trends = Trends(self._connection)
        """Counts over time."""
        self.anchors = Anchors(self._connection, self._wrote)
        """The claims that every judge judges."""
        self.time_marks = TimeMarks(self._connection, self._wrote)
        """Days that people marked on the time axis."""
        self.adjudications = Adjudications(self._connection, self._wrote)
        """What was decided where labellers differ."""
        self.quality = LabelQuality(self._connection)
        """What quality is read from."""
        self.drafts = Drafts(self._connection)
        """What people are writing of claims right now."""
        self.guidelines = Guidelines(self._connection, self._wrote)
        """The definitions that labels are given under."""
        self.audit = AuditLog(self._connection)
        """Who did what to what, and when."""
        self.roles = Roles(self._connection, self._wrote)
        """Who signed in, and what they may do."""
        self.references = References(self._connection, self._wrote)
        """Works outside the registries: what was found out, and what people supplied."""
        self.reveals = Reveals(self._connection)
        """Who was shown what judges said, and from whom it is concealed."""
        self.queues = Queues(self._connection, self._wrote, boards, spans)
        """Which claims are drawn for labelling, and who gets which next."""
        self.queries = QueryLog(self._connection, self._wrote)
        """What was asked: what was served, and what reviewers see of the rest."""
        self.slices = Slices(self._connection)
        """What failures are counted by."""
        self.claim_vectors = ClaimVectors(self._connection)
        """Vectors of claims."""
        self.saved_views = SavedViews(self._connection, self._wrote)
        """Filters of the pages under a name."""
        self.sandbox = Sandbox(self._connection, self.revision)
        """Answers SQL over a copy of the documented views."""
        self.copies = TableCopies(self._connection)
        """Every table, out to files."""
        self.notebooks = Notebooks(self._connection, self._wrote)
        """What people ask and note, cell by cell."""

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
        self.sandbox.close()
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

    def protocol_first_uses(self) -> dict[str, datetime | None]:
        """The same protocols by name, each with when it was first used; none when no run of it is recorded."""
        with self._connection.read() as session:
            return protocol_log.first_uses(session)

    def add_spend(self, calls: Sequence[Call], run_id: str | None = None) -> None:
        """Keep what calls of paid models cost; a call that is kept already is passed over."""
        with self._connection.write() as session:
            spend.add(session, calls, run_id)
        self._revision += 1

    def add_judge_times(self, times: Sequence[JudgeTime], run_id: str) -> None:
        """Keep how long a run's judge took; what is kept already is passed over."""
        with self._connection.write() as session:
            spend.add_times(session, times, run_id)
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

    def answers_named(self, request_id: str) -> list[Answer]:
        """The stored answers with exactly this request id, in the order of their import."""
        with self._connection.read() as session:
            found = session.all(
                "select request_no from standing_requests where request_id = ? order by request_no", [request_id]
            )
            return list(answers.get(session, [number for (number,) in found]).values())

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

    def judged_answers(self, protocol: str) -> Iterator[JudgedAnswer]:
        """Stream every answer that a protocol judged, in the order of their import, with its claims in theirs."""
        return streams.judged_answers(self._connection, protocol)

    def verdicts(self, wanted: ClaimFilter) -> Iterator[StoredVerdict]:
        """Stream what each stage said of the claims of that list, claim after claim, in the order of the stages."""
        return streams.verdicts(self._connection, wanted)

    def claim(self, claim_uid: str, protocol: str | None = None, reader: Person | None = None) -> ClaimDetail | None:
        """Everything about a claim under a protocol, or under the one that judged it last; none when there is none.

        Also none when it is concealed from the reader; other claims of its answer that are, are left out.
        """
        with self._connection.read() as session:
            return detail.claim(session, claim_uid, protocol, reader)

    def concealed_claim(self, claim_uid: str) -> ConcealedClaim | None:
        """What everybody may know of a claim, whoever may see its verdict; none when there is no such claim."""
        with self._connection.read() as session:
            return detail.concealed(session, claim_uid)

    def trend(
        self,
        protocols: Sequence[str],
        bucket: str,
        time_zone: str,
        generator: str | None = None,
        reader: Person | None = None,
    ) -> list[TrendRow]:
        """Counts by bucket of ``asked_at``, protocol after protocol, in time order, undated answers last.

        Args:
            protocols: As printed; one that judged nothing gives no rows.
            bucket: ``day``, ``week`` (from Monday) or ``month``; buckets without claims are left out.
            time_zone: An IANA name; a bucket begins at midnight there.
            generator: Only answers of this model or, without a model, name.
            reader: For whose eyes; claims that are concealed from them are not counted.

        Raises:
            InputError: The bucket or the time zone does not exist.
        """
        wanted = ClaimFilter(protocol="", generator=generator, reader=reader)
        return self.trends.rows(protocols, bucket, time_zone, wanted)


def open_store(path: Path) -> Store:
    """Open a store file, making it and its folders when they are not there, and bring its schema up to date.

    Raises:
        StoreBusy: Another process has it open; the message names it when it is known.
        StoreTooNew: A newer Citedesk wrote it.
        StoreError: It cannot be opened or made; nothing half-made is left behind.
    """
    return Store(path)
