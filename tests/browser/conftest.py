"""A real desk in a process of its own, and a real Chromium that looks at it; without one these tests skip."""

from __future__ import annotations

import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

import pytest

import core
from core import launch, queues, sign_in
from core.desk import Desk
from core.settings import Settings
from core.store import open_store
from core.store.label_records import StoredLabel
from core.store.queue_records import QueueSpec

if TYPE_CHECKING:
    from playwright.sync_api import Browser, ConsoleMessage, Dialog, Page, Request, WebSocket

BROWSERS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
START_SECONDS = 90.0
"""A cold disk on a busy machine needs many times what a warm one does."""

LABEL_TESTS = 40
"""Queues for tests that label."""

PROBES = ("/_stcore/host-config", "/_stcore/health")
"""Streamlit's page looks for its server beside a deep link first, so a 404 for these is no error."""


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Everything in this folder drives a browser at length."""
    for item in items:
        if Path(__file__).parent in item.path.parents:
            item.add_marker(pytest.mark.browser)
            item.add_marker(pytest.mark.long)


@dataclass
class Desktop:
    """One desk serving one store in a process of its own."""

    store: Path
    folder: Path
    """Where it is started, which is not the checkout."""
    port: int = 0
    sign_in: Path | None = None
    """The file that says how people sign in."""
    process: subprocess.Popen[bytes] | None = None
    queues: list[str] = field(default_factory=list)
    """Labelling queues that no test has taken yet."""
    taken: dict[str, str] = field(default_factory=dict)
    """By labeller, the queue they label."""

    @property
    def url(self) -> str:
        """Where it answers."""
        return f"http://127.0.0.1:{self.port}"

    def start(self) -> None:
        """Start the server on a free port, or on its old one, and wait until it answers."""
        self.port = self.port or free_port()
        home = launch.dashboard_path()
        command = [sys.executable, "-m", "streamlit", "run", str(home / "server.py")]
        root = str(Path(core.__file__).parent.parent)
        paths = os.pathsep.join(filter(None, (root, os.environ.get("PYTHONPATH"))))
        with (self.folder / f"server-{self.port}.log").open("ab") as log:
            self.process = subprocess.Popen(
                [*command, *launch.flags("127.0.0.1", self.port, sign_in.read(self.sign_in) if self.sign_in else None)],
                cwd=self.folder,
                env=os.environ | self._environment() | {"PYTHONPATH": paths},
                stdout=log,
                stderr=log,
            )
        deadline = time.monotonic() + START_SECONDS
        while not self.answers():
            if self.process.poll() is not None or time.monotonic() > deadline:
                raise AssertionError(f"the desk did not start:\n{self.log()}")
            time.sleep(0.1)

    def _environment(self) -> dict[str, str]:
        return {"CITEDESK_STORE": str(self.store), "CITEDESK_SIGN_IN": str(self.sign_in or "")}

    def answers(self) -> bool:
        """Whether its health route answers at all."""
        try:
            with urllib.request.urlopen(f"{self.url}/api/health", timeout=5) as reply:
                return bool(reply.status)
        except urllib.error.HTTPError:
            return True
        except OSError:
            return False

    def stop(self, how: signal.Signals = signal.SIGTERM) -> None:
        """Stop this process and no other, and wait until it has let go of the store."""
        if self.process is not None and self.process.poll() is None:
            self.process.send_signal(how)
            try:
                self.process.wait(20)
            except subprocess.TimeoutExpired:
                self.process.kill()
                self.process.wait(20)
        self.process = None

    def log(self) -> str:
        """What the server printed."""
        return "".join(path.read_text("utf-8", "replace") for path in self.folder.glob("server-*.log"))

    def labels(self, labeller: str) -> list[StoredLabel]:
        """What is on disk of a labeller's decisions, oldest first, read from a copy while the desk holds the file."""
        copy = self.folder / "copy.duckdb"
        for end in ("", ".wal"):
            copy.with_name(copy.name + end).unlink(missing_ok=True)
            if (file := self.store.with_name(self.store.name + end)).exists():
                shutil.copy(file, copy.with_name(copy.name + end))
        with open_store(copy) as store:
            return store.labels.last(labeller, 10_000)[::-1]


