"""The judge ``claude`` by message batches: results in any order, failures with their word, resumption after a kill."""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from core.models import Failure, Label, Pair
from core.settings import ClaudeSettings
from core.spend import Limits
from core.verifiers import _claude_batch as batch
from core.verifiers.claude import ClaudeVerifier
from tests.core.claude_env import environment, hasty, leading_to
from tests.fakes.anthropic_server import AnthropicServer, running

PAIRS = [Pair(claim=f"Claim {n}.", evidence=f"Text {n} goes on.") for n in range(6)]
BATCHED = hasty(batch=True)


@pytest.fixture(scope="module")
def started() -> Iterator[AnthropicServer]:
    """One server for all tests of this file, and an environment that leads to it."""
    with running() as server, environment(leading_to(server.url)):
        yield server


@pytest.fixture
def server(started: AnthropicServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> AnthropicServer:
    """The server, everything before forgotten, and a folder of its own for what was sent."""
    started.reset()
    monkeypatch.setattr(batch, "local_path", lambda *parts: tmp_path.joinpath(*parts))
    return started


def stopped(settings: ClaudeSettings = BATCHED) -> ClaudeSettings:
    """The same, with a run that is over before a batch can end."""
    return settings.model_copy(update={"limits": Limits(seconds=0.05)})


def notes(folder: Path) -> list[Path]:
    """The files about batches that were sent."""
    return sorted(folder.rglob("*.json"))


def test_one_batch_for_all_and_every_answer_in_its_place(server: AnthropicServer) -> None:
    """The server gives the results in the opposite order; cost is half the price."""
    server.polls_until_ended = 3
    verifier = ClaudeVerifier(BATCHED)
    found = verifier.judge(PAIRS)

    assert [one.label for one in found] == [Label.SUPPORTED] * 6
    assert [pair.evidence[one.start : one.end] for pair, one in zip(PAIRS, found, strict=True)] == [
        f"Text {n} goes" for n in range(6)
    ]
    assert list(server.batches) == ["msgbatch_1"]
    assert server.requests == []
    calls = verifier.spent()
    assert len(calls) == 6
    assert all(call.batch and call.cost == pytest.approx(0.002) for call in calls)
    assert verifier.answers_at_once is not None


def test_what_a_batch_did_not_answer_has_its_word(server: AnthropicServer) -> None:
    """Errored, expired and cancelled requests are failures; the others are judged."""
    server.outcomes = {"Claim 1.": "errored", "Claim 2.": "expired", "Claim 3.": "canceled"}
    found = ClaudeVerifier(BATCHED).judge(PAIRS)

    assert [one.failure for one in found] == [
        None,
        Failure.OVERLOADED,
        Failure.EXPIRED,
        Failure.EXPIRED,
        None,
        None,
    ]
    assert [one.label for one in found[1:4]] == [None] * 3


def test_a_bad_answer_in_a_batch_is_a_failure(server: AnthropicServer) -> None:
    """A quote that does not stand in the text gives no label here either."""
    server.decide = lambda claim, evidence: {
        "rationale": "So.",
        "quote": "not there" if "0" in claim else "goes on",
        "qualifiers": [],
        "label": "supported",
    }
    found = ClaudeVerifier(BATCHED).judge(PAIRS[:2])

    assert [one.failure for one in found] == [Failure.QUOTE_NOT_IN_SPAN, None]


def test_after_a_kill_nothing_is_sent_again(server: AnthropicServer, tmp_path: Path) -> None:
    """A batch that was on its way is waited for and collected by the next run; only new pairs are sent."""
    server.polls_until_ended = 10**9
    found = ClaudeVerifier(stopped()).judge(PAIRS[:4])
    assert {one.failure for one in found} == {Failure.BUDGET}
    assert "collects it later" in found[0].reason
    assert len(notes(tmp_path)) == 1
    assert "Claim" not in notes(tmp_path)[0].read_text()

    server.polls_until_ended = 0
    verifier = ClaudeVerifier(BATCHED)
    found = verifier.judge(PAIRS)

    assert [one.label for one in found] == [Label.SUPPORTED] * 6
    assert [len(requests) for requests in server.batches.values()] == [4, 2]
    assert len(verifier.spent()) == 6


RUN = """
from pathlib import Path
from core.models import Pair
from core.verifiers import _claude_batch as batch
from core.verifiers.claude import ClaudeVerifier
from tests.core.claude_env import hasty

batch.local_path = lambda *parts: Path({folder!r}).joinpath(*parts)
ClaudeVerifier(hasty(batch=True, seconds=60)).judge(
    [Pair(claim=f"Claim {{n}}.", evidence=f"Text {{n}} goes on.") for n in range(6)]
)
"""


@pytest.mark.long
def test_a_process_that_was_killed_is_continued_by_the_next(server: AnthropicServer, tmp_path: Path) -> None:
    """With SIGKILL, while it waits for its batch: nothing is sent twice, every pair is judged."""
    server.polls_until_ended = 10**9
    process = subprocess.Popen([sys.executable, "-c", RUN.format(folder=str(tmp_path))])
    try:
        until = time.monotonic() + 60
        while not notes(tmp_path) and process.poll() is None and time.monotonic() < until:
            time.sleep(0.05)
    finally:
        process.kill()
        process.wait()
    server.polls_until_ended = 0

    assert [one.label for one in ClaudeVerifier(BATCHED).judge(PAIRS)] == [Label.SUPPORTED] * 6
    assert [len(requests) for requests in server.batches.values()] == [6]


def test_what_was_collected_once_is_not_paid_twice(server: AnthropicServer, tmp_path: Path) -> None:
    """The same pairs after a kill just behind the collection: read again, charged once; then forgotten."""
    first = ClaudeVerifier(BATCHED)
    first.judge(PAIRS)
    assert len(first.spent()) == 6

    again = ClaudeVerifier(BATCHED)
    assert [one.label for one in again.judge(PAIRS)] == [Label.SUPPORTED] * 6
    assert again.spent() == []
    assert len(server.batches) == 1

    again.judge([Pair(claim="Another.", evidence="Another text goes on.")])
    assert len(server.batches) == 2
    assert len(notes(tmp_path)) == 1


def test_what_failed_in_an_earlier_batch_is_sent_once_more(server: AnthropicServer) -> None:
    """A failure is never remembered: the next run asks again."""
    server.outcomes = {"Claim 1.": "expired"}
    ClaudeVerifier(BATCHED).judge(PAIRS)
    server.outcomes = {}
    found = ClaudeVerifier(BATCHED).judge(PAIRS)

    assert [one.label for one in found] == [Label.SUPPORTED] * 6
    assert [len(requests) for requests in server.batches.values()] == [6, 1]


def test_a_batch_that_the_provider_has_forgotten_is_sent_again(server: AnthropicServer) -> None:
    """Its results are gone: the pairs go into a new batch, and the rest of the run is not given up."""
    server.polls_until_ended = 10**9
    ClaudeVerifier(stopped()).judge(PAIRS)
    server.batches = {"msgbatch_other": []}
    server.polls_until_ended = 0

    assert [one.label for one in ClaudeVerifier(BATCHED).judge(PAIRS)] == [Label.SUPPORTED] * 6


def test_another_prompt_or_model_does_not_collect_it(server: AnthropicServer) -> None:
    """What was sent under another protocol answers another question."""
    ClaudeVerifier(BATCHED).judge(PAIRS)
    ClaudeVerifier(hasty(batch=True, model="claude-opus-5-5")).judge(PAIRS)

    assert [len(requests) for requests in server.batches.values()] == [6, 6]


def test_a_note_that_cannot_be_read_is_passed_over(server: AnthropicServer, tmp_path: Path) -> None:
    """A half-written file costs nothing but its batch."""
    verifier = ClaudeVerifier(BATCHED)
    verifier.judge(PAIRS[:1])
    notes(tmp_path)[0].write_text('{"batch_id": ')

    assert verifier.judge(PAIRS[:1])[0].label is Label.SUPPORTED
    assert len(server.batches) == 2


@pytest.mark.parametrize("limits", [Limits(calls=2), Limits(cost=0.012)])
def test_the_budget_cuts_off_the_end_before_anything_is_sent(server: AnthropicServer, limits: Limits) -> None:
    """Calls are counted, dollars guessed from the length of the texts: the last pairs say that they were not asked."""
    found = ClaudeVerifier(hasty(limits, batch=True)).judge(PAIRS)

    (sent,) = server.batches.values()
    assert len(sent) == 2
    assert [one.label for one in found[:2]] == [Label.SUPPORTED] * 2
    assert {one.failure for one in found[2:]} == {Failure.BUDGET}


def test_large_runs_are_cut_into_batches(server: AnthropicServer, monkeypatch: pytest.MonkeyPatch) -> None:
    """By requests and by bytes; no pair is lost between them."""
    monkeypatch.setattr(batch, "MAX_REQUESTS", 4)
    assert [one.label for one in ClaudeVerifier(BATCHED).judge(PAIRS)] == [Label.SUPPORTED] * 6
    monkeypatch.setattr(batch, "MAX_BYTES", 1)
    other = [Pair(claim=f"Other {n}.", evidence=f"Text {n} goes on.") for n in range(2)]
    ClaudeVerifier(BATCHED).judge(other)

    assert [len(requests) for requests in server.batches.values()] == [4, 2, 1, 1]
