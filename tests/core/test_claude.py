"""The one client of Claude, against a server that speaks the real protocol."""

from __future__ import annotations

import socket
import threading
import time
from collections.abc import Iterator

import pytest
from pydantic import BaseModel

from core.asking import Prompt, Question, Trouble, When
from core.claude import Claude
from core.errors import VerifierUnavailable
from core.models import Failure
from core.settings import ClaudeSettings
from core.spend import Call, Ledger, Limits, Usage
from tests.core.claude_env import environment, hasty, leading_to
from tests.fakes.anthropic_server import AnthropicServer, Reply, running


class Word(BaseModel):
    """What these tests ask for."""

    quote: str


PROMPT = Prompt(system=("policy", "contract"), user=('{"claim": "c"}', '{"cited_text": "one two three"}', "question"))
ANY = Question(Word, lambda found: None)


@pytest.fixture(scope="module")
def started() -> Iterator[AnthropicServer]:
    """One server for all tests of this file, and an environment that leads to it."""
    with running() as server, environment(leading_to(server.url)):
        yield server


@pytest.fixture
def server(started: AnthropicServer) -> AnthropicServer:
    """The server, everything before forgotten."""
    started.reset()
    return started


def ask(settings: ClaudeSettings | None = None, question: Question[Word] = ANY) -> tuple[Word | Trouble, list[Call]]:
    """Ask once; gives what came of it, and the calls that it took."""
    ledger = Ledger((settings or hasty()).limits)
    found = Claude(settings or hasty(), ledger, "judge").ask(PROMPT, question)
    return found, ledger.take()


def test_an_answer_is_the_object_asked_for(server: AnthropicServer) -> None:
    """The object, the schema that was sent, the tokens, the price by hand, the id for support."""
    found, (call,) = ask()

    assert found == Word(quote="one two three")
    (sent,) = server.requests
    assert sent["output_config"]["format"]["schema"]["required"] == ["quote"]
    assert [block["text"] for block in sent["system"]] == ["policy", "contract"]
    assert server.keys == ["Bearer test-key"]
    assert call.outcome == "ok"
    assert call.model == "claude-sonnet-5-5"
    assert call.usage == Usage(input=1000, output=200)
    assert call.cost == pytest.approx(1000 * 2e-6 + 200 * 10e-6)
    assert call.request_id == "req_1"


@pytest.mark.parametrize(
    ("reply", "failure"),
    [
        (Reply("status", 429, "rate_limit_error"), Failure.RATE_LIMITED),
        (Reply("status", 529, "overloaded_error"), Failure.OVERLOADED),
        (Reply("status", 500, "api_error"), Failure.OVERLOADED),
        (Reply("status", 503, "api_error"), Failure.OVERLOADED),
        (Reply("status", 504, "timeout_error"), Failure.TIMED_OUT),
        (Reply("cut"), Failure.CUT_OFF),
        (Reply("cut_first"), Failure.CUT_OFF),
        (Reply("ends"), Failure.CUT_OFF),
        (Reply("garbage"), Failure.CUT_OFF),
        (Reply("error_event", error="overloaded_error"), Failure.OVERLOADED),
    ],
)
def test_trouble_of_the_provider_is_tried_again_and_then_typed(
    server: AnthropicServer, reply: Reply, failure: Failure
) -> None:
    """One such answer is overcome; nothing but such answers is a typed failure after as many attempts as allowed."""
    server.script.extend([reply])
    assert ask()[0] == Word(quote="one two three")

    server.reset()
    server.script.extend([reply] * 5)
    found, calls = ask()
    assert isinstance(found, Trouble)
    assert found.failure is failure
    assert "SECRET" not in found.reason
    assert [call.outcome for call in calls] == [failure] * 3
    assert len(server.requests) == 3


@pytest.mark.parametrize(
    ("reply", "failure", "requests"),
    [
        (Reply("status", 400, "invalid_request_error"), Failure.REJECTED, 1),
        (Reply("status", 401, "authentication_error"), Failure.UNAUTHORISED, 1),
        (Reply("status", 402, "billing_error"), Failure.UNAUTHORISED, 1),
        (Reply("status", 403, "permission_error"), Failure.UNAUTHORISED, 1),
        (Reply("status", 404, "not_found_error"), Failure.REJECTED, 1),
        (Reply("status", 413, "request_too_large"), Failure.TOO_LONG, 1),
        (Reply("status", 529, "overloaded_error", {"x-should-retry": "false"}), Failure.OVERLOADED, 1),
        (Reply(stop_reason="refusal"), Failure.REFUSED, 1),
        (Reply(stop_reason="max_tokens", text='{"quote": "one'), Failure.CUT_OFF, 1),
        (Reply(stop_reason="model_context_window_exceeded"), Failure.TOO_LONG, 1),
        (Reply(text='{"quote": "one'), Failure.BAD_OUTPUT, 2),
        (Reply(text="I would rather talk."), Failure.BAD_OUTPUT, 2),
        (Reply(text='{"label": "supported"}'), Failure.BAD_OUTPUT, 2),
        (Reply(text='{"quote": ["one"]}'), Failure.BAD_OUTPUT, 2),
    ],
)
def test_what_will_not_change_is_not_tried_again(
    server: AnthropicServer, reply: Reply, failure: Failure, requests: int
) -> None:
    """A request that is refused is asked once; an answer of the wrong shape once more, with nothing of it repeated."""
    server.script.extend([reply] * 5)
    found, calls = ask()

    assert isinstance(found, Trouble)
    assert found.failure is failure
    assert len(server.requests) == requests
    assert all(call.outcome == failure for call in calls)
    assert "rather" not in found.reason
    assert "SECRET" not in found.reason


