"""The label log: appended once per event, never overwritten, undone by events."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from core.errors import StoreError
from core.models import Evidence, Label
from core.store import Store, open_store
from core.store.label_records import LabelEvent, LabelKind
from tests.core.store import build


@pytest.fixture
def uid(store: Store) -> str:
    """A claim that cites C1 and C2, in a store with one more that cites nothing."""
    claims = [build.claim(1, cites=("C1", "C2")), build.claim(2, cites=())]
    one = build.checked(build.answer(), [Label.SUPPORTED, Label.UNCITED], claims)
    store.record(build.batch(one))
    return build.uid(one.answer, claims[0])


def current(store: Store) -> list[tuple[str, Label | None]]:
    """Event id and label of all current decisions."""
    return [(stored.event.event_id, stored.event.label) for stored in store.labels.current()]


def test_events_come_back_stored(store: Store, uid: str) -> None:
    """What is given back is what was sent, with the moment it was stored, and survives reopening."""
    events = [
        build.event("e1", uid, note="half\0 of 👩‍👩‍👧 \ud83d"),
        build.event("e2", uid, "C2", kind=LabelKind.SKIP, label=None, reason="Later"),
    ]
    before = datetime.now(UTC)
    stored = store.labels.add(events)
    store.close()

    assert [one.event for one in stored] == events
    assert all(before <= one.recorded_at <= datetime.now(UTC) for one in stored)
    assert stored[0].recorded_at.utcoffset() == timedelta(0)
    with open_store(store.path) as again:
        assert again.labels.current(uid) == stored


def test_the_same_event_twice_is_stored_once(store: Store, uid: str) -> None:
    """Sent again, alone or in one go, an event is given back as it was stored and the store does not change."""
    event = build.event("e1", uid)
    first = store.labels.add([event, event])
    revision = store.revision()

    assert store.labels.add([event]) == first[:1]
    assert first == first[:1] * 2
    assert (store.summary().label_events, store.revision()) == (1, revision)


def test_labelling_again_keeps_both(store: Store, uid: str) -> None:
    """The last decision is current; taking it back brings the one before; taking that back leaves none."""
    one, two = build.event("e1", uid), build.event("e2", uid, label=Label.PARTIAL)
    seen = []
    for event in (one, two, build.undo("u2", two), build.undo("u1", one)):
        store.labels.add([event])
        seen.append(current(store))

    assert seen == [[("e1", Label.SUPPORTED)], [("e2", Label.PARTIAL)], [("e1", Label.SUPPORTED)], []]
    assert store.summary().label_events == 4


def test_undo_in_the_same_batch(store: Store, uid: str) -> None:
    """A label, its undo and another label may arrive together, in order."""
    one = build.event("e1", uid)
    store.labels.add([one, build.undo("u1", one), build.event("e2", uid, label=Label.IRRELEVANT)])

    assert current(store) == [("e2", Label.IRRELEVANT)]


def test_a_skip_replaces_a_label_and_the_other_way_round(store: Store, uid: str) -> None:
    """Skipping is a decision like another."""
    skip = build.event("e2", uid, kind=LabelKind.SKIP, label=None, reason="Later")
    store.labels.add([build.event("e1", uid), skip])
    skipped = current(store)
    store.labels.add([build.event("e3", uid, label=Label.PARTIAL)])

    assert (skipped, current(store)) == ([("e2", None)], [("e3", Label.PARTIAL)])


def test_labellers_and_guidelines_stand_side_by_side(store: Store, uid: str) -> None:
    """Nobody replaces another person's label, nor one made under another guideline."""
    events = [
        build.event("e1", uid),
        build.event("e2", uid, labeller="bob", label=Label.PARTIAL),
        build.event("e3", uid, guideline="v2", label=Label.IRRELEVANT),
        build.event("e4", uid, "C2", label=Label.CONTRADICTED),
    ]
    store.labels.add(events)

    assert [stored.event for stored in store.labels.current(uid)] == events
    assert [stored.event.event_id for stored in store.labels.last("ann", 2)] == ["e4", "e3"]


