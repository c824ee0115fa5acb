"""Commands while the desk is open: a real server holds the store, and does the work for who knows its secret."""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.testclient import TestClient

from core import admin
from core.settings import Settings
from core.store import open_store
from core.work import Judging
from dashboard import jobs, server, session
from dashboard.admin import LARGEST_BODY
from dashboard.security import AllowedHosts, ApiGate
from tests.browser.conftest import Desktop
from tests.core.test_cli import GOOD, Ran, log


@pytest.fixture(scope="module")
def desk(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Desktop]:
    """A desk on an empty store, in a process of its own."""
    folder = tmp_path_factory.mktemp("desk")
    desktop = Desktop(folder / "desk.duckdb", folder)
    desktop.start()
    yield desktop
    desktop.stop()


def citedesk(desk: Desktop, *words: str | Path) -> Ran:
    """Run a command on the store that the desk holds, from another process and another folder."""
    command = [sys.executable, "-m", "core", *map(str, words)]
    env = os.environ | {"CITEDESK_STORE": str(desk.store), "PYTHONPATH": str(Path(server.__file__).parents[1])}
    ran = subprocess.run(command, cwd=desk.folder, env=env, capture_output=True, text=True, check=False, timeout=120)
    return Ran(ran.returncode, ran.stdout, ran.stderr)


def answers(count: int, prefix: str) -> list[dict[str, Any]]:
    """So many answers of one claim."""
    return [GOOD | {"request_id": f"{prefix}{number}"} for number in range(count)]


@pytest.mark.long
def test_commands_go_through_the_open_desk(desk: Desktop) -> None:
    """Import, judge again, export: the same words and files as without a desk, and the screen counts the same."""
    log(desk.folder / "a.jsonl", *answers(3, "a"), '{"request_id": "bad"}')
    ran = citedesk(desk, "import", "a.jsonl", "--json")
    report = json.loads(ran.out)

    assert ran.code == 1
    assert (report["answers_new"], report["answers_known"], len(report["bad_lines"])) == (3, 0, 1)
    assert (report["bad_lines"][0]["file"], report["bad_lines"][0]["line"]) == ("a.jsonl", 4)

    again = citedesk(desk, "import", "a.jsonl")
    assert "0 answers taken in, 3 were there already, 1 lines refused" in again.out
    assert "refused: a.jsonl, line 4" in again.err

    judged = json.loads(citedesk(desk, "verify", "--threshold", "supported=0.99", "--json").out)
    assert (judged["answers_known"], judged["verdicts_new"]) == (3, 3)
    assert judged["protocol"] != report["protocol"]

    written = citedesk(desk, "export", "claims", "claims.jsonl", "--protocol", report["protocol"])
    assert written.code == 0
    assert f"3 claims judged by {report['protocol']} written to" in written.err
    rows = [json.loads(line) for line in (desk.folder / "claims.jsonl").read_text("utf-8").splitlines()]
    direct = citedesk(desk, "verify", "a.jsonl", "--json").out  # judged from the file, without any store
    assert rows == [json.loads(line) for line in direct.splitlines()]
    with urllib.request.urlopen(f"{desk.url}/api/health") as reply:
        assert json.load(reply)["claims"] == 3

    exported = citedesk(desk, "export", "claims", "claims.jsonl", "--protocol", report["protocol"])
    assert (exported.code, exported.out) == (0, "")
    assert f"3 claims judged by {report['protocol']}" in exported.err
    assert (desk.folder / "claims.jsonl").read_text("utf-8").count("\n") == 3
    assert citedesk(desk, "export", "claims", "claims.jsonl").code == 2  # two protocols by now
    assert citedesk(desk, "costs").out == "Nothing was spent.\n"
    assert "0 labelling events written" in citedesk(desk, "labels", "export", "labels.jsonl").err
    (desk.folder / "labels.jsonl").write_text("{}\n")
    assert "refused: labels.jsonl, line 1" in citedesk(desk, "labels", "import", "labels.jsonl", "--as", "events").err


@pytest.mark.long
def test_errors_are_the_same_sentence(desk: Desktop) -> None:
    """A file that cannot be read, a verifier that does not exist; nothing else, and code 2."""
    for words in (["missing.jsonl"], ["a.jsonl", "--verifier", "oracle"]):
        log(desk.folder / "a.jsonl", GOOD)
        ran = citedesk(desk, "import", *words)

        assert ran.code == 2
        assert len(ran.err.strip().splitlines()) == 1
        assert "missing.jsonl does not exist" in ran.err or "'oracle'" in ran.err


