"""What people say of spans, as it goes into the store and comes out: frozen records."""

from __future__ import annotations

from collections.abc import Collection
from datetime import datetime
from enum import StrEnum

from pydantic import Field

from core.models import Label, Record
from core.people import CHOSEN
from core.withholding import may_read


class LabelKind(StrEnum):
    """What a labelling event does."""

    LABEL = "label"
    NOT_A_CLAIM = "not_a_claim"
    """There is nothing to check: counted as an error of the extraction, never gold."""
    SKIP = "skip"
    FLAG = "flag"
    """Something for a reviewer to look at; the claim stays to be labelled."""
    UNDO = "undo"


class SubReason(StrEnum):
    """What is wrong, more finely than the label says; optional."""

    OVERSTATED = "overstated"
    INDIRECT = "indirect"
    MISSING_PART = "missing_part"
    OTHER_VALUE = "other_value"
    OTHER_POPULATION = "other_population"
    OTHER_TIME = "other_time"
    OTHER_UNIT = "other_unit"
    CAUSE_FOR_ASSOCIATION = "cause_for_association"
    QUOTE_DIFFERS = "quote_differs"


class BetterEvidence(Record):
    """A stretch of a text of the request's registry that a person marked as better evidence."""

    cite: str
    start: int
    """In code points of that text."""
    end: int
    text: str
    """The stretch itself; must equal the text from start to end."""


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
    queue_id: str | None = None
    """The queue it was given in; none outside of any."""
    sub_reason: SubReason | None = None
    confidence: int | None = Field(default=None, ge=1, le=3)
    """How sure the person was: 1 guessing, 2 fairly, 3 certain; none when they did not say."""
    better: tuple[BetterEvidence, ...] = ()
    after_reveal: bool = False
    """Whether the person had been shown what a judge said of this claim; set by the store, whatever is sent."""
    identity: str = CHOSEN
    """Who vouches for the labeller's name: ``chosen`` for nobody, else the issuer they signed in with."""
    active_ms: int | None = Field(default=None, ge=0)
    """Milliseconds for which the claim was looked at, without idle time."""
    decided_at: datetime | None = None
    """By the browser's clock, which may be wrong; what counts is ``StoredLabel.recorded_at``."""


Place = tuple[str, str | None]
"""Claim uid and cite of a span; no cite for a claim that cites nothing."""


class Draft(Record):
    """What a person has put down about a span before they label it."""

    note: str = ""
    sub_reason: SubReason | None = None
    confidence: int | None = Field(default=None, ge=1, le=3)
    better: tuple[BetterEvidence, ...] = ()


class Sight(Record):
    """That a span stood before a person's eyes."""

    claim_uid: str = Field(max_length=200)
    cite: str | None
    seen_sha256: str = Field(max_length=64)
    """Over claim text and cited text, as in ``LabelEvent``."""
    at: datetime
    """When it was painted, by the browser's clock."""


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
    readers: tuple[tuple[str, ...], ...] = ()
    """Who may read what its claim cites; see ``core.withholding.Readers``."""

    answer_readers: tuple[tuple[str, ...], ...] = ()
    """Who may read all sources that its answer was made of, and so the answer around the claim."""

    is_answer_hidden: bool = False
    """Whether the answer was left out for that."""

    def seen_by(self, groups: Collection[str] | None) -> SpanToLabel | None:
        """The same for the eyes of somebody in these groups; without the answer when that may hold what they may not.

        None when they may not read what its claim cites.
        """
        if not self.is_for(groups):
            return None
        nothing = {"answer": None, "start": None, "end": None, "is_answer_hidden": True}
        return self if may_read(self.answer_readers, groups) else self.model_copy(update=nothing)

    def is_for(self, groups: Collection[str] | None) -> bool:
        """Whether somebody in these groups may read it; none stands for whoever keeps the desk."""
        return may_read(self.readers, groups)


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
    kind: LabelKind = LabelKind.LABEL
    queue_id: str | None = None
    sub_reason: SubReason | None = None
    confidence: int | None = None
    better: tuple[BetterEvidence, ...] = ()
    after_reveal: bool = False
    identity: str = CHOSEN
    active_ms: int | None = None


class QueueProgress(Record):
    """How far one labeller is."""

    total: int
    labelled: int
    skipped: int
    remaining: int
    """Not labelled yet; those that were skipped are among them, for they come back."""
    last_hour: int
    """Labels this person gave in the last sixty minutes."""
