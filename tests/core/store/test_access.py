"""Access groups in labelling: nobody is given what they may not read, and nothing else changes for it."""

from __future__ import annotations

import random
from collections.abc import Collection, Sequence
from datetime import timedelta
from typing import Any

import pytest

from core import withholding
from core.models import Claim, Evidence, Label, utc_now
from core.sources import Source
from core.store import Store
from core.store.label_records import LabelEvent, LabelKind, SpanToLabel
from core.store.queue_records import EmptyQueue
from tests.core.corpora_of import fill
from tests.core.store import build
from tests.core.store.queued import NOW, later, places, press, queue

GROUPS = ("legal", "hr", "audit")
PEOPLE: dict[str, tuple[str, ...]] = {
    "ann": (),
    "ben": ("legal",),
    "cat": ("hr", "legal"),
    "dan": ("audit", "hr", "legal"),
    "eve": ("audit", "hr", "legal"),
}


def entry(store: Store, cite: str, name: str, **more: Any) -> Evidence:
    """A registry entry from the source of that name in the corpus."""
    (source,) = [one for one in store.corpora.sources() if one.uri.endswith(name) and one.corpus == "main"]
    meta = {"corpus": "main", "chunk_id": f"{source.doc_id}:p1.0-4"}
    return Evidence(id=cite, text=f"Text of {name}.", meta=meta, **more)


def record(store: Store, cited: Sequence[tuple[str, ...]], evidence: Sequence[Evidence], name: str = "r") -> list[str]:
    """One answer with a claim for each of these lists of citations; gives their uids."""
    answer = build.answer(name, evidence=tuple(evidence))
    about: list[Claim] = [build.claim(number, cites=cites) for number, cites in enumerate(cited, 1)]
    store.record(build.batch(build.checked(answer, [Label.SUPPORTED] * len(about), about)))
    return [build.uid(answer, one) for one in about]


def restricted(store: Store) -> list[str]:
    """Claims about an open source, one of legal's, one of hr's, both of these, and one that a log says is audit's."""
    fill(
        store,
        {"open.txt": "Open.", "legal.txt": "Law.", "hr.txt": "People."},
        {"legal.txt": ["legal"], "hr.txt": ["hr"]},
    )
    evidence = [
        entry(store, "C1", "open.txt"),
        entry(store, "C2", "legal.txt"),
        entry(store, "C3", "hr.txt"),
        Evidence(id="C4", text="From elsewhere.", groups=("audit",)),
    ]
    return record(store, [("C1",), ("C2",), ("C3",), ("C2", "C3"), ("C4", "C1")], evidence)


def test_nobody_is_given_what_they_may_not_read(store: Store) -> None:
    """A claim is for those who may read every source that it cites; whoever keeps the desk reads all."""
    uids = restricted(store)
    made = queue(store, uids, overlap=9)
    given = {
        name: [
            uids.index(uid)
            for uid, _ in dict.fromkeys(places(store.queues.ahead(made.queue_id, name, 99, (), NOW, groups)))
        ]
        for name, groups in {**PEOPLE, "owner": None}.items()
    }

    assert {name: sorted(set(found)) for name, found in given.items()} == {
        "ann": [0],
        "ben": [0, 1],
        "cat": [0, 1, 2, 3],
        "dan": [0, 1, 2, 3, 4],
        "eve": [0, 1, 2, 3, 4],
        "owner": [0, 1, 2, 3, 4],
    }


def test_how_many_are_withheld_is_said(store: Store) -> None:
    """To each; who has labelled all that they may read is told that the rest is not for them."""
    uids = restricted(store)
    made = queue(store, uids)
    state = store.queues.state
    before = {name: state(made.queue_id, name, NOW, groups) for name, groups in PEOPLE.items()}
    store.labels.add([press(uids[0], "ann", made.queue_id), press(uids[1], "ben", made.queue_id, cite="C2")])
    ann, ben = (state(made.queue_id, name, NOW, PEOPLE[name]) for name in ("ann", "ben"))

    assert {name: one.withheld for name, one in before.items()} == {"ann": 4, "ben": 3, "cat": 1, "dan": 0, "eve": 0}
    assert {name: one.spans for name, one in before.items()} == {"ann": 1, "ben": 2, "cat": 5, "dan": 7, "eve": 7}
    assert (ann.empty, ann.withheld, ann.spans, ann.labelled) == (EmptyQueue.WITHHELD, 3, 1, 1)
    assert (ben.empty, ben.withheld, ben.spans, ben.labelled) == (EmptyQueue.WITHHELD, 3, 1, 1)
    assert (ann.claims, ann.complete, ann.judgements_wanted) == (5, 2, 5)


