"""The page where reviewers decide: what the browser is told, what becomes of a decision, and why it is empty."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest
from streamlit.testing.v1 import AppTest

from core import adjudication
from core.models import Label
from core.people import Person, Role
from core.store import Store, open_store
from core.store.label_records import LabelKind
from dashboard.widgets.adjudicate import answer_to, case_shown
from tests.core.store import build
from tests.core.test_adjudication import CHECKED, FIRST, SECOND, label

Open = Callable[..., AppTest]
CYD = Person(name="cyd", role=Role.REVIEWER)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """A store in which ann and bob differ on one claim, and ann flagged the other."""
    file = tmp_path / "desk.duckdb"
    with open_store(file) as store:
        store.record(build.batch(CHECKED))
        store.labels.add(
            [
                label("e1", FIRST, "ann", Label.SUPPORTED, note="<b>all there</b>"),
                label("e2", FIRST, "bob", Label.PARTIAL),
                label("f1", SECOND, "ann", None, kind=LabelKind.FLAG, reason="Two dates"),
            ]
        )
    return file


@pytest.fixture
def store(path: Path) -> Iterator[Store]:
    """That store, open."""
    with open_store(path) as opened:
        yield opened


def case(store: Store) -> dict[str, Any]:
    """What the browser is told of the one open case."""
    found = adjudication.case(store, CYD, adjudication.docket(store, CYD).cases[0])
    assert found is not None
    return case_shown(store, found)


def test_the_browser_is_told_no_name_and_no_verdict(store: Store) -> None:
    """Cards A and B with labels and notes; ten choices with their keys."""
    told = case(store)

    assert sorted(one["letter"] for one in told["opinions"]) == ["A", "B"]
    assert sorted(one["value"] for one in told["opinions"]) == ["partial", "supported"]
    assert [one["key"] for one in told["labels"]] == list("1234567890")
    assert not any(word in json.dumps(told) for word in ('"ann"', '"bob"', "lexical"))


def test_a_decision_is_answered(store: Store) -> None:
    """Stored under its id, taken back by another; whatever else comes is refused in a sentence."""
    name, told = adjudication.docket(store, CYD).cases[0], case(store)
    sent = {
        "event_id": str(uuid4()),
        "case": told["case"],
        "token": told["token"],
        "label": "partial",
        "rationale": "So.",
    }

    assert "Another case" in answer_to(store, CYD, sent | {"case": "v1 else"}, name)["refused"]
    assert "needs a reason" in answer_to(store, CYD, sent | {"rationale": ""}, name)["refused"]
    assert "only reviewers" in answer_to(store, Person(name="d", role=Role.LABELLER), sent, name)["refused"].lower()
    assert answer_to(store, CYD, sent, name) == {"event_id": sent["event_id"], "stored": "Partial"}
    undo = {"event_id": str(uuid4()), "undoes": sent["event_id"]}
    assert answer_to(store, CYD, undo, name)["stored"] == "taken back"
    assert "no decision of yours" in answer_to(store, CYD, undo | {"event_id": str(uuid4())}, name)["refused"]


def test_the_page(path: Path, open_page: Open) -> None:
    """How many cases there are, and what was flagged, without names."""
    app = open_page(path, "adjudicate", labeller="cyd")

    assert not app.exception
    assert "Labellers differ on 1 passage; what you decide becomes gold." in [one.value for one in app.text]
    (flags,) = app.dataframe
    assert flags.value["Why"].tolist() == ["Two dates"]


def test_a_rater_is_told_that_others_must_decide(path: Path, open_page: Open) -> None:
    """The case is not theirs."""
    app = open_page(path, "adjudicate", labeller="ann")

    assert any("another reviewer has to decide" in one.value for one in app.text)


def test_an_empty_page_says_why(tmp_path: Path, open_page: Open) -> None:
    """Nobody has labelled anything twice."""
    with open_store(tmp_path / "other.duckdb") as store:
        store.record(build.batch(CHECKED))
    app = open_page(tmp_path / "other.duckdb", "adjudicate", labeller="cyd")

    assert any("No passage has labels of two people yet" in one.value for one in app.text)
    assert any("Nobody has flagged anything" in one.value for one in app.text)
