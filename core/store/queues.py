"""Labelling queues: which claims are drawn, who gets which of them next, and how far that is."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import TypeVar

from core.store import population, queue_log
from core.store.access import Groups
from core.store.connection import Session
from core.store.given_out import GivenOut
from core.store.label_records import SpanToLabel
from core.store.queue_records import Draw, DrawnClaim, Population, Queue, QueueSpec, QueueState

Items = list[DrawnClaim]
Spans = list[SpanToLabel]
Chosen = TypeVar("Chosen")


class Queues(GivenOut):
    """The queues of a store; see ``Store`` for what holds of all its methods.

    Methods that name a queue raise ``InputError`` when there is none of that id.
    """

    def create(self, spec: QueueSpec, draw: Draw, who: str, queue_id: str | None = None) -> Queue:
        """Make a queue of what was drawn for it, in one transaction.

        Args:
            spec: How it was made.
            draw: What was drawn.
            who: Made it.
            queue_id: For a standing queue that has an id of its own; one that is there already is given back.
        """
        with self._connection.write() as session:
            there = queue_log.queues(session, queue_id) if queue_id else []
            if not there:
                queue_id = queue_log.make(session, spec, who, queue_id)
                queue_log.add(session, queue_log.number(session, queue_id), draw, who)
        self._wrote()
        assert queue_id is not None
        return self.get(queue_id)

    def list(self, include_closed: bool = True) -> list[Queue]:
        """The queues, in the order of their making."""
        with self._connection.read() as session:
            return [queue for queue in queue_log.queues(session) if include_closed or not queue.closed]

    def get(self, queue_id: str) -> Queue:
        """A queue as it stands."""
        with self._connection.read() as session:
            return _get(session, queue_id)

    def find(self, queue_id: str) -> Queue | None:
        """A queue as it stands; none when there is none of that id."""
        with self._connection.read() as session:
            return next(iter(queue_log.queues(session, queue_id)), None)

    def rename(self, queue_id: str, name: str, who: str) -> Queue:
        """Give a queue another name."""
        return self._change(queue_id, "renamed", name, who)

    def close(self, queue_id: str, who: str) -> Queue:
        """Give out nothing more of a queue; what was given out is still taken in. Closing twice changes nothing."""
        return self._change(queue_id, "closed", None, who)

    def open(self, queue_id: str, who: str) -> Queue:
        """Open a closed queue again."""
        return self._change(queue_id, "opened", None, who)

    def _change(self, queue_id: str, kind: str, value: str | None, who: str) -> Queue:
        with self._connection.write() as session:
            queue = _get(session, queue_id)
            if {"closed": queue.closed, "opened": not queue.closed}.get(kind, queue.name == value):
                return queue
            queue_log.change(session, queue_log.number(session, queue_id), kind, value, who)
        self._wrote()
        return self.get(queue_id)

    def population(self, spec: QueueSpec, queue_id: str | None = None) -> Population:
        """The claims that a spec's filter holds, whoever may see what of them. Nothing else of a queue reads verdicts.

        Args:
            spec: Whose filter, second protocol and design say what is read.
            queue_id: The queue whose earlier draws say in which wave a claim came; none before it is made.
        """
        with self._connection.read() as session:
            queue_no = None if queue_id is None else queue_log.number(session, queue_id)
            return population.read(session, spec, queue_no)

    def draw(self, queue_id: str, draw: Draw, who: str) -> bool:
        """Add what was drawn to a queue, and restate the probabilities of what is in it; gives whether that is news."""
        with self._connection.write() as session:
            changed = queue_log.add(session, queue_log.number(session, queue_id), draw, who)
        if changed:
            self._wrote()
        return changed

    def items(self, queue_id: str) -> Items:
        """The claims of a queue in its order, check items too; for rates take those without ``check_label``."""
        with self._connection.read() as session:
            return queue_log.items(session, queue_log.number(session, queue_id))

    def strata(self, queue_id: str) -> dict[str, tuple[int, int]]:
        """Per stratum, claims that there were at the last draw, and claims drawn."""
        with self._connection.read() as session:
            return queue_log.strata(session, queue_log.number(session, queue_id))

    def has_grown(self, queue_id: str) -> bool:
        """Whether claims came into the store since the last draw of a queue."""
        with self._connection.read() as session:
            return queue_log.has_grown(session, queue_log.number(session, queue_id))

    def states(self, labeller: str, now: datetime, groups: Groups = None) -> Sequence[tuple[Queue, QueueState]]:
        """Every queue with its state, in the order of their making; see ``state``."""
        return [(queue, self.state(queue.queue_id, labeller, now, groups)) for queue in self.list()]


def _get(session: Session, queue_id: str) -> Queue:
    queue_log.number(session, queue_id)
    return queue_log.queues(session, queue_id)[0]