def test_what_nobody_may_read_is_counted_for_reviewers(store: Store) -> None:
    """It stays in the queue and in its sample; claims with readers, but too few of them, are counted beside it."""
    uids = restricted(store)
    made = queue(store, uids, overlap=2)
    before = store.queues.items(made.queue_id)
    unread = store.queues.unread
    few = unread(made.queue_id, {"ann": (), "ben": ("legal",), "cat": ("hr", "legal")})
    store.labels.add([press(uids[2], "dan", made.queue_id, cite="C3")])
    fewer = unread(made.queue_id, {"ann": (), "ben": ("legal",), "cat": ("hr", "legal")})

    assert (few.nobody, few.too_few) == (1, 2)  # audit's; hr's, and legal's with hr's, which cat alone may read
    assert (fewer.nobody, fewer.too_few) == (1, 1)
    assert unread(made.queue_id, {"owner": None, "other": None}).model_dump() == {"nobody": 0, "too_few": 0}
    assert unread(made.queue_id, {}).model_dump() == {"nobody": 4, "too_few": 0}
    assert store.queues.items(made.queue_id) == before


def test_a_claim_in_somebodys_hands_is_let_go_when_it_is_not_theirs_any_more(store: Store) -> None:
    """By their next message or press; somebody who may read it gets it at once."""
    uids = restricted(store)
    made = queue(store, [uids[0], uids[1]])
    have = places(store.queues.ahead(made.queue_id, "ben", 9, (), NOW, ("legal",)))
    waiting = store.queues.state(made.queue_id, "cat", later(1), ("legal",))
    held = store.queues.hold(made.queue_id, uids[1], "ben", later(1), ())
    taken = store.queues.ahead(made.queue_id, "cat", 9, (), later(1), ("legal",))

    assert (len(have), waiting.empty, held) == (2, EmptyQueue.LEASED, False)
    assert places(taken) == [(uids[1], "C2")]
    store.corpora.allow(entry(store, "C1", "open.txt").meta["chunk_id"].split(":")[0], None, ["hr"], "me")
    assert store.queues.ahead(made.queue_id, "ben", 9, have, later(2), ("legal",)) == []
    assert places(store.queues.ahead(made.queue_id, "eve", 9, (), later(2), ("hr",))) == [(uids[0], "C1")]


def test_the_board_knows_at_once_when_a_source_is_for_others(store: Store) -> None:
    """Also when it becomes theirs again: what was passed over in front comes first then."""
    uids = restricted(store)
    made = queue(store, uids[1::-1])
    (source,) = [one for one in store.corpora.sources() if one.uri.endswith("legal.txt")]
    before = store.queues.ahead(made.queue_id, "ann", 9, (), NOW, ())
    store.corpora.allow(source.doc_id, None, [], "me")
    opened = store.queues.ahead(made.queue_id, "ann", 9, (), NOW, ())
    store.corpora.allow(source.doc_id, None, ["hr"], "me")

    assert places(before) == [(uids[0], "C1")]
    assert places(opened) == [(uids[1], "C2"), (uids[0], "C1")]
    assert places(store.queues.ahead(made.queue_id, "ann", 9, (), NOW, ())) == [(uids[0], "C1")]
    assert places(store.queues.ahead(made.queue_id, "ben", 9, (), later(31), ("hr",))) == [
        (uids[1], "C2"),
        (uids[0], "C1"),
    ]


def test_a_source_that_is_gone_for_everyone_keeps_its_readers(store: Store) -> None:
    """Its claim is still labelled, without the passage, by those who might have read it, and by no one else."""
    uids = restricted(store)
    made = queue(store, uids[1:2])
    (source,) = [one for one in store.corpora.sources() if one.uri.endswith("legal.txt")]
    store.corpora.deactivate(source.doc_id, None, "me")
    (span,) = store.queues.ahead(made.queue_id, "ben", 9, (), NOW, ("legal",))

    assert (span.evidence, span.accessible) == ("", False)
    assert store.queues.ahead(made.queue_id, "ann", 9, (), NOW, ()) == []


