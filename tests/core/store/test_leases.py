"""Leases: nobody waits for one who is away, nobody gets what another has, never too many or too few label a claim."""

from __future__ import annotations

import random
import threading
from collections import Counter
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from datetime import datetime, timedelta

from core.store import Store
from core.store.label_records import LabelKind, SpanToLabel
from core.store.queue_records import EmptyQueue
from tests.core.store import build
from tests.core.store.queued import NOW, fill, later, places, press, queue


def test_what_one_holds_another_does_not_get(store: Store) -> None:
    """Until the lease is over, to the second."""
    uids = fill(store, 3)
    made = queue(store, uids, lease_minutes=30)
    first = store.queues.ahead(made.queue_id, "ann", 2, (), NOW)
    second = store.queues.ahead(made.queue_id, "ben", 9, (), later(29.9))

    assert places(first) == [(uids[0], "C1"), (uids[1], "C1")]
    assert places(second) == [(uids[2], "C1")]
    assert places(store.queues.ahead(made.queue_id, "ben", 9, (), later(30))) == [(uid, "C1") for uid in uids]


def test_two_tabs_of_one_person_share(store: Store) -> None:
    """Both show the same; what the other tab has can be left out."""
    uids = fill(store, 3)
    made = queue(store, uids)
    first = store.queues.ahead(made.queue_id, "ann", 2, (), NOW)

    assert store.queues.ahead(made.queue_id, "ann", 2, (), NOW) == first
    assert places(store.queues.ahead(made.queue_id, "ann", 2, places(first), NOW)) == [(uids[2], "C1")]


def test_asking_again_renews(store: Store) -> None:
    """Also of what the browser has already; only when half of it is over, so that a press writes nothing."""
    uids = fill(store, 2)
    made = queue(store, uids)
    have = places(store.queues.ahead(made.queue_id, "ann", 9, (), NOW))
    revision = leases_written(store)
    store.queues.ahead(made.queue_id, "ann", 9, have, later(10))

    assert leases_written(store) == revision == 2
    store.queues.ahead(made.queue_id, "ann", 9, have, later(20))
    assert leases_written(store) == 4
    assert store.queues.ahead(made.queue_id, "ben", 9, (), later(49)) == []


def leases_written(store: Store) -> int:
    """Rows of the table."""
    with store._connection.read() as session:
        return int(session.value("select count(*) from leases"))


def test_an_empty_queue_says_until_when_others_have_the_rest(store: Store) -> None:
    """And that it is done when they are."""
    (uid,) = fill(store, 1)
    made = queue(store, [uid])
    store.queues.ahead(made.queue_id, "ann", 9, (), NOW)
    waiting = store.queues.state(made.queue_id, "ben", later(1))
    store.labels.add([press(uid, "ann", made.queue_id)])
    done = store.queues.state(made.queue_id, "ben", later(1))

    assert (waiting.empty, waiting.free_at, waiting.complete) == (EmptyQueue.LEASED, later(30), 0)
    assert (done.empty, done.free_at, done.complete) == (EmptyQueue.DONE, None, 1)
    assert store.queues.state(made.queue_id, "ann", later(1)).empty is EmptyQueue.DONE


def test_nobody_may_hold_more_than_their_share(store: Store) -> None:
    """Of ten claims half, for somebody may come; a third of those left when two others are at work; at the least two.

    Where a queue names its labellers, each of them counts, and nobody else is waited for.
    """
    uids = fill(store, 10)
    made, named = queue(store, uids), queue(store, uids, labellers=("ann", "ben", "cat", "dan"))
    share = store.queues.share
    alone = share(made.queue_id, "ann", NOW)
    store.queues.ahead(made.queue_id, "ann", alone, (), NOW)
    store.queues.ahead(made.queue_id, "ben", share(made.queue_id, "ben", NOW), (), NOW)
    third, when_they_are_gone = share(made.queue_id, "cat", NOW), share(made.queue_id, "cat", later(31))
    store.labels.add([press(uid, "ann", made.queue_id) for uid in uids[:9]])

    assert (alone, third, when_they_are_gone, share(made.queue_id, "cat", NOW)) == (5, 4, 5, 2)
    assert share(named.queue_id, "ann", NOW) == 2
    assert store.queues.ahead(made.queue_id, "cat", 9, (), NOW) == []


