"""``citedesk ask``: an answer with footnotes or why there is none, and an exit code that says which."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest
from click.testing import CliRunner

from core.cli import cli
from core.store import open_store
from tests.core.claude_env import environment, leading_to
from tests.fakes.anthropic_server import AnthropicServer, Reply, running

FERRY = "The ferry takes 40 minutes to Nordholm. It leaves every hour."
SECRET = "Zanzibar"


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A store with one source."""
    folder = tmp_path_factory.mktemp("ask")
    (folder / "ferry.txt").write_text(FERRY, "utf-8")
    path = folder / "s.duckdb"
    assert CliRunner().invoke(cli, ["corpus", "add", str(folder / "ferry.txt"), "--store", str(path)]).exit_code == 0
    return path


@pytest.fixture(scope="module")
def server() -> Iterator[AnthropicServer]:
    """A provider, and an environment that leads to it."""
    with running() as started, environment(leading_to(started.url) | {"CITEDESK_CLAUDE__ATTEMPTS": "1"}):
        yield started


class Said(NamedTuple):
    """What the command did."""

    code: int
    out: str


def ask(store: Path, *arguments: str) -> Said:
    """Run the command with the lexical judge."""
    done = CliRunner().invoke(
        cli, ["ask", *arguments, "--store", str(store), "--verifier", "lexical"], standalone_mode=False
    )
    if done.exception is not None:
        raise done.exception
    return Said(int(done.return_value), done.output)


def test_an_answer_with_its_footnotes(store: Path) -> None:
    """Each claim with its labels, each label with its place and its quotation, and that these are excerpts."""
    said = ask(store, "How long does the ferry take?")

    assert said.code == 0
    assert said.out.startswith("The ferry takes 40 minutes to Nordholm. [E1]\n")
    assert "[E1] ferry.txt, paragraph 1 · v1\n    “The ferry takes 40 minutes to Nordholm.”" in said.out
    assert "Answered: every claim passed the gate." in said.out
    assert "excerpts: sentences of the sources, word for word" in said.out


def test_no_answer_is_no_failure(store: Path) -> None:
    """The fixed sentence, and why."""
    said = ask(store, "Who won the world cup in 1998?")

    assert said.code == 0
    assert said.out.startswith("The sources at hand do not answer this question.\n")
    assert "nothing in the corpus is near enough to the question" in said.out


def test_json_is_one_object(store: Path) -> None:
    """What a caller over HTTP gets, and what the desk's own people are told beside it."""
    found = json.loads(ask(store, "How long does the ferry take?", "--json", "--gate", "support").out)

    assert found["status"] == 200
    assert found["body"]["gate"] == "support"
    assert found["body"]["citations"][0]["quote"] == "The ferry takes 40 minutes to Nordholm."
    assert found["spent"]["cost"] == 0.0


def test_what_the_gate_stops_is_not_shown(store: Path, server: AnthropicServer) -> None:
    """Exit code 1, the reason and the claim; reviewers find the draft under its id."""
    claim = {"text": f"It takes {SECRET} minutes.", "citation_ids": ["E1"], "quote": f"{SECRET} minutes"}
    server.script.extend([Reply(text=json.dumps({"answer": "", "claims": [claim]}))] * 2)
    said = ask(store, "How long does the ferry take?", "--generator", "claude")

    assert said.code == 1
    assert said.out.startswith("Not served: the gate stopped the answer (quote not verbatim, claim 1).\n")
    assert SECRET not in said.out
    draft_id = said.out.split("draft ")[1].split(".")[0]
    with open_store(store) as opened:
        draft = opened.queries.draft(draft_id)
    assert draft is not None
    assert (draft.answer.claims or ())[0].text == claim["text"]


def test_nobody_could_look(store: Path, server: AnthropicServer) -> None:
    """Exit code 2 with one sentence; passages where they would do."""
    server.script.extend([Reply("status", 529, "overloaded_error")] * 2)
    said = ask(store, "How long does the ferry take?", "--generator", "claude")
    excerpts = ask(store, "How long does the ferry take?", "--generator", "claude", "--excerpts")

    assert said.code == 2
    assert said.out.startswith("Not asked: the generator cannot be reached or is too busy (overloaded).\n")
    assert excerpts.code == 0
    costs = CliRunner().invoke(cli, ["costs", "--store", str(store)]).output
    assert "answers served, " in costs
    assert "calls for questions without an answer: $" in costs
    assert "“The ferry takes 40 minutes to Nordholm.”" in excerpts.out
    assert "No answer, but excerpts of the sources." in excerpts.out


def test_what_was_retrieved_is_told_apart_from_what_was_cited(store: Path, server: AnthropicServer) -> None:
    """With every rank, as JSON and in a sentence; also when the answer is stopped, and the same in the store."""
    report = json.loads(ask(store, "How long does the ferry take?", "--json").out)
    card = report["card"]
    (found,) = card["passages"]

    assert (card["request_id"], card["searched"], card["threshold"]) == (report["request_id"], 1, 0.3)
    assert (found["rank"], found["bm25_rank"], found["dense_rank"], found["cut"]) == (1, 1, 1, "")
    assert "text" not in found
    assert "card" not in report["body"]
    assert "Searched 1 passages of main, looked at 1, gave 1; 0 were left out." in ask(store, "Is there a ferry?").out
    assert "gave 0; 1 were left out (nearest: ferry.txt, paragraph 1, " in ask(store, "Who plays chess?").out
    server.script.append(Reply(stop_reason="refusal", text=""))
    failed = json.loads(ask(store, "How long does the ferry take?", "--generator", "claude", "--json").out)
    assert failed["status"] != 200
    with open_store(store) as opened:
        kept = opened.queries.card(failed["request_id"])
    assert kept is not None
    assert kept.model_dump(mode="json") == failed["card"]
