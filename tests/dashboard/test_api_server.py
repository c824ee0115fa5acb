"""The API behind the headers, host names and gate of the desk; examples are drawn from its own document."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import httpx2
import pytest
import schemathesis
from hypothesis import HealthCheck, given, settings
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.testclient import TestClient

from core import corpora
from core.api_contract import OPERATIONS, Operation
from core.outcomes import TABLE, Ending, Outcome
from core.store import open_store
from core.tokens import mint
from dashboard.security import HEADERS, AllowedHosts, ApiGate, OwnOrigin, SecurityHeaders
from tests.browser.conftest import Desktop
from tests.core.api_served import Served, events
from tests.core.claude_env import environment, leading_to
from tests.core.outcomes_made import outcome
from tests.dashboard.test_admin import citedesk
from tests.fakes.anthropic_server import Reply, running

HOST = "http://127.0.0.1:8501"
"""What the schema's own client calls the desk."""


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """One API, whose script ends a question in every way in turn."""
    served = Served(tmp_path_factory.mktemp("api"), burst=1_000_000)
    endings = [outcome(ending, status) for ending, rule in TABLE.items() for status in rule.statuses]

    def answer(*_: object) -> Outcome:
        return endings[len(served.script.asked) % len(endings)]

    served.script.answer = answer
    yield served
    served.close()


@pytest.fixture(scope="module")
def app(served: Served) -> Starlette:
    """The API as the server mounts it."""
    routes = served.api.routes()
    return Starlette(
        routes=routes,
        middleware=[
            Middleware(SecurityHeaders),
            Middleware(AllowedHosts, hosts=["testserver"]),
            Middleware(OwnOrigin),
            Middleware(ApiGate, routes=routes),
        ],
    )


@pytest.mark.parametrize(
    ("operation", "mode"),
    [(one, mode) for one in OPERATIONS for mode in schemathesis.GenerationMode if one.body or mode.is_positive],
    ids=lambda value: value.name if isinstance(value, Operation) else value.value,
)
def test_the_api_keeps_to_its_document(
    app: Starlette, served: Served, operation: Operation, mode: schemathesis.GenerationMode
) -> None:
    """Whatever is sent, right or wrong: a status, a type and a body that are written down, and our headers.

    Outcomes have statuses from 500 on, on purpose, so the check that forbids them is left out.
    """
    document = schemathesis.openapi.from_asgi("/api/openapi.json", app)
    document.config.checks.positive_data_acceptance.expected_statuses = ["2xx", "403", "404", "422", "5xx"]
    at = document[operation.path][operation.method]

    @given(at.as_strategy(generation_mode=mode))
    @settings(max_examples=15, suppress_health_check=list(HealthCheck))
    def keeps(case: schemathesis.Case[Any]) -> None:
        left_out: list[Any] = [schemathesis.checks.not_a_server_error]
        response = case.call_and_validate(headers={"Authorization": f"Bearer {served.ann}"}, excluded_checks=left_out)
        for name, value in HEADERS.items():
            assert response.headers[name] == [value]

    keeps()


@pytest.mark.parametrize("ending", list(Ending))
def test_every_response_carries_the_headers(app: Starlette, served: Served, ending: Ending) -> None:
    """Whole and streamed, served or not."""
    client = TestClient(app, base_url=HOST)
    for path in ("/api/query", "/api/query/stream"):
        reply = client.post(path, json={"query": "When?"}, headers={"authorization": f"Bearer {served.ann}"})
        assert {name: reply.headers[name] for name in HEADERS} == dict(HEADERS)
        assert reply.headers["cache-control"] == "no-store"


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({"content-type": "text/plain"}, 415),
        ({"host": "evil.example"}, 400),
        ({"origin": "http://evil.example"}, 403),
        ({"sec-fetch-site": "cross-site"}, 403),
        ({"origin": HOST}, 200),
    ],
)
def test_pages_of_others_do_not_ask(app: Starlette, served: Served, headers: dict[str, str], status: int) -> None:
    """Even with a token that is good."""
    served.script.answer = lambda asked, tell: outcome(Ending.ANSWERED)
    sent = {"authorization": f"Bearer {served.ann}", "content-type": "application/json"} | headers
    reply = TestClient(app, base_url=HOST).post("/api/query", content=b'{"query": "When?"}', headers=sent)

    assert reply.status_code == status
    if status != 200:
        assert reply.json()["detail"].endswith(".")