def test_unknown_fields_do_no_harm(server: AnthropicServer) -> None:
    """What a newer provider adds, to the message or to the object, is passed over."""
    server.script.append(Reply(text='{"quote": "one", "confidence": 0.9}'))

    assert ask()[0] == Word(quote="one")


def test_an_object_that_fails_its_check_is_asked_for_once_more(server: AnthropicServer) -> None:
    """A second answer may pass; a second failure is final, whatever attempts are left."""
    question = Question(
        Word, lambda word: None if word.quote == "good" else Trouble(failure=Failure.QUOTE_NOT_IN_SPAN, reason="No")
    )
    server.script.extend([Reply(text='{"quote": "bad"}'), Reply(text='{"quote": "good"}')])
    assert ask(question=question)[0] == Word(quote="good")

    server.script.extend([Reply(text='{"quote": "bad"}')] * 3)
    found, calls = ask(question=question)
    assert found == Trouble(failure=Failure.QUOTE_NOT_IN_SPAN, reason="No (2 attempts)", when=When.AFTER)
    assert len(calls) == 2


def test_the_provider_says_how_long_to_wait(server: AnthropicServer) -> None:
    """Retry-after is waited for, also when our own wait would be shorter; longer than there is time is not begun."""
    server.script.append(Reply("status", 429, "rate_limit_error", {"retry-after": "1"}))
    began = time.monotonic()
    assert ask()[0] == Word(quote="one two three")
    assert time.monotonic() - began >= 1

    server.script.append(Reply("status", 429, "rate_limit_error", {"retry-after": "3600"}))
    began = time.monotonic()
    found, _ = ask()
    assert isinstance(found, Trouble)
    assert found.failure is Failure.RATE_LIMITED
    assert time.monotonic() - began < 1


def test_silence_ends_after_the_seconds_of_an_attempt(server: AnthropicServer) -> None:
    """A server that does not answer costs as many seconds as were allowed, and the cost of the call is unknown."""
    server.script.extend([Reply(seconds=1.5)] * 3)
    found, calls = ask(hasty(attempts=2, attempt_seconds=0.2))

    assert isinstance(found, Trouble)
    assert found.failure is Failure.TIMED_OUT
    assert [(call.usage, call.cost) for call in calls] == [(None, None)] * 2


def test_a_stream_of_nothing_ends_too(server: AnthropicServer) -> None:
    """A server that keeps the line open without answering gets no more seconds than a silent one."""
    server.script.extend([Reply("pings", seconds=3)] * 2)
    began = time.monotonic()
    found, calls = ask(hasty(attempts=2, attempt_seconds=0.2))

    assert isinstance(found, Trouble)
    assert found.failure is Failure.TIMED_OUT
    assert time.monotonic() - began < 2
    assert [call.cost for call in calls] == [None, None]


def test_a_stream_that_broke_off_has_tokens_and_no_price(server: AnthropicServer) -> None:
    """What the provider had counted is kept; what it will charge is not known, and not 0."""
    server.script.extend([Reply("cut"), Reply("status", 529, "overloaded_error")])
    _, (cut, refused, good) = ask()

    assert (cut.usage, cut.cost, cut.request_id) == (Usage(input=1000, output=1), None, "req_1")
    assert (refused.usage, refused.cost, refused.request_id) == (Usage(), 0.0, "req_failed")
    assert good.cost == pytest.approx(0.004)


def test_cached_tokens_have_their_own_prices(server: AnthropicServer) -> None:
    """Read from a cache, written for five minutes and written for an hour, each by hand."""
    written = {"ephemeral_5m_input_tokens": 1_000, "ephemeral_1h_input_tokens": 4_000}
    usage = {"input_tokens": 10, "output_tokens": 20, "cache_read_input_tokens": 3_000, "cache_creation": written}
    server.script.append(Reply(usage=usage | {"cache_creation_input_tokens": 5_000}))
    _, (call,) = ask()

    assert call.usage == Usage(input=10, output=20, cache_read=3_000, cache_write_5m=1_000, cache_write_1h=4_000)
    assert call.cost == pytest.approx((10 * 2 + 20 * 10 + 3_000 * 0.1 + 1_000 * 2.5 + 4_000 * 4) / 1e6)