@dataclass
class Witness:
    """What a page did besides showing itself."""

    host: str = ""
    external: list[str] = field(default_factory=list)
    """Addresses of other hosts that it asked for."""
    errors: list[str] = field(default_factory=list)
    """Console errors and uncaught exceptions."""
    dialogs: list[str] = field(default_factory=list)
    """Alerts and the like: something in the page was executed."""
    frames: list[bytes] = field(default_factory=list)
    """What came over the websocket."""

    def watch(self, page: Page) -> None:
        """Write down what this page does from now on."""
        page.on("request", self._request)
        page.on("console", self._console)
        page.on("pageerror", lambda error: self.errors.append(str(error)))
        page.on("dialog", self._dialog)
        page.on("websocket", self._websocket)

    def _request(self, request: Request) -> None:
        parts = urlsplit(request.url)
        if parts.scheme not in {"data", "blob", "about"} and parts.hostname != "127.0.0.1":
            self.external.append(request.url)

    def _console(self, message: ConsoleMessage) -> None:
        if message.type == "error" and not message.location.get("url", "").endswith(PROBES):
            self.errors.append(message.text)

    def _dialog(self, dialog: Dialog) -> None:
        if dialog.type == "beforeunload":  # the page warns of leaving; the test leaves
            dialog.accept()
            return
        self.dialogs.append(dialog.message)
        dialog.dismiss()

    def _websocket(self, socket_: WebSocket) -> None:
        socket_.on("framereceived", lambda frame: self.frames.append(_bytes(frame)))

    def assert_quiet(self) -> None:
        """Nothing was fetched from elsewhere, nothing went wrong, nothing was executed."""
        assert (self.external, self.errors, self.dialogs) == ([], [], [])


@contextmanager
def chromium() -> Iterator[Browser]:
    """A headless Chromium, until the block ends.

    Raises:
        LookupError: Playwright or a browser is missing here; the message says which.
    """
    try:
        from playwright.sync_api import sync_playwright
    except ImportError as error:
        raise LookupError("playwright is not installed") from error
    found = next((path for name in BROWSERS if (path := shutil.which(name))), None)
    if found is None:
        raise LookupError(f"no browser here: none of {', '.join(BROWSERS)} is on the PATH")
    root = hasattr(os, "geteuid") and os.geteuid() == 0  # Chromium refuses its sandbox to root
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=found, args=["--no-sandbox"] if root else [])
        yield browser
        browser.close()


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """A headless Chromium; skips, saying why, where there is none."""
    with ExitStack() as stack:
        try:
            found = stack.enter_context(chromium())
        except LookupError as error:
            pytest.skip(str(error))
        yield found


@pytest.fixture
def witness() -> Witness:
    """The witness of this test's page."""
    return Witness()


@pytest.fixture
def page(browser: Browser, witness: Witness) -> Iterator[Page]:
    """An empty tab of 1280×720 in a context of its own, watched."""
    context = browser.new_context(viewport={"width": 1280, "height": 720}, color_scheme="light", locale="en-GB")
    page = context.new_page()
    page.set_default_timeout(20_000)
    witness.watch(page)
    yield page
    context.close()


@pytest.fixture(scope="session")
def serve(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Callable[..., Desktop]]:
    """Start a desk on given answers, the sample, a store file, or nothing; all are stopped at the end."""
    started: list[Desktop] = []

    def start(
        answers: Sequence[Mapping[str, Any]] | None = None, sample: bool = False, store: Path | None = None
    ) -> Desktop:
        folder = tmp_path_factory.mktemp("desk")
        path = store or folder / "desk.duckdb"
        if answers is not None or sample:
            fill(path, answers)
        desktop = Desktop(path, folder)
        started.append(desktop)
        desktop.start()
        return desktop

    yield start
    for desktop in started:
        desktop.stop()


@pytest.fixture(scope="session")
def sample_desk(serve: Callable[..., Desktop]) -> Desktop:
    """A desk on the sample, shared: tests that label on it use a name of their own."""
    return serve(sample=True)


@pytest.fixture(scope="session")
def label_desk(serve: Callable[..., Desktop], tmp_path_factory: pytest.TempPathFactory) -> Desktop:
    """A desk on the sample with a queue for every test, for what one person was given nobody else gets."""
    path = tmp_path_factory.mktemp("labels") / "desk.duckdb"
    fill(path, None)
    with open_store(path) as store:
        made = [
            queues.make(store, QueueSpec(name="Test queue", overlap=9), "me").queue.queue_id for _ in range(LABEL_TESTS)
        ]
    desktop = serve(store=path)
    desktop.queues.extend(made)
    return desktop


@pytest.fixture
def server(serve: Callable[..., Desktop]) -> Iterator[Desktop]:
    """A desk of this test alone, on the sample."""
    desktop = serve(sample=True)
    yield desktop
    desktop.stop()


def fill(path: Path, answers: Sequence[Mapping[str, Any]] | None) -> None:
    """Make a store with these answers, judged, or with the sample."""
    desk = Desk.open(Settings(store=path))
    try:
        if answers is None:
            desk.load_sample()
        else:
            log = path.with_suffix(".jsonl")
            log.write_text("".join(f"{json.dumps(answer)}\n" for answer in answers), encoding="utf-8")
            report = desk.import_file(log)
            assert report.bad_lines == ()
    finally:
        desk.close()


def free_port() -> int:
    """A port on which nothing listens now."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def _bytes(frame: str | bytes) -> bytes:
    return frame.encode() if isinstance(frame, str) else frame
