"""Making queues: what may be asked for, what is drawn, what is said of it, and topping up."""

from __future__ import annotations

import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from core import queues
from core.errors import InputError, StoreError
from core.models import Label
from core.people import Person, Role
from core.store import Store, open_store
from core.store.queue_records import EVERYTHING, Design, Population, QueueSpec, Stratum
from core.store.records import ClaimFilter
from tests.core.store import build
from tests.core.store.queued import NOW, press

LABELS = [Label.SUPPORTED] * 12 + [Label.CONTRADICTED] * 4 + [Label.INACCESSIBLE, None, Label.UNCITED, Label.PARTIAL]
OTHER = build.protocol(0.9)


@pytest.fixture
def store(tmp_path: Path) -> Any:
    """Twenty claims, twelve of them supported, and a second judge who differs over two."""
    with open_store(tmp_path / "desk.duckdb") as opened:
        record(opened, "r1")
        yield opened


def record(store: Store, name: str) -> list[str]:
    """Twenty claims in one answer, judged twice; gives their uids."""
    answer = build.answer(name)
    about = [build.claim(number, flags=("number",) if number % 2 else ()) for number in range(1, len(LABELS) + 1)]
    store.record(build.batch(build.checked(answer, LABELS, about)))
    differing = [Label.IRRELEVANT, Label.IRRELEVANT, *LABELS[2:]]
    store.record(build.batch(build.checked(answer, differing, about), under=OTHER))
    return [build.uid(answer, one) for one in about]


def spec(**fields: Any) -> QueueSpec:
    """A random sample of five, of what the first judge saw."""
    filter = ClaimFilter(protocol=str(build.PROTOCOL))
    return QueueSpec(**({"name": "Q", "design": Design.RANDOM, "size": 5, "filter": filter} | fields))


def test_a_filter_that_holds_nothing_is_one_sentence(store: Store) -> None:
    """What, and what to do; nothing was made."""
    wanted = ClaimFilter(protocol=str(build.PROTOCOL), labels=(Label.WRONG_SCOPE,))
    with pytest.raises(InputError, match=r"No claim that counts is left under this filter.*; widen the filter\.$"):
        queues.make(store, spec(filter=wanted), "me")
    assert store.queues.list() == []


def test_more_than_there_are_is_all_of_them_and_said(store: Store) -> None:
    """Each with probability 1."""
    made = queues.make(store, spec(size=50), "me")

    assert {item.probability for item in made.draw.items} == {1.0}
    assert made.queue.claims == 20
    assert made.draw.remarks == ("The filter holds 20 claims, not 50: all are taken, each with probability 1.",)
    assert queues.margin(made.draw) == 0.0


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        ({"name": "  "}, "has no name"),
        ({"size": None}, "every other design needs the number"),
        ({"design": Design.CENSUS}, "A census takes every claim"),
        ({"design": Design.STRATIFIED}, "needs to know what strata are made of"),
        ({"stratum": Stratum.LABEL}, "it alone, needs to know"),
        ({"design": Design.UNCERTAINTY, "filter": None}, "no judge is named"),
        ({"design": Design.STRATIFIED, "stratum": Stratum.DISAGREEMENT}, "need a second judge"),
        ({"other_protocol": "nobody@1+00000000"}, "No judge called nobody@1"),
        ({"labellers": ("ann", " ann "), "overlap": 2}, "2 people shall label the same claim, and only 1 may"),
        ({"labellers": ("ann",), "double_share": 0.1}, "2 people shall label the same claim"),
    ],
)
def test_what_cannot_be_meant_is_refused(store: Store, fields: dict[str, Any], said: str) -> None:
    """In a sentence."""
    with pytest.raises(InputError, match=said):
        queues.preview(store, spec(**fields))


@pytest.mark.parametrize(
    ("stratum", "strata"),
    [
        (Stratum.VERDICT, {"not judged": 2, "supported": 12, "unsupported": 6}),
        (Stratum.DISAGREEMENT, {"judges agree": 17, "judges differ": 2, "not judged twice": 1}),
        (Stratum.FLAG, {"no flag": 10, "number": 10}),
        (
            Stratum.LABEL,
            {"contradicted": 4, "inaccessible": 1, "none": 1, "partial": 1, "supported": 12, "uncited": 1},
        ),
    ],
)
def test_strata_are_what_they_are_called(store: Store, stratum: Stratum, strata: dict[str, int]) -> None:
    """Counted by hand; each gets at least one claim, with a probability that is its share."""
    wanted = spec(design=Design.STRATIFIED, stratum=stratum, other_protocol=str(OTHER), size=8)
    draw = queues.preview(store, wanted)

    assert {name: there for name, (there, _) in draw.strata.items()} == strata
    assert all(taken for _, taken in draw.strata.values())
    for item in draw.items:
        there, taken = draw.strata[item.stratum]
        assert item.probability == pytest.approx(taken / there)


def test_error_seeking_prefers_faults_and_leaves_all_a_chance(store: Store) -> None:
    """Five to one: 8 faulty or unlabelled, and 2 over which judges differ, against 10 others."""
    draw = queues.preview(store, spec(design=Design.ERROR_SEEKING, other_protocol=str(OTHER), size=20))
    assert {item.probability for item in draw.items} == {1.0}
    drawn = queues.preview(store, spec(design=Design.ERROR_SEEKING, other_protocol=str(OTHER), size=6)).items
    chances = sorted({round(item.probability, 6) for item in drawn})

    # contradicted 4, none, uncited, partial and the two that differ: 9 of size 5, 11 of size 1; 6 · 5 / 56 and 6 / 56
    assert set(chances) <= {round(6 * 5 / 56, 6), round(6 / 56, 6)}


