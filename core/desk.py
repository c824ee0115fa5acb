"""The one façade that pages, the HTTP API and the command line call."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from uuid import uuid4

from core import __version__, importers, pipeline, sample, trends
from core.drafts import Draft, corrected_draft
from core.errors import InputError
from core.importers import BadLine
from core.models import Answer, Record, utc_now
from core.scorecard import Scorecard, scorecard
from core.settings import Settings
from core.store import Store, open_store
from core.store.records import Batch, ClaimDetail, ClaimFilter, Recorded, RunHeader
from core.verification import Progress

RECORD_AT_ONCE = 256
"""Answers per transaction: an interrupted import keeps whole answers only, and importing again adds the rest."""


class ImportReport(Record):
    """What one import read, refused and stored; read = stored + known + refused, always."""

    source: str
    protocol: str
    answers_read: int
    answers_new: int
    answers_known: int
    claims_new: int
    verdicts_new: int
    bad_lines: tuple[BadLine, ...]
    notes: tuple[str, ...]
    """What was mended or merged while reading, each with its request."""


class Desk:
    """One open store with the settings it is used under."""

    def __init__(self, store: Store, settings: Settings) -> None:
        """Use an open store."""
        self.store = store
        self.settings = settings

    @classmethod
    def open(cls, settings: Settings) -> Desk:
        """Open the store that the settings name, making it if it is not there.

        Raises:
            StoreError: It cannot be opened; the message is one sentence.
        """
        return cls(open_store(settings.store), settings)

    def close(self) -> None:
        """Close the store."""
        self.store.close()

    def import_file(self, path: Path, format: str = "auto", progress: Progress | None = None) -> ImportReport:
        """Read a log, judge every claim in it, and record answers and verdicts.

        Raises:
            ImportFormatError: The file cannot be read at all. Bad lines are in the report instead.
            VerifierUnavailable: The verifier of the settings cannot be had; nothing was stored.
        """
        total = importers.count_rows(path) if progress else 0
        rows = importers.read(path, format)
        return self._take(rows, path.name, sha256_of(path), self.settings, progress, total)

    def verify_stored(self, settings: Settings, progress: Progress | None = None) -> ImportReport:
        """Judge the answers that the store holds under other settings; verdicts that stand already are kept."""
        total = self.store.summary().requests if progress else 0
        return self._take(self._stored_answers(), "answers in the store", None, settings, progress, total)

    def load_sample(self, progress: Progress | None = None) -> tuple[ImportReport, ...]:
        """Import the sample answers, judged twice under two thresholds, with our hand labels."""
        reports = []
        for name, settings in sample.settings(self.settings):
            path = sample.answers_path()
            total = importers.count_rows(path)
            reports.append(self._take(importers.read(path), name, sha256_of(path), settings, progress, total))
        self.store.add_label_events(list(sample.gold_events(self.store, self._stored_answers())))
        return tuple(reports)

    def draft(self, detail: ClaimDetail) -> Draft:
        """The whole answer of a claim, corrected as far as claims and excerpts allow."""
        return corrected_draft(detail.answer, [row for _, row in detail.rows])

    def trend(
        self,
        protocols: Sequence[str],
        bucket: str,
        time_zone: str,
        strictness: str = "strict",
        generator: str | None = None,
    ) -> list[trends.TrendPoint]:
        """See ``core.trends.points``."""
        return trends.points(self.store, protocols, bucket, time_zone, strictness, generator)

    def scorecard(self, protocol: str) -> Scorecard:
        """The six metrics over everything that one protocol judged."""
        return scorecard(self.store.rows(ClaimFilter(protocol=protocol)))

    def one_protocol(self, name: str | None) -> str:
        """The protocol asked for, or the only one there is; never a mixture.

        Raises:
            InputError: There is none of that name, none at all, or more than one to choose from.
        """
        there = [info.name for info in self.store.protocols()]
        if not there:
            raise InputError("No verifier has judged anything in this store yet", "import answers first")
        if name is None and len(there) > 1:
            raise InputError("Several protocols judged this store", f"choose with --protocol: {', '.join(there)}")
        if name is not None and name not in there:
            raise InputError(f"No protocol {name!r} in this store", f"choose one of: {', '.join(there)}")
        return name or there[0]

    def _stored_answers(self) -> Iterator[Answer]:
        after: str | None = None
        while answers := self.store.answers(after, RECORD_AT_ONCE):
            yield from answers
            after = answers[-1].uid

    def _take(
        self,
        rows: Iterable[Answer | BadLine],
        source: str,
        source_sha256: str | None,
        settings: Settings,
        progress: Progress | None,
        total: int,
    ) -> ImportReport:
        judge, protocol = pipeline.build(settings)
        run = RunHeader(
            run_id=uuid4().hex,
            protocol=protocol,
            started_at=utc_now(),
            source=source,
            source_sha256=source_sha256,
            package_version=__version__,
        )
        refused: list[BadLine] = []
        notes: list[str] = []
        recorded: list[Recorded] = []
        done = 0
        checked = pipeline.check(_only_answers(rows, refused, notes), judge, protocol)
        for group in pipeline.batches(checked, RECORD_AT_ONCE):
            recorded.append(self.store.record(Batch(run=run, answers=tuple(group))))
            done += len(group)
            if progress:
                progress(done + len(refused), total)
        return ImportReport(
            source=source,
            protocol=str(protocol),
            answers_read=done,
            answers_new=sum(one.requests_new for one in recorded),
            answers_known=sum(one.requests_known for one in recorded),
            claims_new=sum(one.claims_new for one in recorded),
            verdicts_new=sum(one.verdicts_new for one in recorded),
            bad_lines=tuple(refused),
            notes=tuple(notes),
        )


def sha256_of(path: Path) -> str:
    """Sha256 (64 hex) of a file's bytes."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _only_answers(rows: Iterable[Answer | BadLine], refused: list[BadLine], notes: list[str]) -> Iterator[Answer]:
    """Pass answers on; keep the refused rows and the notes for the report."""
    for row in rows:
        if isinstance(row, BadLine):
            refused.append(row)
        else:
            notes.extend(f"{row.request_id}: {note}" for note in row.notes)
            yield row
