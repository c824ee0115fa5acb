"""The queues of a store: made, changed, counted; what is given out says nothing of any judge."""

from __future__ import annotations

import inspect
import re

import pytest

from core.errors import InputError
from core.models import Label
from core.store import Store, label_board, label_queue, leases, queue_log
from core.store import queues as facet
from core.store.label_records import LabelKind
from core.store.queue_records import EmptyQueue
from tests.core.store.queued import NOW, fill, later, places, press, queue


def test_a_queue_is_renamed_closed_and_opened(store: Store) -> None:
    """Its spec stays as it was made; saying the same twice changes nothing."""
    made = queue(store, fill(store, 2))
    store.queues.rename(made.queue_id, "New", "me")
    closed = store.queues.close(made.queue_id, "me")
    revision = store.revision()

    assert store.queues.close(made.queue_id, "me") == closed
    assert store.revision() == revision
    assert (closed.name, closed.spec.name, closed.closed, closed.claims) == ("New", "Q", True, 2)
    assert store.queues.ahead(made.queue_id, "ann", 9, (), NOW) == []
    assert store.queues.state(made.queue_id, "ann", NOW).empty is EmptyQueue.CLOSED
    assert store.queues.list(include_closed=False) == []
    assert len(store.queues.ahead(store.queues.open(made.queue_id, "me").queue_id, "ann", 9, (), NOW)) == 2


def test_a_queue_for_some_gives_others_nothing(store: Store) -> None:
    """And says so."""
    made = queue(store, fill(store, 2), labellers=("ann",))

    assert store.queues.ahead(made.queue_id, "ben", 9, (), NOW) == []
    assert store.queues.state(made.queue_id, "ben", NOW).empty is EmptyQueue.NOT_YOURS
    assert store.queues.hold(made.queue_id, store.queues.items(made.queue_id)[0].claim_uid, "ben", NOW) is False
    assert len(store.queues.ahead(made.queue_id, "ann", 9, (), NOW)) == 2


def test_a_queue_that_is_not_there_is_said_in_a_sentence(store: Store) -> None:
    """What, and what to do."""
    with pytest.raises(InputError, match="There is no queue nowhere; list them with: citedesk queue list"):
        store.queues.state("nowhere", "ann", NOW)
    assert store.queues.find("nowhere") is None


def test_how_far_it_is(store: Store) -> None:
    """Two of three claims labelled once, one of them twice, of two wanted; one skipped."""
    uids = fill(store, 3)
    made = queue(store, uids, overlap=2)
    store.labels.add(
        [
            press(uids[0], "ann", made.queue_id),
            press(uids[0], "ben", made.queue_id),
            press(uids[1], "ann", made.queue_id),
            press(uids[2], "ann", made.queue_id, LabelKind.SKIP, reason="Later"),
        ]
    )
    state = store.queues.state(made.queue_id, "ann", later(1))

    assert (state.claims, state.complete) == (3, 1)
    assert (state.judgements_wanted, state.judgements) == (6, 3)
    assert (state.spans, state.labelled, state.skipped, state.last_hour, state.empty) == (3, 2, 1, 2, None)
    assert [(one.labeller, one.claims, one.last_hour) for one in store.queues.pace(made.queue_id, later(1))] == [
        ("ann", 2, 2),
        ("ben", 1, 1),
    ]


def test_check_items_are_for_everybody_while_there_is_something_else(store: Store) -> None:
    """In their place between the others; alone they are not given, and they are in no count."""
    uids = fill(store, 3)
    made = queue(store, uids, check={uids[1]: Label.PARTIAL})
    store.labels.add([press(uids[1], "ann", made.queue_id)])
    given = store.queues.ahead(made.queue_id, "ben", 9, (), NOW)
    store.queues.release(made.queue_id, "ben", NOW)
    store.labels.add([press(uids[0], "ann", made.queue_id), press(uids[2], "ann", made.queue_id)])
    state = store.queues.state(made.queue_id, "ben", later(1))

    assert places(given) == [(uid, "C1") for uid in uids]
    assert store.queues.ahead(made.queue_id, "ben", 9, (), later(1)) == []
    assert (state.claims, state.complete, state.judgements, state.empty) == (2, 2, 2, EmptyQueue.DONE)


def test_what_gives_out_claims_names_no_table_of_verdicts() -> None:
    """Only the drawing reads them, in a module of its own."""
    for module in (facet, label_board, label_queue, leases, queue_log):
        source = inspect.getsource(module)
        assert not re.search(r"\b(claim_verdicts|stage_verdicts|current_verdicts|latest_verdicts)\b", source)
