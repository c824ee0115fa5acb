"""``citedesk probe``: what was tried with each claim of an answer that was asked here, and the one sign of another."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

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
    assert [(one["probe"], one["elsewhere"]) for one in report["claims"]] == [(None, []), (None, ["E2"])]
    assert said.startswith("This answer was imported, so its generator cannot be asked again.")
    assert "Supported by E2, which it does not cite, and by nothing that it cites." in said
    assert "label" not in json.dumps(report)


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