def test_a_model_without_a_price_costs_an_unknown_amount(server: AnthropicServer) -> None:
    """Never 0; and a limit in dollars is refused for it before anything is sent."""
    _, (call,) = ask(hasty(model="claude-of-tomorrow"))

    assert call.usage == Usage(input=1000, output=200)
    assert (call.cost, call.priced_on) == (None, None)
    with pytest.raises(VerifierUnavailable, match="price of claude-of-tomorrow is not known"):
        ask(hasty(Limits(cost=1.0), model="claude-of-tomorrow"))


def test_many_are_asked_at_once_and_no_more_than_allowed(server: AnthropicServer) -> None:
    """Never more calls on their way than the settings say; the answers are in order."""
    server.script.extend([Reply(seconds=0.05)] * 8)
    claude = Claude(hasty(concurrency=3), Ledger(), "judge")
    prompts = [PROMPT._replace(user=('{"claim": "c"}', f'{{"cited_text": "{n} a b"}}', "q")) for n in range(8)]
    found = claude.ask_all([(prompt, ANY) for prompt in prompts])

    assert found == [Word(quote=f"{n} a b") for n in range(8)]
    assert server.busiest == 3


def test_a_limit_cuts_off_the_end(server: AnthropicServer) -> None:
    """Calls and dollars: what was not reached says so, and nothing is sent for it."""
    for limits, asked in ((Limits(calls=2), 2), (Limits(cost=0.008), 2)):
        server.reset()
        ledger = Ledger(limits)
        found = Claude(hasty(limits, concurrency=1), ledger, "judge").ask_all([(PROMPT, ANY)] * 4)

        assert [isinstance(one, Word) for one in found] == [True, True, False, False]
        assert isinstance(found[3], Trouble)
        assert found[3].failure is Failure.BUDGET
        assert "used up" in found[3].reason
        assert len(server.requests) == asked


def test_a_provider_that_is_gone_is_not_asked_for_every_pair(server: AnthropicServer) -> None:
    """After five calls in vain, or one with a wrong key, the rest of the run fails at once with the same word."""
    for reply, failure, requests in (
        (Reply("status", 529, "overloaded_error"), Failure.OVERLOADED, 5),
        (Reply("status", 401, "authentication_error"), Failure.UNAUTHORISED, 1),
    ):
        server.reset()
        server.script.extend([reply] * 50)
        claude = Claude(hasty(attempts=1, concurrency=1), Ledger(), "judge")
        found = claude.ask_all([(PROMPT, ANY)] * 20)

        assert [one.failure for one in found if isinstance(one, Trouble)] == [failure] * 20
        assert len(server.requests) == requests


def test_answers_that_are_too_long_do_not_end_the_run(server: AnthropicServer) -> None:
    """A text of its own makes each of them fail; the provider is well."""
    server.script.extend([Reply(stop_reason="max_tokens")] * 7)
    found = Claude(hasty(concurrency=1), Ledger(), "judge").ask_all([(PROMPT, ANY)] * 8)

    assert isinstance(found[-1], Word)


def test_nobody_listens() -> None:
    """A refused connection is no network: typed, and nothing is charged."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        url = f"http://127.0.0.1:{free.getsockname()[1]}"
    with environment(leading_to(url)):
        found, calls = ask()

    assert isinstance(found, Trouble)
    assert found.failure is Failure.NO_NETWORK
    assert calls == []


def test_without_a_key_there_is_one_sentence() -> None:
    """What is missing and what to do, before anything is sent."""
    with environment({}), pytest.raises(VerifierUnavailable) as raised:
        Claude(hasty(), Ledger(), "judge")

    assert str(raised.value) == (
        "Claude cannot be asked without a key; set ANTHROPIC_API_KEY, or choose another verifier."
    )


def test_what_breaks_off_a_run_ends_it(server: AnthropicServer) -> None:
    """What was not begun is not begun any more, and the reason comes out as it is."""

    def press(found: Word) -> Trouble | None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        Claude(hasty(concurrency=1), Ledger(), "judge").ask_all([(PROMPT, Question(Word, press))] * 50)
    assert len(server.requests) < 50


def test_a_stop_does_not_wait_for_other_attempts(server: AnthropicServer) -> None:
    """Whoever waits to be asked again gives up when the run is broken off."""
    server.script.append(Reply("status", 429, "rate_limit_error", {"retry-after": "8"}))
    claude = Claude(hasty(concurrency=1), Ledger(), "judge")
    timer = threading.Timer(0.3, claude._patience.stop)
    timer.start()
    began = time.monotonic()
    (found,) = claude.ask_all([(PROMPT, ANY)])

    assert isinstance(found, Trouble)
    assert time.monotonic() - began < 4
