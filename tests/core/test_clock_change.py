"""The clock of the desk's machine is set forward and back while people label: nothing is lost, doubled or moved."""

from __future__ import annotations

import random
from collections.abc import Iterator
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest

from core import audit_check, labelling, queues
from core.models import Label, utc_now
from core.people import Person, Role
from core.store import Store, open_store
from core.store.label_records import SpanToLabel
from core.store.queue_records import EVERYTHING
from tests.core.store.queued import fill

START = utc_now()
JUMPS = [timedelta(days=400), timedelta(days=-800), timedelta(hours=-1), timedelta(seconds=5), timedelta(days=399)]
READERS = (
    *("core.labelling", "core.store.label_log", "core.store.audit", "core.store.leases"),
    *("core.store.label_queue", "core.store.label_spans"),
)
"""The modules through which a label goes that read the clock."""


class Clock:
    """A clock that can be set."""

    def __init__(self) -> None:
        self.now = START

    def __call__(self) -> datetime:
        """A little later at each look."""
        self.now += timedelta(milliseconds=1)
        return self.now


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    """The clock of the desk."""
    clock = Clock()
    for module in READERS:
        monkeypatch.setattr(f"{module}.utc_now", clock)
    return clock


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    """Twenty claims in the standing queue."""
    with open_store(tmp_path / "desk.duckdb") as opened:
        fill(opened, 20)
        queues.everything(opened)
        yield opened


def named(name: str) -> Person:
    """Somebody in no access group."""
    return Person(name=name, role=Role.LABELLER)


def press(span: SpanToLabel, label: Label, **changes: Any) -> dict[str, Any]:
    """A press as the browser sends it."""
    made = {"event_id": str(uuid4()), "kind": "label", "label": str(label), "queue_id": EVERYTHING}
    return made | {"claim_uid": span.claim_uid, "cite": span.cite, "seen_sha256": span.seen_sha256} | changes


def test_labels_survive_every_jump_in_their_order(store: Store, clock: Clock) -> None:
    """Each press is sent twice; the last word on a claim is the one that came last, whatever the clock said then."""
    chance = random.Random(1)
    ana = named("ana")
    sent: list[tuple[str, str, Label]] = []
    for jump in JUMPS:
        spans = labelling.ahead(store, EVERYTHING, ana, 2)
        for span in [*spans, spans[0]]:  # the first one is corrected
            clock.now += jump
            label = chance.choice(list(Label))
            event = press(span, label)
            first, again = (labelling.submit(store, ana, [event])[0] for _ in range(2))
            assert (first.refused, first.stored_at) == ("", again.stored_at)
            sent.append((event["event_id"], span.claim_uid, label))
    stored = [one.event for one in store.labels.events()]
    last = {uid: label for _, uid, label in sent}

    assert [(one.event_id, one.claim_uid, one.label) for one in stored] == sent
    assert {one.event.claim_uid: one.event.label for one in store.labels.current()} == last
    assert audit_check.verify(store, lambda done, total: None).fault is None


def test_a_lease_of_a_clock_that_was_wrong_keeps_nobody_away(store: Store, clock: Clock) -> None:
    """Taken a year ahead and then set right: the claims go to others at once, also after a restart."""
    clock.now += timedelta(days=365)
    mine = labelling.ahead(store, EVERYTHING, named("ana"), 20)
    clock.now -= timedelta(days=365)

    assert len(mine) == 20
    assert len(labelling.ahead(store, EVERYTHING, named("ben"), 20)) == 20
    store.close()
    with open_store(store.path) as again:
        assert labelling.ahead(again, EVERYTHING, named("cat"), 20) == []
        clock.now += timedelta(minutes=31)
        assert len(labelling.ahead(again, EVERYTHING, named("cat"), 20)) == 20


def test_a_clock_set_back_a_little_ends_no_lease(store: Store, clock: Clock) -> None:
    """As time servers do: what one holds nobody else gets."""
    labelling.ahead(store, EVERYTHING, named("ana"), 20)
    clock.now -= timedelta(seconds=30)

    assert labelling.ahead(store, EVERYTHING, named("ben"), 20) == []