@pytest.mark.long
def test_other_commands_say_that_the_store_is_open(desk: Desktop) -> None:
    """One plain sentence, without DuckDB's words."""
    ran = citedesk(desk, "serve", "--no-browser", "--port", "0")

    assert ran.code == 2
    assert ran.err.startswith("citedesk: Another process (PID ")
    assert len(ran.err.strip().splitlines()) == 1


@pytest.mark.long
def test_the_door_is_there_as_long_as_the_desk(tmp_path: Path) -> None:
    """Closed to others; gone after a polite stop. A killed desk leaves one that the next command ignores."""
    desktop = Desktop(tmp_path / "desk.duckdb", tmp_path)
    desktop.start()
    door = tmp_path / "desk.duckdb.door"
    assert door.stat().st_mode & 0o777 == 0o600
    desktop.stop()
    assert not door.exists()

    desktop.start()
    desktop.stop(signal.SIGKILL)
    assert door.exists()
    log(tmp_path / "a.jsonl", GOOD)
    assert json.loads(citedesk(desktop, "import", "a.jsonl", "--json").out)["answers_new"] == 1
    desktop.start()
    stale = admin.find(desktop.store)
    assert stale is not None
    assert desktop.process is not None
    assert stale.pid == desktop.process.pid
    desktop.stop()


@pytest.mark.long
def test_whoever_hangs_up_ends_the_work(desk: Desktop) -> None:
    """Whole answers are kept; giving the command again adds the rest."""
    file = log(desk.folder / "long.jsonl", *answers(20_000, "long"))
    door = admin.find(desk.store)
    assert door is not None
    settings = Settings(store=desk.store)
    body = json.dumps({"path": str(file), "judging": Judging.of(settings).model_dump(mode="json")})
    head = f"POST /api/admin/import HTTP/1.1\r\nHost: 127.0.0.1:{desk.port}\r\nContent-Type: application/json\r\n"
    head += f"Authorization: Bearer {door.secret}\r\nContent-Length: {len(body)}\r\n\r\n"
    with socket.create_connection(("127.0.0.1", desk.port)) as wire:
        wire.sendall((head + body).encode())
        wire.settimeout(60)
        received = b""
        while b'"progress": [3' not in received:  # some hundreds at least
            received += wire.recv(4096)
    time.sleep(1)
    there = json.loads(citedesk(desk, "verify", "--json").out)["answers_read"]
    time.sleep(2)

    assert 0 < there < 20_000
    assert json.loads(citedesk(desk, "verify", "--json").out)["answers_read"] == there


