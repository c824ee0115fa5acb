"""Data: a file is seen before it is stored, followed while it is taken in, and undone."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from core.store.records import ClaimFilter
from dashboard import jobs, session
from tests.core.test_cli import GOOD
from tests.dashboard.test_home import press

Open = Callable[..., AppTest]
TABLE = 'Q,Response,ctx,n\nWhen?,"It opens at 7 in the morning. [1]","[""It opens at 7 in the morning.""]","[""1""]"\n'


@pytest.fixture(autouse=True)
def own_uploads(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Uploads of this test go into a folder of its own; jobs end with the test."""
    folder = tmp_path / "uploads"
    folder.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(folder))
    yield folder
    jobs.stop_all(10)


def lines(*answers: Any) -> bytes:
    """A log of answers; bytes go in as they are."""
    return b"".join(one if isinstance(one, bytes) else json.dumps(one).encode() + b"\n" for one in answers)


def send(app: AppTest, name: str, content: bytes) -> AppTest:
    """Upload a file."""
    app.file_uploader[0].upload(name, content, "application/octet-stream")
    return app.run()


def take_in(app: AppTest) -> AppTest:
    """Take the chosen file in and wait for the end."""
    press(app, "Take the answers in")
    for job in jobs.going():
        assert job.wait(30)
    return app.run()


def choose(app: AppTest, label: str, value: str) -> AppTest:
    """Choose in a list by its label."""
    return next(one for one in app.selectbox if one.label == label).select(value).run()


def words(app: AppTest) -> str:
    """All captions and warnings, without the escapes."""
    return "\n".join(one.value for one in [*app.caption, *app.warning, *app.text, *app.title]).replace("\\", "")


def test_an_empty_store_offers_two_ways(tmp_path: Path, open_page: Open) -> None:
    """Upload or path; no list of imports; every format is named."""
    app = open_page(tmp_path / "new.duckdb", "data")

    assert not app.exception
    assert app.title[0].value == "Bring your answers"
    assert not app.header
    assert "OpenAI Responses" in words(app)


def test_nothing_is_stored_before_it_is_asked_for(tmp_path: Path, open_page: Open, own_uploads: Path) -> None:
    """The preview counts claims, citations and refused rows; putting the file away deletes it."""
    app = open_page(tmp_path / "new.duckdb", "data")
    send(app, "a.jsonl", lines(*[GOOD | {"request_id": f"r{n}"} for n in range(12)], b"{}\n"))

    assert not app.exception
    assert "a.jsonl · 2.9 KB · read as Citedesk answers. Nothing is stored yet." in words(app)
    assert "In the first 10 answers: 10 claims, 10 citations, 10 of them to a passage that is here." in words(app)
    assert len(app.dataframe[0].value) == 10
    assert session.desk().store.summary().requests == 0
    assert len(list(own_uploads.iterdir())) == 1

    press(app, "Choose another file")
    assert app.title[0].value == "Bring your answers"
    assert list(own_uploads.iterdir()) == []


def test_refused_rows_are_seen_before_and_after(tmp_path: Path, open_page: Open, own_uploads: Path) -> None:
    """Line, field and reason; the rest goes in, and the upload is deleted."""
    app = open_page(tmp_path / "new.duckdb", "data")
    send(app, "a.jsonl", lines(GOOD, b'{"request_id": "x"}\n'))
    assert "1 row of the first 10 would be refused:" in words(app)

    take_in(app)
    assert not app.exception
    assert app.title[0].value == "a\\.jsonl brought 1 answer\\."
    assert {one.label: one.value for one in app.metric} == {
        "New answers": "1",
        "There already": "0",
        "Rows refused": "1",
        "Claims judged": "1",
    }
    assert app.dataframe[0].value.to_dict("records") == [
        {"Line": 2, "Field": "answer", "Why": "neither an answer nor claims, so there is nothing to check"}
    ]
    assert list(own_uploads.iterdir()) == []
    (info,) = session.desk().store.imports()
    assert (info.source, info.answers, info.refused) == ("a.jsonl", 1, 1)
    assert session.desk().store.refused(info.import_id)[0].file == "a.jsonl"


