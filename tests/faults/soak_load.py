"""What goes on at a desk besides labelling: imports, verifications, a slow judge, backups, and people who read."""

from __future__ import annotations

import json
import threading
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from itertools import count, cycle
from pathlib import Path

from websockets.exceptions import WebSocketException

from core.admin import perform
from core.backup_work import BackupWork
from core.errors import CitedeskError
from core.settings import ClaudeSettings, Settings
from core.work import ImportWork, Judging, VerifyWork
from tests.browser.conftest import Desktop
from tests.fakes import anthropic_server
from tests.fakes.anthropic_server import AnthropicServer
from tests.fakes.page_client import visit

ANSWERS, SLOW_ANSWERS = 20, 2
"""Answers of one import, and of one that the slow judge judges."""

SLOW = 6.0
"""Seconds that the slow provider takes for a word."""

PAUSE = 1.0
"""Seconds between two pieces of work of one worker."""

KINDS = ("imports", "slow imports", "verifications", "backups", "pages")
"""Of work, as it is counted."""

PAGES = ("", "review", "trends", "failures", "data")


class Load:
    """Work that is asked of a desk over and over until it is done, as a patient person would."""

    def __init__(self, desktop: Desktop, labelled: Callable[[], Sequence[str]]) -> None:
        """Work on a desk.

        Args:
            desktop: Logs and backups go into its folder.
            labelled: The labels that were acknowledged by now, as event ids.
        """
        self.settings = Settings(store=desktop.store, verifier="lexical", cache=None)
        self.desktop, self.folder, self.labelled = desktop, desktop.folder, labelled
        self.over = threading.Event()
        self.done: Counter[str] = Counter()
        """Pieces of work that were acknowledged, by kind."""
        self.refused: Counter[str] = Counter()
        """Times that one was not, by what was said."""
        self.answers: list[str] = []
        """Request ids of acknowledged imports."""
        self.backups: list[tuple[Path, set[str]]] = []
        """Acknowledged ones, each with the labels that were acknowledged before it was asked for."""
        self.odd: list[str] = []
        """What must not happen to a worker."""
        self._threads: list[threading.Thread] = []
        self._at_work: defaultdict[str, threading.Lock] = defaultdict(threading.Lock)

    def start(self, readers: int) -> None:
        """Let everybody work, each in a thread of their own."""
        jobs = [self.importing, self.judging_slowly, self.verifying, self.backing_up]
        jobs += [lambda number=number: self.reading(number) for number in range(readers)]  # type: ignore[misc]
        self._threads = [threading.Thread(target=self._kept, args=(job,)) for job in jobs]
        for thread in self._threads:
            thread.start()

    def wait_for_each(self, seconds: float) -> None:
        """Wait until every kind of work was acknowledged once, however slow the machine; at most so many seconds."""
        ended = time.monotonic() + seconds
        while set(KINDS) - set(self.done) and not self.odd and time.monotonic() < ended:
            time.sleep(PAUSE / 4)

    def stop(self) -> None:
        """Wait until everybody has finished what they are at."""
        self.over.set()
        for thread in self._threads:
            thread.join()

    @contextmanager
    def held(self) -> Iterator[None]:
        """Let nobody ask for work until the block ends; what was asked for before is waited for."""
        with ExitStack() as stack:
            for lock in [*self._at_work.values()]:
                stack.enter_context(lock)
            yield

    def _kept(self, job: Callable[[], None]) -> None:
        try:
            job()
        except Exception as error:  # a worker that dies unnoticed would make the figures lie
            self.odd.append(f"{type(error).__name__}: {error}")

    def importing(self) -> None:
        """One log after another, each until the desk says that it has it."""
        for number in count():
            if self.over.wait(PAUSE):
                return
            self._import("imports", number, ANSWERS, Judging.of(self.settings))

    def judging_slowly(self) -> None:
        """The same with a judge that takes its time."""
        judging = Judging.of(self.settings.model_copy(update={"verifier": "claude", "claude": ClaudeSettings()}))
        for number in count():
            if self.over.wait(PAUSE):
                return
            self._import("slow imports", number, SLOW_ANSWERS, judging)

    def _import(self, kind: str, number: int, answers: int, judging: Judging) -> None:
        path = self.folder / f"{kind}-{number}.jsonl"
        names = [f"{kind} {number}.{one}" for one in range(answers)]
        path.write_text("".join(f"{json.dumps(_answer(name))}\n" for name in names), encoding="utf-8")
        if self._until_done(kind, lambda: perform(self.settings, ImportWork(path=path, judging=judging), _silent)):
            self.answers += names

    def verifying(self) -> None:
        """The whole store, under other thresholds each time."""
        for share in cycle(range(80, 100, 2)):
            if self.over.wait(PAUSE):
                return
            judging = Judging.of(self.settings.model_copy(update={"thresholds": {"supported": share / 100}}))
            self._until_done(
                "verifications",
                lambda judging=judging: perform(  # type: ignore[misc]
                    self.settings, VerifyWork(judging=judging), _silent
                ),
            )

    def backing_up(self) -> None:
        """One backup after another; only the last is kept."""
        for number in count():
            if self.over.wait(PAUSE):
                return
            target, before = self.folder / f"backup-{number}", set(self.labelled())
            if self._until_done(
                "backups",
                lambda target=target: perform(  # type: ignore[misc]
                    self.settings, BackupWork(path=target), _silent
                ),
            ):
                self.backups.append((target, before))

    def reading(self, number: int) -> None:
        """Pages in turns."""
        for place in count(number):
            if self.over.wait(PAUSE):
                return
            try:
                visit(self.desktop.port, PAGES[place % len(PAGES)])
                self.done["pages"] += 1
            except (WebSocketException, OSError, EOFError):
                self.refused["a page was cut off"] += 1

    def _until_done(self, kind: str, work: Callable[[], object]) -> bool:
        """Ask again and again; False when the soak is over before it was done."""
        while not self.over.is_set():
            if not self.desktop.answers():  # or a command would do the work itself, and a new desk wait for its end
                self.over.wait(PAUSE)
                continue
            try:
                with self._at_work[kind]:
                    work()
            except (CitedeskError, OSError) as error:
                said = error.what if isinstance(error, CitedeskError) else str(error.strerror)
                self.refused[_plain(said, self.settings.store)] += 1
                time.sleep(PAUSE)
            else:
                self.done[kind] += 1
                return True
        return False


def slow_provider(server: AnthropicServer) -> None:
    """Let a server take its time for every message."""

    def decide(claim: str, evidence: str) -> dict[str, object]:
        time.sleep(SLOW)
        return anthropic_server.supported(claim, evidence)

    server.decide = decide


def _answer(name: str) -> dict[str, object]:
    evidence = [{"id": "C1", "text": f"The gate of {name} is open until ten."}]
    return {
        "request_id": name,
        "query": "Is it open?",
        "answer": f"The gate of {name} is open [C1].",
        "evidence": evidence,
    }


def _silent(_done: int, _total: int) -> None:
    """Show no progress."""


def _plain(said: str, store: Path) -> str:
    """What was said, without numbers and places, so that equal reasons count as one."""
    words = said.replace(str(store), "STORE").split()
    return " ".join("N" if any(map(str.isdigit, word)) else word for word in words)