class Office:
    """Five people in different groups at a queue of forty claims, of sources of which one is for nobody here."""

    def __init__(self, store: Store, chance: random.Random) -> None:
        """Begin, all drawn by chance."""
        self.store, self.chance, self.clock = store, chance, 0.0
        self.groups = {**PEOPLE, "eve": ("hr",)}
        names = [f"{number}.txt" for number in range(8)]
        self.rights = {name: chance.sample(GROUPS, chance.choice([0, 1, 1, 2])) for name in names} | {
            "7.txt": ["board"]
        }
        fill(store, {name: f"Words of {name}." for name in names}, self.rights)
        evidence = [entry(store, name[0], name) for name in names]
        cited = [tuple(chance.sample([one.id for one in evidence], chance.choice([0, 1, 1, 2]))) for _ in range(40)]
        self.uids = record(store, cited, evidence)
        self.cites = dict(zip(self.uids, cited, strict=True))
        self.queue_id = queue(store, self.uids, overlap=2, lease_minutes=30).queue_id
        self.given: list[LabelEvent] = []

    def may(self, name: str, uid: str) -> bool:
        """Whether somebody may read a claim now."""
        needed = [self.rights[f"{cite}.txt"] for cite in self.cites[uid]]
        return all(not one or set(one) & set(self.groups[name]) for one in needed)

    def take(self, name: str, limit: int) -> list[SpanToLabel]:
        """What they are given, which is never what they may not read."""
        spans = self.store.queues.ahead(self.queue_id, name, limit, (), later(self.clock), self.groups[name])
        assert all(self.may(name, span.claim_uid) for span in spans)
        return spans

    def change(self) -> None:
        """From now on one reads more, one less, and one source is for others."""
        self.groups |= {"ben": ("audit", "legal"), "cat": ("hr",)}
        self.rights["0.txt"] = ["hr"]
        (source,) = [one for one in self.store.corpora.sources() if one.uri.endswith("0.txt")]
        self.store.corpora.allow(source.doc_id, None, ["hr"], "me")

    def work(self) -> None:
        """Somebody takes some and labels, skips or takes back what they still hold."""
        name = self.chance.choice(list(self.groups))
        self.clock += self.chance.choice([0.1, 0.1, 1, 20])
        for span in self.take(name, self.chance.randint(1, 6))[: self.chance.randint(0, 6)]:
            kind = self.chance.choice([LabelKind.LABEL] * 5 + [LabelKind.NOT_A_CLAIM, LabelKind.SKIP])
            if self.given and self.chance.random() < 0.03:
                undone = self.given.pop(self.chance.randrange(len(self.given)))
                self.store.labels.add([build.undo(f"undo {undone.event_id}", undone)])
            elif self.store.queues.hold(self.queue_id, span.claim_uid, name, later(self.clock), self.groups[name]):
                event = press(span.claim_uid, name, self.queue_id, kind, span.cite)
                self.given += [event] if kind is not LabelKind.SKIP else []
                self.store.labels.add([event])

    def finish(self) -> None:
        """Each labels all that they are still given."""
        for name in self.groups:
            self.clock += 60
            while spans := self.take(name, 9):
                self.store.labels.add([press(one.claim_uid, name, self.queue_id, cite=one.cite) for one in spans])

    def done(self) -> dict[str, set[str]]:
        """By claim, who has labelled it whole."""
        found: dict[str, set[str]] = {uid: set() for uid in self.uids}
        said: dict[tuple[str, str], set[str | None]] = {}
        for one in (one.event for one in self.store.labels.current()):
            places = {*(self.cites[one.claim_uid] or (None,))}
            settled = places if one.kind is LabelKind.NOT_A_CLAIM else {one.cite}
            said.setdefault((one.claim_uid, one.labeller), set()).update(
                settled if one.kind is not LabelKind.SKIP else ()
            )
        for (uid, name), settled in said.items():
            found[uid] |= {name} if settled >= {*(self.cites[uid] or (None,))} else set()
        return found


@pytest.mark.long
@pytest.mark.parametrize("seed", range(4))
def test_every_claim_is_labelled_as_often_as_wanted_by_those_who_may_read_it(store: Store, seed: int) -> None:
    """With skips, undos, leases that run out, and groups that change meanwhile.

    Nobody is ever given a claim that they may not read; no claim gets more than two people, and fewer only when fewer
    may read it.
    """
    office = Office(store, random.Random(seed))
    for step in range(400):
        if step == 60:
            office.change()
        office.work()
    office.finish()
    done, names, uids = office.done(), office.groups, office.uids
    able = {uid: sum(office.may(name, uid) or name in done[uid] for name in names) for uid in uids}
    state = store.queues.state(office.queue_id, "ann", later(office.clock), names["ann"])
    lacking = [uid for uid in uids if len(done[uid]) < 2]

    assert {uid: len(who) for uid, who in done.items()} == {uid: min(2, able[uid]) for uid in uids}
    assert 0 in able.values()
    assert (state.complete, state.judgements) == (len(uids) - len(lacking), sum(map(len, done.values())))
    assert state.withheld == sum(not office.may("ann", uid) and "ann" not in done[uid] for uid in lacking)
    assert store.queues.unread(office.queue_id, names).nobody == sum(
        not any(office.may(name, uid) for name in names) for uid in lacking
    )


