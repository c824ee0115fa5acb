"""Work for a store that is open elsewhere: the door beside it, and what happens when it leads nowhere."""

from __future__ import annotations

import json
import os
import stat
import threading
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from typing import Any, ClassVar

import pytest

from core import admin
from core.errors import CitedeskError, ImportFormatError, InputError, StoreBusy
from core.settings import Settings
from core.work import ImportWork, Judging, VerifyWork, kind_of, parse
from tests.core.test_cli import GOOD, holding, log

REPORT = {
    "source": "a.jsonl",
    "protocol": "lexical@1+00000000",
    "answers_read": 2,
    "answers_new": 2,
    "answers_known": 0,
    "claims_new": 2,
    "verdicts_new": 2,
    "bad_lines": [],
    "notes": [],
    "spent": [],
}


class Scripted(BaseHTTPRequestHandler):
    """A desk that answers every request with one status and these lines."""

    status = 200
    lines: ClassVar[list[Any]] = []
    seen: ClassVar[list[tuple[str, str | None, Any]]] = []

    def do_POST(self) -> None:
        """Answer."""
        body = self.rfile.read(int(self.headers["content-length"]))
        self.seen.append((self.path, self.headers["authorization"], json.loads(body)))
        self.send_response(self.status)
        self.end_headers()
        for line in self.lines:
            self.wfile.write(line if isinstance(line, bytes) else json.dumps(line).encode() + b"\n")

    def log_message(self, *_words: Any) -> None:
        """Say nothing."""


@pytest.fixture
def desk() -> Iterator[Callable[..., str]]:
    """Start a scripted desk; gives its address."""
    servers: list[HTTPServer] = []

    def start(*lines: Any, status: int = 200) -> str:
        handler = type("Handler", (Scripted,), {"lines": list(lines), "status": status, "seen": []})
        servers.append(HTTPServer(("127.0.0.1", 0), handler))
        threading.Thread(target=servers[-1].serve_forever, args=(0.01,), daemon=True).start()
        return f"http://127.0.0.1:{servers[-1].server_port}"

    yield start
    for server in servers:
        server.shutdown()
        server.server_close()


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    """Settings with a store of its own."""
    return Settings(store=tmp_path / "desk.duckdb")


def work(settings: Settings) -> VerifyWork:
    """Judge the store again."""
    return VerifyWork(judging=Judging.of(settings))


def silent(_done: int, _total: int) -> None:
    """Show no progress."""


def test_the_door_is_its_owners_alone(tmp_path: Path) -> None:
    """Mode 600 from its first moment, found again, gone when taken away."""
    store = tmp_path / "desk.duckdb"
    door = admin.publish(store, "http://127.0.0.1:8501")
    path = tmp_path / "desk.duckdb.door"

    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert [file.name for file in tmp_path.iterdir()] == ["desk.duckdb.door"]
    assert admin.find(store) == door
    assert len(door.secret) >= 43
    assert door.pid == os.getpid()
    admin.remove(store, door)
    assert not path.exists()


def test_a_new_door_replaces_an_old_one(tmp_path: Path) -> None:
    """And the desk that laid the old one does not take the new one away."""
    store = tmp_path / "desk.duckdb"
    old = admin.publish(store, "http://127.0.0.1:8501")
    new = admin.publish(store, "http://127.0.0.1:8502")
    admin.remove(store, old)

    assert old.secret != new.secret
    assert admin.find(store) == new


def test_a_link_to_a_store_leads_to_the_same_door(tmp_path: Path) -> None:
    """The desk and the command may name the store differently."""
    store = tmp_path / "desk.duckdb"
    store.touch()
    link = tmp_path / "elsewhere.duckdb"
    link.symlink_to(store)
    door = admin.publish(store, "http://127.0.0.1:8501")

    assert admin.find(link) == door


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"not json",
        b"\xff\xfe",
        b'{"url": "http://127.0.0.1:1"}',
        b'{"url": "http://192.0.2.1:8501", "secret": "s", "pid": 1}',
        b'{"url": "http://127.0.0.1.evil.example:8501", "secret": "s", "pid": 1}',
        b'{"url": "https://127.0.0.1:8501", "secret": "s", "pid": 1}',
        b'{"url": "file:///etc/passwd", "secret": "s", "pid": 1}',
        b'{"url": "http://[", "secret": "s", "pid": 1}',
        b'{"url": "http://127.0.0.1:8501", "secret": "s", "pid": 1, "x": "' + b"x" * 5000 + b'"}',
    ],
)
def test_a_door_that_is_none_is_not_opened(tmp_path: Path, content: bytes) -> None:
    """Half a file, another machine's address, another program's file."""
    path = tmp_path / "desk.duckdb.door"
    path.write_bytes(content)
    path.chmod(0o600)

    assert admin.find(tmp_path / "desk.duckdb") is None