@pytest.mark.long
def test_stopping_the_desk_does_not_wait_for_the_work(tmp_path: Path) -> None:
    """The command is told, the door is gone, and the store holds whole answers."""
    desktop = Desktop(tmp_path / "desk.duckdb", tmp_path)
    desktop.start()
    log(tmp_path / "long.jsonl", *answers(20_000, "long"))
    env = os.environ | {"CITEDESK_STORE": str(desktop.store), "PYTHONPATH": str(Path(server.__file__).parents[1])}
    command = subprocess.Popen(
        [sys.executable, "-m", "core", "import", "long.jsonl"],
        cwd=tmp_path, env=env, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip
    while requests_in(desktop) < 500:
        time.sleep(0.2)
    began = time.monotonic()
    desktop.stop()

    assert time.monotonic() - began < 10
    assert "The work was stopped in the desk; give the command again to go on." in command.communicate(timeout=30)[1]
    assert command.returncode == 2
    assert not admin.door_path(desktop.store).exists()
    with open_store(desktop.store) as store:
        (info,) = store.imports()
        assert (info.complete, info.answers) == (False, store.summary().requests)


def requests_in(desktop: Desktop) -> int:
    """How many claims, one for each answer here, the desk says that it holds."""
    with urllib.request.urlopen(f"{desktop.url}/api/health") as reply:
        return int(json.load(reply)["claims"])


@pytest.fixture
def client(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[TestClient]:
    """The routes behind their gate, in this process, with a store and a door."""
    session.close()
    monkeypatch.setenv("CITEDESK_STORE", str(tmp_path / "desk.duckdb"))
    session.listen_at("http://127.0.0.1:8501")
    session.desk()
    gated = Starlette(
        routes=server.ROUTES,
        middleware=[Middleware(AllowedHosts), Middleware(ApiGate, routes=server.ROUTES)],
    )
    yield TestClient(gated, base_url="http://127.0.0.1:8501", client=("127.0.0.1", 40000))
    session.close()
    session._addresses.clear()


def post(client: TestClient, kind: str = "verify", body: Any = None, **headers: str) -> Any:
    """Ask for work, knowing the secret unless the headers say otherwise."""
    door = session.door()
    assert door is not None
    sent = {"authorization": f"Bearer {door.secret}", "content-type": "application/json"} | {
        name.replace("_", "-"): value for name, value in headers.items()
    }
    content = body if isinstance(body, bytes) else json.dumps(body or {"judging": JUDGING}).encode()
    return client.post(f"/api/admin/{kind}", content=content, headers=sent)


JUDGING = {"verifier": "lexical", "merge": "all", "thresholds": {}}


def test_who_knows_the_secret_is_served(client: TestClient) -> None:
    """Lines of JSON, the last one the report."""
    reply = post(client)

    assert reply.status_code == 200
    assert reply.headers["content-type"].startswith("application/x-ndjson")
    assert json.loads(reply.text.splitlines()[-1])["report"]["answers_read"] == 0


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({"authorization": ""}, 401),
        ({"authorization": "Bearer "}, 401),
        ({"authorization": "Bearer wrong"}, 401),
        ({"authorization": "Basic é"}, 401),
        ({"host": "evil.example"}, 400),
        ({"origin": "http://evil.example"}, 403),
        ({"origin": "http://127.0.0.1:8501"}, 403),
        ({"sec_fetch_site": "same-origin"}, 403),
        ({"content_type": "text/plain"}, 415),
    ],
)
def test_nobody_else_is(client: TestClient, headers: dict[str, str], status: int) -> None:
    """No page of any origin, no foreign host name, nobody without the secret; no job is begun."""
    before = len(jobs._jobs)
    encoded = {name: value.encode("latin-1") for name, value in headers.items()}
    reply = post(client, **encoded)  # type: ignore[arg-type]

    assert reply.status_code == status
    assert reply.json()["detail"].endswith(".")
    assert len(jobs._jobs) == before


def test_another_machine_is_refused(client: TestClient) -> None:
    """Even when it knows the secret."""
    elsewhere = TestClient(client.app, base_url="http://127.0.0.1:8501", client=("192.0.2.7", 40000))

    assert post(elsewhere).status_code == 403


@pytest.mark.parametrize(
    ("kind", "body", "status", "words"),
    [
        ("delete", None, 400, "no work called 'delete'"),
        ("import", {"path": 3}, 400, "path cannot be used"),
        ("import", b"not json", 400, "not JSON"),
        ("import", b"\xff", 400, "not JSON"),
        ("import", b"[" * 50_000, 400, "not JSON"),
        ("import", b" " * (LARGEST_BODY + 1), 413, "too large"),
    ],
)
def test_what_is_no_work_is_one_sentence(client: TestClient, kind: str, body: Any, status: int, words: str) -> None:
    """Nothing is begun."""
    reply = post(client, kind, body)

    assert reply.status_code == status
    assert words in reply.json()["detail"]


def test_an_error_of_the_work_is_the_last_line(client: TestClient, tmp_path: Path) -> None:
    """With its kind, so that the command can raise it again."""
    reply = post(client, "import", {"path": str(tmp_path / "none.jsonl"), "judging": JUDGING})
    error = json.loads(reply.text.splitlines()[-1])["error"]

    assert reply.status_code == 200
    assert error["kind"] == "ImportFormatError"
    assert "does not exist" in error["what"]


def test_without_an_address_there_is_no_door(tmp_path: Path, open_page: Callable[..., Any]) -> None:
    """A process that does not listen lays none."""
    open_page(tmp_path / "desk.duckdb")

    assert session.door() is None
    assert [file.name for file in tmp_path.iterdir() if "door" in file.name] == []
    with open_store(tmp_path / "other.duckdb"):
        pass
