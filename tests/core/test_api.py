"""The HTTP API: what each outcome is told as, who is refused, and that nothing of a failure gets out."""

from __future__ import annotations

import json
import logging
import socket
import threading
import time
from collections.abc import Callable, Iterator
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any, NoReturn

import pytest
from starlette.applications import Starlette
from starlette.testclient import TestClient

from core import api_telling
from core.answering import Question
from core.errors import InputError, StoreError, VerifierUnavailable
from core.generators import Event, Tell
from core.models import utc_now
from core.outcomes import TABLE, Ending, Outcome
from core.question_pool import Stopped
from core.tokens import mint
from tests.core.api_served import Served, events, listening
from tests.core.outcomes_made import outcome

SECRET_WORDS = "SECRET words of an answer"
ENDINGS = [(ending, status) for ending, rule in TABLE.items() for status in rule.statuses]


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """One API for the tests of this file."""
    served = Served(tmp_path_factory.mktemp("api"))
    yield served
    served.close()


@pytest.fixture
def served(shared: Served) -> Served:
    """The API with its script begun anew."""
    shared.script.__init__()  # type: ignore[misc]
    return shared


@pytest.fixture
def ask(served: Served) -> Callable[..., Any]:
    """Ask a question as ann, over the routes alone."""
    return asker(served)


def asker(served: Served) -> Callable[..., Any]:
    """Ask questions of an API."""
    client = TestClient(Starlette(routes=served.api.routes()), base_url="http://127.0.0.1:8501")

    def send(query: str = "When?", path: str = "/api/query", token: str | None = None, **body: Any) -> Any:
        headers = {"authorization": f"Bearer {served.ann if token is None else token}"}
        return client.post(path, json={"query": query, **body}, headers=headers)

    return send


@pytest.mark.parametrize(("ending", "status"), ENDINGS)
def test_every_outcome_has_its_status_and_body(
    ask: Callable[..., Any], served: Served, ending: Ending, status: int
) -> None:
    """The table of DESIGN §8: an answer with 200 only; otherwise a word, and for the gate the claim's number."""
    served.script.answer = lambda asked, tell: outcome(ending, status)
    reply = ask()

    assert reply.status_code == status
    assert reply.headers["cache-control"] == "no-store"
    if status == 200:
        served_fields = {"generator", "answer", "claims", "citations"}
        fields = {"excerpts"} if ending is Ending.DEGRADED_EXTRACTIVE else served_fields
        assert set(reply.json()) == {"outcome", "gate"} | fields
        assert reply.json()["outcome"] == ending
    elif status == 422:
        assert reply.json() == {"detail": {"reason": "hallucinated_citation", "claim_index": 0}}
    else:
        assert reply.json() == {"detail": {"reason": str(ending)}}


@pytest.mark.parametrize(("ending", "status"), ENDINGS)
def test_a_stream_ends_with_the_same(ask: Callable[..., Any], served: Served, ending: Ending, status: int) -> None:
    """Events of stage and counts, but none of the answer's; then ``answer`` or ``error``, with the very same JSON."""

    def answer(asked: Question, tell: Tell) -> Outcome:
        tell(Event(stage="retrieve"))
        tell(Event(stage="generate", counts={"attempt": 3, "claims": 7}))
        return outcome(ending, status)

    served.script.answer = answer
    whole = ask()
    reply = ask(path="/api/query/stream")
    told = events(reply.text)

    assert (reply.status_code, reply.headers["content-type"].partition(";")[0]) == (200, "text/event-stream")
    assert told[:-1] == [
        ("status", {"stage": "retrieve", "counts": {}}),
        ("status", {"stage": "generate", "counts": {"attempt": 3}}),
    ]
    assert told[-1] == (("answer", whole.json()) if status == 200 else ("error", {"status": status, **whole.json()}))
    if status != 200:
        assert "gate opens" not in reply.text


def test_served_claims_point_into_the_footnotes(ask: Callable[..., Any]) -> None:
    """By label; a footnote has document, chunk, quote, locator and version."""
    body = ask().json()
    (claim,), (note,) = body["claims"], body["citations"]

    assert claim["citations"] == [note["label"]]
    assert set(note) == {"label", "doc_id", "chunk_id", "quote", "locator", "source_version"}
    assert body["gate"] == "quotes"


