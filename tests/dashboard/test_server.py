"""What the server answers, to whom, and with which headers."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
import streamlit
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import PlainTextResponse
from starlette.routing import Route, WebSocketRoute
from starlette.testclient import TestClient
from starlette.websockets import WebSocket, WebSocketDisconnect

from core import __version__
from core.store import open_store
from dashboard import security, server, session
from dashboard.security import AllowedHosts, ApiGate, OwnOrigin, SecurityHeaders


async def page(_request: Request) -> PlainTextResponse:
    """Stands for whatever Streamlit answers."""
    return PlainTextResponse("a page", headers={"referrer-policy": "unsafe-url"})


async def take(request: Request) -> PlainTextResponse:
    """A route that takes JSON."""
    return PlainTextResponse(str(await request.json()))


async def stream(socket: WebSocket) -> None:
    """Stands for Streamlit's websocket."""
    await socket.accept()
    await socket.close()


ROUTES = [Route("/api/things/{name}", page, methods=["GET"]), Route("/api/things/{name}", take, methods=["POST"])]


@pytest.fixture
def client() -> TestClient:
    """A small application behind the same middleware."""
    wrapped = Starlette(
        routes=[*ROUTES, Route("/", page), WebSocketRoute("/stream", stream)],
        middleware=[
            Middleware(SecurityHeaders),
            Middleware(AllowedHosts, hosts=["Desk.example"]),
            Middleware(OwnOrigin),
            Middleware(ApiGate, routes=ROUTES),
        ],
    )
    return TestClient(wrapped, base_url="http://127.0.0.1:8501")


@pytest.fixture
def desk_path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """The place of a store that this process will open."""
    session.close()
    path = tmp_path / "desk.duckdb"
    monkeypatch.setenv("CITEDESK_STORE", str(path))
    yield path
    session.close()


@pytest.mark.parametrize(("path", "status"), [("/", 200), ("/api/nothing", 404), ("/elsewhere", 404)])
def test_every_response_carries_the_headers(client: TestClient, path: str, status: int) -> None:
    """Pages, refusals and what is not there; ours replace what the application says."""
    reply = client.get(path)

    assert reply.status_code == status
    assert {name: reply.headers.get_list(name) for name in security.HEADERS} == {
        name: [value] for name, value in security.HEADERS.items()
    }


def test_the_policy_names_no_other_host() -> None:
    """No address, no wildcard, and no script but our own files, blobs and the lines in Streamlit's page."""
    policy = dict(part.split(" ", 1) for part in security.CONTENT_POLICY.split("; "))

    assert not re.search(r"https?:|\*|ws:", security.CONTENT_POLICY)
    assert policy["default-src"] == "'none'"
    assert "unsafe" not in policy["script-src"]
    assert policy["frame-ancestors"] == "'none'"


def test_the_scripts_in_the_page_are_allowed_by_hash() -> None:
    """Exactly what Streamlit wrote into its page; the hash of ``x`` by hand (openssl dgst -sha256 -binary | base64)."""
    html = Path(streamlit.__file__).with_name("static").joinpath("index.html").read_text(encoding="utf-8")

    assert security.inline_scripts("<script>x</script>") == ["'sha256-LXEWQrcmsEQBYnyp+6wy9chTD7GQPMTbAiWHF5IaSIE='"]
    assert all(source in security.CONTENT_POLICY for source in security.inline_scripts(html))


@pytest.mark.parametrize(
    ("host", "status"),
    [
        ("127.0.0.1:8501", 200),
        ("localhost", 200),
        ("LOCALHOST:1", 200),
        ("[::1]:8501", 200),
        ("desk.example", 200),
        ("evil.example", 400),
        ("127.0.0.1.evil.example", 400),
        ("desk.example.evil", 400),
        ("[", 400),
        ("", 400),
    ],
)
def test_only_known_hosts_are_answered(client: TestClient, host: str, status: int) -> None:
    """A foreign name that leads here, as in DNS rebinding, gets one sentence and nothing else."""
    reply = client.get("/", headers={"host": host})

    assert reply.status_code == status
    assert (reply.text == "a page") is (status == 200)


def test_a_websocket_of_a_foreign_host_is_closed(client: TestClient) -> None:
    """Before it is accepted."""
    with client.websocket_connect("/stream", headers={"host": "localhost"}):
        pass
    with (
        pytest.raises(WebSocketDisconnect),
        client.websocket_connect("/stream", headers={"host": "evil.example"}),
    ):
        pass


@pytest.mark.parametrize("origin", ["http://evil.example", "http://127.0.0.1:9999", "null", "[", ""])
def test_nothing_changes_for_a_page_of_another_origin(client: TestClient, origin: str) -> None:
    """Neither by a websocket nor by a request to any path, Streamlit's own uploads too; reading is not changing."""
    foreign = {"host": "localhost", "origin": origin}
    with pytest.raises(WebSocketDisconnect), client.websocket_connect("/stream", headers=foreign):
        pass
    for method in ("POST", "PUT", "PATCH", "DELETE"):
        assert client.request(method, "/_stcore/upload_file/a/b", headers=foreign).status_code == 403
    assert client.get("/", headers=foreign).status_code == 200
    with client.websocket_connect("/stream", headers={"host": "localhost:1", "origin": "https://localhost:1"}):
        pass


