"""Ask as a page: empty states, a question from writing to answer, runs beside each other, cells, and who sees what."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from core import notebooks
from core.corpus_policy import CorpusPolicy
from core.desk import Desk
from core.generators import Generation
from core.models import Label
from core.notebook_reading import Reader
from core.notebooks import Kind, Notebook, Setup
from core.reference_policy import Also
from core.settings import Settings
from core.store import Store
from core.store.records import ClaimFilter
from dashboard import jobs, session
from tests.core.corpora_of import fill
from tests.core.notebooks_made import FARE, ODD, QUERY, TEXTS, ask, begin, note, read, says, without_models, writes
from tests.core.store import build
from tests.fakes.scripted_generator import ScriptedGenerator

Open = Callable[..., AppTest]
SECRET = "A foot passenger pays Zanzibar."


@pytest.fixture(autouse=True)
def own_settings(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """No model and no key, at the desk's own machine; jobs end with the test."""
    monkeypatch.setenv("CITEDESK_VERIFIER", "lexical")
    monkeypatch.setenv("CITEDESK_CACHE", "")
    monkeypatch.setattr("dashboard.widgets.visitor.reader", lambda me=None: Reader(person=me))  # AppTest has no address
    for name in ("ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN"):
        monkeypatch.delenv(name, raising=False)
    yield
    jobs.stop_all(10)


@pytest.fixture
def store(tmp_path: Path) -> Path:
    """A store with a small corpus."""
    path = tmp_path / "desk.duckdb"
    desk = Desk.open(Settings(store=path))
    fill(desk.store, TEXTS, {"board.txt": ["board"]})
    desk.close()
    return path


@pytest.fixture
def page(store: Path, open_page: Open) -> Callable[..., AppTest]:
    """The page over that store, with an embedder that loads nothing."""

    def start(**params: str) -> AppTest:
        app = open_page(store, "ask", **params)
        without_models(session.desk())
        return app

    return start


def runs(app: AppTest) -> list[dict[str, Any]]:
    """What each run of the page gave the browser, in the order of the page."""
    assert not app.exception
    found = [one.proto for one in app.get("bidi_component")]
    return [json.loads(one.json) for one in found if one.component_name == "citedesk_served_answer"]


def press(app: AppTest, label: str, at: int = 0) -> AppTest:
    """Press a button by what it says."""
    return [one for one in app.button if one.label.replace("\\", "") == label][at].click().run()


def choose(app: AppTest, label: str, value: str, at: int = 0) -> AppTest:
    """Choose in a list by its label."""
    return [one for one in app.selectbox if one.label == label][at].select(value).run()


def put(app: AppTest, question: str = QUERY) -> AppTest:
    """Ask a question and wait for its end."""
    app.chat_input[0].set_value(question).run()
    return over(app)


def over(app: AppTest) -> AppTest:
    """Wait until nothing runs any more, and look again."""
    for job in jobs.going():
        assert job.wait(30)
    return app.run()


def book(app: AppTest) -> Notebook:
    """The notebook that the address names, as it stands."""
    named = app.query_params["notebook"]
    return read(session.desk(), named if isinstance(named, str) else named[0])


def label_all(store: Store, label: Label) -> None:
    """Let a person say the same of every citation."""
    wanted = ClaimFilter(protocol=store.protocols()[0].name)
    for item in store.claim_page(wanted, 50).items:
        detail = store.claim(item.claim_uid)
        assert detail is not None
        for cite in detail.row.cites:
            span = store.labels.span(item.claim_uid, cite)
            assert span is not None
            name = f"{item.claim_uid} {cite}"
            seen = {"label": label, "seen_sha256": span.seen_sha256}
            store.labels.add([build.event(name, item.claim_uid, cite, **seen)])


def words(app: AppTest) -> str:
    """All texts of the page itself, without the escapes."""
    found = [*app.title, *app.header, *app.caption, *app.warning, *app.text, *app.code]
    return "\n".join(one.value for one in found).replace("\\", "")