@pytest.fixture(scope="module")
def desktop(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Desktop]:
    """A desk on an empty store, in a process of its own."""
    folder = tmp_path_factory.mktemp("desk")
    desktop = Desktop(folder / "desk.duckdb", folder)
    desktop.start()
    yield desktop
    desktop.stop()


def post(desktop: Desktop, path: str, secret: str, **body: Any) -> httpx2.Response:
    """Ask the desk over a real socket."""
    headers = {"authorization": f"Bearer {secret}"}
    return httpx2.post(f"{desktop.url}{path}", json=body, headers=headers, timeout=60)


@pytest.mark.long
def test_a_question_gets_its_answer_from_an_open_desk(desktop: Desktop) -> None:
    """Corpus and token are made while the desk is open; a revoked token is refused from then on."""
    (desktop.folder / "toll.txt").write_text("The toll for the bridge is 3 crowns.\n", encoding="utf-8")
    assert citedesk(desktop, "corpus", "add", "toll.txt").code == 0
    made = json.loads(citedesk(desktop, "token", "new", "--principal", "ann", "--json").out)
    query = "What is the toll for the bridge?"

    whole = post(desktop, "/api/query", made["secret"], query=query)
    assert whole.status_code == 200
    assert whole.json()["outcome"] == "answered"
    assert whole.json()["answer"] == "The toll for the bridge is 3 crowns."
    (note,) = whole.json()["citations"]
    assert note["chunk_id"].startswith(f"{note['doc_id']}:p1.0-")

    streamed = post(desktop, "/api/query/stream", made["secret"], query=query)
    *steps, (name, last) = events(streamed.text)
    assert streamed.headers["content-type"].startswith("text/event-stream")
    assert [step[0] for step in steps] == ["status"] * len(steps)
    stages = [data["stage"] for _, data in steps]
    ways = ["retrieving", "generating", "checking", "gate"]
    assert sorted(ways, key=stages.index) == ways
    assert not any(data["counts"] for _, data in steps if data["stage"] in ways[2:])  # of claims nothing is told
    assert (name, last) == ("answer", whole.json())
    assert "crowns" not in streamed.text.rpartition("event: answer")[0]

    assert citedesk(desktop, "token", "revoke", made["token_id"]).code == 0
    assert post(desktop, "/api/query", made["secret"], query=query).status_code == 401
    (listed,) = map(json.loads, citedesk(desktop, "token", "list", "--json").out.splitlines())
    assert listed["revoked_at"]
    assert made["secret"] not in desktop.log()


@pytest.mark.long
def test_stopping_the_desk_does_not_wait_for_who_asks(tmp_path: Path) -> None:
    """A question whose provider says nothing ends with the desk, and the store is let go of."""
    desktop = Desktop(tmp_path / "desk.duckdb", tmp_path)
    with open_store(desktop.store) as store:
        (tmp_path / "toll.txt").write_text("The toll for the bridge is 3 crowns.\n", encoding="utf-8")
        corpora.add(store, corpora.AddRequest(paths=(tmp_path / "toll.txt",)), "me")
        secret, new = mint("ann")
        store.tokens.add(new, "me")
    with running() as provider, environment(leading_to(provider.url) | {"CITEDESK_ASK__GENERATOR": "claude"}):
        provider.script.append(Reply("slow", seconds=20, text="{}"))
        desktop.start()
        asking = threading.Thread(
            target=lambda: suppressed(post, desktop, "/api/query/stream", secret, query="What is the toll?")
        )
        asking.start()
        while not provider.requests:
            time.sleep(0.05)
        began = time.monotonic()
        desktop.stop()

        assert time.monotonic() - began < 16
        with open_store(desktop.store) as store:
            assert store.queries.rows() == []
        asking.join(10)


def suppressed(send: Callable[..., object], *given: Any, **named: Any) -> None:
    """Send, and take no notice of a connection that breaks."""
    with suppress(httpx2.HTTPError):
        send(*given, **named)