def test_a_skip_lets_go_of_a_claim(store: Store) -> None:
    """Once no other span of it is left to them; it comes back to them after all the rest, with a lease anew."""
    uids = fill(store, 2, cites=("C1", "C2"))
    made = queue(store, uids)
    store.queues.ahead(made.queue_id, "ann", 2, (), NOW)
    store.labels.add([press(uids[0], "ann", made.queue_id, LabelKind.SKIP, reason="Later")])
    held = store.queues.ahead(made.queue_id, "ben", 9, (), later(1))
    store.queues.release(made.queue_id, "ben", later(1))
    store.labels.add([press(uids[0], "ann", made.queue_id, LabelKind.SKIP, "C2", reason="Later")])
    mine = store.queues.ahead(made.queue_id, "ann", 9, (), later(2))

    assert places(held) == [(uids[1], "C1"), (uids[1], "C2")]
    assert places(mine) == [(uids[1], "C1"), (uids[1], "C2"), (uids[0], "C1"), (uids[0], "C2")]
    store.queues.release(made.queue_id, "ann", later(3))
    store.queues.ahead(made.queue_id, "ann", 2, (), later(4))
    assert places(store.queues.ahead(made.queue_id, "ben", 9, (), later(5))) == [(uids[0], "C1"), (uids[0], "C2")]


def test_an_undo_brings_a_claim_back_to_the_one_who_holds_it(store: Store) -> None:
    """Their lease still runs, so nobody else gets it in between."""
    (uid,) = fill(store, 1)
    made = queue(store, [uid])
    store.queues.ahead(made.queue_id, "ann", 1, (), NOW)
    event = press(uid, "ann", made.queue_id)
    store.labels.add([event])
    assert store.queues.ahead(made.queue_id, "ann", 1, (), later(1)) == []
    store.labels.add([build.undo("u1", event)])

    assert store.queues.ahead(made.queue_id, "ben", 1, (), later(1)) == []
    assert places(store.queues.ahead(made.queue_id, "ann", 1, (), later(1))) == [(uid, "C1")]


def test_a_late_label_is_asked_for_first(store: Store) -> None:
    """A lease that ran out is taken again while there is a place, and refused when others have taken them all."""
    uids = fill(store, 2)
    made = queue(store, uids)
    store.queues.ahead(made.queue_id, "ann", 2, (), NOW)
    assert store.queues.hold(made.queue_id, uids[0], "ann", later(40))
    assert store.queues.ahead(made.queue_id, "ben", 9, (), later(41))[0].claim_uid == uids[1]

    assert store.queues.hold(made.queue_id, uids[1], "ann", later(42)) is False
    assert store.queues.hold(made.queue_id, uids[1], "ben", later(42))
    store.labels.add([press(uids[0], "ann", made.queue_id)])
    assert store.queues.hold(made.queue_id, uids[0], "ann", later(99))  # theirs to correct
    assert store.queues.hold(made.queue_id, uids[0], "ben", later(99)) is False
    assert store.queues.hold(made.queue_id, "of another queue", "ben", NOW)


def test_giving_back_frees_everything(store: Store) -> None:
    """At once."""
    uids = fill(store, 3)
    made = queue(store, uids)
    store.queues.ahead(made.queue_id, "ann", 9, (), NOW)

    assert store.queues.release(made.queue_id, "ann", later(1)) == 3
    assert len(store.queues.ahead(made.queue_id, "ben", 9, (), later(1))) == 3
    assert store.queues.release(made.queue_id, "ann", later(1)) == 0