def test_nothing_to_ask_yet(tmp_path: Path, open_page: Open) -> None:
    """One sentence, a command, and a sample that brings questions to click."""
    app = open_page(tmp_path / "desk.duckdb", "ask")

    assert "Nothing to ask yet" in words(app)
    assert "citedesk corpus add your-folder" in words(app)
    press(app, "Add the sample corpus")
    assert not app.exception
    assert choose(app, "Corpus", "sample").chat_input
    examples = [one.label.replace("\\", "") for one in app.button if one.key and one.key.startswith("example_")]
    assert "How quickly does Atlas acknowledge a P1 incident?" in examples
    withdrawn = [one.uri for one in session.desk().store.corpora.sources("sample") if not one.active]
    assert [uri.rpartition("/")[2] for uri in withdrawn] == ["travel-policy-v1.md"]


def test_the_setup_says_what_is_looked_up_outside(page: Callable[..., AppTest]) -> None:
    """Nothing while a question is answered; and what the corpus says of its own."""
    app = page()
    assert "While a question is answered, nothing is looked up outside." in words(app)
    assert "The corpus main" not in words(app)

    policies = session.desk().store.corpus_policies
    policies.say("main", CorpusPolicy(), "me")
    assert "looked up outside. The corpus main asks nobody: registry only." in words(app.run())
    policies.say("main", CorpusPolicy(also=frozenset({Also.URLS})), "me")
    assert "The corpus main looks up links. That holds for answers of logs that name it" in words(app.run())


def test_a_question_makes_a_notebook(page: Callable[..., AppTest]) -> None:
    """It has the question's name, is in the address, and holds the answer with its evidence."""
    app = put(page())
    (run,) = runs(app)

    assert (run["tone"], run["words"]) == ("served", "Answered: every claim passed the gate.")
    assert run["claims"][0]["text"] == FARE
    assert set(app.query_params) == {"notebook", "cell", "job"}
    assert book(app).name == QUERY
    assert (book(app).content[0].text, len(book(app).content[0].runs)) == (QUERY, 1)
    assert "free" in run["spent"]


def test_the_default_says_that_no_model_writes(page: Callable[..., AppTest]) -> None:
    """And why Claude is not offered."""
    app = page()

    assert "Nothing is written by a model" in words(app)
    assert "Claude is not offered: ANTHROPIC_API_KEY is not set" in words(app)
    assert [one.options for one in app.selectbox if one.label == "Written by"] == [["extractive"]]


def test_claude_is_offered_when_there_is_a_key(page: Callable[..., AppTest], monkeypatch: pytest.MonkeyPatch) -> None:
    """With a word on what it does."""
    monkeypatch.setenv("ANTHROPIC_API_KEY", "k")
    app = choose(page(), "Written by", "claude")

    assert "every call costs money" in words(app)
    assert "Claude is not offered" not in words(app)


def test_two_runs_stand_beside_each_other(page: Callable[..., AppTest]) -> None:
    """The same question under another gate, each with its own setup."""
    app = put(page())
    press(app, "Run again beside…")
    choose(app, "Served only if", "support")
    press(app, "Run it beside")
    over(app)

    assert [run["setup"].rpartition(" ")[2] for run in runs(app)] == ["quotes", "support"]
    assert len(book(app).content) == 1
    assert not [one for one in app.button if one.label == "Run it beside"]


def test_a_question_is_followed_and_stopped(page: Callable[..., AppTest]) -> None:
    """Stages while it runs; the notebook says that it was stopped, and offers to run it again."""
    app = page()
    began, go = threading.Event(), threading.Event()

    class Slow(ScriptedGenerator):
        def generate(self, *said: Any, **more: Any) -> Any:
            began.set()
            assert go.wait(20)
            return super().generate(*said, **more)

    session.desk().answering._generators["extractive"] = Slow(says(FARE, "E1", quote=FARE))
    app.chat_input[0].set_value(QUERY).run()
    assert began.wait(20)
    app.run()
    assert "Reading 3 passages and writing…" in words(app)
    assert "✓ 3 found, 3 near enough · ✓ registry" in words(app)
    press(app, "Stop")
    assert "Stopping…" in words(app)
    go.set()
    (run,) = runs(over(app))
    assert (run["words"], run["next"]) == (
        "Stopped before the end.",
        "Nothing of it was served. Run it again when you like.",
    )


def test_a_question_stopped_before_it_began(page: Callable[..., AppTest], monkeypatch: pytest.MonkeyPatch) -> None:
    """It waited for other work, and the notebook still knows how it ended."""
    app = page()
    room = threading.Semaphore(0)
    monkeypatch.setattr(jobs, "_free", room)
    app.chat_input[0].set_value(QUERY).run()
    assert "Waiting for other work to end…" in words(app.run())
    press(app, "Stop")
    room.release()
    (run,) = runs(over(app))
    assert run["words"] == "Stopped before the end."


