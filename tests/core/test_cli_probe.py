"""``citedesk probe``: what was tried with each claim of an answer that was asked here, and the one sign of another."""

from __future__ import annotations

import json
from contextlib import closing
from pathlib import Path

import pytest

from core.answering import Answering
from core.desk import Desk
from core.faithfulness import Probe
from core.probe_work import ProbeWork
from core.settings import Settings
from tests.core.test_cli import Command

FERRY = "The ferry takes 40 minutes to Nordholm. It leaves every hour. The toll for a car is 12 euros."
IMPORTED = {
    "request_id": "r-1",
    "query": "How long does it take?",
    "claims": [
        {"text": "The ferry takes 40 minutes.", "citation_ids": ["E1"]},
        {"text": "The toll is 12 euros.", "citation_ids": ["E1"]},
    ],
    "evidence": [
        {"id": "E1", "text": "The ferry takes 40 minutes."},
        {"id": "E2", "text": "The toll is 12 euros."},
    ],
}


@pytest.fixture
def citedesk(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> Command:
    """The command on a store with one source and the lexical judge."""
    monkeypatch.setenv("CITEDESK_VERIFIER", "lexical")
    command = Command(monkeypatch, capsys, tmp_path / "desk.duckdb")
    (tmp_path / "ferry.txt").write_text(FERRY, encoding="utf-8")
    assert command("corpus", "add", tmp_path / "ferry.txt").code == 0
    return command


def test_an_answer_that_was_asked_here_is_asked_for_again(citedesk: Command) -> None:
    """Excerpts come from nowhere but their passage: with it gone nothing is left, with another number they change."""
    asked = json.loads(citedesk("ask", "How long does the ferry take?", "--json").out)
    report = json.loads(citedesk("probe", asked["request_id"], "--json").out)
    said = citedesk("probe", asked["request_id"], "--claim", "c1").out

    assert report["asked_here"]
    assert [one["claim"] for one in report["claims"]] == [one["text"] for one in asked["body"]["claims"]]
    removed, replaced = report["claims"][0]["probe"]["tries"]
    assert (removed["change"], removed["unchanged"]) == ("removed", None)
    assert (replaced["change"], replaced["what"], replaced["unchanged"]) == ("replaced", "another number", False)
    assert said.startswith("extractive@")
    assert "The claim went away or changed in the one try that was made." in said
    assert "Not tried with the cited evidence removed: no other passage was given." in said


def test_an_imported_answer_has_one_sign(citedesk: Command, tmp_path: Path) -> None:
    """It cannot be asked for again, and that is said; a claim that another passage carries is named with it."""
    log = tmp_path / "log.jsonl"
    log.write_text(json.dumps(IMPORTED), encoding="utf-8")
    assert citedesk("import", log).code == 0
    report = json.loads(citedesk("probe", "r-1", "--json").out)
    said = citedesk("probe", "r-1").out

    assert (report["asked_here"], report["generator"]) == (False, None)
    assert [(one["probe"], one["sign"]["elsewhere"]) for one in report["claims"]] == [(None, []), (None, ["E2"])]
    assert said.startswith("This answer was imported, so its generator cannot be asked again.")
    assert f"Judged by {report['judge']}." in said
    assert "Supported by E2, which it does not cite, and by nothing that it cites." in said
    assert "label" not in json.dumps(report)


def test_what_was_tried_before_a_fault_is_told(citedesk: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its calls are paid for: the report says what came of them, why the rest was not tried, and is no success."""
    asked = json.loads(
        citedesk("ask", "What is the toll for a car, and how long does the ferry take to Nordholm?", "--json").out
    )
    assert len(asked["body"]["claims"]) > 1
    try_one = Answering.probe

    def withdrawn_after_one(answering: Answering, request_id: str, claim_id: str) -> Probe:
        found = try_one(answering, request_id, claim_id)
        (source,) = answering.store.corpora.sources("main")
        answering.store.corpora.deactivate(source.doc_id, "main", "anna")
        return found

    monkeypatch.setattr(Answering, "probe", withdrawn_after_one)
    ran = citedesk("probe", asked["request_id"])

    assert ran.code == 2
    assert "The claim went away or changed" in ran.out
    assert "The claims after these were not tried: A source of" in ran.out


@pytest.mark.parametrize("imported", [True, False])
def test_progress_reaches_its_end(citedesk: Command, tmp_path: Path, imported: bool) -> None:
    """Whoever waits sees that all is done."""
    if imported:
        (tmp_path / "log.jsonl").write_text(json.dumps(IMPORTED), encoding="utf-8")
        citedesk("import", tmp_path / "log.jsonl")
        request_id = "r-1"
    else:
        request_id = json.loads(citedesk("ask", "How long does the ferry take?", "--json").out)["request_id"]
    told: list[tuple[int, int]] = []
    with closing(Desk.open(Settings(store=tmp_path / "desk.duckdb", verifier="lexical"))) as desk:
        report = ProbeWork(request_id=request_id).run(desk, lambda done, total: told.append((done, total)))

    assert told[-1] == (len(report.claims), len(report.claims))


@pytest.mark.parametrize(
    ("arguments", "words"),
    [(["nobody"], "no answer with the request id nobody"), (["r-1", "--claim", "c9"], "does not have a claim c9")],
)
def test_what_is_not_there_is_said(citedesk: Command, tmp_path: Path, arguments: list[str], words: str) -> None:
    """One sentence, and what to do."""
    log = tmp_path / "log.jsonl"
    log.write_text(json.dumps(IMPORTED), encoding="utf-8")
    citedesk("import", log)
    ran = citedesk("probe", *arguments)

    assert (ran.code, ran.out) == (2, "")
    assert words in ran.err
