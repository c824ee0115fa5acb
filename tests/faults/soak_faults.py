"""The ways in which a desk is broken while a whole house works at it; ``tests.faults.soak`` plays them."""

from __future__ import annotations

import os
import random
import shutil
import signal
import threading
import time
from collections import Counter
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory

from core import audit_check, backup
from core.admin import perform
from core.backup_work import BackupWork
from core.errors import CitedeskError, InputError, StoreError
from core.store import open_store
from tests.browser.conftest import Desktop
from tests.fakes.label_client import Tab
from tests.faults.desk_faults import BROKEN, LABELS, Desks
from tests.faults.soak_clock import Clock
from tests.faults.soak_load import Load

FAULTS = ("killed", "full", "jumped", "torn", "halved")
DAY = 86_400
PATIENCE = 600.0
"""Seconds until a desk that was started anew must show its queue, though others hold the store for a while."""

BALLAST_LEFT = 64 * 1024
"""Bytes that the full disk still takes."""

SEEN_BY_HEAD = "a damaged log was opened without its end, which the head of the audit chain finds"
NOT_SEEN, HALF_TAKEN = "A DAMAGED LOG WAS NOT SEEN", "HALF A BACKUP WAS TAKEN FOR A WHOLE ONE"
MUST_NOT = frozenset({NOT_SEEN, HALF_TAKEN})
"""What a desk must never be found to do."""


@dataclass
class SoakedDesk(Desktop):
    """A desk with a clock that can jump and a provider that is slow."""

    also: Mapping[str, str] = field(default_factory=dict)
    """More of its environment."""

    def start(self) -> None:
        """Start it, and wait longer than usual: a soaked machine has little time for a new process."""
        try:
            super().start()
        except AssertionError:
            until = time.monotonic() + PATIENCE
            while not self.answers():
                if self.process is None or self.process.poll() is not None or time.monotonic() > until:
                    raise
                time.sleep(1.0)

    def _environment(self) -> dict[str, str]:
        return super()._environment() | dict(self.also)


