"""Labelling by people: what comes next, and taking decisions in so that none is lost, doubled or misplaced.

A decision arrives as an untrusted mapping from a browser; ``core.presses`` says when one can be stored. No verdict of
any judge is read here.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from typing import Any

from pydantic import ValidationError

from core import presses
from core.errors import StoreConflict
from core.models import Record, utc_now
from core.people import Person
from core.presses import Press, SentDraft
from core.store import Store
from core.store.label_records import BetterEvidence, LabelEvent, LabelKind, Place, Sight, SpanToLabel, StoredLabel

NAME_LIMIT = 60
"""Characters of a labeller's name."""

AHEAD_LIMIT = 400_000
"""Characters of text sent ahead of the person at once; two spans are sent whatever their size."""


TOO_LATE = (
    "Your time for this claim ran out before this label arrived, and others labelled it since, so it was not saved."
)
"""Why a label is refused that would be one more than are wanted; its claim does not come back."""


NOT_YOURS = "You may not read a source that this claim cites, so nothing was saved; it is left to others."
"""Why any press is refused about a claim that its person may not read, or no more; what they said before stays."""


class Acknowledgement(Record):
    """The answer to one press: stored, or not and why."""

    event_id: str
    stored_at: datetime | None = None
    """When the store took it, in UTC; none when it was refused."""
    refused: str = ""
    """Why it can never be stored, in a sentence."""
    span: SpanToLabel | None = None
    """What to show again: the span that an undo brings back, or that of a refused press, as it stands now."""


def labeller_name(text: str, default: str) -> str:
    """Turn what somebody typed into a name to store: one line, composed characters, no control or format characters."""
    spaced = (" " if char.isspace() else char for char in text)
    kept = "".join(char for char in spaced if unicodedata.category(char)[0] != "C")
    return " ".join(unicodedata.normalize("NFC", kept).split())[:NAME_LIMIT].rstrip() or default


def ahead(store: Store, queue_id: str, person: Person, limit: int, have: Sequence[Place] = ()) -> list[SpanToLabel]:
    """The next spans of a queue for a labeller, whose they are from now on, without those the browser has.

    Args:
        store: Where claims and decisions are.
        queue_id: Out of which queue.
        person: Whose decisions count; what they may not read is not among it.
        limit: How many at most; fewer when their texts are long.
        have: What is in the browser already; it stays theirs.
    """
    taken: list[SpanToLabel] = []
    size = 0
    for span in store.queues.ahead(queue_id, person.name, limit, have, utc_now(), person.groups):
        seen = span.seen_by(person.groups)
        if seen is None:  # since the queue was looked at
            continue
        size += len(seen.claim) + len(seen.answer or "") + len(seen.evidence or "")
        if len(taken) >= 2 and size > AHEAD_LIMIT:
            break
        taken.append(seen)
    return taken


def shown(store: Store, person: Person, place: Place) -> SpanToLabel | None:
    """One span for the eyes of a person; none when it is not in the store, or they may not read what it cites."""
    span = store.labels.span(*place)
    return span and span.seen_by(person.groups)


def standing(better: Sequence[BetterEvidence], span: SpanToLabel) -> tuple[BetterEvidence, ...]:
    """Those of some marked stretches that stand in the passage as it may be shown; a hidden source has none."""
    return tuple(one for one in better if presses.says_so(one, span))


def submit(
    store: Store, person: Person, sent: Sequence[Mapping[str, Any]], seen: Sequence[Mapping[str, Any]] = ()
) -> list[Acknowledgement]:
    """Store what can be stored and answer every press that has an event id.

    Presses are stored in one transaction; only when one of them contradicts the store, each in its own, so that it is
    refused alone and not sent again for ever. A press sent again after its acknowledgement was lost is acknowledged
    again and changes nothing.

    Args:
        store: Where they go.
        person: Who pressed, as the session knows them.
        sent: Untrusted.
        seen: What they had before their eyes meanwhile, untrusted; goes into the audit chain with the presses.

    Raises:
        StoreError: Nothing was stored; all presses may be sent again.
    """
    answers: dict[str, Acknowledgement] = {}
    events: list[LabelEvent] = []
    for raw in sent:
        made = _taken(store, person, raw)
        answers[made.event_id] = Acknowledgement(event_id=made.event_id)  # keeps their order
        if isinstance(made, LabelEvent):
            events.append(made)
        else:
            answers[made.event_id] = made
    for answer in _stored(store, events, _sights(seen), person):
        answers[answer.event_id] = answer
    return list(answers.values())