def test_who_makes_it_does_not_matter(store: Store) -> None:
    """The filter is nobody's eyes, and the draw is the same."""
    reader = Person(name="ann", role=Role.LABELLER)
    seen = ClaimFilter(protocol=str(build.PROTOCOL), reader=reader)
    made = queues.make(store, spec(filter=seen), "ann")

    assert made.queue.spec.filter == ClaimFilter(protocol=str(build.PROTOCOL))
    assert made.draw == queues.preview(store, spec())


def test_topping_up_keeps_what_was_drawn_and_says_what_it_is_worth_now(store: Store) -> None:
    """Five of twenty, then three more: eight, each with 8/20."""
    made = queues.make(store, spec(), "me").queue
    before = {item.claim_uid for item in store.queues.items(made.queue_id)}
    queues.top_up(store, made.queue_id, 3, "me")
    after = store.queues.items(made.queue_id)

    assert before < {item.claim_uid for item in after}
    assert [item.probability for item in after] == pytest.approx([8 / 20] * 8)
    assert store.queues.strata(made.queue_id) == {"all": (20, 8)}


def test_what_came_later_is_drawn_from_on_its_own(store: Store) -> None:
    """Ten of twenty; twenty more come; two more are drawn, all from the new: the old keep 10/20, the new have 2/20."""
    made = queues.make(store, spec(size=10), "me").queue
    old = {item.claim_uid for item in store.queues.items(made.queue_id)}
    record(store, "r2")
    queues.top_up(store, made.queue_id, 2, "me")
    chances = {item.claim_uid: item.probability for item in store.queues.items(made.queue_id)}

    assert {chances.pop(uid) for uid in old} == {0.5}
    assert list(chances.values()) == pytest.approx([0.1, 0.1])
    assert store.queues.get(made.queue_id).population == 40


def test_a_queue_that_has_all_or_is_closed_is_not_topped_up(store: Store) -> None:
    """In a sentence."""
    made = queues.make(store, spec(size=20), "me").queue
    with pytest.raises(InputError, match="has every claim that its filter holds"):
        queues.top_up(store, made.queue_id, 5, "me")
    store.queues.close(made.queue_id, "me")
    with pytest.raises(InputError, match="is closed; open it first"):
        queues.top_up(store, made.queue_id, 5, "me")
    with pytest.raises(InputError, match="There is no queue nowhere"):
        queues.top_up(store, "nowhere", 5, "me")


def test_the_standing_queue_follows_the_store(store: Store) -> None:
    """Made at the first call, filled up when claims came, the same otherwise; judges are not asked."""
    first = queues.everything(store)
    assert (first.queue_id, first.claims, first.spec.blind) == (EVERYTHING, 20, False)
    assert queues.everything(store) == first
    record(store, "r2")

    assert queues.everything(store).claims == 40
    assert {item.probability for item in store.queues.items(EVERYTHING)} == {1.0}


def test_many_who_come_at_once_draw_the_standing_queue_once(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    """The first one draws; the others wait for a queue that is not there, and take one that is as it stands."""
    drawn: list[int] = []
    read = store.queues.population

    def population(*args: Any) -> Population:
        drawn.append(1)
        time.sleep(0.3)
        return read(*args)

    monkeypatch.setattr(store.queues, "population", population)
    with ThreadPoolExecutor(8) as pool:
        assert {one.claims for one in pool.map(lambda _: queues.everything(store), range(8))} == {20}
    assert len(drawn) == 1
    record(store, "r2")
    with ThreadPoolExecutor(8) as pool:
        assert {one.claims for one in pool.map(lambda _: queues.everything(store), range(8))} == {20, 40}
    assert len(drawn) == 2
    assert queues.everything(store).claims == 40


def test_who_could_not_draw_leaves_the_turn_to_the_next(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    """A fault on the way blocks nobody."""
    with monkeypatch.context() as broken:
        broken.setattr(store.queues, "population", lambda *args: (_ for _ in ()).throw(StoreError("No disk", "wait")))
        with pytest.raises(StoreError):
            queues.everything(store)

    assert queues.everything(store).claims == 20


def test_check_items_have_known_gold_and_feed_nothing(store: Store) -> None:
    """They come from outside the sample, are for everybody, and stand in no count."""
    uids = record(store, "r1")
    seen = {uid: store.labels.span(uid, "C1") for uid in uids}
    store.labels.add(
        [press(uid, "expert", None, seen_sha256=one.seen_sha256) for uid, one in seen.items() if one is not None]
    )
    made = queues.make(store, spec(checks=4), "me")
    checks = [item for item in store.queues.items(made.queue.queue_id) if item.check_label is not None]
    state = store.queues.state(made.queue.queue_id, "ann", NOW)

    assert [item.check_label for item in checks] == [{"C1": Label.SUPPORTED}] * 4
    assert (made.queue.claims, state.claims, state.spans, made.draw.strata) == (5, 5, 9, {"all": (20, 5)})
    given = store.queues.ahead(made.queue.queue_id, "ann", 99, (), NOW)
    assert len(given) == 9
    store.labels.add(
        [press(item.claim_uid, "ann", made.queue.queue_id) for item in made.draw.items if item.check_label is None]
    )
    assert store.queues.ahead(made.queue.queue_id, "ann", 99, (), NOW) == []
    assert queues.make(store, spec(checks=99), "me").draw.remarks[-1].startswith("Only 15 of 99 check items")