def test_the_token_says_who_asks(ask: Callable[..., Any], served: Served) -> None:
    """Principal and groups are its own; the body names corpus and what is accepted."""
    ask("When?", corpus="staff", user="ann", accept=["excerpts"])
    ask("When?", token=served.bob)

    assert served.script.asked == [
        Question(query="When?", corpus="staff", principal="ann", groups=("staff",), accept=("excerpts",)),
        Question(query="When?", corpus="main", principal="bob", groups=(), accept=()),
    ]


def test_nobody_asks_for_another(ask: Callable[..., Any], served: Served) -> None:
    """403, before anything is looked at."""
    reply = ask(user="bob")

    assert (reply.status_code, reply.json()) == (403, {"detail": {"reason": "forbidden"}})
    assert served.script.asked == []


@pytest.mark.parametrize("given", ["", "nonsense", "cdk_000000000000_" + "A" * 43])
def test_without_a_good_token_nothing_is_told(ask: Callable[..., Any], served: Served, given: str) -> None:
    """401 with the scheme; also for one that was revoked a moment ago."""
    secret = served.token("cy")
    assert ask(token=secret).status_code == 200
    served.desk.store.tokens.revoke(secret.split("_")[1], "me")
    for token in (given, secret, served.ann[:-1]):
        reply = ask(token=token)
        assert (reply.status_code, reply.headers["www-authenticate"]) == (401, "Bearer")
        assert reply.json() == {"detail": "A token that is good is needed for this."}


def test_when_a_token_was_last_good_is_noted(ask: Callable[..., Any], served: Served) -> None:
    """Once an hour, not at every question; a wrong secret of it notes nothing."""
    good, bad = served.token("dora"), served.token("eve")

    def used() -> list[datetime | None]:
        known = {one.token_id: one.last_used_at for one in served.desk.store.tokens.all()}
        return [known[secret.split("_")[1]] for secret in (good, bad)]

    assert used() == [None, None]
    ask(token=good)
    ask(token=f"{bad[:-1]}!")
    first, never = used()
    ask(token=good)

    assert first is not None
    assert never is None
    assert used() == [first, None]


def test_an_old_secret_is_refused_from_its_moment_on(ask: Callable[..., Any], served: Served) -> None:
    """Until then both are good, with the same rights."""
    old = served.token("dora", "staff")
    later, now = (mint("dora", ["staff"]) for _ in range(2))
    served.desk.store.tokens.replace(old.split("_")[1], later[1], utc_now() + timedelta(hours=1), "me")
    both = [ask(token=secret).status_code for secret in (old, later[0])]
    served.desk.store.tokens.replace(later[1].token_id, now[1], utc_now(), "me")

    assert both == [200, 200]
    assert [ask(token=secret).status_code for secret in (later[0], now[0])] == [401, 200]


def test_a_corpus_out_of_sight_is_one_that_is_not_there(ask: Callable[..., Any], served: Served) -> None:
    """The same bytes and headers for both; nobody is asked."""
    hidden, absent = (ask(corpus=corpus, token=served.bob) for corpus in ("staff", "nowhere"))

    assert hidden.status_code == absent.status_code == 404
    assert (hidden.content, hidden.headers) == (absent.content, absent.headers)
    assert hidden.json() == {"detail": "There is no such corpus."}
    assert served.script.asked == []
    assert ask(corpus="staff").status_code == 200


@pytest.mark.parametrize(
    ("body", "status", "sentence"),
    [
        (b"", 400, "The body is not JSON."),
        (b"{", 400, "The body is not JSON."),
        (b"\xff", 400, "The body is not JSON."),
        (b"[" * 5000, 400, "The body is not JSON."),
        (b'{"query": "\\ud800"}', 400, "The body is not JSON."),
        (b"[]", 400, "The body is not a question."),
        (b"null", 400, "The body is not a question."),
        (b'{"question": "When?"}', 400, "The field query cannot be used."),
        (
            b'{"query": "When?", "SECRET": 1}',
            400,
            "There is a field that a question does not have; /api/openapi.json lists those it has.",
        ),
        (b'{"query": 7}', 400, "The field query cannot be used."),
        (b'{"query": "  "}', 400, "The field query cannot be used."),
        (b'{"query": "When?", "corpus": ""}', 400, "The field corpus cannot be used."),
        (b'{"query": "When?", "accept": ["drafts"]}', 400, "The field accept cannot be used."),
        (
            b'{"query": "When?", "gate": "none"}',
            400,
            "There is a field that a question does not have; /api/openapi.json lists those it has.",
        ),
        (json.dumps({"query": "x" * 2001}).encode(), 413, "The question has more than 2000 characters."),
        (b" " * 65_537, 413, "The body is too large."),
    ],
)
def test_what_is_no_question_is_one_sentence(served: Served, body: bytes, status: int, sentence: str) -> None:
    """Without a word of what was sent, and never 422."""
    client = TestClient(Starlette(routes=served.api.routes()))
    reply = client.post("/api/query", content=body, headers={"authorization": f"Bearer {served.ann}"})

    assert (reply.status_code, reply.json()) == (status, {"detail": sentence})
    assert served.script.asked == []


