"""What is concealed from whom: the store, its lists, links, charts and streams say what the pure rule says."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count
from pathlib import Path

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from core.exporting import ExportRequest, export
from core.models import Label
from core.people import Person, Role
from core.reveal import HIDDEN, may_reveal
from core.store import Store, open_store
from core.store.label_records import LabelEvent, LabelKind
from core.store.queue_records import Draw, DrawnClaim, QueueSpec
from core.store.records import ClaimFilter, Sort
from tests.core.store import build

NAME = str(build.PROTOCOL)
PEOPLE = ("ana", "ben")
CITES: list[tuple[str, ...]] = [("C1",), ("C1", "C2"), (), ("C1",)]
LABELS = (Label.CONTRADICTED, Label.PARTIAL, Label.UNCITED, None)
_ids = count(1)


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Store]:
    """Two answers of four claims each, which contradict, support in part, cite nothing, and were not judged."""
    claims = [build.claim(number, cites=cites) for number, cites in enumerate(CITES, 1)]
    with open_store(tmp_path_factory.mktemp("reveals") / "desk.duckdb") as opened:
        opened.record(build.batch(*(build.checked(build.answer(name), LABELS, claims) for name in ("r1", "r2"))))
        yield opened


def uids(store: Store) -> list[str]:
    """The claims, as imported."""
    as_imported = ClaimFilter(protocol=NAME, sort=Sort.AS_IMPORTED)
    return [item.claim_uid for item in store.claim_page(as_imported, 100).items]


def draw(*claims: str) -> Draw:
    """A queue of these claims."""
    items = tuple(
        DrawnClaim(claim_uid=uid, place=place, probability=1.0, stratum="all", wanted=1)
        for place, uid in enumerate(claims)
    )
    return Draw(items=items, population=8, newest=8, strata={"all": (8, len(claims))})


def label(store: Store, who: str, uid: str, cite: str | None, kind: LabelKind, guideline: str = "v1") -> LabelEvent:
    """One decision."""
    span = store.labels.span(uid, cite)
    assert span is not None
    event = LabelEvent(
        event_id=f"e{next(_ids)}",
        kind=kind,
        claim_uid=uid,
        cite=cite,
        labeller=who,
        label=Label.SUPPORTED if kind is LabelKind.LABEL else None,
        guideline=guideline,
        seen_sha256=span.seen_sha256,
    )
    store.labels.add([event])
    return event


queues = st.lists(
    st.tuples(
        st.booleans(),  # blind
        st.sampled_from([(), ("ana",), ("ben",), PEOPLE]),
        st.sets(st.integers(0, 7)),
        st.sampled_from(["v1", "v2"]),
        st.booleans(),  # closed
    ),
    max_size=3,
)
decisions = st.lists(
    st.tuples(
        st.sampled_from(PEOPLE),
        st.integers(0, 7),
        st.integers(0, 1),
        st.sampled_from([LabelKind.LABEL, LabelKind.LABEL, LabelKind.NOT_A_CLAIM, LabelKind.SKIP, LabelKind.FLAG]),
        st.sampled_from(["v1", "v2"]),
    ),
    max_size=12,
)


@pytest.mark.long
@settings(
    max_examples=12,
    phases=[Phase.explicit, Phase.generate],
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
@given(queues, decisions)
def test_every_way_to_a_verdict_agrees_with_the_rule(
    store: Store,
    tmp_path: Path,
    queues: list[tuple[bool, tuple[str, ...], set[int], str, bool]],
    decisions: list[tuple[str, int, int, LabelKind, str]],
) -> None:
    """List, counts, filters, links, siblings, the points of a chart, streams and an export: none tells more."""
    claims = uids(store)
    for blind, labellers, held, guideline, closed in queues:
        spec = QueueSpec(name="q", blind=blind, labellers=labellers, guideline=guideline)
        made = store.queues.create(spec, draw(*(claims[place] for place in sorted(held))), "keeper")
        if closed:
            store.queues.close(made.queue_id, "keeper")
    for who, place, which, kind, guideline in decisions:
        cites = CITES[place % 4] or (None,)
        label(store, who, claims[place], cites[which % len(cites)], kind, guideline)
    try:
        for name in PEOPLE:
            for role in Role:
                check(store, Person(name=name, role=role), claims, tmp_path)
    finally:
        forget(store)


def check(store: Store, person: Person, claims: list[str], folder: Path) -> None:
    """Compare every way to a verdict with the rule."""
    open_ = [uid for uid in claims if may_reveal(person, store.reveals.standing(person.name, uid))]
    hidden = [uid for uid in claims if uid not in open_]
    wanted = ClaimFilter(protocol=NAME, reader=person)
    page = store.claim_page(wanted, 100)

    assert store.reveals.concealed(person) == set(hidden)
    assert {item.claim_uid for item in page.items} == set(open_)
    assert (page.total, page.concealed) == (len(open_), len(hidden))
    assert sum(page.label_counts.values()) == len(open_)
    assert {store.claim_position(wanted, uid) for uid in hidden} <= {None}
    assert sum(point.attempted for point in store.trend([NAME], "week", "UTC", reader=person)) == len(open_)
    assert len(list(store.rows(wanted))) == len(list(store.judged_claims(wanted))) == len(open_)
    assert {one.claim_uid for one in store.verdicts(wanted)} == set(open_)
    for chosen in ({"labels": LABELS[:1]}, {"unsupported": "strict"}):
        assert {item.claim_uid for item in store.claim_page(wanted.model_copy(update=chosen), 100).items} <= set(open_)
    for uid in claims:
        found = store.claim(uid, NAME, person)
        assert (found is not None) == (uid in open_)
        if found is not None:
            assert {sibling for sibling, _ in found.rows} <= set(open_)
            assert len(found.rows) + found.concealed == 4
    apart = store.claim_page(wanted.model_copy(update={"concealed": True, "labels": LABELS[:1]}), 100)
    assert [item.claim_uid for item in apart.items] == hidden  # as imported, whatever the filter says of verdicts
    assert {(item.label, item.why, item.source, item.flags) for item in apart.items} <= {(None, HIDDEN, "", ())}
    assert (apart.total, apart.label_counts, apart.flag_counts) == (len(hidden), {}, {})
    assert list(store.rows(wanted.model_copy(update={"concealed": True}))) == list(store.rows(wanted))
    report = export(store, ExportRequest(what="claims", out=folder / "out.jsonl", protocol=NAME, reader=person))
    assert report.rows == len(open_)


def forget(store: Store) -> None:
    """Empty what an example wrote; a store of its own for each would take a second."""
    with store._connection.write() as session:
        for table in ("label_events", "queues", "queue_events", "queue_draws", "queue_items", "leases", "audit"):
            session.run(f"delete from {table}")


def test_a_reveal_is_noted_once_and_marks_later_labels(store: Store) -> None:
    """A label before it is blind, one after it is not; another person's stays blind."""
    uid = uids(store)[0]
    before = label(store, "ana", uid, "C1", LabelKind.LABEL)
    assert store.reveals.note("ana", [uid, uid, "nonsense"], "review") == 1
    assert store.reveals.note("ana", [uid], "review list") == 0
    after = label(store, "ana", uid, "C1", LabelKind.LABEL)
    others = label(store, "ben", uid, "C1", LabelKind.LABEL)

    told = {one.event.event_id: one.event.after_reveal for one in store.labels.events()}
    assert (told[before.event_id], told[after.event_id], told[others.event_id]) == (False, True, False)
    assert (store.reveals.seen("ana"), store.reveals.seen("ben")) == ({uid}, set())