@pytest.mark.skipif(os.name != "posix", reason="modes are a matter of POSIX")
@pytest.mark.parametrize("mode", [0o644, 0o660, 0o602])
def test_a_door_that_others_can_read_or_write_is_not_opened(tmp_path: Path, mode: int) -> None:
    """Somebody else may have laid it."""
    store = tmp_path / "desk.duckdb"
    admin.publish(store, "http://127.0.0.1:8501")
    admin.door_path(store).chmod(mode)

    assert admin.find(store) is None


def test_without_a_desk_the_work_is_done_here(settings: Settings, tmp_path: Path) -> None:
    """Also beside a door that a killed desk left behind; nobody is asked."""
    admin.publish(settings.store, "http://127.0.0.1:9")
    asked = ImportWork(path=log(tmp_path / "a.jsonl", GOOD), judging=Judging.of(settings))
    told: list[tuple[int, int]] = []
    report = admin.perform(settings, asked, lambda *now: told.append(now))

    assert (report.source, report.answers_new) == ("a.jsonl", 1)
    assert told == [(1, 1)]


def test_a_store_without_a_door_is_busy(settings: Settings) -> None:
    """Another command has it: the sentence names the process."""
    with holding(settings.store), pytest.raises(StoreBusy, match=r"Another process \(PID \d+\) has the store"):
        admin.perform(settings, work(settings), silent)


@pytest.mark.parametrize("status", [None, 401, 404])
def test_a_stale_door_is_said_as_a_busy_store(
    settings: Settings, desk: Callable[..., str], status: int | None, unused_port: int
) -> None:
    """Nobody listens there any more, or another desk, or another program: the holder is somebody else."""
    url = f"http://127.0.0.1:{unused_port}" if status is None else desk({"detail": "no"}, status=status)
    with holding(settings.store):
        admin.publish(settings.store, url)
        with pytest.raises(StoreBusy, match="has the store"):
            admin.perform(settings, work(settings), silent)


@pytest.fixture
def unused_port() -> int:
    """A port on which nothing listens."""
    with HTTPServer(("127.0.0.1", 0), Scripted) as server:
        return server.server_port


def through(settings: Settings, url: str, progress: Callable[[int, int], None] = silent) -> Any:
    """Have the work done by the desk at an address, while another process holds the store."""
    with holding(settings.store):
        admin.publish(settings.store, url)
        return admin.perform(settings, work(settings), progress)


def test_the_desk_does_the_work(settings: Settings, desk: Callable[..., str]) -> None:
    """Progress is passed on, the report comes back as the record it was."""
    told: list[tuple[int, int]] = []
    url = desk({"progress": [0, 0]}, {"progress": [1, 2]}, {"report": REPORT})
    report = through(settings, url, lambda *now: told.append(now))

    assert told == [(0, 0), (1, 2)]
    assert report.model_dump(mode="json") == REPORT


def test_no_proxy_sees_the_secret(
    settings: Settings, desk: Callable[..., str], monkeypatch: pytest.MonkeyPatch, unused_port: int
) -> None:
    """Whatever the environment says."""
    for name in ("http_proxy", "HTTP_PROXY", "all_proxy"):
        monkeypatch.setenv(name, f"http://127.0.0.1:{unused_port}")

    assert through(settings, desk({"report": REPORT})).answers_read == 2


def test_an_error_of_the_work_is_raised_as_it_was(settings: Settings, desk: Callable[..., str]) -> None:
    """Kind, what and advice; an unknown kind is an error of ours all the same."""
    error = {"kind": "ImportFormatError", "what": "a.jsonl is empty", "advice": "check it"}
    with pytest.raises(ImportFormatError, match=r"a.jsonl is empty; check it\."):
        through(settings, desk({"error": error}))
    with pytest.raises(CitedeskError, match=r"a\.jsonl is empty"):
        through(settings, desk({"error": error | {"kind": "os"}}))


@pytest.mark.parametrize("lines", [[], [{"progress": [1, 2]}], [{"progress": [1, 2]}, b'{"rep']])
def test_a_desk_that_dies_on_the_way_is_one_sentence(
    settings: Settings, desk: Callable[..., str], lines: list[Any]
) -> None:
    """What was done is kept, and the command can be given again."""
    with pytest.raises(CitedeskError, match="stopped before the work was done; what was done is kept"):
        through(settings, desk(*lines))


@pytest.mark.parametrize("body", [{"detail": "Only here."}, b"<html>", {"other": 1}])
def test_a_refusal_is_one_sentence(settings: Settings, desk: Callable[..., str], body: Any) -> None:
    """Whatever the desk says with it."""
    with pytest.raises(CitedeskError, match=r"The desk refused the work: (Only here|it answered 403)"):
        through(settings, desk(body, status=403))


def test_work_comes_back_from_json(settings: Settings) -> None:
    """Every kind is named and read again; what is none is refused by name."""
    asked = work(settings)

    assert parse(kind_of(asked), asked.model_dump(mode="json")) == asked
    with pytest.raises(InputError, match="no work called 'delete'"):
        parse("delete", {})
    with pytest.raises(InputError, match="judging cannot be used"):
        parse("verify", {})
