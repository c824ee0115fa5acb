"""What goes into the store and what comes out, as frozen records."""

from __future__ import annotations

from datetime import datetime
from enum import StrEnum
from typing import Any

from pydantic import Field

from core.metrics.clustered_share import Spread
from core.models import (
    Answer,
    CheckedAnswer,
    Claim,
    ClaimRow,
    Failure,
    Label,
    Record,
    Stage,
    StageVerdict,
    Status,
    Structural,
    digest,
)
from core.people import Person
from core.protocol import ClaimProtocol
from core.store.label_records import StoredLabel
from core.store.reference_records import CitedWork


def claim_uid(request_uid: str, splitter: str, claim: Claim) -> str:
    """Name a claim for ever: 16 hex that stay the same however often its answer is imported or judged."""
    return digest([request_uid, splitter, claim.claim_id, claim.text])[:16]


class RunHeader(Record):
    """One run of the stages over some answers: who judged, when, from which file."""

    run_id: str
    """A fresh uuid hex, ``/2`` and so on behind it where one reading takes several runs; also the idempotency key."""
    protocol: ClaimProtocol
    started_at: datetime
    source: str
    """The file name as given, or what else the answers came from."""
    source_sha256: str | None = None
    package_version: str
    format: str | None = None
    """The importer that read the file; with ``source_sha256`` it makes the run part of an import."""
    mapping: dict[str, str] = Field(default_factory=dict)
    """Our field → the column of a table that it was read from."""


class Batch(Record):
    """Some checked answers of one run, recorded in one transaction: all of it or nothing."""

    run: RunHeader
    answers: tuple[CheckedAnswer, ...]


class Recorded(Record):
    """What a batch changed; rows that were there already are counted, not doubled."""

    requests_new: int
    requests_known: int
    claims_new: int
    verdicts_new: int
    """Claim rows added under the run's protocol."""
    verdicts_known: int


class Sort(StrEnum):
    """The orders of the review list."""

    WORST_FIRST = "worst_first"
    NEWEST_FIRST = "newest_first"
    AS_IMPORTED = "as_imported"


MANY_CITES = 5
AGES = ("month", "year", "three_years", "older", "unknown")
"""At most so long before the question; unknown where source or question has no date."""


class ClaimFilter(Record):
    """What the review list shows. Empty tuples and none mean "any"; one protocol always."""

    protocol: str
    """A claim protocol as printed, e.g. ``lexical@1+9c1d04aa``."""
    labels: tuple[Label | None, ...] = ()
    """None in the tuple stands for "no label"."""
    request_id: str | None = None
    flags: tuple[str, ...] = ()
    structural: tuple[Structural, ...] = ()
    text: str = ""
    """Every word must stand in the claim, the question or the request id; case is ignored, nothing is a wildcard."""
    bucket: tuple[datetime, datetime] | None = None
    """Asked at or after the first and before the second moment, both in UTC."""
    undated: bool = False
    """Only answers without ``asked_at``."""
    attempted_only: bool = False
    """Only claims that count: material, or citing something (DESIGN §2)."""
    unsupported: str | None = None
    """``strict`` or ``lenient``: only claims that this strictness counts as unsupported."""
    generator: str | None = None
    """The generator's model, or its name when it has no model; empty: only answers that name none."""
    corpus: str | None = None
    """The corpus that was asked; empty: only answers that were not asked here."""
    source: str | None = None
    """Where the deciding citation points, as the list shows it; empty: only claims that cite nothing."""
    failures: tuple[Failure, ...] = ()
    """Only claims without a label because the judge failed in one of these ways."""
    claim_uids: tuple[str, ...] | None = None
    """Only these claims, for a figure that no other field says, such as a cell of gold × judge; none means any."""
    beside: tuple[tuple[str, tuple[Label | None, ...]], ...] = ()
    """Only claims that these other protocols judged too, each with one of its labels; without labels, with any."""
    judged_only: bool = False
    """Only claims that count and were judged: the n of a rate."""
    reason: str | None = None
    """A reason code of ``core.store.review``, such as ``contradicted.number``."""
    differs: tuple[str, ...] = ()
    """Only claims in which one of these kinds of qualifiers differs."""
    cite_count: int | None = None
    """How many ids it cites; ``MANY_CITES`` stands for that many and more."""
    age: str | None = None
    """How old the deciding source was when the question was asked: a word of ``AGES``."""
    topic: str | None = None
    """A word of the question, folded."""
    terms: tuple[str, ...] = ()
    """Words of the claim, folded; all of them."""
    sort: Sort = Sort.WORST_FIRST
    reader: Person | None = None
    """For whose eyes: what is concealed from them (``core.reveal``) is left out and counted apart. None is whoever
    keeps the desk, at the command line; a page always names its reader."""
    concealed: bool = False
    """Instead of all that, only the claims that are concealed from the reader, as imported and without a word of any
    judge; what the filter says of verdicts does not count."""


class ClaimItem(Record):
    """One line of the review list."""

    claim_uid: str
    request_id: str
    claim_id: str
    claim: str
    query: str | None
    label: Label | None
    why: str
    """A few words: the deciding stage's reason."""
    source: str
    """Where the deciding citation points: title or locator, or the id that does not resolve; empty when uncited."""
    flags: tuple[str, ...]
    protocol: str
    concealed: bool = False
    """Whether label, source and flags are left out because the reader is to label it first."""


