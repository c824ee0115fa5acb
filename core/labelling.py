"""Labelling by people: what comes next, and taking decisions in so that none is lost, doubled or misplaced.

A decision arrives as an untrusted mapping from a browser. It is stored only when it names a claim × cited span that the
store holds and the sha256 of exactly the texts that were shown, so a press can never land on a claim that nobody saw.
No verdict of any judge is read here.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from typing import Annotated, Any
from uuid import UUID

from pydantic import AfterValidator, Field, ValidationError

from core.errors import StoreConflict
from core.models import Label, Record
from core.store import Store
from core.store.records import LabelEvent, LabelKind, SpanToLabel, StoredLabel

GUIDELINE = "v1"
"""The version of the label definitions that decisions are made under; raised when a definition changes."""

SKIP_REASONS = (
    "I cannot tell from this text",
    "The claim itself is unclear",
    "This is not a checkable claim",
    "Somebody with other knowledge should decide",
    "Later",
)
"""Why a person may pass on a span; stored and counted, so never renamed."""

NOTE_LIMIT = 2000
"""Characters of a note."""

NAME_LIMIT = 60
"""Characters of a labeller's name."""

AHEAD_LIMIT = 400_000
"""Characters of text sent ahead of the person at once; two spans are sent whatever their size."""


class Press(Record):
    """One decision as the browser sends it."""

    event_id: Annotated[str, Field(max_length=64), AfterValidator(lambda value: str(UUID(value)))]
    """A random UUID made where the key was pressed: the same press sent twice is stored once."""
    kind: LabelKind
    claim_uid: Annotated[str, Field(max_length=200)]
    cite: str | None
    seen_sha256: Annotated[str, Field(max_length=64)]
    label: Label | None = None
    note: Annotated[str, Field(max_length=NOTE_LIMIT)] = ""
    reason: str = ""
    undoes: Annotated[str, Field(max_length=64)] | None = None


class Acknowledgement(Record):
    """The answer to one press: stored, or not and why."""

    event_id: str
    stored_at: datetime | None = None
    """When the store took it, in UTC; none when it was refused."""
    refused: str = ""
    """Why it can never be stored, in a sentence."""
    span: SpanToLabel | None = None
    """What to show instead: the span that an undo brings back, or the text as it stands now."""


def labeller_name(text: str, default: str) -> str:
    """Turn what somebody typed into a name to store: one line, composed characters, no control or format characters."""
    spaced = (" " if char.isspace() else char for char in text)
    kept = "".join(char for char in spaced if unicodedata.category(char)[0] != "C")
    return " ".join(unicodedata.normalize("NFC", kept).split())[:NAME_LIMIT].rstrip() or default


def ahead(store: Store, labeller: str, limit: int, have: Sequence[tuple[str, str | None]] = ()) -> list[SpanToLabel]:
    """The next spans for a labeller, in queue order, without those the browser has.

    Args:
        store: Where claims and decisions are.
        labeller: Whose decisions count.
        limit: How many at most; fewer when their texts are long.
        have: Claim uid and cite of what is in the browser already.
    """
    spans = store.spans_to_label(labeller, GUIDELINE, limit, have)
    taken: list[SpanToLabel] = []
    size = 0
    for span in spans:
        size += len(span.claim) + len(span.answer or "") + len(span.evidence or "")
        if len(taken) >= 2 and size > AHEAD_LIMIT:
            break
        taken.append(span)
    return taken


def submit(store: Store, labeller: str, presses: Sequence[Mapping[str, Any]]) -> list[Acknowledgement]:
    """Store what can be stored and answer every press that has an event id.

    Presses are stored in one transaction; only when one of them contradicts the store, each in its own, so that it is
    refused alone and not sent again for ever.

    A press sent again after its acknowledgement was lost is acknowledged again and changes nothing.

    Raises:
        StoreError: Nothing was stored; all presses may be sent again.
    """
    answers: dict[str, Acknowledgement] = {}
    events: list[LabelEvent] = []
    for raw in presses:
        event_id = str(raw.get("event_id", ""))
        try:
            events.append(_event(store, labeller, Press.model_validate(dict(raw))))
        except ValidationError:
            answers[event_id] = Acknowledgement(
                event_id=event_id, refused="This press is not a decision about a claim."
            )
        except _RefusedError as refusal:
            answers[event_id] = Acknowledgement(event_id=event_id, refused=refusal.why, span=refusal.span)
    for event_id, answer in _stored(store, events):
        answers[event_id] = answer
    return list(answers.values())


def _stored(store: Store, events: Sequence[LabelEvent]) -> Iterator[tuple[str, Acknowledgement]]:
    """Store events together, or one by one when they contradict the store; each is answered."""
    if not events:
        return
    try:
        for stored in store.add_label_events(events):
            yield stored.event.event_id, _acknowledge(store, stored)
    except StoreConflict as conflict:
        if len(events) == 1:
            yield events[0].event_id, Acknowledgement(event_id=events[0].event_id, refused=str(conflict))
            return
        for event in events:
            yield from _stored(store, [event])


class _RefusedError(ValueError):
    """A press that can never be stored."""

    def __init__(self, why: str, span: SpanToLabel | None = None) -> None:
        self.why = why
        self.span = span
        super().__init__(why)


def _event(store: Store, labeller: str, press: Press) -> LabelEvent:
    """Turn a press into an event, or refuse it."""
    span = store.span_to_label(press.claim_uid, press.cite)
    if span is None:
        raise _RefusedError("This claim is not in the store, so nothing was saved.")
    if span.seen_sha256 != press.seen_sha256:
        raise _RefusedError("The text has changed since it was shown, so nothing was saved. Read it again.", span)
    if press.kind is LabelKind.LABEL and press.label is None:
        raise _RefusedError("This press names no label, so nothing was saved.")
    if press.kind is LabelKind.SKIP and press.reason not in SKIP_REASONS:
        raise _RefusedError("This press names no reason to skip, so nothing was saved.")
    if press.kind is LabelKind.UNDO and not press.undoes:
        raise _RefusedError("This press names nothing to take back.")
    return LabelEvent(
        event_id=press.event_id,
        kind=press.kind,
        claim_uid=press.claim_uid,
        cite=press.cite,
        labeller=labeller,
        label=press.label if press.kind is LabelKind.LABEL else None,
        note=press.note,
        reason=press.reason if press.kind is LabelKind.SKIP else "",
        undoes=press.undoes if press.kind is LabelKind.UNDO else None,
        guideline=GUIDELINE,
        seen_sha256=press.seen_sha256,
    )


def _acknowledge(store: Store, stored: StoredLabel) -> Acknowledgement:
    """Say that an event is stored; an undo also brings its span back."""
    event = stored.event
    back = store.span_to_label(event.claim_uid, event.cite) if event.kind is LabelKind.UNDO else None
    return Acknowledgement(event_id=event.event_id, stored_at=stored.recorded_at, span=back)
