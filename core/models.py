"""The records that flow through Citedesk, all frozen, and the words they may hold.

Offsets are Python code points, half-open ``[start, end)``, over an immutable text. Words of an enum are stored, counted
and shown, so they are never renamed.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from datetime import UTC, datetime
from enum import StrEnum
from typing import Any

from pydantic import BaseModel, ConfigDict, Field, model_validator

from core.failure import Failure as Failure


class Record(BaseModel):
    """A frozen record that refuses fields it does not know."""

    model_config = ConfigDict(frozen=True, extra="forbid")


class Label(StrEnum):
    """What a claim or a cited span is found to be; in the order of the keys 1-9."""

    SUPPORTED = "supported"
    PARTIAL = "partial"
    CONTRADICTED = "contradicted"
    IRRELEVANT = "irrelevant"
    UNCITED = "uncited"
    UNRESOLVABLE = "unresolvable"
    INACCESSIBLE = "inaccessible"
    WRONG_SCOPE = "wrong_scope"
    SECONDARY_ONLY = "secondary_only"


class Action(StrEnum):
    """What a writer should do about a label."""

    KEEP = "keep"
    SOFTEN = "soften"
    CORRECT = "correct"
    DROP_CITATION = "drop_citation"
    ADD_EVIDENCE = "add_evidence"
    RE_RETRIEVE = "re_retrieve"
    STATE_LIMIT = "state_limit"
    NARROW_SCOPE = "narrow_scope"
    CITE_PRIMARY = "cite_primary"
    NONE = "none"


ACTION_OF: Mapping[Label, Action] = dict(zip(Label, list(Action)[:9], strict=True))
"""The action that answers each label; ``Action.NONE`` answers a claim without a label."""


class Stage(StrEnum):
    """The steps of judging one claim × citation, in their order."""

    STRUCTURAL = "structural"
    RESOLVABILITY = "resolvability"
    QUOTE = "quote"
    SUPPORT = "support"


class Status(StrEnum):
    """Whether a judgement was made at all; separate from what was judged."""

    JUDGED = "judged"
    SKIPPED = "skipped"
    FAILED = "failed"
    TRUNCATED = "truncated"


class Structural(StrEnum):
    """Whether the claim's citations have a shape that can mean something."""

    OK = "ok"
    UNCITED = "uncited"
    MALFORMED = "malformed"
    LEAKED_MARKER = "leaked_marker"


class Resolve(StrEnum):
    """What the request's registry says of a cited id."""

    OK = "ok"
    NOT_IN_REGISTRY = "not_in_registry"
    NOT_RETRIEVED = "not_retrieved"
    NOT_IN_CONTEXT = "not_in_context"
    INACTIVE = "inactive"
    DUPLICATE_ID = "duplicate_id"
    INACCESSIBLE = "inaccessible"
    NOT_CHECKED = "not_checked"


class QuoteState(StrEnum):
    """How the quotations of a claim stand in the text they are said to come from."""

    VERBATIM = "verbatim"
    NEAR_MISS = "near_miss"
    NOT_FOUND = "not_found"
    NOT_GIVEN = "not_given"


class AnswerMatch(StrEnum):
    """Whether a claim's text stands in the answer."""

    EXACT = "exact"
    NEAR = "near"
    NONE = "none"


class MergePolicy(StrEnum):
    """How a claim's spans become one label."""

    ALL = "all"
    ANY = "any"
    JOINT = "joint"


def digest(value: object) -> str:
    """Sha256 (64 hex) of a JSON value in canonical form: sorted keys, no blanks, UTF-8."""
    text = json.dumps(value, sort_keys=True, ensure_ascii=False, separators=(",", ":"), default=str)
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


