"""The board of one queue, in memory: its claims, who labelled or skipped what, and who holds which claim now.

It is what the log says up to an event, so that no press reads the log again: it is read once, and told of every event
and lease that is committed since. Reading anew gives the same board.

A label counts whatever queue it was given in, as long as that was under the queue's guideline. One that was given in no
queue (it came with a file, or before there were queues) settles the claim for its labeller, but takes nobody's place.
"""

from __future__ import annotations

import threading
from collections.abc import Collection, Iterable, Iterator, Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Any

from core.models import utc_now
from core.store import access, label_hands, leases, queue_claims
from core.store.access import Groups, QueueAccess, View
from core.store.connection import Connection, Session
from core.store.label_hands import Change, Hand
from core.store.label_records import Place
from core.store.label_tally import Tally
from core.store.leases import Lease
from core.store.queue_claims import Item

if TYPE_CHECKING:
    from numpy.typing import NDArray

_STANDING = """
select (select coalesce(max(draw_no), 0) from queue_draws where queue_no = $1),
  (select count(*) from withdrawn_claims), (select coalesce(sum(claim_no), 0) from withdrawn_claims)
"""
"""What a board is read anew for when it changes: claims were drawn, or went out of the store or came back."""

READ_AND_NEXT = 2
"""Spans that anybody may hold: the one that is read, and the one that a press shows without asking."""

_OF_CLAIMS = frozenset({"queue_draws", "imports", "import_events", "import_runs", "import_requests", ""})
"""The tables that this is read from; the last stands for one that nobody named."""


