"""Adjudication: who may decide on what, what it makes, and how it is taken back."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest

from core import adjudication, audit_check, gold
from core.adjudication import CaseName
from core.errors import CitedeskError, InputError, StoreConflict
from core.models import Label, digest
from core.people import Person, Role
from core.polling import Provenance
from core.store import Store, open_store
from core.store.label_records import LabelEvent, LabelKind
from tests.core.store import build

CHECKED = build.checked(build.answer("r1"), [Label.SUPPORTED, Label.SUPPORTED])
FIRST, SECOND = (build.uid(CHECKED.answer, claim) for claim in CHECKED.claims)
SEEN = {
    uid: digest([claim.text, "The gate is open."]) for uid, claim in zip((FIRST, SECOND), CHECKED.claims, strict=True)
}
CYD = Person(name="cyd", role=Role.REVIEWER)


def label(event_id: str, uid: str, who: str, what: Label | None, **changes: Any) -> LabelEvent:
    """What somebody says of the one span of a claim."""
    return build.event(event_id, uid, labeller=who, label=what, seen_sha256=SEEN[uid], **changes)


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    """Two people differ on the first claim and agree on the second."""
    with open_store(tmp_path / "desk.duckdb") as opened:
        opened.record(build.batch(CHECKED))
        opened.labels.add(
            [
                label("e1", FIRST, "ann", Label.SUPPORTED, note="all there"),
                label("e2", FIRST, "bob", Label.PARTIAL),
                label("e3", SECOND, "ann", Label.SUPPORTED),
                label("e4", SECOND, "bob", Label.SUPPORTED),
            ]
        )
        yield opened


def only(store: Store, person: Person = CYD) -> CaseName:
    """The one open case."""
    (name,) = adjudication.docket(store, person).cases
    return name


def press(store: Store, **changes: Any) -> dict[str, Any]:
    """A decision on the open case as a browser sends it."""
    found = adjudication.case(store, CYD, only(store))
    assert found is not None
    values = {"event_id": str(uuid4()), "token": found.token, "label": "wrong_scope", "rationale": "Other year."}
    return values | changes


def test_only_what_people_differ_on_is_open(store: Store) -> None:
    """Under one guideline; labels under another are another matter."""
    store.labels.add([label("e5", SECOND, "dan", Label.PARTIAL, guideline="v0")])
    docket = adjudication.docket(store, CYD)

    assert (docket.cases, docket.own, docket.compared) == ((CaseName(None, "v1", FIRST, "C1"),), 0, 2)


def test_labels_are_shuffled_and_unnamed(store: Store) -> None:
    """The same order each time, by event and not by person; the note is there, the name nowhere."""
    found = adjudication.case(store, CYD, only(store))
    assert found is not None

    order = sorted(("e1", "e2"), key=lambda event: digest([FIRST, "C1", event]))
    labels = {"e1": Label.SUPPORTED, "e2": Label.PARTIAL}
    assert [(one.letter, one.label) for one in found.opinions] == list(
        zip("AB", (labels[event] for event in order), strict=True)
    )
    assert "all there" in found.model_dump_json()
    assert not any(name in found.model_dump_json() for name in ("ann", "bob"))


def test_a_decision_is_gold_with_its_provenance(store: Store) -> None:
    """Stored with what it was made on, audited, and the case is closed."""
    name = only(store)
    made = adjudication.decide(store, CYD, press(store), name)
    found = {one.claim_uid: one for one in gold.of(store, "v1").spans()}

    assert (made.label, made.adjudicator, sorted(made.labels_seen)) == (Label.WRONG_SCOPE, "cyd", ["e1", "e2"])
    assert (found[FIRST].label, found[FIRST].provenance) == (Label.WRONG_SCOPE, Provenance.ADJUDICATED)
    assert found[SECOND].provenance is Provenance.AGREED
    assert adjudication.docket(store, CYD).cases == ()
    assert store.adjudications.standing() == [made]


def test_the_same_decision_sent_twice_is_stored_once(store: Store) -> None:
    """With other content under the same id it is refused."""
    name, sent = only(store), press(store)
    first = adjudication.decide(store, CYD, sent, name)

    assert adjudication.decide(store, CYD, sent, name) == first
    with pytest.raises(StoreConflict, match="other content"):
        adjudication.decide(store, CYD, sent | {"label": "partial"}, name)


def test_a_decision_can_be_taken_back(store: Store) -> None:
    """By a second event; the case is open again, and the first one cannot be taken back twice."""
    name = only(store)
    made = adjudication.decide(store, CYD, press(store), name)
    adjudication.take_back(store, CYD, str(uuid4()), made)

    assert audit_check.verify(store).fault is None
    assert adjudication.docket(store, CYD).cases == (name,)
    assert FIRST not in {one.claim_uid for one in gold.of(store, "v1").spans()}
    with pytest.raises(StoreConflict, match="does not stand"):
        adjudication.take_back(store, CYD, str(uuid4()), made)


@pytest.mark.parametrize("who", ["ann", "bob"])
def test_a_rater_is_no_adjudicator(store: Store, who: str) -> None:
    """Not even as an admin: the case is not offered, and a decision is refused in a sentence."""
    rater = Person(name=who, role=Role.ADMIN)
    docket = adjudication.docket(store, rater)
    with pytest.raises(StoreConflict, match="You labelled this claim yourself"):
        adjudication.decide(store, rater, press(store), only(store))

    assert (docket.cases, docket.own) == ((), 1)


def test_a_labeller_sees_nothing_of_it(store: Store) -> None:
    """Neither the cases nor the labels of others nor the flags."""
    name, dan = only(store), Person(name="dan", role=Role.LABELLER)
    for act in (
        lambda: adjudication.docket(store, dan),
        lambda: adjudication.case(store, dan, name),
        lambda: adjudication.decide(store, dan, {}, name),
        lambda: adjudication.flagged(store, dan),
    ):
        with pytest.raises(InputError, match="Only reviewers"):
            act()


@pytest.mark.parametrize(
    "changes",
    [
        {"rationale": "  "},
        {"rationale": None},
        {"rationale": "x" * 1001},
        {"label": "splendid"},
        {"event_id": "1"},
        {"token": "0" * 64},
        {"label": ["partial"]},
    ],
)
def test_what_is_no_decision_is_refused(store: Store, changes: dict[str, Any]) -> None:
    """One sentence each, and nothing is stored."""
    with pytest.raises(CitedeskError):
        adjudication.decide(store, CYD, press(store, **changes), only(store))

    assert store.adjudications.standing() == []


def test_a_label_that_came_meanwhile_must_be_read_first(store: Store) -> None:
    """The decision was made without it."""
    name, sent = only(store), press(store)
    store.labels.add([label("e9", FIRST, "dan", Label.CONTRADICTED)])

    with pytest.raises(InputError, match="have changed"):
        adjudication.decide(store, CYD, sent, name)


def test_no_claim_is_a_decision_too(store: Store) -> None:
    """Then it is no gold and no longer open."""
    adjudication.decide(store, CYD, press(store, label=None), only(store))

    assert FIRST not in {one.claim_uid for one in gold.of(store, "v1").spans()}
    assert adjudication.docket(store, CYD).cases == ()


def test_flags_are_shown_without_names(store: Store) -> None:
    """With what the labeller wrote, until it is taken back."""
    flag = label("f1", SECOND, "ann", None, kind=LabelKind.FLAG, note="look at this")
    store.labels.add([flag])
    (found,), withheld = adjudication.flagged(store, CYD)
    store.labels.add([build.undo("f2", flag)])

    assert (found.note, found.span.claim_uid, withheld) == ("look at this", SECOND, 0)
    assert "ann" not in found.model_dump_json()
    assert adjudication.flagged(store, CYD) == ([], 0)