class ClaimPage(Record):
    """One page of the review list, with the counts that the filter chips show."""

    total: int
    items: tuple[ClaimItem, ...]
    label_counts: dict[str, int]
    """Claims per label (``none`` for no label) under the same filter without its labels."""
    flag_counts: dict[str, int]
    """Claims per flag under the same filter without its flags."""
    failure_counts: dict[str, int] = Field(default_factory=dict)
    """Claims without a label per kind of failure, under the same filter without its labels and failures."""
    concealed: int = 0
    """Claims that are concealed from the reader, under the same filter without what it says of verdicts."""


class StoredVerdict(Record):
    """One stage's conclusion on one claim × citation, with whose it is."""

    claim_uid: str
    request_id: str
    claim_id: str
    cite: str | None
    """None for a claim without citations."""
    stage: Stage
    status: Status
    outcome: str
    """The word of the stage's own enum, or the verifier's label, or "none"."""
    reason: str
    verifier: str
    protocol: str


class JudgedAnswer(Record):
    """One answer with everything that one protocol says of it."""

    answer: Answer
    rows: tuple[tuple[str, ClaimRow], ...]
    """Its claims in order, each with its uid."""


class ClaimDetail(Record):
    """Everything the inspector shows of one claim under one protocol."""

    claim_uid: str
    row: ClaimRow
    answer: Answer
    stages: tuple[StageVerdict, ...]
    rows: tuple[tuple[str, ClaimRow], ...]
    """All claims of the answer under the same protocol, in order, each with its uid."""
    protocols: tuple[str, ...]
    """Other protocols that judged this claim."""
    labels: tuple[StoredLabel, ...]
    """Current labels by people, after undo."""
    works: tuple[CitedWork, ...] = ()
    """What citations of the claim were judged by, when that lies outside the answer's registry."""
    concealed: int = 0
    """How many other claims of the answer are left out of ``rows``, because they are concealed from the reader."""


class ConcealedClaim(Record):
    """All that may be known of a claim by somebody who is to label it before they hear what a judge says."""

    claim_uid: str
    claim: str
    query: str | None
    answer: str | None
    asked_at: datetime | None
    fragments: tuple[tuple[int, int], ...]
    """Where it stands in the answer, in code points."""


class Split(StrEnum):
    """What the claims of a trend can be told apart by."""

    LABEL = "label"
    GENERATOR = "generator"
    CORPUS = "corpus"
    SOURCE = "source"
    FLAG = "flag"


class TrendRow(Record):
    """Counts of one protocol in one bucket of ``asked_at``; the ingredients of a rate, never the rate itself."""

    protocol: str
    group: str | None = None
    """Under a split, what these claims have in common, empty for what has none; a claim of two flags is in two."""
    bucket: str | None
    """The bucket's first day, ISO, in the time zone asked for; none for undated answers."""
    start: datetime | None
    """The bucket's first moment, in UTC."""
    end: datetime | None
    """One past its last moment, in UTC."""
    attempted: int
    judged: int
    inaccessible: int
    unjudged: int
    """Without a label: the judge failed, was cut short, or was never asked."""
    unsupported_strict: int
    unsupported_lenient: int
    secondary_only: int
    requests: int
    spread_strict: Spread
    """How the judged and the unsupported lie in answers; split by label, the claims of that label in its answers."""
    spread_lenient: Spread


class QueryTrendRow(Record):
    """Questions that were asked here, in one bucket, by what wrote or was to write the answers."""

    generator: str
    """Its model, or its name when it has no model."""
    bucket: str
    """The bucket's first day, ISO."""
    start: datetime
    end: datetime
    asked: int
    """Those that got an answer, or were told that there is none in the sources: status 200."""
    served: int
    """Of them, served answers; the others abstained."""
    median_s: float | None
    """Seconds from question to end, of all these; none without any."""
    p95_s: float | None
    failed: int
    """Questions that got no answer; they are in none of the other figures."""
    failed_median_s: float | None
    failed_p95_s: float | None
    cost: float
    """US dollars of the served ones whose cost is known."""
    unknown: int
    """Served ones whose cost is not known."""

    @property
    def per_served(self) -> float | None:
        """US dollars per served answer whose cost is known; none when there is none."""
        known = self.served - self.unknown
        return self.cost / known if known else None


class ProtocolInfo(Record):
    """One protocol that the store has verdicts of."""

    name: str
    """As printed."""
    protocol: ClaimProtocol
    claims: int
    first_run: datetime
    last_run: datetime


class RunInfo(Record):
    """One line of "lately" on the first page."""

    run_id: str
    started_at: datetime
    source: str
    protocol: str
    claims: int


class StoreSummary(Record):
    """What is in the store, without what was withdrawn."""

    path: str
    requests: int
    claims: int
    undated_requests: int
    label_events: int
    labellers: int
    last_write: datetime | None
    runs: tuple[RunInfo, ...]
    """The latest ten, newest first."""
    meta: dict[str, Any] = Field(default_factory=dict)