def test_a_body_without_an_end_is_cut_off(served: Served) -> None:
    """No length is believed: what comes is counted, and reading stops."""
    sent = 0

    def endless() -> Iterator[bytes]:
        nonlocal sent
        while sent < 10_000_000:
            sent += 50_000
            yield b" " * 50_000

    client = TestClient(Starlette(routes=served.api.routes()))
    reply = client.post("/api/query", content=endless(), headers={"authorization": f"Bearer {served.ann}"})

    assert (reply.status_code, reply.json()) == (413, {"detail": "The body is too large."})


def test_one_token_has_its_pace(tmp_path: Path) -> None:
    """429 with the seconds to wait; another token is not held up, and who is refused asks nobody."""
    served = Served(tmp_path, burst=2, per_minute=6)
    ask = asker(served)
    replies = [ask() for _ in range(3)]

    assert [reply.status_code for reply in replies] == [200, 200, 429]
    assert replies[2].headers["retry-after"] == "10"
    assert replies[2].json() == {"detail": "Too many questions; wait a little."}
    assert ask(token=served.bob).status_code == 200
    assert len(served.script.asked) == 3
    served.close()


def test_all_together_have_their_room(tmp_path: Path) -> None:
    """One is answered, none waits: the second is told to come again, and finds room afterwards."""
    served = Served(tmp_path, concurrent=1, waiting=0)
    begun, go = threading.Event(), threading.Event()

    def answer(asked: Question, tell: Tell) -> Outcome:
        begun.set()
        go.wait(10)
        return outcome(Ending.ANSWERED)

    served.script.answer = answer
    ask = asker(served)
    replies: list[Any] = []
    first = threading.Thread(target=lambda: replies.append(ask()))
    first.start()
    assert begun.wait(10)
    refused = ask(token=served.bob)
    go.set()
    first.join(10)

    assert (refused.status_code, refused.headers["retry-after"]) == (429, "1")
    assert replies[0].status_code == 200
    assert ask().status_code == 200
    served.close()


def fails(error: Exception) -> Callable[[Question, Tell], NoReturn]:
    """An answerer that ends in an error with words of the answer in it."""

    def answer(asked: Question, tell: Tell) -> NoReturn:
        raise error

    return answer


@pytest.mark.parametrize("error", [ValueError(SECRET_WORDS), StoreError(SECRET_WORDS), KeyError(SECRET_WORDS)])
def test_an_error_of_ours_keeps_its_words(
    ask: Callable[..., Any], served: Served, caplog: pytest.LogCaptureFixture, error: Exception
) -> None:
    """The caller learns a word, the log kind and place; no text of it is in either, whole or streamed."""
    served.script.answer = fails(error)
    with caplog.at_level(logging.DEBUG):
        whole, streamed = ask(), ask(path="/api/query/stream")

    assert (whole.status_code, whole.json()) == (500, {"detail": {"reason": "internal_error"}})
    assert events(streamed.text) == [("error", {"status": 500, "detail": {"reason": "internal_error"}})]
    assert SECRET_WORDS not in caplog.text + whole.text + streamed.text
    assert f"{type(error).__name__} in test_api.py, line" in caplog.text


def test_a_corpus_that_goes_meanwhile_is_one_that_is_not_there(ask: Callable[..., Any], served: Served) -> None:
    """The same as if it had never been."""
    served.script.answer = fails(InputError(SECRET_WORDS))
    reply = ask()

    assert reply.status_code == 404
    assert reply.content == ask(corpus="nowhere").content
    assert events(ask(path="/api/query/stream").text) == [("error", {"status": 404, **reply.json()})]


def test_a_generator_that_cannot_be_had_is_one_that_is_away(
    ask: Callable[..., Any], served: Served, caplog: pytest.LogCaptureFixture
) -> None:
    """503 for the caller; the log says what is missing."""
    served.script.answer = fails(VerifierUnavailable("There is no key", "set one"))
    reply = ask()

    assert (reply.status_code, reply.json()) == (503, {"detail": {"reason": "provider_unavailable"}})
    assert "There is no key; set one." in caplog.text