def readable(own: Collection[str], sources: Sequence[Source], groups: Collection[str]) -> bool:
    """What the rule says, put another way: of the places that still stand, else of all, one is for them."""
    live = [one for one in sources if not one.deactivated and not (one.retain_until and one.retain_until <= utc_now())]
    named = [one.groups for one in live or sources] or [tuple(own)]
    return any(not one or set(one) & set(groups) for one in named)


@pytest.mark.parametrize("seed", range(6))
def test_it_bars_exactly_what_the_rule_of_old_answers_hides(store: Store, seed: int) -> None:
    """Over sources at several places, some out of use or past their time, and entries that came from no corpus."""
    chance = random.Random(seed)
    names = [f"{number}.txt" for number in range(6)]
    for copy in ("", "again-"):  # the same text at two places is one document
        texts = {f"{copy}{name}": f"Words of {name}." for name in names if not copy or chance.random() < 0.5}
        fill(store, texts, {name: chance.sample(GROUPS, chance.choice([0, 1, 1, 2])) for name in texts})
    for source in store.corpora.sources():
        with store._connection.write() as session:
            number = session.value("select source_no from sources where corpus = 'main' and uri = ?", [source.uri])
            event = session.next_number("source_events", "event_no")
            kind, until = chance.choice(
                [("deactivated", None), ("retained", utc_now() - timedelta(1)), ("activated", None)]
            )
            row = {"event_no": event, "source_no": number, "kind": kind, "groups": None, "until": until}
            session.append("source_events", [row | {"who": "me", "recorded_at": utc_now()}])
    found = store.corpora.sources()
    docs = sorted({one.doc_id for one in found})
    evidence = [
        Evidence(
            id=f"C{number}",
            text=f"text {number}",
            groups=tuple(chance.sample(GROUPS, chance.choice([0, 0, 1, 2]))),
            meta=chance.choice(
                [
                    {},
                    *[
                        {"corpus": chance.choice(["main", "main", "other"]), "chunk_id": f"{doc}:p1.0-4"}
                        for doc in docs
                    ],
                ]
            ),
        )
        for number in range(12)
    ]
    uids = record(store, [(one.id,) for one in evidence], evidence)
    for groups in [(), *((one,) for one in GROUPS), ("hr", "legal"), GROUPS]:
        barred = store.labels.barred(uids, groups)
        hidden = store.corpora.hidden(evidence, groups, utc_now())
        gone = store.corpora.hidden(evidence, None, utc_now())
        for uid, one in zip(uids, evidence, strict=True):
            doc = str(one.meta.get("chunk_id", "")).split(":")[0]
            here = [source for source in found if (source.corpus, source.doc_id) == (one.meta.get("corpus"), doc)]
            assert (uid not in barred) == readable(one.groups, here, groups)
            assert (one.id in hidden) == (one.id in gone or uid in barred)
    assert store.labels.barred(uids, None) == set()


def test_the_answer_around_a_claim_is_for_those_who_may_read_all_it_was_made_of(store: Store) -> None:
    """It may repeat any of it; the claim itself is shown, bound to the same texts."""
    uids = restricted(store)
    span = store.labels.span(uids[1], "C2")
    assert span is not None
    some, all_of_it, keeper = (span.seen_by(groups) for groups in (("legal",), ("audit", "hr", "legal"), None))
    free = store.labels.span(uids[0], "C1")

    assert span.seen_by(()) is None
    assert some == span.model_copy(update={"answer": None, "start": None, "end": None, "is_answer_hidden": True})
    assert (all_of_it, keeper) == (span, span)
    assert free is not None
    assert (free.is_for(()), free.seen_by(()) == free) == (True, False)


def test_may_read_is_every_set_with_one_group_of_each() -> None:
    """By hand."""
    readers = [{"legal", "hr"}, {"audit"}]
    found = [withholding.may_read(readers, groups) for groups in ((), ("legal",), ("hr", "audit"), ("audit",), None)]

    assert found == [False, False, True, False, True]
    assert withholding.may_read((), ()) is True