def test_columns_of_a_table_are_chosen(tmp_path: Path, open_page: Open) -> None:
    """Without passages nothing resolves, and that is said; the chosen column mends it."""
    app = send(open_page(tmp_path / "new.duckdb", "data"), "t.csv", TABLE.encode())
    assert "No citation leads to a passage" in words(app)
    choose(app, "Passages", "ctx")
    choose(app, "Ids of the passages", "n")
    choose(app, "Question", "Q")
    assert "No citation leads" not in words(app)
    assert app.dataframe[0].value["Question"][0] == "When?"

    take_in(app)
    desk = session.desk()
    (answer,) = desk.store.answers()
    assert (answer.query, answer.evidence[0].text) == ("When?", "It opens at 7 in the morning.")
    (info,) = desk.store.imports()
    assert info.mapping == {"query": "Q", "answer": "Response", "evidence": "ctx", "evidence_ids": "n"}


def test_a_table_without_an_answer_asks_for_one(tmp_path: Path, open_page: Open) -> None:
    """Nothing can be taken in until a column is named."""
    app = send(open_page(tmp_path / "new.duckdb", "data"), "t.csv", b"a,b\nx,The gate opens at 7.\n")

    assert "no column that is named like an answer" in words(app)
    assert str(tmp_path) not in words(app)
    assert [one.label for one in app.button] == ["Choose another file"]
    choose(app, "Answer", "b")
    assert app.dataframe[0].value["Answer"][0] == "The gate opens at 7."


def test_the_format_can_be_said(tmp_path: Path, open_page: Open) -> None:
    """A format that does not fit is one sentence, and the file is still there."""
    app = send(open_page(tmp_path / "new.duckdb", "data"), "a.jsonl", lines(GOOD))
    choose(app, "Format", "parquet")
    assert not app.exception
    assert "a.jsonl" in app.warning[0].value.replace("\\", "")
    assert [one.label for one in app.button] == ["Choose another file"]
    choose(app, "Format", "citedesk")

    assert "Take the answers in" in [one.label for one in app.button]


@pytest.mark.parametrize("content", [b"", b"\x00\x01\x02" * 500, b"hello\n", "{}".encode("utf-16"), b"PK\x03\x04"])
def test_a_file_that_cannot_be_read_is_one_sentence(tmp_path: Path, open_page: Open, content: bytes) -> None:
    """Its name, not where it lies; nothing can be taken in."""
    app = send(open_page(tmp_path / "new.duckdb", "data"), "<b>$x$.bin", content)

    assert not app.exception
    assert str(tmp_path) not in words(app)
    assert session.desk().store.summary().requests == 0


def test_a_file_of_this_machine(tmp_path: Path, open_page: Open) -> None:
    """By its path; it stays where it is."""
    file = tmp_path / "answers.jsonl"
    file.write_bytes(lines(GOOD))
    app = open_page(tmp_path / "new.duckdb", "data")
    app.text_input[0].input("nowhere.jsonl")
    assert "give the whole path" in words(press(app, "Look at it"))
    app.text_input[0].input(str(file))
    take_in(press(app, "Look at it"))

    assert session.desk().store.summary().requests == 1
    assert file.exists()


def test_an_import_is_undone_and_brought_back(tmp_path: Path, open_page: Open) -> None:
    """The list keeps it; review and counts do not."""
    app = open_page(tmp_path / "new.duckdb", "data")
    take_in(send(app, "a.jsonl", lines(GOOD)))
    store = session.desk().store
    protocol = store.protocols()[0].name
    press(app, "Undo")
    assert "undone: out of every list, count and export" in words(app)
    assert (store.summary().claims, store.claim_page(ClaimFilter(protocol=protocol)).total) == (0, 0)

    press(app, "Bring back")
    assert "undone" not in words(app)
    assert store.claim_page(ClaimFilter(protocol=protocol)).total == 1