def keep_drafts(store: Store, queue_id: str, person: Person, sent: Sequence[Mapping[str, Any]]) -> None:
    """Keep what somebody is writing; what is no draft, or of what they may not read, is left out.

    So is one that marks what does not stand there.

    Raises:
        StoreError: Nothing was kept; all may be sent again.
    """
    kept = []
    for raw in sent:
        try:
            draft = SentDraft.model_validate(dict(raw))
        except ValidationError:
            continue
        span = shown(store, person, (draft.claim_uid, draft.cite))
        if span and len(standing(draft.better, span)) == len(draft.better):
            kept.append(((draft.claim_uid, draft.cite), draft.draft()))
    if kept:
        store.drafts.save(person.name, queue_id, kept)


def _taken(store: Store, person: Person, raw: Mapping[str, Any]) -> LabelEvent | Acknowledgement:
    """The event of a press, or why there is none."""
    try:
        press = Press.model_validate(dict(raw))
    except ValidationError:
        refused = "This press is not a decision about a claim."
        return Acknowledgement(event_id=str(raw.get("event_id", "")), refused=refused)
    span = store.labels.span(press.claim_uid, press.cite)
    spec = store.queues.spec(press.queue_id)
    why = presses.refusal(press, span)
    if spec is None:
        why = "The queue of this press is not in the store, so nothing was saved."
    elif spec.labellers and person.name not in spec.labellers:
        why = f"The queue “{store.queues.get(press.queue_id).name}” is for others, so nothing was saved."
    is_theirs = span is None or span.is_for(person.groups)
    if spec is None or (why and is_theirs):
        return Acknowledgement(event_id=press.event_id, refused=why, span=span and span.seen_by(person.groups))
    made = presses.event(press, person.name, person.identity, spec.guideline)
    if not is_theirs and store.labels.known([press.event_id]):
        return made  # it was stored while they might read it; only its acknowledgement was lost
    settles = press.kind in {LabelKind.LABEL, LabelKind.NOT_A_CLAIM}
    held = (press.queue_id, press.claim_uid, person.name, utc_now(), person.groups)
    if (settles or not is_theirs) and not store.queues.hold(*held):  # lets go of what they may not read
        return Acknowledgement(event_id=press.event_id, refused=TOO_LATE if is_theirs else NOT_YOURS)
    return made


def _sights(seen: Sequence[Mapping[str, Any]]) -> list[Sight]:
    sights = []
    for raw in seen:
        try:
            sights.append(Sight.model_validate(dict(raw)))
        except ValidationError:
            continue
    return sights


def _stored(
    store: Store, events: Sequence[LabelEvent], sights: Sequence[Sight], person: Person
) -> Iterator[Acknowledgement]:
    """Store events together, or one by one when they contradict the store; each is answered."""
    if not events:
        store.labels.saw(person.name, sights)
        return
    try:
        for stored in store.labels.add(events, sights=sights):
            yield _acknowledge(store, person, stored)
    except StoreConflict as conflict:
        if len(events) == 1:
            event = events[0]
            span = shown(store, person, (event.claim_uid, event.cite))
            yield Acknowledgement(event_id=event.event_id, refused=str(conflict), span=span)
            store.labels.saw(person.name, sights)
            return
        for event in events:
            yield from _stored(store, [event], (), person)
        store.labels.saw(person.name, sights)


def _acknowledge(store: Store, person: Person, stored: StoredLabel) -> Acknowledgement:
    """Say that an event is stored; an undo also brings its span back."""
    event = stored.event
    back = shown(store, person, (event.claim_uid, event.cite)) if event.kind is LabelKind.UNDO else None
    return Acknowledgement(event_id=event.event_id, stored_at=stored.recorded_at, span=back)