def test_a_restart_is_told(page: Callable[..., AppTest]) -> None:
    """A run without an end that no job of this process does."""
    app = page()
    notebook_id = begin(session.desk())
    cell = notebooks.added(notebook_id, Kind.QUESTION, QUERY)
    asked = notebooks.asked(notebook_id, cell.cell_id or "", Setup(verifier="lexical"))
    session.desk().store.notebooks.add([cell, asked], "ann")
    app.query_params["notebook"] = notebook_id
    (run,) = runs(app.run())

    assert run["words"] == "The desk was started anew while this question was being answered."
    press(app, "Run again beside…")
    press(app, "Run it beside")
    assert [one["tone"] for one in runs(over(app))] == ["refused", "served"]


def test_not_served_why(page: Callable[..., AppTest], monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever sits at the desk reviews; through a proxy nobody does."""
    app = page()
    writes(session.desk(), says(SECRET, "E9"))
    (run,) = runs(put(app))
    assert "Claim 1 cites something that the generator was never given." in run["words"]
    assert run["draft"]["claims"][0]["text"] == SECRET
    assert run["claims"] == []

    press(app, "Why was it not found?")
    assert not app.exception
    (said,) = [one.value for one in app.text if one.value.startswith(f"“{SECRET}”")]
    assert "It was found and not cited" in said

    stranger = Reader(groups=(), reviews=False)
    monkeypatch.setattr("dashboard.widgets.visitor.reader", lambda me=None: stranger)
    (run,) = runs(app.run())
    assert run["draft"] is None
    assert "Zanzibar" not in json.dumps(run)
    assert not any("Zanzibar" in one.value for one in app.text)


def test_notes_stand_between_cells_and_can_be_undone(page: Callable[..., AppTest]) -> None:
    """Written, changed, moved, deleted, and brought back."""
    app = put(put(page()), "What do children pay for the ferry?")
    press(app, "Note below")
    app.text_area[0].set_value(f"Look at this. {ODD}")
    press(app, "Keep the note")
    assert [cell.kind for cell in book(app).content] == [Kind.QUESTION, Kind.NOTE, Kind.QUESTION]
    assert f"Look at this. {ODD}" in [one.value for one in app.text]

    press(app, "Edit")
    app.text_area[0].set_value("Better.")
    press(app, "Save the note")
    press(app, "Down", 1)
    press(app, "Delete", 0)
    assert [cell.text for cell in book(app).content] == ["What do children pay for the ferry?", "Better."]
    for label in ("Undo the deletion", "Undo the move", "Undo the changed note"):
        press(app, label)
    assert [cell.text for cell in book(app).content][:2] == [QUERY, f"Look at this. {ODD}"]
    assert next(one for one in app.button if one.label == "Undo").disabled


def test_a_notebook_gets_another_name(page: Callable[..., AppTest]) -> None:
    """Which stands in the title and in the list; a name that is none is refused in a sentence."""
    app = put(page())
    app.text_input[0].set_value("Ferry **look**")
    press(app, "Rename it")
    assert app.title[0].value == "Ferry \\*\\*look\\*\\*"
    app.text_input[0].set_value("   ")
    press(app, "Rename it")
    assert "no name for a notebook" in words(app)

    press(app, "Other notebooks")
    assert not app.query_params
    press(app, "Ferry **look**")
    assert book(app).name == "Ferry **look**"


def test_a_link_leads_to_a_notebook_and_a_cell(page: Callable[..., AppTest]) -> None:
    """In any session; one that leads nowhere says so."""
    app = put(page())
    (run,) = runs(page(notebook=book(app).notebook_id, cell=book(app).content[0].cell_id))
    assert run["focus"] is True
    assert "This desk has no notebook nowhere" in words(page(notebook="nowhere"))


def test_hostile_texts_stay_texts(page: Callable[..., AppTest]) -> None:
    """In the name, the question, the note and the source."""
    app = put(page(), f"What does the ferry notice say for the passenger? {ODD}")
    note(session.desk(), book(app).notebook_id, ODD)
    (run,) = runs(app.run())

    assert app.header[0].value.count("\\<script\\>") == 1
    assert ODD in [one.value for one in app.text]
    assert any(ODD in "".join(text for text, _ in entry["text"]) for entry in run["evidence"])
    assert not app.get("markdown") or not any(ODD in one.value for one in app.markdown)


def test_three_runs_are_chosen_from(page: Callable[..., AppTest]) -> None:
    """The latest two stand there; another one can be put beside them."""
    app = put(page())
    cell = book(app).content[0]
    for _ in range(2):
        run = notebooks.asked(book(app).notebook_id, cell.cell_id, Setup(verifier="lexical"))
        end = notebooks.ended(
            book(app).notebook_id, cell.cell_id, run.run_id or "", notebooks.RunEnd(outcome="stopped")
        )
        session.desk().store.notebooks.add([run, end], "ann")
    app.run()
    assert [run["tone"] for run in runs(app)] == ["none", "none"]
    pills: Any = app.get("button_group")[0]
    pills.set_value([cell.runs[0].run_id]).run()
    assert [run["tone"] for run in runs(app)] == ["served"]


def test_a_question_asked_elsewhere_is_seen(page: Callable[..., AppTest]) -> None:
    """The store is what the page shows, whoever asked."""
    app = page()
    notebook_id = begin(session.desk(), "Elsewhere")
    writes(session.desk(), Generation())
    ask(session.desk(), notebook_id)
    app.run()
    press(app, "Elsewhere")
    (run,) = runs(app)

    assert run["words"] == "No answer: the generator found none in the sources."
    assert run["abstention"]


def test_an_answer_is_tried_without_its_passages(page: Callable[..., AppTest]) -> None:
    """On demand, claim by claim; an answer that is excerpts follows its passages. It changes no label."""
    app = put(page())
    before = runs(app)
    press(app, "Does it lean on its passages?")

    assert not app.exception
    said = [one.value for one in app.text if "Tried with the cited evidence removed" in one.value]
    assert len(said) == len(before[0]["claims"])
    assert said[0].startswith(f"“{FARE}” The claim went away or changed in each of")
    assert "Tried with the cited evidence replaced (another number): the claim went away or changed." in said[0]
    assert runs(app) == before


def test_what_cannot_be_tried_is_one_sentence(page: Callable[..., AppTest]) -> None:
    """A source of the answer was taken out of use meanwhile."""
    app = put(page())
    for source in session.desk().store.corpora.sources("main"):
        session.desk().store.corpora.deactivate(source.doc_id, None, "ann")
    press(app, "Does it lean on its passages?")

    assert not app.exception
    assert "may not be used any more" in words(app)
    assert not [one for one in app.text if "Tried with" in one.value]


def test_both_errors_of_the_gate(page: Callable[..., AppTest]) -> None:
    """Counted when somebody asks: nothing is claimed before people labelled, and then the table says both."""
    app = put(page())
    press(app, "Count it")
    assert "Nothing is known yet: no answer has a label of people on every claim." in "\n".join(
        one.value for one in app.text
    )

    label_all(session.desk().store, Label.SUPPORTED)
    press(app.run(), "Count it")
    assert not app.exception
    (table,) = [one.value for one in app.dataframe if "Leaks" in one.value.columns]
    assert table["Answers"][0] == "all"
    assert table["In all"][0] == 1
    assert table["Not labelled whole"][0] == 0
    assert table["Leaks"][0] == "none to measure on"
    assert table["False blocks"][0].startswith("0.0% [0.0%, ")
    assert "Gate quotes, verdicts of lexical@" in words(app)


def test_another_reader_sees_no_counts_of_a_question_under_way(
    page: Callable[..., AppTest], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Who is not in the groups of whoever asked is told that it is being answered."""
    app = page()
    begun, go = threading.Event(), threading.Event()

    class Slow(ScriptedGenerator):
        def generate(self, *said: Any, **more: Any) -> Any:
            begun.set()
            assert go.wait(20)
            return super().generate(*said, **more)

    session.desk().answering._generators["extractive"] = Slow(says(FARE, "E1", quote=FARE))
    app.chat_input[0].set_value(QUERY).run()
    assert begun.wait(20)
    try:
        assert "near enough" in words(app.run())
        monkeypatch.setattr("dashboard.widgets.visitor.reader", lambda me=None: Reader(groups=(), person=me))
        shown = words(app.run())
        assert "near enough" not in shown
        assert "Getting ready…" in shown
    finally:
        go.set()
        over(app)
