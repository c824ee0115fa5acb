"""Adjudication: somebody who labelled none of it decides where labellers differ, and says why.

Labels are shown without names, in an order that is the same for everybody and says nothing of who gave them. What a
decision makes is gold with that provenance; it can be taken back, which is a second event.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple
from uuid import UUID

from core import labelling
from core.errors import InputError, StoreConflict
from core.models import Label, Record, digest, utc_now
from core.people import Person, Role
from core.polling import Place, Poll, State
from core.store import Store
from core.store.adjudications import Adjudication
from core.store.gold_records import Vote
from core.store.label_records import BetterEvidence, LabelEvent, SpanToLabel, SubReason

RATIONALE_LIMIT = 1000
"""Characters of a rationale."""


class CaseName(NamedTuple):
    """Which span, under which guideline."""

    queue_id: str | None
    """The queue in which it was labelled first; none for what was labelled outside of any."""
    guideline: str
    claim_uid: str
    cite: str | None


class Docket(Record):
    """What there is to decide."""

    cases: tuple[CaseName, ...]
    """Open ones, in the order in which the claims were first labelled."""
    own: int
    """Further ones, which this person labelled and so cannot decide on."""
    compared: int
    """Spans that two people or more labelled."""
    withheld: int = 0
    """Further ones, of claims that cite sources which this person may not read."""


class Opinion(Record):
    """What one person said, without who it was."""

    letter: str
    label: Label | None
    """None: there is nothing to check."""
    note: str
    sub_reason: SubReason | None
    confidence: int | None
    better: tuple[BetterEvidence, ...]


class Case(Record):
    """One span with the labels to decide between."""

    name: CaseName
    span: SpanToLabel
    opinions: tuple[Opinion, ...]
    token: str
    """Names what is shown; a decision on anything else is refused."""


class Flagged(Record):
    """Something that a labeller wants a reviewer to look at."""

    span: SpanToLabel
    note: str
    reason: str
    guideline: str


def docket(store: Store, person: Person) -> Docket:
    """What is open for a person, over all queues.

    Raises:
        InputError: They are no reviewer.
    """
    _must_review(person)
    facts = store.gold.facts(several=True)
    groups: dict[tuple[bool, str], list[Vote]] = {}
    for vote in facts.votes:
        groups.setdefault((vote.queue_id is not None, vote.guideline), []).append(vote)
    cites = {uid: one.cites for uid, one in facts.claims.items()}
    cases: list[CaseName] = []
    own = compared = 0
    for (_, guideline), votes in groups.items():
        rulings = [one for one in facts.rulings if one.guideline == guideline]
        poll = Poll(votes, rulings, cites, {})
        mine = {one.claim_uid for one in facts.votes if one.labeller == person.name}
        asked: dict[str, str | None] = {}
        for one in votes:
            asked.setdefault(one.claim_uid, one.queue_id)
        for place in _places(asked, cites):
            compared += len(poll.votes(*place)) > 1
            if poll.span(*place).state is State.DISAGREEMENT:
                own += place[0] in mine
                cases += [] if place[0] in mine else [CaseName(asked[place[0]], guideline, *place)]
    barred = store.labels.barred({one.claim_uid for one in cases}, person.groups)
    kept = tuple(one for one in cases if one.claim_uid not in barred)
    return Docket(cases=kept, own=own, compared=compared, withheld=len(cases) - len(kept))


def _places(uids: Iterable[str], cites: Mapping[str, tuple[str, ...]]) -> list[Place]:
    return [(uid, cite) for uid in uids for cite in cites[uid] or (None,)]


def case(store: Store, person: Person, name: CaseName) -> Case | None:
    """One case as it is shown; none when its claim is not in the store any more, or cites what they may not read.

    Raises:
        InputError: They are no reviewer.
    """
    _must_review(person)
    span = labelling.shown(store, person, (name.claim_uid, name.cite))
    if span is None:
        return None
    events = _shuffled(store, name)
    hidden = store.corpora.hidden_of_claims([name.claim_uid], person.groups, utc_now()).get(name.claim_uid, {})
    kept = {"label", "note", "sub_reason", "confidence"}
    opinions = tuple(
        Opinion(
            letter=_letter(at),
            better=tuple(stretch for stretch in one.better if stretch.cite not in hidden),
            **one.model_dump(include=kept),
        )
        for at, one in enumerate(events)
    )
    return Case(name=name, span=span, opinions=opinions, token=_token(events, span))


def decide(store: Store, person: Person, raw: Mapping[str, Any], name: CaseName) -> Adjudication:
    """Store a decision that a browser sent: ``event_id``, ``token``, ``label`` (none: no claim) and ``rationale``.

    Raises:
        InputError: It is no decision, has no reason, what it was made on has changed, or they may not read that.
        StoreConflict: The person labelled the claim.
    """
    _must_review(person)
    _must_read(store, person, name.claim_uid)
    span = store.labels.span(name.claim_uid, name.cite)
    events = _shuffled(store, name)
    if span is None or raw.get("token") != _token(events, span):
        raise InputError("The labels of this claim have changed since they were shown", "read them again, then decide")
    rationale = str(raw.get("rationale") or "").strip()
    if not rationale:
        raise InputError("A decision needs a reason", "write one sentence that says why")
    if len(rationale) > RATIONALE_LIMIT:
        raise InputError(f"The reason has more than {RATIONALE_LIMIT:,} characters", "say it in one sentence")
    if any(one.labeller == person.name for one in events):
        raise StoreConflict(
            "You labelled this claim yourself, so you cannot decide on it", "leave it to another reviewer"
        )
    return store.adjudications.add(
        Adjudication(
            event_id=_uuid(raw.get("event_id")),
            claim_uid=name.claim_uid,
            cite=name.cite,
            queue_id=name.queue_id,
            label=_label(raw),
            rationale=rationale,
            labels_seen=tuple(one.event_id for one in events),
            adjudicator=person.name,
            identity=person.identity,
            guideline=name.guideline,
            seen_sha256=span.seen_sha256,
        )
    )


def take_back(store: Store, person: Person, event_id: str, of: Adjudication, why: str = "") -> Adjudication:
    """Take a decision back; the claim is open again.

    Raises:
        InputError: They are no reviewer, or may not read what the claim cites.
        StoreConflict: It does not stand any more.
    """
    _must_review(person)
    _must_read(store, person, of.claim_uid)
    undo = {
        "event_id": _uuid(event_id),
        "label": None,
        "rationale": why.strip() or "Taken back.",
        "adjudicator": person.name,
        "identity": person.identity,
        "undoes": of.event_id,
        "recorded_at": None,
    }
    return store.adjudications.add(of.model_copy(update=undo))


def flagged(store: Store, person: Person) -> tuple[list[Flagged], int]:
    """What labellers flagged, newest first, without their names; and how many more that this person may not read.

    Raises:
        InputError: They are no reviewer.
    """
    _must_review(person)
    found, withheld = [], 0
    for stored in store.adjudications.flags():
        event = stored.event
        span = store.labels.span(event.claim_uid, event.cite)
        seen = span and span.seen_by(person.groups)
        if seen is not None:
            found.append(Flagged(span=seen, note=event.note, reason=event.reason, guideline=event.guideline))
        withheld += span is not None and seen is None
    return found, withheld


def _must_review(person: Person) -> None:
    if not person.may(Role.REVIEWER):
        raise InputError("Only reviewers decide where labellers differ", "ask an admin for the role")


def _must_read(store: Store, person: Person, claim_uid: str) -> None:
    if store.labels.barred([claim_uid], person.groups):
        raise InputError("You may not read a source that this claim cites", "leave it to another reviewer")


def _shuffled(store: Store, name: CaseName) -> list[LabelEvent]:
    """What was said of the span, or of the claim that it is none, in an order that tells nothing of who said it."""
    said = [
        one.event for one in store.adjudications.opinions(name.claim_uid, name.guideline, name.queue_id is not None)
    ]
    nothing = {one.labeller: one for one in said if one.label is None}
    about = [one for one in said if one.cite == name.cite and one.labeller not in nothing]
    return sorted([*about, *nothing.values()], key=lambda one: digest([name.claim_uid, name.cite, one.event_id]))


def _token(events: list[LabelEvent], span: SpanToLabel) -> str:
    return digest([[one.event_id for one in events], span.seen_sha256])


def _letter(at: int) -> str:
    return chr(ord("A") + at)


def _label(raw: Mapping[str, Any]) -> Label | None:
    word = raw.get("label")
    if word is None:
        return None
    if not isinstance(word, str) or word not in set(Label):
        raise InputError("This decision names no label", "press a key from 1 to 9, or 0")
    return Label(word)


def _uuid(text: object) -> str:
    try:
        return str(UUID(str(text)))
    except ValueError:
        raise InputError("This decision has no id of its own", "reload the page and try again") from None