class Soak(Desks):
    """All of it on one desk."""

    def __init__(self, desktop: Desktop, people: int, seed: int, clock: Clock | None, ballast: Path | None) -> None:
        """Break a desk that runs.

        Args:
            desktop: The desk.
            people: How many label.
            seed: Of what is chosen.
            clock: Its clock, if it can be made to jump.
            ballast: A file on the small disk of the desk, if it has one.
        """
        super().__init__(desktop, people, seed)
        self.clock, self.ballast = clock, ballast
        self.open_tabs: list[Tab] = []
        self.promised: list[str] = []
        self.said: Counter[str] = Counter()
        """What the desk answered where it had to refuse something."""
        self.halves = 0
        self.load = Load(desktop, self.acknowledged)

    def enter(self, tab: Tab) -> None:
        """Connect a tab to a desk that may have to wait for its store, because a command has it open."""
        until = time.monotonic() + PATIENCE
        while True:
            try:
                return tab.open()
            except (*BROKEN, AssertionError):
                if time.monotonic() > until:
                    raise
                time.sleep(0.5)

    def tabs(self, fault: str) -> list[Tab]:
        """New people, whose promises count from now on."""
        self.open_tabs = super().tabs(fault)
        return self.open_tabs

    def end(self, fault: str, tabs: Sequence[Tab]) -> None:
        """Write down what they did."""
        super().end(fault, tabs)
        self.promised += [event_id for tab in tabs for event_id in tab.acknowledged]
        self.open_tabs = []

    def acknowledged(self) -> list[str]:
        """Every label that was acknowledged so far, by its event id."""
        return self.promised + [event_id for tab in self.open_tabs for event_id in list(tab.acknowledged)]

    def labelling(self, tabs: Sequence[Tab], seconds: float) -> None:
        """Everybody labels for a while."""
        until = time.monotonic() + seconds

        def label(tab: Tab) -> None:
            chance = random.Random(self.chance.random())
            with suppress(*BROKEN):
                while tab.items and time.monotonic() < until:
                    tab.press(chance.choice(LABELS))
                    tab.send()

        self.all(tabs, label)

    def jumped(self, rounds: int) -> None:
        """The clock of the machine jumps ahead, far back, and to the truth again, while everybody labels."""
        tabs = self.tabs("clock jumps")
        for seconds in (3 * DAY, -365 * DAY, 0):
            if self.clock:
                self.clock.jump(seconds)
            self.labelling(tabs, 2.0 * rounds)
        self.end("clock jumps", tabs)

    def torn(self, rounds: int) -> None:
        """The server is killed and its write-ahead log loses a half-written end, then a byte in its middle.

        A torn end was never acknowledged, and the desk opens without it. A damaged middle was: the desk must say so
        instead of opening without those labels; here the log is put back, as from a snapshot of the disk.
        """
        tabs = self.tabs("torn log")
        wal = self.desktop.store.with_name(self.desktop.store.name + ".wal")
        for _ in range(rounds):
            with self.load.held():  # a command that finds no desk would open the store, and mend what is broken here
                self.labelling(tabs, 1.0)
                self.desktop.stop(signal.SIGKILL)
                if wal.exists() and wal.stat().st_size:
                    self.damaged(wal)
                    with wal.open("ab") as file:
                        file.write(wal.read_bytes()[: self.chance.randrange(1, 200)])
                self.desktop.start()
            self.all(tabs, self.enter)
        self.end("torn log", tabs)

    def damaged(self, wal: Path) -> None:
        """Turn a byte of a copy of the log: a desk refuses it, for what it lacks was promised.

        DuckDB takes a damaged length for an end that was never written and opens without what comes after it; then the
        head of the audit chain, kept elsewhere, finds what is missing.
        """
        with TemporaryDirectory(dir=wal.parent) as beside:
            copy = Path(shutil.copy(self.desktop.store, beside))
            shutil.copy(wal, beside)
            with open_store(copy) as store:
                whole = audit_check.verify(store)
            shutil.copy(self.desktop.store, beside)
            content = bytearray(wal.read_bytes())
            content[self.chance.randrange(len(content))] ^= 0x55
            copy.with_name(wal.name).write_bytes(content)
            try:
                with open_store(copy) as store:
                    found = audit_check.verify(store, head=(whole.entries, whole.head))
                self.said[NOT_SEEN if found.fault is None else SEEN_BY_HEAD] += 1
            except StoreError as error:
                self.said[f"damaged log: {error.what.replace(str(copy), 'STORE')}; {error.advice}"] += 1

    def halved(self, rounds: int) -> None:
        """The server is killed while it writes a backup; what is left of that must not pass for one."""
        tabs = self.tabs("half a backup")
        for _ in range(rounds):
            self.labelling(tabs, 1.0)
            target = self.desktop.store.with_name(f"half-{self.halves}")
            self.halves += 1
            asking = threading.Thread(target=self.ask_for, args=(target,))
            asking.start()
            self.wait_for_a_part(target)
            self.desktop.stop(signal.SIGKILL)
            asking.join()
            self.desktop.start()
            self.all(tabs, self.enter)
            for left in target.parent.glob(".citedesk-backup-*/backup"):
                self.refuse(left)
                shutil.rmtree(left.parent)
        self.end("half a backup", tabs)

    def ask_for(self, target: Path) -> None:
        """Ask the desk for a backup; it will not come."""
        with suppress(CitedeskError):
            perform(self.load.settings, BackupWork(path=target), lambda done, total: None)

    def wait_for_a_part(self, target: Path) -> None:
        """Until some table is written, or the whole backup."""
        until = time.monotonic() + PATIENCE
        while time.monotonic() < until and not target.exists():
            if any(target.parent.glob(".citedesk-backup-*/backup/tables/c*.parquet")):
                return
            time.sleep(0.002)

    def refuse(self, left: Path) -> None:
        """What a killed server left behind is no backup."""
        try:
            backup.restore(left, left.with_name("restored.duckdb"), lambda done, total: None)
            if not (left / backup.MANIFEST).exists():
                self.said[HALF_TAKEN] += 1
        except InputError as error:
            self.said[f"half a backup: {error.what.replace(str(left), 'FOLDER')}"] += 1

    def fill_up(self) -> None:
        """Fill the small disk up with ballast; without one, limit the files."""
        if self.ballast is None:
            return super().fill_up()
        free = shutil.disk_usage(self.ballast.parent).free
        with self.ballast.open("wb") as file:
            os.posix_fallocate(file.fileno(), 0, max(1, free - BALLAST_LEFT))

    def make_room(self) -> None:
        """Throw the ballast out."""
        if self.ballast is not None:
            self.ballast.unlink()
