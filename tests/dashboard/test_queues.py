"""Queues as a page: cards that say how far each is, and a form that shows what would be drawn."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from core import queues
from core.models import Label
from core.store.queue_records import EVERYTHING, Design, QueueSpec, Stratum
from core.store.records import ClaimFilter
from dashboard import session
from dashboard.widgets import address

Open = Callable[..., AppTest]

LOG = [
    {
        "request_id": f"r{number:02}",
        "query": f"How heavy is lamp {number}?",
        "claims": [{"text": f"Lamp {number} weighs 40 grams.", "citation_ids": ["C1"] if number % 4 else []}],
        "evidence": [{"id": "C1", "text": f"Lamp {number} weighs 40 grams."}],
    }
    for number in range(40)
]


@pytest.fixture(scope="session")
def lamps(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A store of forty claims, ten of them uncited; tests copy it."""
    from tests.dashboard.conftest import make_store

    return make_store(tmp_path_factory.mktemp("lamps"), *LOG)


@pytest.fixture
def store(lamps: Path, tmp_path: Path) -> Path:
    """A copy of its own."""
    return Path(shutil.copy(lamps, tmp_path / "desk.duckdb"))


def words(app: AppTest) -> str:
    """All that stands on the page, without what escapes it."""
    assert not app.exception
    said: list[Any] = [*app.title, *app.header, *app.text, *app.caption, *app.info]
    return " | ".join(one.value.replace("\\", "").replace("\u2060", "") for one in said)


def by_label(elements: Any, label: str) -> Any:
    """A widget by its label."""
    return next(one for one in elements if one.label == label)


def test_the_standing_queue_is_there_at_once(store: Path, open_page: Open) -> None:
    """With how it was made, how far it is and what remains, each number in a sentence."""
    said = words(open_page(store, "queues"))

    assert "Every claim · 1 labeller a claim · for everybody · guideline v1" in said
    assert "All 40 claims that it was made of." in said
    assert "40 judgements still wanted; nobody labelled in the last hour." in said
    assert "Nobody has labelled here yet." in said


def test_what_would_be_drawn_is_shown_before_it_is(store: Path, open_page: Open) -> None:
    """Counts and chances per stratum, and how good a rate will be; nothing is made yet."""
    page = open_page(store, "queues", make="1")
    by_label(page.number_input, "Claims").set_value(20).run()
    (table,) = page.dataframe

    assert table.value.to_numpy().tolist() == [["all claims", 40, 20, "50.0%"]]
    # by hand: 1.96 · ½ / √20 · √(1 − 20/40) = 15.5 points
    assert "good to about ±15.5 points at 95 %" in words(page)
    assert [queue.queue_id for queue in session.desk().store.queues.list()] == []


def test_a_queue_is_made_of_what_review_showed(store: Path, open_page: Open) -> None:
    """The filter comes with the address; the queue keeps it, and nobody's eyes."""
    infos = _infos(store)
    wanted = ClaimFilter(protocol=infos[0].name, labels=(Label.UNCITED,))
    page = open_page(store, "queues", make="1", **address.review_params(wanted))
    by_label(page.text_input, "Name").set_value("Uncited lamps").run()
    by_label(page.number_input, "Claims").set_value(6).run()
    by_label(page.button, "Make the queue").click().run()
    (made,) = (queue for queue in session.desk().store.queues.list() if queue.queue_id != EVERYTHING)

    assert (made.name, made.population, made.claims) == ("Uncited lamps", 10, 6)
    assert made.spec.filter == wanted
    assert "Uncited lamps is made: 6 of 10 claims." in words(page)


def _infos(store: Path) -> Any:
    from core.store import open_store

    with open_store(store) as opened:
        return opened.protocols()


def test_strata_are_previewed_one_by_one(store: Path, open_page: Open) -> None:
    """As many from each, with the chance that follows."""
    page = open_page(store, "queues", make="1")
    by_label(page.radio, "How they are drawn").set_value(Design.STRATIFIED).run()
    by_label(page.selectbox, "As many from each").set_value(Stratum.LABEL).run()
    by_label(page.number_input, "Claims").set_value(10).run()
    rows = page.dataframe[0].value.to_numpy().tolist()

    assert sum(there for _, there, _, _ in rows) == 40
    assert sum(drawn for _, _, drawn, _ in rows) == 10
    assert ["uncited", 10, 5, "50.0%"] in rows


def test_what_cannot_be_made_says_why(store: Path, open_page: Open) -> None:
    """In one sentence, and there is no button."""
    infos = _infos(store)
    wanted = ClaimFilter(protocol=infos[0].name, text="no such lamp anywhere")
    page = open_page(store, "queues", make="1", **address.review_params(wanted))

    assert "so there is nothing to label; widen the filter." in words(page)
    assert "Make the queue" not in [button.label for button in page.button]


def test_a_queue_is_topped_up_renamed_and_closed(store: Path, open_page: Open) -> None:
    """By whoever may make queues; what came of it is said."""
    page = open_page(store, "queues")
    made = queues.make(session.desk().store, QueueSpec(name="Ten", design=Design.RANDOM, size=10), "me").queue
    page.run()
    page.number_input(f"more_{made.queue_id}").set_value(5).run()
    page.button(f"draw_{made.queue_id}").click().run()
    assert "Ten holds 15 of 40 claims now." in words(page)
    page.text_input(f"name_{made.queue_id}").set_value("*Fifteen*").run()
    page.button(f"rename_{made.queue_id}").click().run()
    assert "The queue is called *Fifteen* now." in words(page)
    page.button(f"switch_{made.queue_id}_False").click().run()

    assert session.desk().store.queues.get(made.queue_id).closed
    assert "*Fifteen* (closed)" in words(page)
    assert f"label_{made.queue_id}" not in [button.key for button in page.button]


def test_exploration_is_marked(store: Path, open_page: Open) -> None:
    """Its labels are never part of a rate, and the card says so."""
    page = open_page(store, "queues")
    spec = QueueSpec(name="Look", design=Design.RANDOM, size=10, feeds_rates=False)
    queues.make(session.desk().store, spec, "me")

    assert "10 of 40 claims; for exploration only, never part of a rate." in words(page.run())


def test_an_empty_store_says_what_will_be_here(tmp_path: Path, open_page: Open) -> None:
    """And where to begin."""
    assert "No queues yet" in words(open_page(tmp_path / "empty.duckdb", "queues"))
