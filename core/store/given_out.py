"""What of labelling queues is given out: who gets which claim next, who holds it how long, and how far that is."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from datetime import datetime, timedelta
from threading import Lock
from typing import TypeVar

from core.store import leases, queue_log
from core.store.access import Groups, View
from core.store.connection import Connection
from core.store.label_board import Board, Boards
from core.store.label_records import Place, SpanToLabel
from core.store.label_spans import LabelSpans
from core.store.leases import Lease
from core.store.places import Numbered
from core.store.queue_claims import Item
from core.store.queue_records import EmptyQueue, Pace, QueueSpec, QueueState, Unread

Spans = list[SpanToLabel]
Chosen = TypeVar("Chosen")
_HOUR = timedelta(hours=1)
_PACE_AGE = timedelta(seconds=10)
_LAST_HOUR = """
select count(*) from label_events e
anti join (
  select undoes as event_id from label_events where undoes is not null and recorded_at >= $2
) undone using (event_id)
where e.labeller = $1 and e.kind in ('label', 'not_a_claim') and e.recorded_at >= $2
"""
_PACE = """
select labeller, count(distinct claim_no) from label_events join spans using (span_no)
where queue_id = ? and recorded_at >= ? and kind in ('label', 'not_a_claim') group by 1
"""


class GivenOut:
    """The queues of a store as labellers see them; ``Queues`` adds how they are made."""

    def __init__(self, connection: Connection, wrote: Callable[[], None], boards: Boards, spans: LabelSpans) -> None:
        """Read and write through this connection, and say when something was written.

        Args:
            connection: To the store.
            wrote: Called after every write.
            boards: Told of labels that are stored, by whoever stores them.
            spans: What labellers see.
        """
        self._connection = connection
        self._wrote = wrote
        self._boards, self._spans = boards, spans
        self._known: dict[str, tuple[int, QueueSpec]] = {}
        self._paces: dict[str, tuple[datetime, int]] = {}
        self._closed: tuple[int, frozenset[int]] = (-1, frozenset())
        self.drawing = Lock()
        """Held by who draws the standing queue, which reads the whole store."""

    def spec(self, queue_id: str) -> QueueSpec | None:
        """How a queue was made, without counting its claims; none when there is none of that id."""
        if queue_id not in self._known:
            with self._connection.read() as session:
                if queue_log.spec_of(session, queue_id) is None:
                    return None
                self._known[queue_id] = queue_log.spec(session, queue_id)
        return self._known[queue_id][1]

    def ahead(
        self, queue_id: str, labeller: str, limit: int, have: Collection[Place], now: datetime, groups: Groups = None
    ) -> Spans:
        """The next spans for a labeller, without those they have; nothing of what judges said is read.

        The claims given out, and those of ``have``, are theirs until the lease of the queue is over; asking again
        renews it. A claim is given out only while fewer people than wanted have labelled it or hold it. Claims come in
        the order of the queue, their spans together; what was skipped comes after all the rest, the longest ago first.
        A claim that cites what they may not read is not given to them; a lease that they still have on one of ``have``
        ends.

        Args:
            queue_id: Which queue; a closed one and one for others gives nothing.
            labeller: Who asks.
            limit: How many spans at most.
            have: Claim uid and cite of what they have already.
            now: In UTC.
            groups: Theirs; none stands for whoever keeps the desk and reads all, here and below.
        """
        board, spec = self._board(queue_id)
        if not board.is_member(labeller) or self._is_closed(queue_id):
            return []

        def choose() -> tuple[Sequence[tuple[Item, int]], Sequence[Lease]]:
            view = board.view(groups)
            found = board.ahead(labeller, view, limit, frozenset(have), now) if limit > 0 else []
            mine = {item.claim_no: item for item, _ in found}
            mine |= {item.claim_no: item for uid, _ in have if (item := board.item(uid))}
            taken = (_lease(board, spec, item, labeller, view, now) for item in mine.values())
            return found, [lease for lease in taken if lease]

        found, _ = self._leased(queue_id, choose)
        return self._spans.read(
            [Numbered(item.claim_no, span, item.claim_uid, item.cite(span)) for item, span in found]
        )

    def hold(self, queue_id: str, claim_uid: str, labeller: str, now: datetime, groups: Groups = None) -> bool:
        """Whether a claim is a labeller's to label now: takes or renews their lease when it is.

        Whoever asks this before a late label is stored never makes more people label a claim than are wanted: it is
        false when their lease ran out and others took all the places since. It stays true for what they labelled
        already, so that they can correct it, and for claims that are not of this queue. It is false, and their lease
        ends, when they may not read what the claim cites any more.
        """
        board, spec = self._board(queue_id)

        def choose() -> tuple[bool, Sequence[Lease]]:
            item = board.item(claim_uid)
            if item is None or not board.is_member(labeller):
                return item is None, []
            view = board.view(groups)
            lease = _lease(board, spec, item, labeller, view, now)
            return board.may_hold(item, labeller, view, now), [lease] if lease else []

        holds, _ = self._leased(queue_id, choose)
        return holds

    def release(self, queue_id: str, labeller: str, now: datetime) -> int:
        """Give back everything that a labeller holds of a queue; gives how many claims."""
        board, _ = self._board(queue_id)

        def choose() -> tuple[None, Sequence[Lease]]:
            return None, [lease._replace(until=now) for lease in board.leases_of(labeller, now)]

        _, given_back = self._leased(queue_id, choose)
        return given_back

    def share(self, queue_id: str, labeller: str, now: datetime, groups: Groups = None) -> int:
        """How many spans a labeller may hold at once so that the others at work, or one who comes, find some too.

        At least 2: what is read, and what comes next without a wait. Where a queue names its labellers, each of them
        counts; else those who hold claims, and one more.
        """
        board, spec = self._board(queue_id)
        with board.lock:
            return board.share(labeller, board.view(groups), len(spec.labellers), now)

    def state(self, queue_id: str, labeller: str, now: datetime, groups: Groups = None) -> QueueState:
        """How far a queue is, for all and for one labeller, and why nothing is left for them when that is so."""
        board, _ = self._board(queue_id)
        closed = self._is_closed(queue_id)
        with board.lock:
            view, totals = board.view(groups), board.totals()
            spans, labelled, skipped = board.spans_of(labeller, view)
            withheld = board.withheld_from(labeller, view)
            empty, free_at = _why_empty(board, labeller, view, closed, now)
        return QueueState(
            queue_id=queue_id,
            claims=totals.claims,
            complete=totals.complete,
            judgements_wanted=totals.wanted,
            judgements=totals.given,
            spans=spans,
            labelled=labelled,
            skipped=skipped,
            withheld=withheld,
            last_hour=self._last_hour(labeller, now),
            empty=empty,
            free_at=free_at,
        )

    def unread(self, queue_id: str, readers: Mapping[str, Groups]) -> Unread:
        """What may never get its labels, for too few of those who label here may read it.

        Args:
            queue_id: Which queue.
            readers: The groups of everybody who may label in it, by name.
        """
        board, _ = self._board(queue_id)
        with board.lock:
            nobody, too_few = board.unread(board.restricted(), {name: board.view(one) for name, one in readers.items()})
        return Unread(nobody=nobody, too_few=too_few)

    def pace(self, queue_id: str, now: datetime) -> Sequence[Pace]:
        """What each labeller did in a queue, the most diligent first."""
        board, _ = self._board(queue_id)
        with board.lock:
            done = board.claims_by_labeller()
        with self._connection.read() as session:
            lately = session.pairs(_PACE, [queue_id, now - _HOUR])
        found = [Pace(labeller=name, claims=done.get(name, 0), last_hour=lately.get(name, 0)) for name in done | lately]
        return sorted(found, key=lambda one: (-one.claims, one.labeller))

    def _last_hour(self, labeller: str, now: datetime) -> int:
        """Labels of the last sixty minutes; counted anew only after some seconds, for a page that shows it always."""
        counted_at, count = self._paces.get(labeller, (now - _HOUR, 0))
        if not timedelta(0) <= now - counted_at < _PACE_AGE:
            with self._connection.read() as session:
                count = session.value(_LAST_HOUR, [labeller, now - _HOUR])
            self._paces[labeller] = now, count
        return count

    def _leased(self, queue_id: str, choose: Callable[[], tuple[Chosen, Sequence[Lease]]]) -> tuple[Chosen, int]:
        """What was chosen, and how many leases were written down for it; nothing is written when there are none."""
        board, _ = self._board(queue_id)
        with board.lock:
            chosen, taken = choose()
        if not taken:
            return chosen, 0
        with self._connection.write() as session:
            with board.lock:  # chosen again, for others may have been faster
                board.refresh(session)
                chosen, taken = choose()
            written = leases.add(session, self._known[queue_id][0], taken)
            session.afterwards.append(lambda _: board.take_leases(written))
        return chosen, len(written)

    def _board(self, queue_id: str) -> tuple[Board, QueueSpec]:
        """The board of a queue as it stands, and its spec, which never changes."""
        if queue_id not in self._known:
            with self._connection.read() as session:
                self._known[queue_id] = queue_log.spec(session, queue_id)
        number, spec = self._known[queue_id]
        board = self._boards.of(number, spec.guideline, spec.labellers)
        if not board.is_fresh(self._connection):
            with board.lock, self._connection.read() as session:
                board.refresh(session)
        return board, spec

    def _is_closed(self, queue_id: str) -> bool:
        change = self._connection.change("queue_events".__eq__)
        if change != self._closed[0]:
            with self._connection.read() as session:
                self._closed = session.change("queue_events".__eq__), frozenset(queue_log.closed(session))
        return self._known[queue_id][0] in self._closed[1]


def _lease(board: Board, spec: QueueSpec, item: Item, labeller: str, view: View, now: datetime) -> Lease | None:
    """The lease to write down so that a labeller holds a claim; none when theirs runs for long, or they may not.

    Of a claim that they may not read any more, the one that ends what they hold.
    """
    length = timedelta(minutes=spec.lease_minutes)
    held = board.lease(item, labeller, now)
    if held and view.bars(item):
        return held._replace(until=now)
    if (held and held.until - now > length / 2) or not board.may_take(item, labeller, view, now):
        return None
    return Lease(item.claim_no, labeller, now + length, board.last_event, now)


def _why_empty(
    board: Board, labeller: str, view: View, closed: bool, now: datetime
) -> tuple[EmptyQueue | None, datetime | None]:
    if closed:
        return EmptyQueue.CLOSED, None
    if not board.is_member(labeller):
        return EmptyQueue.NOT_YOURS, None
    if board.ahead(labeller, view, 1, (), now):
        return None, None
    if not board.totals().claims:
        return EmptyQueue.NOTHING_DRAWN, None
    if free_at := board.free_at(labeller, view, now):
        return EmptyQueue.LEASED, free_at
    return (EmptyQueue.WITHHELD if board.withheld_from(labeller, view) else EmptyQueue.DONE), None