def test_the_way_to_the_claims(tmp_path: Path, open_page: Open) -> None:
    """From what was brought to the review list, under the judge that judged it."""
    app = open_page(tmp_path / "new.duckdb", "data")
    take_in(send(app, "a.jsonl", lines(GOOD)))
    press(app, "See the worst claims")

    assert not app.exception
    assert app.query_params["protocol"] == session.desk().store.protocols()[0].name


def test_an_import_of_an_earlier_desk_is_explained(sample: Path, open_page: Open) -> None:
    """A link to a job that is not known any more."""
    app = open_page(sample, "data", job="gone")

    assert not app.exception
    assert "the desk was started anew since" in app.info[0].value
    assert "sample answers" in words(app)


def test_a_job_that_runs_is_found_again(tmp_path: Path, open_page: Open, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever comes to the page sees how far it is, wherever it was begun."""
    job = jobs.Job(work=None, name="a_b.jsonl", status=jobs.Status.RUNNING, done=5, total=10)  # type: ignore[arg-type]
    monkeypatch.setattr(jobs, "going", lambda: [job])
    app = open_page(tmp_path / "new.duckdb", "data")

    assert not app.exception
    assert app.title[0].value == "Bring your answers"
    assert "Stop" in [one.label for one in app.button]
    press(app, "Stop")
    with pytest.raises(jobs.Stopped):
        job.tell(6, 10)
    monkeypatch.undo()


def test_the_usual_judge_is_offered_and_described(tmp_path: Path, open_page: Open) -> None:
    """The one of the settings, with a sentence on what it is; the others beside it."""
    app = send(open_page(tmp_path / "new.duckdb", "data"), "a.jsonl", lines(GOOD))
    judge = next(one for one in app.selectbox if one.label == "Judge")

    assert (judge.value, len(judge.options)) == ("lexical", 4)
    assert "judged by lexical, a baseline on this machine" in words(app)


def test_another_judge_judges(tmp_path: Path, open_page: Open) -> None:
    """What was chosen on the page is what the store names."""
    app = send(open_page(tmp_path / "new.duckdb", "data"), "a.jsonl", lines(GOOD))
    choose(app, "Judge", "nli")
    assert "judged by nli, a small language model on this machine" in words(app)
    take_in(app)

    assert session.desk().store.protocols()[0].name.startswith("nli@")


def test_a_judge_that_cannot_be_had_is_one_sentence(
    tmp_path: Path, open_page: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nothing can be taken in with it, and the file stays."""
    for name in ("ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("HOME", str(tmp_path))
    app = send(open_page(tmp_path / "new.duckdb", "data"), "a.jsonl", lines(GOOD))
    choose(app, "Judge", "claude")

    assert not app.exception
    assert "every call costs money" in words(app)
    assert len(app.warning) == 1
    assert "Take the answers in" not in [one.label for one in app.button]
    choose(app, "Judge", "lexical")
    assert "Take the answers in" in [one.label for one in app.button]


def test_a_model_of_the_hub_is_named_first(tmp_path: Path, open_page: Open) -> None:
    """Without a name there is nothing to press; one that is not there is said at the press, and the file stays."""
    app = send(open_page(tmp_path / "new.duckdb", "data"), "a.jsonl", lines(GOOD))
    choose(app, "Judge", "hub")
    assert "Name the model." in words(app)
    assert "Take the answers in" not in [one.label for one in app.button]

    next(one for one in app.text_input if one.label == "Model").input(str(tmp_path / "no-model")).run()
    press(app, "Take the answers in")
    assert not app.exception
    assert len(app.warning) == 1
    assert "Choose another file" in [one.label for one in app.button]
    assert session.desk().store.summary().requests == 0