class Evidence(Record):
    """One entry of a request's evidence registry: a label and the exact excerpt supplied under it."""

    id: str
    """The citation label, an opaque string that means nothing outside its request."""
    text: str
    locator: str | None = None
    source_version: str | None = None
    uri: str | None = None
    title: str | None = None
    retrieved: bool = True
    in_context: bool = True
    active: bool = True
    accessible: bool = True
    groups: tuple[str, ...] = ()
    meta: dict[str, Any] = Field(default_factory=dict)
    """Fields of the log that Citedesk does not know, kept as they came."""


class GivenClaim(Record):
    """A claim that the log names itself; it is never split again."""

    text: str
    citation_ids: tuple[str, ...] = ()
    quotes: tuple[str, ...] = ()
    claim_id: str | None = None
    material: bool | None = None
    notes: tuple[str, ...] = ()
    meta: dict[str, Any] = Field(default_factory=dict)


class GeneratorName(Record):
    """Who wrote the answer."""

    name: str | None = None
    model: str | None = None


class Annotation(Record):
    """A citation that the log attaches to a stretch of the answer by position, instead of writing a marker there."""

    start: int
    """In code points of the answer; equal to ``end`` for a citation at a point."""
    end: int
    cite: str
    """The evidence id that is cited."""


class Answer(Record):
    """One answer with the registry of its request; the same shape from a query and from an imported log."""

    request_id: str
    query: str | None = None
    asked_at: datetime | None = None
    """When the question was asked, in UTC; none means undated."""
    generator: GeneratorName = GeneratorName()
    answer: str | None = None
    claims: tuple[GivenClaim, ...] | None = None
    evidence: tuple[Evidence, ...] = ()
    annotations: tuple[Annotation, ...] = ()
    meta: dict[str, Any] = Field(default_factory=dict)
    notes: tuple[str, ...] = ()

    @model_validator(mode="after")
    def _annotations_lie_in_the_answer(self) -> Answer:
        length = len(self.answer or "")
        if outside := [one for one in self.annotations if not 0 <= one.start <= one.end <= length]:
            raise ValueError(f"{outside[0]} lies outside an answer of {length} code points")
        return self

    @property
    def uid(self) -> str:
        """First 16 hex of the sha256 of everything in the record: the same line twice is the same request."""
        dump = self.model_dump()  # not mode="json": it fails on lone surrogates in keys of meta
        if not self.annotations:
            del dump["annotations"]  # the field is younger than the first stores, whose answers keep their names
        return digest(dump)[:16]


class Claim(Record):
    """One checkable statement, with its place in the answer and its citations in order."""

    claim_id: str
    text: str
    start: int | None = None
    """First code point in the answer, or none when the claim does not stand in it word for word."""
    end: int | None = None
    fragments: tuple[tuple[int, int], ...] = ()
    """The pieces of a split claim in the answer; one piece for a whole one; ``start``/``end`` is their hull."""
    answer_match: AnswerMatch = AnswerMatch.NONE
    cites: tuple[str, ...] = ()
    """Cited ids as written, in order, without duplicates and blanks."""
    leaked: tuple[str, ...] = ()
    """Citation markers left in the text that name nothing readable."""
    quotes: tuple[str, ...] = ()
    flags: tuple[str, ...] = ()
    material: bool = True
    notes: tuple[str, ...] = ()


class Pair(Record):
    """Exactly what a verifier is given; nothing else may move its verdict."""

    claim: str
    evidence: str


class Qualifier(Record):
    """One qualifier of a claim beside its counterpart in the evidence."""

    kind: str
    claim: str
    evidence: str | None
    agrees: bool | None
    """None when the evidence has nothing to compare."""


