"""The one façade that pages, the HTTP API and the command line call."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING, Any
from uuid import uuid4

from core import __version__, anchor_set, exporting, importers, old_answers, pipeline, sample, spend, trends, verifiers
from core.answering import Answering
from core.corpora import AddReport
from core.corpus_policy import of_corpora
from core.drafts import Draft, corrected_draft
from core.importers import BadLine
from core.models import Answer, CheckedAnswer, Record, utc_now
from core.people import Person
from core.policy_runs import PolicyRuns
from core.protocol import ClaimProtocol
from core.reference_lookup import Lookup
from core.reference_policy import ReferencePolicy
from core.scorecard import Scorecard, scorecard
from core.settings import Settings
from core.spend import Call, CostLine
from core.store import Store, open_store
from core.store.attached import AttachedStore
from core.store.imports import Outcome
from core.store.records import ClaimDetail, ClaimFilter, Recorded, RunHeader, Split
from core.verdict_cache import SpanJudge
from core.verification import Progress

if TYPE_CHECKING:
    from core.guarded_network import Network

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
    """Which answers were judged under another protocol, by a policy of their corpus; then what was mended or merged
    while reading, each with its request."""
    spent: tuple[CostLine, ...] = ()
    """What calls of a paid judge cost."""

    @property
    def failed(self) -> bool:
        """Whether no row could be used, so that there is nothing where answers were expected."""
        return not self.answers_read and bool(self.bad_lines)


class Desk:
    """One open store with the settings it is used under."""

    def __init__(self, store: Store, settings: Settings) -> None:
        """Use an open store."""
        self.store = store
        self.settings = settings
        self._attached: dict[str, Desk] = {}
        self.network: Network | None = None
        """How works outside are reached; another way than the usual one is given by tests."""

    @classmethod
    def open(cls, settings: Settings) -> Desk:
        """Open the store that the settings name, making it if it is not there.

        Raises:
            StoreError: It cannot be opened; the message is one sentence.
        """
        return cls(open_store(settings.store), settings)

    def close(self) -> None:
        """Close the store, and what is attached to it."""
        for one in self._attached.values():
            one.store.close()
        self.store.close()

    def attached(self, where: str, anew: bool = False) -> Desk:
        """The desk of a run folder that is shown beside the store: it reads only.

        Args:
            where: The folder, as the settings name it.
            anew: Whether to look again what is finished in it.

        Raises:
            InputError: It holds no verification, or not what it says it holds.
        """
        if anew or where not in self._attached:
            self._attached[where] = Desk(AttachedStore(where, self.store), self.settings)
        return self._attached[where]

    @cached_property
    def answering(self) -> Answering:
        """What answers questions from the store's corpora; it loads its models when the first one comes."""
        return Answering(self.store, self.settings)

    def import_file(
        self,
        path: Path,
        format: str = "auto",
        progress: Progress | None = None,
        *,
        mapping: Mapping[str, str] | None = None,
        settings: Settings | None = None,
    ) -> ImportReport:
        """Read a log, judge every claim in it, and record answers and verdicts.

        The same file read in the same way is the same import, however often: it adds what is missing, and stands again
        if it was withdrawn. What ``progress`` raises ends the import between two answers.

        Args:
            path: The log.
            format: An importer's name, or ``auto``.
            progress: Told how many rows are judged and how many there are.
            mapping: For a table, our field → its column; what is not named is found by the column's name.
            settings: Who judges, instead of the desk's own settings.

        Raises:
            ImportFormatError: The file cannot be read at all. Bad lines are in the report instead.
            VerifierUnavailable: The verifier of the settings cannot be had; nothing was stored.
        """
        return self._import(path, path.name, format, dict(mapping or {}), settings or self.settings, progress)

    def verify_stored(self, settings: Settings, progress: Progress | None = None) -> ImportReport:
        """Judge the answers that the store holds under other settings; verdicts that stand already are kept."""
        total = self.store.summary().requests if progress else 0
        judge, protocol = pipeline.build(settings)
        runs = self._runs(_run("answers in the store", protocol), settings.references)
        return self._take(self._stored_answers(), runs, judge, _telling(progress, total))

    def lookup(self, policy: ReferencePolicy) -> Lookup | None:
        """Who finds out about works outside under a policy; none when nobody may."""
        cache, supplied = self.settings.references_cache, self.store.references.supplied
        return Lookup(policy, cache, supplied, self.network) if policy.also else None

    def policy_for(self, corpora: Iterable[str], policy: ReferencePolicy | None = None) -> ReferencePolicy:
        """What may be asked for answers over some corpora: the desk's policy, or another one, as all of them allow."""
        return of_corpora(policy or self.settings.references, self.store.corpus_policies.current(), corpora)

    def load_sample(self, progress: Progress | None = None) -> tuple[ImportReport, ...]:
        """Import the sample answers, judged twice under two thresholds, with our hand labels."""
        reports = []
        for name, settings in sample.settings(self.settings):
            reports.append(self._import(sample.answers_path(), name, "citedesk", {}, settings, progress))
        self.store.labels.add(list(sample.gold_events(self.store, self._stored_answers())))
        return tuple(reports)

    def load_sample_corpus(self, progress: Progress | None = None) -> AddReport:
        """Take the sample's sources in, to be asked about; see ``core.sample.load_corpus``."""
        return sample.load_corpus(self.store, self.settings.labeller, progress)

    def claim(self, claim_uid: str, protocol: str | None = None, reader: Person | None = None) -> ClaimDetail | None:
        """Everything about a claim, as it may be shown now; see ``Store.claim`` and ``core.old_answers``."""
        found = self.store.claim(claim_uid, protocol, reader)
        return found and old_answers.detail(self.store, found, reader.groups if reader else None)

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
        reader: Person | None = None,
        wanted: ClaimFilter | None = None,
        split: Split | None = None,
    ) -> list[trends.TrendPoint]:
        """See ``core.trends.points``."""
        return trends.points(self.store, protocols, bucket, time_zone, strictness, generator, reader, wanted, split)

    def scorecard(self, protocol: str) -> Scorecard:
        """The six metrics over everything that one protocol judged."""
        return scorecard(self.store.rows(ClaimFilter(protocol=protocol)))

    def one_protocol(self, name: str | None) -> str:
        """The protocol asked for, or the only one there is; never a mixture.

        Raises:
            InputError: There is none of that name, none at all, or more than one to choose from.
        """
        return exporting.one_protocol(self.store, name)

    def _stored_answers(self) -> Iterator[Answer]:
        after: str | None = None
        while answers := self.store.answers(after, RECORD_AT_ONCE):
            yield from answers
            after = answers[-1].uid

    def _import(
        self,
        path: Path,
        source: str,
        format: str,
        mapping: dict[str, str],
        settings: Settings,
        progress: Progress | None,
    ) -> ImportReport:
        if format == "auto":
            format = importers.detect(path).__name__.rpartition(".")[2]
        rows = importers.read(path, format, mapping or None)
        total = importers.count_rows(path, format) if progress else 0
        judge, protocol = pipeline.build(settings)
        run = _run(source, protocol, source_sha256=sha256_of(path), format=format, mapping=mapping)
        runs = self._runs(run, settings.references)
        report = self._take(rows, runs, judge, _telling(progress, total))
        outcome = Outcome(answers_read=report.answers_read, answers_new=report.answers_new)
        self.store.finish_import(runs.main, outcome, report.bad_lines)
        return self._with_anchor(report, judge, protocol, settings.references)

    def _with_anchor(
        self, report: ImportReport, judge: SpanJudge, protocol: ClaimProtocol, policy: ReferencePolicy
    ) -> ImportReport:
        """Have the anchor set judged too, where there is one that this protocol has not judged yet.

        Answers over a corpus whose own policy makes another protocol of it are left out.
        """
        runs = self._runs(_run(anchor_set.RUN, protocol), policy)
        answers = [one for one in self.store.anchors.unjudged(str(protocol)) if runs.protocol(one) == protocol]
        if not answers:
            return report
        also = self._take(iter(answers), runs, judge, lambda: None)
        said = f"{len(answers):,} answers of the anchor set were judged too, so that judges can be told apart"
        spent = (*report.spent, *also.spent)
        return report.model_copy(update={"notes": (*report.notes, said), "spent": spent})

    def _runs(self, run: RunHeader, policy: ReferencePolicy) -> PolicyRuns:
        """The runs of a piece of work: what corpora say is read once, so that it holds for the whole of it."""
        return PolicyRuns(run, policy, self.store.corpus_policies.current(), self.lookup)

    def _take(
        self, rows: Iterable[Answer | BadLine], runs: PolicyRuns, judge: SpanJudge, tell: Callable[[], None]
    ) -> ImportReport:
        refused: list[BadLine] = []
        notes: list[str] = []
        recorded: list[Recorded] = []
        calls: list[Call] = []
        source = runs.main.source
        checked = runs.check(_only_answers(rows, source, refused, notes, tell), judge)
        try:
            for group in pipeline.batches(_counted(checked, tell), RECORD_AT_ONCE):
                recorded += [self.store.record(batch) for batch in runs.batches(group)]
                calls += self._note_spend(runs.main, judge)
        finally:  # what was paid for is kept, whatever ended the work
            calls += self._note_spend(runs.main, judge)
        return ImportReport(
            source=source,
            protocol=str(runs.main.protocol),
            answers_read=sum(one.requests_new + one.requests_known for one in recorded),
            answers_new=sum(one.requests_new for one in recorded),
            answers_known=sum(one.requests_known for one in recorded),
            claims_new=sum(one.claims_new for one in recorded),
            verdicts_new=sum(one.verdicts_new for one in recorded),
            bad_lines=tuple(refused),
            notes=(*runs.notes(), *notes),
            spent=tuple(spend.totals(calls)),
        )

    def _note_spend(self, run: RunHeader, judge: SpanJudge) -> list[Call]:
        """Keep what the judge has paid for, and how long it took, since this was called last."""
        calls = verifiers.spent(judge)
        if calls:
            self.store.add_spend(calls, run.run_id)
        if times := verifiers.took(judge):
            self.store.add_judge_times(times, run.run_id)
        return calls


def sha256_of(path: Path) -> str:
    """Sha256 (64 hex) of a file's bytes."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _run(source: str, protocol: ClaimProtocol, **file: Any) -> RunHeader:
    return RunHeader(
        run_id=uuid4().hex,
        protocol=protocol,
        started_at=utc_now(),
        source=source,
        package_version=__version__,
        **file,
    )


def _telling(progress: Progress | None, total: int) -> Callable[[], None]:
    """Count one row more at each call and tell how many are done."""
    done = count(1)
    return lambda: progress(next(done), total) if progress else None


def _only_answers(
    rows: Iterable[Answer | BadLine], source: str, refused: list[BadLine], notes: list[str], tell: Callable[[], None]
) -> Iterator[Answer]:
    """Pass answers on; keep the refused rows, under the name of their source, and the notes for the report."""
    for row in rows:
        if isinstance(row, BadLine):
            refused.append(row.model_copy(update={"file": source}))
            tell()
        else:
            notes.extend(f"{row.request_id}: {note}" for note in row.notes)
            yield row


def _counted(checked: Iterable[CheckedAnswer], tell: Callable[[], None]) -> Iterator[CheckedAnswer]:
    for one in checked:
        tell()
        yield one