def test_leases_outlive_the_process(store: Store) -> None:
    """They are in the file."""
    from core.store import open_store

    uids = fill(store, 2)
    made = queue(store, uids)
    store.queues.ahead(made.queue_id, "ann", 1, (), NOW)
    store.close()
    with open_store(store.path) as again:
        assert places(again.queues.ahead(made.queue_id, "ben", 9, (), later(1))) == [(uids[1], "C1")]


CLAIMS, LABELLERS, THREADS, MINUTES = 300, 5, 20, 6


class Clock:
    """A clock that all threads share; whoever goes away sets it forward, but not while somebody's press is stored."""

    def __init__(self) -> None:
        self.standing = threading.Lock()
        self.jumps = 0
        self._minutes = 0.0

    def now(self) -> datetime:
        """The present moment."""
        return later(self._minutes)

    def skip(self, minutes: float) -> None:
        """Let time go by."""
        with self.standing:
            self._minutes += minutes
            self.jumps += 1


class Labellers:
    """People who label one queue, each in several tabs."""

    def __init__(self, store: Store, queue_id: str) -> None:
        self.store, self.queue_id, self.clock = store, queue_id, Clock()
        self.refused = 0
        self._given: set[tuple[str, str]] = set()

    def label_until_done(self, name: str, chance: random.Random) -> None:
        """Label what comes; now and then stay away with claims in hand, and come back late or never to these."""
        while True:
            taken = self.clock.now()
            spans = self.store.queues.ahead(self.queue_id, name, chance.randint(4, 30), (), taken)
            if not spans:
                if self.store.queues.state(self.queue_id, name, self.clock.now()).empty is EmptyQueue.DONE:
                    return
                self.clock.skip(1)
            elif chance.random() < 0.1:
                self.clock.skip(MINUTES)
                if chance.random() < 0.5:
                    self._label(name, spans, taken)
            else:
                self._label(name, spans, taken)

    def _label(self, name: str, spans: Sequence[SpanToLabel], taken: datetime) -> None:
        """Label claims that are theirs; whoever is late asks first, as a lease has at least half of its length left."""
        with self.clock.standing:
            now = self.clock.now()
            late = now - taken > timedelta(minutes=MINUTES / 2)
            hold = self.store.queues.hold
            mine = [one for one in spans if not late or hold(self.queue_id, one.claim_uid, name, now)]
            self.refused += len(spans) - len(mine)
            new = [one.claim_uid for one in mine if (one.claim_uid, name) not in self._given]
            self._given |= {(uid, name) for uid in new}  # tabs of one person share the log of their presses
            if new:
                self.store.labels.add([press(uid, name, self.queue_id) for uid in new])


def test_racing_labellers_label_each_claim_as_often_as_wanted(store: Store) -> None:
    """Twenty threads of five people, some of whom go away with claims in their hands until the leases are over.

    Every claim ends up with exactly the wanted number of people, nobody labels one twice, and none is left.
    """
    uids = fill(store, CLAIMS)
    made = queue(store, uids, overlap=2, lease_minutes=MINUTES)
    people = Labellers(store, made.queue_id)
    with ThreadPoolExecutor(THREADS) as pool:
        for ending in [
            pool.submit(people.label_until_done, f"p{number % LABELLERS}", random.Random(number))
            for number in range(THREADS)
        ]:
            ending.result()
    given = [(one.event.claim_uid, one.event.labeller) for one in store.labels.events()]
    state = store.queues.state(made.queue_id, "p0", people.clock.now())

    assert Counter(uid for uid, _ in given) == dict.fromkeys(uids, 2)
    assert len(set(given)) == len(given) == CLAIMS * 2
    assert (state.complete, state.judgements, state.empty) == (CLAIMS, CLAIMS * 2, EmptyQueue.DONE)
    assert people.clock.jumps > 5
    assert people.refused > 0
