"""What a tab of the label page and the desk say to each other: presses in, answers and the next claims out.

The browser keeps every press until it is acknowledged; here presses are taken in and answered. Nothing that a judge
said is read, but for the reveal that a person asks for. Everything that a browser sends is untrusted.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from core import guidelines, labelling, old_answers, presses, reveal
from core.errors import CitedeskError
from core.labelling import Acknowledgement
from core.models import utc_now
from core.people import Person
from core.store import Store
from core.store.label_records import LabelKind, Place, StoredLabel
from core.store.queue_records import EmptyQueue, Queue, QueueState
from dashboard.widgets import label_item, label_keys, look

AHEAD = 30
"""Spans in the browser at once, if there are so many, so that the next one is there before the answer comes."""

AT_ONCE = 50
"""Presses taken from one message; the rest come with the next."""

UNSENT_LIMIT = 20
"""Decisions without an acknowledgement after which labelling waits; so many spans are always ahead, if there are."""

HAD = 100
"""Spans in a browser of which it is looked whether they may stay there; it holds never more than AHEAD and a few."""

RECENT = 10
"""Decisions that undo, back and the end of a queue reach after a reload."""

Log = Mapping[str, Any]
"""What the browser sends."""


def exchange(store: Store, person: Person, queue: Queue, log: Log) -> dict[str, Any]:
    """Take in what a tab sends, and give it answers and what it needs to go on.

    When the store fails after presses were stored, they are acknowledged all the same.
    """
    answers = taken(store, person, queue, log)
    try:
        return shown(store, person, queue, log) | answers
    except CitedeskError as error:
        return {"attempt": _attempt(log), "items": [], "draft_error": str(error)} | answers


def taken(store: Store, person: Person, queue: Queue, log: Log) -> dict[str, Any]:
    """Take in what the browser sent, and give its answers: ``acks``, one per press, and what else it asked for.

    Each press is stored, refused for good, or failed; all that are stored are so in one transaction.
    """
    events = _mappings(log, "events")
    answers: dict[str, Any] = {}
    try:
        stored = labelling.submit(store, person, events, _mappings(log, "seen"))
        answers["acks"] = [_answer(one) for one in stored]
        labelling.keep_drafts(store, queue.queue_id, person, _mappings(log, "drafts"))
        if asked := _place(log.get("reveal")):
            answers["revealed"] = revealed(store, person, asked)
    except CitedeskError as error:
        failed = f"Not saved. {error}"
        answers.setdefault("acks", [{"event_id": event.get("event_id"), "failed": failed} for event in events])
        answers["draft_error"] = failed
    return answers


def shown(store: Store, person: Person, queue: Queue, log: Log) -> dict[str, Any]:
    """What the browser needs to go on: the spans it lacks, how far the queue is, and once, what does not change.

    What its person may not read any more it is told to forget.
    """
    name, places = person.name, _places(log.get("have"))
    limit = _room(store, person, queue, len(places))
    spans = labelling.ahead(store, queue.queue_id, person, limit, places) if limit > 0 else []
    drafts = store.drafts.of(name, [(one.claim_uid, one.cite) for one in spans])
    state = store.queues.state(queue.queue_id, name, utc_now(), person.groups)
    wanted = _place(log.get("want"))
    found = labelling.shown(store, person, wanted) if wanted else None
    message = {
        "attempt": _attempt(log),
        "labeller": name,
        "rights": store.labels.rights(person.groups),
        "barred": _barred(store, person, [*places, *([wanted] if wanted else [])]),
        "queue": {"id": queue.queue_id, "name": queue.name},
        "guideline": queue.spec.guideline,
        "items": [label_item.item(one, drafts) for one in spans],
        "state": state.model_dump(mode="json"),
        "wanted": found and label_item.item(found),
        "counts": _counts(store, name, queue) if state.empty in (EmptyQueue.DONE, EmptyQueue.WITHHELD) else {},
    }
    once = {} if log.get("ready") is True else _once(store, queue)
    return message | once | _recent(store, person, queue, state, log)


def _barred(store: Store, person: Person, places: Sequence[Place]) -> list[str]:
    """The keys of those of some spans that are in the store and that a person may not read."""
    spans = ((place, store.labels.span(*place)) for place in places[:HAD]) if person.groups is not None else ()
    return [label_item.key(*place) for place, span in spans if span and not span.is_for(person.groups)]


def _room(store: Store, person: Person, queue: Queue, held: int) -> int:
    """How many spans more to give somebody: up to their share of what is left, once a third of that is used up."""
    if held > UNSENT_LIMIT:
        return 0
    most = min(AHEAD, store.queues.share(queue.queue_id, person.name, utc_now(), person.groups))
    return most - held if 3 * held <= 2 * most else 0


def _once(store: Store, queue: Queue) -> dict[str, Any]:
    """What the browser keeps as long as the page is open."""
    return {
        "labels": label_keys.labels(),
        "keys": [one._asdict() for one in label_keys.ACTS],
        "sub_reasons": label_keys.sub_reasons(),
        "reasons": {"skip": presses.SKIP_REASONS, "flag": presses.FLAG_REASONS},
        "note_limit": presses.NOTE_LIMIT,
        "unsent_limit": UNSENT_LIMIT,
        "entries": [one.model_dump() for one in _guideline(store, queue.spec.guideline)],
    }


def _guideline(store: Store, version: str) -> tuple[guidelines.Entry, ...]:
    known = {one.guideline for one in guidelines.every(store)}
    return guidelines.of(store, version).entries if version in known else ()


def _recent(store: Store, person: Person, queue: Queue, state: QueueState, log: Log) -> dict[str, Any]:
    """The latest decisions in this queue, newest first: for undo when the page opens, for review at the end.

    Those on what the person may not read any more stand, but are neither shown nor taken back here.
    """
    if log.get("ready") is True and not state.empty:
        return {}
    latest = [one for one in store.labels.last(person.name, RECENT) if one.event.queue_id == queue.queue_id]
    barred = store.labels.barred({one.event.claim_uid for one in latest}, person.groups)
    kept = [one for one in latest if one.event.claim_uid not in barred]
    unhidden = old_answers.events(store, kept, person.groups)
    return {"recent": [_given(store, one, bool(state.empty)) for one in unhidden]}


def _given(store: Store, stored: StoredLabel, with_claim: bool) -> dict[str, Any]:
    event = stored.event
    span = store.labels.span(event.claim_uid, event.cite) if with_claim else None
    return label_item.given(event, span.claim if span else "")


def _counts(store: Store, name: str, queue: Queue) -> dict[str, int]:
    """How often this person gave each label under the guideline of the queue."""
    mine = (one.event for one in store.labels.current() if one.event.labeller == name)
    given = (one for one in mine if one.guideline == queue.spec.guideline)
    return dict(Counter(str(one.label or one.kind) for one in given if one.label or one.kind is LabelKind.NOT_A_CLAIM))


def revealed(store: Store, person: Person, asked: Place) -> dict[str, Any]:
    """What the judge that spoke last said of a span, if this person may hear it; that they did is kept first."""
    claim_uid, cite = asked
    answer = {"claim_uid": claim_uid, "cite": cite, "said": "", "refused": ""}
    standing = store.reveals.standing(person.name, claim_uid)
    if store.labels.barred([claim_uid], person.groups):
        return answer | {"refused": "you may not read a source of that claim"}
    if not standing.labels or not reveal.may_reveal(person, standing):
        return answer | {"refused": "the judge's word is shown once every passage of that claim has your label"}
    detail = store.claim(claim_uid)
    if detail is None:
        return answer | {"refused": "no judge has said anything of that claim"}
    store.reveals.note(person.name, [claim_uid], "label page")
    labels = {span.cite: span.label for span in detail.row.spans}
    said = look.of(labels.get(cite, detail.row.label) if cite else detail.row.label)
    return answer | {"said": f"{said.name} ({detail.row.protocol})"}


def _answer(ack: Acknowledgement) -> dict[str, Any]:
    return {
        "event_id": ack.event_id,
        "stored_at": ack.stored_at and ack.stored_at.isoformat(),
        "refused": ack.refused,
        "item": ack.span and label_item.item(ack.span),
    }


def _attempt(log: Log) -> int:
    attempt = log.get("attempt")
    return attempt if isinstance(attempt, int) else 0


def _mappings(log: Log, name: str) -> list[Mapping[str, Any]]:
    found = log.get(name)
    wanted = found[:AT_ONCE] if isinstance(found, list) else []
    return [one for one in wanted if isinstance(one, Mapping)]


def _place(value: object) -> Place | None:
    if not isinstance(value, list) or len(value) != 2 or not isinstance(value[0], str):
        return None
    return (value[0], value[1]) if value[1] is None or isinstance(value[1], str) else None


def _places(value: object) -> list[Place]:
    return [place for one in (value if isinstance(value, list) else []) if (place := _place(one))]