class Board(Tally):
    """One queue as it stands. Hold ``lock`` while calling anything of it; whoever writes to the store takes it second.

    Otherwise two threads could wait for each other.
    """

    def __init__(self, queue_no: int, guideline: str, members: Collection[str]) -> None:
        """Begin empty.

        Args:
            queue_no: Which queue.
            guideline: Only labels under it count.
            members: Whose labels count; nobody named means everybody's.
        """
        self.lock = threading.Lock()
        self._queue_no, self._guideline, self._members = queue_no, guideline, frozenset(members)
        self._stands: tuple[int, int, int] | None = None
        self._claims_change = self._events_change = -1
        self._event = 0
        self._access: QueueAccess | None = None

    @property
    def last_event(self) -> int:
        """The number of the last label event that it knows of."""
        return self._event

    def is_fresh(self, at: Session | Connection) -> bool:
        """Whether it holds everything that was committed by then."""
        if self._stands is None or at.change(_OF_CLAIMS.__contains__) > self._claims_change:
            return False
        return at.change("label_events".__eq__) <= self._events_change and self._knows_readers(at)

    def _knows_readers(self, at: Session | Connection) -> bool:
        return self._access is not None and self._access.age.holds(at.change(access.says), utc_now())

    def refresh(self, session: Session) -> None:
        """Be what the store says now; nothing is read when all that was committed has been told."""
        if self.is_fresh(session):
            return
        now = session.one(_STANDING, [self._queue_no])
        if now != self._stands or session.change("label_events".__eq__) > self._events_change:
            self._read(session)
        if not self._knows_readers(session):
            self._access = access.of_queue(session, self._claims, self._queue_no, self._access)
        self._stands = now
        self._claims_change = session.change(_OF_CLAIMS.__contains__)

    def take(self, changes: Sequence[Change], number: int) -> None:
        """Take in what the commit of this number did to the log."""
        if self._stands is None:
            return
        for one in changes:
            if one.event_no > self._event and one.guideline == self._guideline:
                self._mark(one)
        self._event = max([self._event, *(one.event_no for one in changes)])
        self._events_change = max(self._events_change, number)

    def take_leases(self, taken: Iterable[Lease]) -> None:
        """Take in leases that were committed; the last one of a claim and labeller counts."""
        for lease in taken:
            held = self._leases.setdefault(lease.claim_no, {})
            before = held.get(lease.labeller)
            if before is None or before.lease_no < lease.lease_no:
                held[lease.labeller] = lease
                self._at_work[lease.labeller] = lease

    def _read(self, session: Session) -> None:
        self._events_change = session.change("label_events".__eq__)
        self._event = int(session.value("select coalesce(max(event_no), 0) from label_events"))
        self._claims = queue_claims.read(session, self._queue_no)
        self._leases: dict[int, dict[str, Lease]] = {}
        self._at_work: dict[str, Lease] = {}
        self.take_leases(leases.every(session, self._queue_no))
        self._tally(label_hands.read(session, self._claims, self._guideline))
        self._access = None

    def item(self, claim_uid: str) -> Item | None:
        """A claim of the queue; none when it is not in it."""
        return self._claims.named(claim_uid)

    def view(self, groups: Groups) -> View:
        """What of it somebody in these groups may read; see ``core.store.access``."""
        assert self._access is not None, "a board is read before it is asked"
        return self._access.to(groups)

    def restricted(self) -> NDArray[Any]:
        """By place, whether only some groups may read a claim."""
        assert self._access is not None, "a board is read before it is asked"
        return self._access.restricted

    def ahead(
        self, labeller: str, view: View, limit: int, have: Collection[Place], now: datetime
    ) -> list[tuple[Item, int]]:
        """What a labeller gets next: spans with their claims, at most ``limit``, none of those they have.

        Claims that they may read in the order of the queue; what they skipped after all the rest, the longest ago
        first. Check items only while there is something else.
        """
        hand = self._hand(labeller)
        if all(item.check for item, _ in self._open(hand, view, labeller, now)):
            return []
        found: list[tuple[Item, int]] = []
        for item, spans in self._open(hand, view, labeller, now):
            found += [(item, span) for span in spans if (item.claim_uid, item.cite(span)) not in have]
            if len(found) >= limit:
                break
        return found[:limit]

    def share(self, labeller: str, view: View, named: int, now: datetime) -> int:
        """Spans that a labeller may hold at once; see ``Queues.share``.

        Args:
            labeller: Who wants some.
            view: What they may read.
            named: People whom the queue names.
            now: In UTC.
        """
        spans, labelled, _ = self.spans_of(labeller, view)
        others = sum(lease.runs(now) for name, lease in self._at_work.items() if name != labeller)
        return max(READ_AND_NEXT, -(-(spans - labelled) // max(named, others + 1, 1 if named else 2)))

    def free_at(self, labeller: str, view: View, now: datetime) -> datetime | None:
        """When the first claim that others hold is free for a labeller; none when they hold nothing of theirs."""
        hand = self._hand(labeller)
        held = [item for item, _ in self._waiting(hand, view) if not self._has_room(item, labeller, now)]
        return min((lease.until for item in held for lease in self._others(item, labeller, now)), default=None)

    def may_hold(self, item: Item, labeller: str, view: View, now: datetime) -> bool:
        """Whether a claim is a labeller's to label: they have done so, or not too many others have or hold it."""
        if item.claim_no in self._hand(labeller).done:
            return not view.bars(item)
        return self.may_take(item, labeller, view, now)

    def may_take(self, item: Item, labeller: str, view: View, now: datetime) -> bool:
        """Whether there is a place for a labeller who may read a claim and has not labelled it."""
        if view.bars(item) or item.claim_no in self._hand(labeller).done:
            return False
        return self._has_room(item, labeller, now)

    def lease(self, item: Item, labeller: str, now: datetime) -> Lease | None:
        """A labeller's lease on a claim, while it runs."""
        held = self._leases.get(item.claim_no, {}).get(labeller)
        return held if held and self._runs(item, held, now) else None

    def leases_of(self, labeller: str, now: datetime) -> list[Lease]:
        """Everything that a labeller holds."""
        held = (by_labeller.get(labeller) for by_labeller in self._leases.values())
        return [lease for lease in held if lease and lease.runs(now)]

    def _open(self, hand: Hand, view: View, labeller: str, now: datetime) -> Iterator[tuple[Item, list[int]]]:
        return (pair for pair in self._waiting(hand, view) if self._has_room(pair[0], labeller, now))

    def _waiting(self, hand: Hand, view: View) -> Iterator[tuple[Item, list[int]]]:
        """What somebody may read and has not labelled, of claims that want labels, whoever holds them.

        The new ones, then those that they skipped.
        """
        if hand.view is not view:  # what they could not read before may stand further in front
            hand.start, hand.view = 0, view
        is_first = True
        numbers, places = self._claims.claim_no, view.places
        for number in range(view.first(hand.start), len(places)):
            at = places[number]
            if numbers[at] in hand.done:
                hand.start = at + 1 if is_first else hand.start
                continue
            item = self._claims[at]
            if spans := self._wanting(item, hand) and [span for span in item.spans if span not in hand.marks]:
                is_first = False
                yield item, spans
            elif is_first:
                hand.start = at + 1
        for span in sorted(hand.skipped, key=hand.skipped.__getitem__):
            skipped = self._claims.of_span(span)
            if skipped and not view.bars(skipped) and self._wanting(skipped, hand):
                yield skipped, [span]

    def _has_room(self, item: Item, labeller: str, now: datetime) -> bool:
        """Whether fewer people than wanted have labelled a claim or hold it, not counting this one, who has not."""
        if item.check:
            return True
        return self._people.get(item.claim_no, 0) + len(self._others(item, labeller, now)) < item.wanted

    def _others(self, item: Item, labeller: str, now: datetime) -> list[Lease]:
        held = self._leases.get(item.claim_no, {})
        return [lease for name, lease in held.items() if name != labeller and self._runs(item, lease, now)]

    def _runs(self, item: Item, lease: Lease, now: datetime) -> bool:
        """Whether somebody holds a claim to label it: not after they have done so, nor after they skipped the rest."""
        if not lease.runs(now):
            return False
        hand = self._hand(lease.labeller)
        if item.claim_no in hand.done:
            return False
        marks = [hand.marks.get(span, 0) for span in item.spans]
        return not all(mark > 0 or -mark > lease.after_event for mark in marks)


class Boards:
    """The boards of one store, each made when it is asked for first; safe to use from many threads."""

    def __init__(self) -> None:
        """Begin without any."""
        self._lock = threading.Lock()
        self._boards: dict[int, Board] = {}

    def of(self, queue_no: int, guideline: str, members: Collection[str]) -> Board:
        """The board of a queue; empty when it is new."""
        with self._lock:
            return self._boards.setdefault(queue_no, Board(queue_no, guideline, members))

    def forget(self) -> None:
        """Begin anew with all of them."""
        with self._lock:
            self._boards.clear()

    def take(self, changes: Sequence[Change], number: int) -> None:
        """Tell every board what the commit of this number did to the log."""
        with self._lock:
            boards = list(self._boards.values())
        for board in boards:
            with board.lock:
                board.take(changes, number)
