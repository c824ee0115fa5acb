"""A labelling decision as a browser sends it, and why one can never be stored.

It is untrusted. It counts only when it names a claim × cited span that the store holds, the sha256 of exactly the texts
that were shown, and stretches of evidence that say what they are said to say.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated
from uuid import UUID

from pydantic import AfterValidator, AwareDatetime, Field

from core.models import Label, Record
from core.store.label_records import BetterEvidence, Draft, LabelEvent, LabelKind, SpanToLabel, SubReason

SKIP_REASONS = (
    "I cannot tell from this text",
    "The claim itself is unclear",
    "Somebody with other knowledge should decide",
    "Later",
)
"""Why a person may pass on a span; stored and counted, so never renamed."""

FLAG_REASONS = (
    "The guideline does not cover this",
    "The claim is cut wrongly",
    "The passage is damaged",
    "Something private or unlawful is in it",
)
"""What a reviewer should look at; stored and counted, so never renamed."""

SUB_REASONS: Mapping[Label, Sequence[SubReason]] = {
    Label.PARTIAL: (
        SubReason.OVERSTATED,
        SubReason.MISSING_PART,
        SubReason.INDIRECT,
        SubReason.QUOTE_DIFFERS,
    ),
    Label.CONTRADICTED: (SubReason.OTHER_VALUE, SubReason.QUOTE_DIFFERS),
    Label.WRONG_SCOPE: (
        SubReason.OTHER_POPULATION,
        SubReason.OTHER_TIME,
        SubReason.OTHER_UNIT,
        SubReason.CAUSE_FOR_ASSOCIATION,
    ),
    Label.SECONDARY_ONLY: (SubReason.INDIRECT,),
}
"""The finer reasons that a label may be given with; the other labels have none."""

NOTE_LIMIT = 2000
"""Characters of a note."""

BETTER_LIMIT = 20
"""Stretches of better evidence with one decision."""

Uid = Annotated[str, Field(max_length=200)]
Hash = Annotated[str, Field(max_length=64)]


class Press(Record):
    """One decision as the browser sends it."""

    event_id: Annotated[str, Field(max_length=64), AfterValidator(lambda value: str(UUID(value)))]
    """A random UUID made where the key was pressed: the same press sent twice is stored once."""
    kind: LabelKind
    claim_uid: Uid
    cite: str | None
    seen_sha256: Hash
    queue_id: Annotated[str, Field(max_length=64)]
    label: Label | None = None
    note: Annotated[str, Field(max_length=NOTE_LIMIT)] = ""
    reason: str = ""
    undoes: Annotated[str, Field(max_length=64)] | None = None
    sub_reason: SubReason | None = None
    confidence: Annotated[int, Field(ge=1, le=3)] | None = None
    better: Annotated[tuple[BetterEvidence, ...], Field(max_length=BETTER_LIMIT)] = ()
    active_ms: Annotated[int, Field(ge=0, lt=2**31)] | None = None
    decided_at: AwareDatetime | None = None


class SentDraft(Draft):
    """A draft as the browser sends it."""

    claim_uid: Uid
    cite: str | None
    note: Annotated[str, Field(max_length=NOTE_LIMIT)] = ""
    better: Annotated[tuple[BetterEvidence, ...], Field(max_length=BETTER_LIMIT)] = ()

    def draft(self) -> Draft:
        """What is kept of it."""
        return Draft.model_validate(self.model_dump(exclude={"claim_uid", "cite"}))


def refusal(press: Press, span: SpanToLabel | None) -> str:
    """Why a press can never be stored, in a sentence; empty when it can.

    Args:
        press: What was sent.
        span: What it names, as the store holds it; none when there is no such span.
    """
    if span is None:
        return "This claim is not in the store, so nothing was saved."
    if span.seen_sha256 != press.seen_sha256:
        return "The text has changed since it was shown, so nothing was saved. Read it again."
    match press.kind:
        case LabelKind.LABEL if press.label is None:
            return "This press names no label, so nothing was saved."
        case LabelKind.LABEL if press.sub_reason and not fits(press.sub_reason, press.label):
            return "The finer reason does not go with this label, so nothing was saved."
        case LabelKind.SKIP if press.reason not in SKIP_REASONS:
            return "This press names no reason to skip, so nothing was saved."
        case LabelKind.FLAG if press.reason not in FLAG_REASONS:
            return "This press names no reason to flag, so nothing was saved."
        case LabelKind.UNDO if not press.undoes:
            return "This press names nothing to take back."
    if not all(says_so(one, span) for one in press.better):
        return "What was marked as better evidence does not stand there in the passage, so nothing was saved."
    return ""


def fits(sub_reason: SubReason, label: Label | None) -> bool:
    """Whether a label may be given with a finer reason."""
    return label is not None and sub_reason in SUB_REASONS.get(label, ())


def says_so(better: BetterEvidence, span: SpanToLabel) -> bool:
    """Whether a stretch is what the shown passage says from its start to its end."""
    inside = better.cite == span.cite and 0 <= better.start < better.end
    return inside and span.evidence is not None and span.evidence[better.start : better.end] == better.text


def event(press: Press, labeller: str, identity: str, guideline: str) -> LabelEvent:
    """The event that a press becomes; what does not belong to its kind is left out."""
    is_label = press.kind is LabelKind.LABEL
    has_reason = press.kind in {LabelKind.SKIP, LabelKind.FLAG}
    return LabelEvent(
        event_id=press.event_id,
        kind=press.kind,
        claim_uid=press.claim_uid,
        cite=press.cite,
        labeller=labeller,
        label=press.label if is_label else None,
        note=press.note,
        reason=press.reason if has_reason else "",
        undoes=press.undoes if press.kind is LabelKind.UNDO else None,
        guideline=guideline,
        seen_sha256=press.seen_sha256,
        queue_id=press.queue_id,
        sub_reason=press.sub_reason if is_label else None,
        confidence=press.confidence if is_label else None,
        better=press.better if is_label else (),
        identity=identity,
        active_ms=press.active_ms,
        decided_at=press.decided_at,
    )