@pytest.mark.parametrize(
    "broken",
    [
        {"claims": ()},
        {"citations": ()},
        {"answer": None},
        {"outcome": Ending.BLOCKED, "status": 422, "answer": None, "claims": (), "citations": ()},
        {"outcome": Ending.ABSTAINED_BY_MODEL},
    ],
)
def test_an_outcome_that_breaks_the_contract_is_not_served(
    ask: Callable[..., Any], served: Served, caplog: pytest.LogCaptureFixture, broken: dict[str, Any]
) -> None:
    """Claims without footnotes, an answer without claims, a block without its reason: nothing of it gets out."""
    good = outcome(Ending.ANSWERED)
    wrong = Outcome.model_construct(**{name: getattr(good, name) for name in Outcome.model_fields} | broken)
    served.script.answer = lambda asked, tell: wrong
    reply = ask()

    assert (reply.status_code, reply.json()) == (500, {"detail": {"reason": "internal_error"}})
    assert "gate opens" not in caplog.text + reply.text


def test_half_a_surrogate_pair_is_sent_as_it_stands(ask: Callable[..., Any], served: Served) -> None:
    """A source may hold one; the JSON escapes it."""
    good = outcome(Ending.ANSWERED)
    served.script.answer = lambda asked, tell: good.model_copy(update={"answer": "\ud83d[E1]"})

    assert ask().json()["answer"] == "\ud83d[E1]"


def test_a_store_that_is_away_is_said(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    """503 in one sentence, which does not say where the store is."""
    served = Served(tmp_path)
    ask = asker(served)
    served.desk.store.close()
    reply = ask()

    assert reply.status_code == 503
    assert str(tmp_path) not in reply.text


def test_the_end_of_the_desk_is_said(tmp_path: Path) -> None:
    """What is being answered ends with 503; the next question begins anew."""
    served = Served(tmp_path)
    begun = threading.Event()

    def answer(asked: Question, tell: Tell) -> Outcome:
        begun.set()
        while True:
            tell(Event(stage="generate"))
            time.sleep(0.01)

    served.script.answer = answer
    ask = asker(served)
    replies: list[Any] = []
    first = threading.Thread(target=lambda: replies.append(ask()))
    first.start()
    assert begun.wait(10)
    served.api.stop(10)
    first.join(10)

    assert (replies[0].status_code, replies[0].json()) == (503, {"detail": "The desk is closing."})
    served.script.answer = lambda asked, tell: outcome(Ending.ANSWERED)
    assert ask().status_code == 200
    served.close()


@pytest.mark.parametrize("path", ["/api/query", "/api/query/stream"])
def test_whoever_hangs_up_ends_the_work(served: Served, path: str) -> None:
    """Over a real socket: the work is told to stop where it tells of its progress next."""
    begun, ended = threading.Event(), threading.Event()

    def answer(asked: Question, tell: Tell) -> Outcome:
        begun.set()
        try:
            for _ in range(2000):
                tell(Event(stage="generate"))
                time.sleep(0.01)
        except Stopped:
            ended.set()
            raise
        return outcome(Ending.ANSWERED)

    served.script.answer = answer
    body = json.dumps({"query": "When?"}).encode()
    head = f"POST {path} HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n"
    head += f"Authorization: Bearer {served.ann}\r\nContent-Length: {len(body)}\r\n\r\n"
    with listening(served.api) as port:
        with socket.create_connection(("127.0.0.1", port)) as wire:
            wire.sendall(head.encode() + body)
            assert begun.wait(10)
        assert ended.wait(10)


def test_a_silent_stream_shows_that_it_lives(
    ask: Callable[..., Any], served: Served, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A comment every so often, which no client takes for an event."""
    monkeypatch.setattr(api_telling, "HEARTBEAT", 0.05)

    def answer(asked: Question, tell: Tell) -> Outcome:
        time.sleep(0.5)
        return outcome(Ending.ANSWERED)

    served.script.answer = answer
    text = ask(path="/api/query/stream").text

    assert text.startswith(": still at it\n\n")
    assert [name for name, _ in events(text)] == ["answer"]


def test_refusals_come_before_the_stream(ask: Callable[..., Any], served: Served) -> None:
    """With their own status, as without a stream."""
    assert ask(path="/api/query/stream", token="").status_code == 401
    assert ask(path="/api/query/stream", corpus="staff", token=served.bob).status_code == 404
    assert ask(path="/api/query/stream", user="bob").status_code == 403
    assert ask("", path="/api/query/stream").status_code == 400
