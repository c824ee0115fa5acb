"""``citedesk costs``, and what ``verify`` and ``import`` say about money: the whole way, against a local provider."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.core.claude_env import environment, leading_to
from tests.core.test_cli import GOOD, Command, log
from tests.fakes.anthropic_server import AnthropicServer, Reply, running

HASTE = {
    "CITEDESK_CLAUDE__FIRST_WAIT": "0.01",
    "CITEDESK_CLAUDE__ATTEMPTS": "2",
    "CITEDESK_CLAUDE__POLL_SECONDS": "0.01",
}


@pytest.fixture(scope="module")
def started() -> Iterator[AnthropicServer]:
    """One server for all tests of this file, and an environment that leads to it."""
    with running() as server, environment(leading_to(server.url) | HASTE):
        yield server


@pytest.fixture
def server(started: AnthropicServer) -> AnthropicServer:
    """The server, everything before forgotten."""
    started.reset()
    return started


@pytest.fixture
def citedesk(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> Command:
    """The command, on a store of its own."""
    return Command(monkeypatch, capsys, tmp_path / "desk.duckdb")


def test_a_run_without_a_store_says_what_it_cost(server: AnthropicServer, citedesk: Command, tmp_path: Path) -> None:
    """On standard error; standard output stays machine-clean."""
    ran = citedesk("verify", log(tmp_path / "a.jsonl", GOOD), "--verifier", "claude", "--json")

    assert ran.code == 0
    (row,) = map(json.loads, ran.out.splitlines())
    assert row["verifier"] == "claude"
    assert row["spans"][0]["status"] == "judged"
    assert "spent: 1 calls of claude-sonnet-5-5: 1,000 tokens read, 200 written, $0.0040" in ran.err


def test_a_failure_is_printed_with_its_word(server: AnthropicServer, citedesk: Command, tmp_path: Path) -> None:
    """No label, no score, the word of the failure before its sentence."""
    server.script.extend([Reply(stop_reason="refusal")])
    ran = citedesk("verify", log(tmp_path / "a.jsonl", GOOD), "--verifier", "claude", "--json")

    span = json.loads(ran.out)["spans"][0]
    assert (span["status"], span["label"], span["scores"]) == ("failed", None, {})
    assert span["reason"] == "refused: The model declined to answer (bio)"


def test_the_desk_keeps_what_was_spent(server: AnthropicServer, citedesk: Command, tmp_path: Path) -> None:
    """By day and model; what is remembered costs nothing more."""
    file = log(tmp_path / "a.jsonl", GOOD)
    server.script.append(Reply("status", 529, "overloaded_error"))
    assert "spent: 2 calls" in citedesk("import", file, "--verifier", "claude").err
    assert "spent" in json.loads(citedesk("verify", "--verifier", "claude:claude-of-tomorrow", "--json").out)

    lines = [json.loads(line) for line in citedesk("costs", "--json").out.splitlines()]
    tomorrow, sonnet = lines
    assert (sonnet["model"], sonnet["calls"], sonnet["failed"]) == ("claude-sonnet-5-5", 2, 1)
    assert (sonnet["cost"], sonnet["unknown"]) == (0.004, 0)
    assert (tomorrow["model"], tomorrow["cost"], tomorrow["unknown"]) == ("claude-of-tomorrow", 0, 1)
    said = citedesk("costs").out
    assert "unknown for 1" in said
    assert "$0.0040 and an unknown amount for 1 of them" in said


def test_a_cache_hit_costs_nothing(
    server: AnthropicServer, citedesk: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The second run asks nobody, pays nothing and prints the same rows."""
    monkeypatch.setenv("CITEDESK_CACHE", str(tmp_path / "verdicts.sqlite"))
    file = log(tmp_path / "a.jsonl", GOOD)
    first = citedesk("verify", file, "--verifier", "claude", "--json")
    second = citedesk("verify", file, "--verifier", "claude", "--json")

    assert second.out == first.out
    assert "spent" not in second.err
    assert len(server.requests) == 1


def test_in_batches(
    server: AnthropicServer, citedesk: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The same rows at half the price; the protocol is the same, for it is the same judge."""
    monkeypatch.setattr("core.verifiers._claude_batch.local_path", lambda *parts: tmp_path.joinpath(*parts))
    file = log(tmp_path / "a.jsonl", GOOD)
    single = citedesk("verify", file, "--verifier", "claude", "--json")
    batched = citedesk("verify", file, "--verifier", "claude", "--json", "--batch")

    assert batched.out == single.out
    assert "$0.0020" in batched.err
    assert len(server.batches) == 1


def test_a_batch_takes_in_many_answers(
    server: AnthropicServer, citedesk: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """More than are judged together otherwise, and more than are remembered at a time."""
    monkeypatch.setattr("core.verifiers._claude_batch.local_path", lambda *parts: tmp_path.joinpath(*parts))
    monkeypatch.setenv("CITEDESK_CACHE", str(tmp_path / "verdicts.sqlite"))
    monkeypatch.setattr("core.pipeline.AT_ONCE", 2)
    monkeypatch.setattr("core.verdict_cache.KEPT_AT_ONCE", 2)
    evidence = [{"id": "C1", "text": "The gate opens at 7 in the morning."}]
    lines = [
        {"request_id": f"r{n}", "claims": [{"text": f"Gate {n} opens.", "citation_ids": ["C1"]}], "evidence": evidence}
        for n in range(9)
    ]
    ran = citedesk("verify", log(tmp_path / "a.jsonl", *lines), "--verifier", "claude", "--json", "--batch")

    assert len(ran.out.splitlines()) == 9
    assert [len(requests) for requests in server.batches.values()] == [9]


def test_a_budget_of_nothing_asks_nobody(server: AnthropicServer, citedesk: Command, tmp_path: Path) -> None:
    """What was not reached says so."""
    ran = citedesk("verify", log(tmp_path / "a.jsonl", GOOD), "--verifier", "claude", "--json", "--budget", "0")

    assert json.loads(ran.out)["spans"][0]["reason"].startswith("budget: Not asked: the 0 dollars")
    assert server.requests == []
    assert "spent" not in ran.err


def test_without_a_key_there_is_one_sentence(citedesk: Command, tmp_path: Path) -> None:
    """Exit code 2, nothing judged."""
    with environment({}):
        ran = citedesk("verify", log(tmp_path / "a.jsonl", GOOD), "--verifier", "claude")

    assert ran.code == 2
    assert ran.err.strip() == (
        "citedesk: Claude cannot be asked without a key; set ANTHROPIC_API_KEY, or choose another verifier."
    )


def test_a_desk_that_never_paid(citedesk: Command) -> None:
    """Nothing was spent, whether there is a store or not."""
    assert citedesk("costs").out == "Nothing was spent.\n"
    assert citedesk("costs", "--json").out == ""