def test_last_events_are_what_undo_takes_back(store: Store, uid: str) -> None:
    """Newest first; undone ones and undos are not among them."""
    one, two = build.event("e1", uid), build.event("e2", uid, "C2")
    store.labels.add([one, two, build.undo("u2", two)])

    assert [stored.event.event_id for stored in store.labels.last("ann", 10)] == ["e1"]


@pytest.mark.parametrize(
    ("changes", "says"),
    [
        ({"event_id": "e0", "label": Label.PARTIAL}, "Event e0 is already stored with other content"),
        ({"claim_uid": "0" * 16}, "Claim 0000000000000000 with citation 'C1' is not in the store"),
        ({"cite": "C3"}, "with citation 'C3' is not in the store"),
        ({"cite": None}, "with citation None is not in the store"),
        ({"label": None}, "no label, or a label without a value"),
        ({"kind": LabelKind.SKIP}, "no label, or a label without a value"),
        ({"kind": LabelKind.UNDO, "label": None}, "no undo, or an undo of nothing"),
        ({"undoes": "e0"}, "no undo, or an undo of nothing"),
        ({"kind": LabelKind.UNDO, "label": None, "undoes": "nothing"}, "which is no label of 'ann' on that span"),
        ({"kind": LabelKind.UNDO, "label": None, "undoes": "e0", "labeller": "bob"}, "no label of 'bob' on that span"),
        ({"kind": LabelKind.UNDO, "label": None, "undoes": "e0", "cite": "C2"}, "no label of 'ann' on that span"),
    ],
)
def test_what_cannot_be_stored_is_refused_with_all_around_it(
    store: Store, uid: str, changes: dict[str, Any], says: str
) -> None:
    """One sentence, and neither this event nor its neighbours are stored."""
    zero = build.event("e0", uid)
    stored = store.labels.add([zero])
    bad = build.event("bad", uid).model_copy(update=changes)

    with pytest.raises(StoreError, match=says):
        store.labels.add([build.event("good", uid, "C2"), bad])

    assert store.labels.current() == stored
    assert store.summary().label_events == 1


@pytest.mark.long
def test_eight_threads_lose_nothing(store: Store, uid: str) -> None:
    """Eight people labelling the same span fifty times each: four hundred events, each current label the last one."""
    labels = list(Label)

    def work(name: str) -> None:
        for number in range(50):
            label = labels[(number + int(name)) % 9]
            store.labels.add([build.event(f"{name}-{number}", uid, labeller=name, label=label)])

    with ThreadPoolExecutor(8) as pool:
        list(pool.map(work, map(str, range(8))))

    assert store.summary().label_events == 400
    assert sorted(current(store)) == sorted((f"{name}-49", labels[(49 + name) % 9]) for name in range(8))


def test_export_has_as_many_rows_as_there_are_current_decisions(store: Store, uid: str) -> None:
    """Labels and skips come with claim and cited text; what was taken back does not."""
    two = build.checked(
        build.answer("r2", evidence=(Evidence(id="C1", text="one"), Evidence(id="C1", text="two"))), [None]
    )
    store.record(build.batch(two))
    events: list[LabelEvent] = [
        build.event("e1", uid, note="sure"),
        build.event("e2", uid, "C2", kind=LabelKind.SKIP, label=None, reason="Later"),
        build.event("e3", build.uid(two.answer, two.claims[0]), label=Label.UNRESOLVABLE),
    ]
    store.labels.add([*events, build.event("e4", uid, labeller="bob")])
    store.labels.add([build.undo("u4", build.event("e4", uid, labeller="bob"))])
    rows = list(store.labels.rows())

    assert [(row.event_id, row.request_id, row.claim_id, row.cite, row.label, row.evidence) for row in rows] == [
        ("e1", "r1", "c1", "C1", Label.SUPPORTED, "The gate is open."),
        ("e2", "r1", "c1", "C2", None, None),
        ("e3", "r2", "c1", "C1", Label.UNRESOLVABLE, None),
    ]
    assert [row.recorded_at for row in rows] == [stored.recorded_at for stored in store.labels.current()]
    assert (rows[0].claim, rows[0].note, rows[1].reason) == ("The gate is open, says line 1.", "sure", "Later")
