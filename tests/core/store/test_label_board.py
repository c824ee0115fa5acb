"""The board of a queue says what the log says, however it came to know it."""

from __future__ import annotations

import random
from typing import Any

import pytest

from core.store import Store
from core.store.label_board import Board
from core.store.label_records import LabelEvent, LabelKind
from tests.core.store import build
from tests.core.store.queued import NOW, fill, press, queue

PEOPLE = ["ann", "ben", "cat"]


def boards(store: Store, queue_no: int = 1) -> Board:
    """A board read from the log at once."""
    board = Board(queue_no, "v1", ())
    with store._connection.read() as session:
        board.refresh(session)
    return board


def said(board: Board) -> list[Any]:
    """All that a board says."""
    everything = board.view(None)
    people = [
        (
            board.spans_of(name, everything),
            [(item.claim_uid, span) for item, span in board.ahead(name, everything, 99, (), NOW)],
            board.free_at(name, everything, NOW),
        )
        for name in PEOPLE
    ]
    return [board.totals(), *people]


@pytest.mark.parametrize("seed", range(3))
def test_what_was_read_piece_by_piece_is_what_is_read_at_once(store: Store, seed: int) -> None:
    """Over labels, skips, flags, "not a claim", corrections, undos, other queues and later draws, in any order."""
    chance = random.Random(seed)
    uids = fill(store, 12, cites=("C1", "C2"))
    made = queue(store, uids[:8], overlap=2)
    followed = Board(1, "v1", ())
    standing: dict[str, list[LabelEvent]] = {name: [] for name in PEOPLE}
    for step in range(60):
        name = chance.choice(PEOPLE)
        if standing[name] and chance.random() < 0.2:
            event = build.undo(f"u{step}", standing[name].pop())
        else:
            kind = chance.choice([LabelKind.LABEL] * 4 + [LabelKind.SKIP, LabelKind.NOT_A_CLAIM, LabelKind.FLAG])
            given_in = chance.choice([made.queue_id, "another", None])
            event = press(chance.choice(uids), name, given_in, kind, chance.choice(["C1", "C2"]))
            standing[name].append(event)
        store.labels.add([event])
        if step == 30:
            again = queue(store, uids, overlap=2)
            store.queues.draw(made.queue_id, _as_draw(store, again.queue_id), "admin")
        if chance.random() < 0.5:
            with store._connection.read() as session:
                followed.refresh(session)
    with store._connection.read() as session:
        followed.refresh(session)

    assert followed.totals().claims == 12
    assert said(followed) == said(boards(store))


def _as_draw(store: Store, queue_id: str) -> Any:
    from core.store.queue_records import Draw

    items = tuple(store.queues.items(queue_id))
    return Draw(items=items, population=len(items), newest=len(items), strata={})


def test_the_labels_it_counts_are_the_current_ones(store: Store) -> None:
    """Checked against the view of the store, for one labeller."""
    uids = fill(store, 6, cites=("C1", "C2"))
    made = queue(store, uids)
    events = [press(uid, "ann", made.queue_id, cite=cite) for uid in uids for cite in ("C1", "C2")]
    store.labels.add(events)
    store.labels.add([build.undo("u1", events[0]), press(uids[1], "ann", made.queue_id, LabelKind.SKIP)])
    current = [one.event for one in store.labels.current() if one.event.labeller == "ann"]
    board = boards(store)

    assert board.spans_of("ann", board.view(None)) == (12, sum(one.kind is LabelKind.LABEL for one in current), 1)
    assert board.totals().complete == 4


def test_a_label_from_elsewhere_settles_the_claim_for_its_labeller_only(store: Store) -> None:
    """One that was given in no queue takes nobody's place."""
    uids = fill(store, 2)
    queue(store, uids)
    store.labels.add([press(uids[0], "ann", None)])
    board = boards(store)

    assert [item.claim_uid for item, _ in board.ahead("ann", board.view(None), 9, (), NOW)] == [uids[1]]
    assert [item.claim_uid for item, _ in board.ahead("ben", board.view(None), 9, (), NOW)] == uids
    assert board.totals().complete == 0
    assert board.spans_of("ann", board.view(None)) == (2, 1, 0)


def test_a_label_of_another_queue_counts(store: Store) -> None:
    """Nobody is asked for what is known already under the same guideline; under another one it is not known."""
    uids = fill(store, 2)
    queue(store, uids)
    store.labels.add(
        [press(uids[0], "ann", "another"), press(uids[1], "ann", "another", guideline="v2")],
    )
    board = boards(store)

    assert [item.claim_uid for item, _ in board.ahead("ben", board.view(None), 9, (), NOW)] == [uids[1]]
    assert board.totals().complete == 1


def test_one_span_that_is_no_claim_settles_all_of_them(store: Store) -> None:
    """For that person; the claim is complete."""
    (uid,) = fill(store, 1, cites=("C1", "C2"))
    made = queue(store, [uid])
    store.labels.add([press(uid, "ann", made.queue_id, LabelKind.NOT_A_CLAIM)])
    board = boards(store)

    assert board.ahead("ann", board.view(None), 9, (), NOW) == []
    assert board.totals().complete == 1
    assert board.spans_of("ann", board.view(None)) == (2, 2, 0)


def test_what_was_withdrawn_is_gone_until_it_is_back(store: Store) -> None:
    """Without its labels being lost."""
    from core.store.imports import Outcome

    answer = build.answer("file")
    batch = build.batch(build.checked(answer, [None, None]))
    header = batch.run.model_copy(update={"source_sha256": "0" * 64, "format": "citedesk"})
    store.record(batch.model_copy(update={"run": header}))
    store.finish_import(header, Outcome(answers_read=1, answers_new=1), ())
    uids = [build.uid(answer, build.claim(number)) for number in (1, 2)]
    made = queue(store, uids)
    store.labels.add([press(uids[0], "ann", made.queue_id)])
    before = store.queues.state(made.queue_id, "ben", NOW)
    (info,) = store.imports()
    store.withdraw_import(info.import_id, "me")
    without = store.queues.state(made.queue_id, "ben", NOW)
    store.restore_import(info.import_id, "me")

    assert (before.claims, before.complete) == (2, 1)
    assert (without.claims, without.complete, without.spans) == (0, 0, 0)
    assert store.queues.state(made.queue_id, "ben", NOW) == before
