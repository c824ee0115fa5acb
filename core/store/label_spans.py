"""Spans as labellers see them, those read lately kept: a press about one that was just given out reads nothing."""

from __future__ import annotations

import threading
from collections.abc import Sequence

from core.models import utc_now
from core.store import access, label_queue
from core.store.access import Age
from core.store.connection import Connection, Session
from core.store.label_records import Place, SpanToLabel
from core.store.places import Numbered, Places

_KEPT = 2000

_OF_LABELLING = frozenset(
    "label_events audit leases label_drafts reveals adjudications guidelines people roles queues queue_events "
    "queue_draws queue_items person_groups told_groups".split()
)
"""Tables that say nothing of how a span looks; a write to any other one makes all that is kept old."""


def _says_something(table: str) -> bool:
    return table not in _OF_LABELLING


def _age(session: Session) -> Age:
    return access.age(session, _says_something)


class LabelSpans:
    """The spans of a store, read once in a while; safe to use from many threads."""

    def __init__(self, connection: Connection, places: Places) -> None:
        """Read through this connection."""
        self._connection, self._places = connection, places
        self._lock = threading.Lock()
        self._age = Age(-1, None)
        self._kept: dict[Place, SpanToLabel] = {}

    def get(self, place: Place) -> SpanToLabel | None:
        """One span; none when there is no such claim, it was withdrawn, or it does not have that citation."""
        if found := self._known(place):
            return found
        with self._connection.read() as session:
            age = _age(session)  # before it is read what may be shown
            found = label_queue.one(session, place, self._places)
        if found:
            self._keep([found], age)
        return found

    def read(self, spans: Sequence[Numbered]) -> list[SpanToLabel]:
        """Spans that stand in the store, in this order."""
        self._places.keep(spans)
        missing = [one.span_no for one in spans if self._known(one.place) is None]
        fresh = {}
        if missing:
            with self._connection.read() as session:
                age = _age(session)
                read = label_queue.spans(session, missing)
            self._keep(read, age)
            fresh = {(one.claim_uid, one.cite): one for one in read}
        found = (fresh.get(one.place) or self._known(one.place) or self.get(one.place) for one in spans)
        return [one for one in found if one]

    def _known(self, place: Place) -> SpanToLabel | None:
        change, now = self._connection.change(_says_something), utc_now()
        with self._lock:
            return self._kept.get(place) if self._age.holds(change, now) else None

    def _keep(self, spans: Sequence[SpanToLabel], age: Age) -> None:
        with self._lock:
            if age.change < self._age.change:
                return
            if age != self._age or len(self._kept) > _KEPT:
                self._kept.clear()
            self._age = age
            self._kept |= {(one.claim_uid, one.cite): one for one in spans}