@pytest.mark.parametrize(
    ("cookie", "https", "flags"),
    [
        ("_streamlit_user=a; Path=/", False, "; HttpOnly; SameSite=Lax"),
        ("_streamlit_user=a; Path=/; httponly; samesite=strict", True, "; Secure"),
        ("_streamlit_xsrf=a; SameSite=Strict", True, "; Secure"),
        ("a=_streamlit_xsrf=; secure", True, "; HttpOnly; SameSite=Lax"),
    ],
)
def test_cookies_have_their_flags(cookie: str, https: bool, flags: str) -> None:
    """None for scripts but the one that a script must read; for this site; over https only where people use it."""
    assert security.flagged(cookie, https) == cookie + flags


def test_where_people_come_by_https_they_never_come_otherwise() -> None:
    """The header, and the flag on every cookie of a response that sets two."""

    async def entered(_request: Request) -> PlainTextResponse:
        reply = PlainTextResponse("in")
        reply.set_cookie("a", "1")
        reply.set_cookie("b", "2")
        return reply

    wrapped = Starlette(routes=[Route("/", entered)], middleware=[Middleware(SecurityHeaders, https=True)])
    reply = TestClient(wrapped).get("/")

    assert reply.headers["strict-transport-security"] == "max-age=31536000"
    cookies = reply.headers.get_list("set-cookie")
    assert [cookie.split("=")[0] for cookie in cookies] == ["a", "b"]
    assert all("Secure" in cookie and "HttpOnly" in cookie for cookie in cookies)


@pytest.mark.parametrize(
    ("method", "path", "headers", "status", "sentence"),
    [
        ("GET", "/api", {}, 404, "There is nothing at this address."),
        ("GET", "/api/nothing", {}, 404, "There is nothing at this address."),
        ("PUT", "/api/things/a", {}, 405, "This address takes GET, HEAD, POST only."),
        ("POST", "/api/things/a", {"content-type": "text/plain"}, 415, "Send the body as application/json."),
        ("POST", "/api/things/a", {"content-type": ""}, 415, "Send the body as application/json."),
    ],
)
def test_the_gate_refuses_in_one_sentence(
    client: TestClient, method: str, path: str, headers: dict[str, str], status: int, sentence: str
) -> None:
    """Each refusal is JSON with one sentence."""
    reply = client.request(method, path, headers=headers)

    assert reply.status_code == status
    assert reply.json() == {"detail": sentence}


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({}, 200),
        ({"origin": "http://127.0.0.1:8501"}, 200),
        ({"sec-fetch-site": "same-origin"}, 200),
        ({"origin": "http://evil.example"}, 403),
        ({"origin": "http://127.0.0.1:9999"}, 403),
        ({"origin": "null"}, 403),
        ({"sec-fetch-site": "cross-site"}, 403),
        ({"sec-fetch-site": "same-site"}, 403),
    ],
)
def test_only_our_own_pages_and_programs_may_post(client: TestClient, headers: dict[str, str], status: int) -> None:
    """A browser says where a request comes from; a program says nothing."""
    assert client.post("/api/things/a", json={"a": 1}, headers=headers).status_code == status


def test_reading_needs_no_content_type(client: TestClient) -> None:
    """GET passes the gate as it is."""
    assert client.get("/api/things/a").status_code == 200


def test_health_says_what_is_open(desk_path: Path) -> None:
    """The file's name without its folder, and the number of claims; the store is closed at the end."""
    with TestClient(Starlette(routes=server.ROUTES, lifespan=server.lifespan)) as client:
        reply = client.get("/api/health")

    assert reply.status_code == 200
    assert reply.json() == {"status": "ok", "version": __version__, "store": "desk.duckdb", "claims": 0}
    with open_store(desk_path):
        pass


def test_health_says_why_the_store_cannot_be_read(desk_path: Path) -> None:
    """503 with one sentence, and 200 again as soon as the store can be opened."""
    desk_path.write_bytes(b"not a database" * 1000)
    with TestClient(Starlette(routes=server.ROUTES, lifespan=server.lifespan)) as client:
        broken = client.get("/api/health")
        desk_path.unlink()
        mended = client.get("/api/health")

    assert broken.status_code == 503
    assert broken.json()["detail"].count(". ") == 0
    assert "it is not a DuckDB file" in broken.json()["detail"]
    assert mended.status_code == 200


def test_streamlit_finds_the_application_in_the_file() -> None:
    """``streamlit run`` reads the source for an ``app``; without one it would run the file as a page."""
    from streamlit.web.server.app_discovery import discover_asgi_app

    found = discover_asgi_app(Path(server.__file__))

    assert (found.is_asgi_app, found.app_name) == (True, "app")
    assert server.app.script_path == Path(server.__file__).with_name("app.py")


def test_the_desk_is_one_for_the_whole_process(desk_path: Path) -> None:
    """Every page, thread and route shares it; after closing, a new one is opened."""
    once = session.desk()

    assert session.desk() is once
    assert once.store.path == desk_path
    session.close()
    assert session.desk() is not once