class Judgement(Record):
    """What a verifier says of one pair."""

    status: Status
    label: Label | None = None
    scores: dict[str, float] = Field(default_factory=dict)
    """Named scores in [0, 1]."""
    start: int | None = None
    """The stretch of the evidence that carries the judgement, in code points of the evidence text."""
    end: int | None = None
    tokens_seen: int = 0
    tokens_total: int = 0
    qualifiers: tuple[Qualifier, ...] = ()
    failure: Failure | None = None
    """Why there is no label; only with the status failed or truncated."""
    reason: str = ""
    """Why, in words a reviewer reads: one sentence."""

    @model_validator(mode="after")
    def _only_what_failed_has_a_failure(self) -> Judgement:
        if self.failure is not None and (self.label or self.status not in (Status.FAILED, Status.TRUNCATED)):
            raise ValueError(f"a judgement that is {self.status} with the label {self.label} cannot be {self.failure}")
        return self

    @property
    def why(self) -> str:
        """The reason as a row prints it: behind the word of the failure, when there is one."""
        return self.reason if self.failure is None else f"{self.failure}: {self.reason}"


class Resolution(Record):
    """What the registry says of one cited id."""

    cite: str
    resolve: Resolve
    evidence: Evidence | None = None
    """The entry found, also when it may not be used; none when the id is unknown or means two texts."""
    reason: str = ""
    hint: str | None = None
    """An id of the registry that differs from the cited one only in case or white space."""
    entry: Evidence | None = None
    """Of a work that was looked up outside: the registry's own entry, which has no text."""
    keeps: frozenset[Label] | None = None
    """The labels that the evidence may give when it is no whole text; none: every label."""
    unasked: bool = False
    """Whether the citation names a work outside about which nobody was asked; it has no label then."""


class Place(Record):
    """A stretch of a cited text that resembles a quotation without being it."""

    cite: str
    start: int
    end: int
    text: str
    differs: str
    """What differs, in words: "letter case", "another number", …"""


class QuoteRow(Record):
    """One quotation of a claim and where it stands in the cited text."""

    text: str
    start: int | None
    end: int | None
    match: QuoteState
    nearest: Place | None = None


class SpanRow(Record):
    """One citation of one claim, judged on its own."""

    cite: str
    label: Label | None
    action: Action
    scores: dict[str, float]
    excerpt: str | None
    """At most 25 words and 160 characters of the cited text, verbatim."""
    start: int | None
    """The carrying stretch, in code points of the cited text."""
    end: int | None
    tokens_seen: int
    tokens_total: int
    status: Status
    reason: str


class ClaimRow(Record):
    """One claim with everything found about it: the line that ``citedesk verify --json`` prints (DESIGN §4)."""

    request_id: str
    claim_id: str
    claim: str
    start: int | None
    end: int | None
    fragments: tuple[tuple[int, int], ...]
    answer_match: AnswerMatch
    material: bool
    flags: tuple[str, ...]
    cites: tuple[str, ...]
    structural: Structural
    resolve: Resolve
    quote: QuoteState
    quotes: tuple[QuoteRow, ...]
    semantic: str
    """The verifier's label merged over the spans, or "skipped" or "failed"."""
    label: Label | None
    action: Action
    location: str | None
    excerpt: str | None
    excerpt_start: int | None
    excerpt_end: int | None
    qualifiers: tuple[Qualifier, ...]
    spans: tuple[SpanRow, ...]
    verifier: str
    protocol: str
    notes: tuple[str, ...]


class StageVerdict(Record):
    """One stage's conclusion on one claim × citation, as it is stored."""

    claim_id: str
    cite: str | None
    """None for a claim without citations."""
    stage: Stage
    status: Status
    outcome: str
    """The word of the stage's own enum, or the verifier's label, or "none"."""
    reason: str = ""


class CheckedAnswer(Record):
    """One answer after all stages: its claims, what each stage said, and the final rows in claim order."""

    answer: Answer
    claims: tuple[Claim, ...]
    rows: tuple[ClaimRow, ...]
    stages: tuple[StageVerdict, ...]


class JudgedClaim(Record):
    """One claim's row with the answer it stands in and the texts that answer could cite."""

    row: ClaimRow
    answer: Answer


def utc_now() -> datetime:
    """The present moment, in UTC."""
    return datetime.now(UTC)
