"""What goes into the store and what comes out, as frozen records."""

from __future__ import annotations

from datetime import datetime
from enum import StrEnum
from typing import Any

from pydantic import Field

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
from core.protocol import ClaimProtocol


def claim_uid(request_uid: str, splitter: str, claim: Claim) -> str:
    """Name a claim for ever: 16 hex that stay the same however often its answer is imported or judged."""
    return digest([request_uid, splitter, claim.claim_id, claim.text])[:16]


class RunHeader(Record):
    """One run of the stages over some answers: who judged, when, from which file."""

    run_id: str
    """A fresh uuid hex; also the idempotency key of the run."""
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
    """The generator's model, or its name when it has no model."""
    failures: tuple[Failure, ...] = ()
    """Only claims without a label because the judge failed in one of these ways."""
    sort: Sort = Sort.WORST_FIRST


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


class LabelKind(StrEnum):
    """What a labelling event does."""

    LABEL = "label"
    SKIP = "skip"
    UNDO = "undo"


class LabelEvent(Record):
    """One decision of one person about one claim × cited span; appended, never changed."""

    event_id: str
    """Made where the key was pressed: the idempotency key."""
    kind: LabelKind
    claim_uid: str
    cite: str | None
    """None for a claim without citations."""
    labeller: str
    label: Label | None = None
    note: str = ""
    reason: str = ""
    """Why it was skipped."""
    undoes: str | None = None
    """The ``event_id`` that an undo takes back."""
    guideline: str
    seen_sha256: str
    """Over claim text and cited text as they were shown: binds the label to what the person saw."""


class StoredLabel(Record):
    """A labelling event as the store holds it."""

    event: LabelEvent
    recorded_at: datetime


class SpanToLabel(Record):
    """One claim × cited span as a labeller sees it: no verdict of any judge is in here."""

    claim_uid: str
    cite: str | None
    request_id: str
    claim_id: str
    claim: str
    query: str | None
    flags: tuple[str, ...]
    cites: tuple[str, ...]
    quotes: tuple[str, ...]
    position: int
    """Which claim of its answer, from 1."""
    claims_in_answer: int
    answer: str | None
    start: int | None
    end: int | None
    evidence: str | None
    """The cited text; none when the id means nothing, or two things, in this request."""
    title: str | None
    locator: str | None
    source_version: str | None
    uri: str | None
    accessible: bool
    seen_sha256: str
    unusable: str = ""
    """Why the citation may not be used, as the request's registry has it, in a sentence; empty when it may."""
    titles: tuple[str | None, ...] = ()
    """The title of what each of ``cites`` means, in their order; none where it has no title or means nothing."""


class LabelRow(Record):
    """One person's current decision about one span, with all that is needed to read it elsewhere."""

    event_id: str
    claim_uid: str
    request_id: str
    claim_id: str
    claim: str
    query: str | None
    material: bool
    cites: tuple[str, ...]
    """All citations of the claim, in order."""
    cite: str | None
    evidence: str | None
    label: Label | None
    """None when it was skipped."""
    labeller: str
    note: str
    reason: str
    """Why it was skipped."""
    guideline: str
    seen_sha256: str
    recorded_at: datetime


class QueueProgress(Record):
    """How far one labeller is."""

    total: int
    labelled: int
    skipped: int
    remaining: int
    """Not labelled yet; those that were skipped are among them, for they come back."""
    last_hour: int
    """Labels this person gave in the last sixty minutes."""


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


class TrendRow(Record):
    """Counts of one protocol in one bucket of ``asked_at``; the ingredients of a rate, never the rate itself."""

    protocol: str
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
