"""Break a real desk while twenty people label on it, in every way that we can think of, and count what became of that.

``python -m tests.faults.desk_faults --people 20 --rounds 3``: a server process of its own, people who speak to it over
its websocket as the page does (``tests.fakes.label_client``), and three Chromium tabs where there is one. Exit 1 if a
label that was acknowledged is not in the store, or is there twice, or stands at a claim that it was not given for.
"""

from __future__ import annotations

import argparse
import random
import resource
import signal
import sys
import threading
import time
from collections import Counter
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

from websockets.exceptions import WebSocketException

from core.models import Label
from core.store import open_store
from core.store.label_records import LabelEvent
from core.store.queue_records import EVERYTHING
from tests import bench_labelling
from tests.browser.conftest import Desktop
from tests.browser.labelling import key_of
from tests.fakes.label_client import Tab
from tests.faults import browser_faults

LABELS = [str(label) for label in Label]
CLAIMS = 5000
ROOM = 8_000
"""Bytes that a full disk still takes."""

MOST_UNSENT = 20
"""After so many without an answer a page takes no more presses."""

BROKEN = (WebSocketException, OSError, EOFError)
"""How a line ends."""


class Played(NamedTuple):
    """What one person did under one fault."""

    fault: str
    labeller: str
    pressed: list[tuple[str, str]]
    """Key of the claim on the screen, and the label."""
    acknowledged: int
    refused: list[tuple[str, str]]


class Count(NamedTuple):
    """What became of it."""

    fault: str
    pressed: int
    acknowledged: int
    refused: int
    stored: int
    doubled: int
    lost: int
    """Pressed and not refused, but not in the store."""
    wrong: int
    """In the store, but under a claim or a label that was not pressed, or refused."""


class Desks:
    """One desk and the people who label on it."""

    def __init__(self, desktop: Desktop, people: int, seed: int) -> None:
        """Let ``people`` label on a desk that runs."""
        self.desktop, self.people, self.chance = desktop, people, random.Random(seed)
        self.played: list[Played] = []
        self.turn = 0
        """How often all faults have been played: people of every turn are new."""

    def enter(self, tab: Tab) -> None:
        """Connect a tab."""
        tab.open()

    def tabs(self, fault: str) -> list[Tab]:
        """New people, each with an open tab."""
        names = [f"{fault} {self.turn}.{number}" for number in range(self.people)]
        tabs = [Tab(self.desktop.port, name, EVERYTHING) for name in names]
        self.all(tabs, self.enter)
        return tabs

    def all(self, tabs: Sequence[Tab], act: Callable[[Tab], object]) -> None:
        """Let everybody do something at the same time."""
        with ThreadPoolExecutor(len(tabs)) as pool:
            list(pool.map(act, tabs))

    def end(self, fault: str, tabs: Sequence[Tab]) -> None:
        """Send again what has no answer, as the page does by itself, and write down what everybody did."""
        self.all(tabs, lambda tab: tab.send())
        for tab in tabs:
            tab.close()
            pressed = {one.event_id: (one.key, one.label) for one in tab.pressed}
            refused = [pressed[event_id] for event_id in tab.refused]
            self.played.append(Played(fault, tab.labeller, [*pressed.values()], len(tab.acknowledged), refused))

    def killed(self, rounds: int) -> None:
        """The server is killed while everybody labels."""
        tabs = self.tabs("killed")
        for _ in range(rounds):
            with ThreadPoolExecutor(len(tabs)) as pool:
                working = [pool.submit(self.label_until_cut, tab, random.Random(self.chance.random())) for tab in tabs]
                time.sleep(self.chance.uniform(0.2, 3.0))
                self.desktop.stop(signal.SIGKILL)
                for one in working:
                    one.result()
            self.desktop.start()
            self.all(tabs, self.enter)
        self.end("killed", tabs)

    def label_until_cut(self, tab: Tab, chance: random.Random) -> None:
        """Label as fast as the desk answers, until it does not any more."""
        with suppress(*BROKEN):
            while tab.items:
                tab.press(chance.choice(LABELS))
                tab.send()

    def cut(self, rounds: int) -> None:
        """The line breaks after a press was sent and before its answer came; the tab connects anew."""
        tabs = self.tabs("line cut")

        def play(tab: Tab) -> None:
            chance = random.Random(tab.labeller)
            for _ in range(rounds):
                tab.press(chance.choice(LABELS))
                cutting = threading.Timer(chance.uniform(0.0, 0.5), tab.close)
                cutting.start()
                with suppress(*BROKEN):
                    tab.send()
                cutting.join()
                tab.open()

        self.all(tabs, play)
        self.end("line cut", tabs)

    def twice(self, rounds: int) -> None:
        """Two tabs of one person send the same presses at the same time, and again after the answer."""
        tabs = self.tabs("two tabs")
        twins = [tab.twin() for tab in tabs]
        self.all(twins, Tab.open)
        for _ in range(rounds):
            for tab in tabs:
                tab.press(self.chance.choice(LABELS))
            self.all([*tabs, *twins], lambda tab: tab.send(times=2))
        for twin in twins:
            twin.close()
        self.end("two tabs", tabs)

    def stale(self, rounds: int) -> None:
        """Pages that show other texts than the store has, and browsers whose clock is years off."""
        tabs = self.tabs("stale, clock")
        for number in range(rounds):
            for tab in tabs:
                tab.press(self.chance.choice(LABELS), decided_at=f"{1990 + 40 * (number % 2)}-01-01T00:00:00Z")
                tab.press(self.chance.choice(LABELS), seen_sha256="0" * 64)
            self.all(tabs, lambda tab: tab.send())
        self.end("stale, clock", tabs)

    def full(self, rounds: int) -> None:
        """The disk takes only a little more; after some failures there is room again and the desk is started anew."""
        tabs = self.tabs("disk full")
        self.fill_up()
        failures = 0
        while failures < rounds:
            for tab in tabs:
                if tab.unanswered < MOST_UNSENT and tab.items:
                    tab.press(self.chance.choice(LABELS))
            self.all(tabs, lambda tab: tab.send())
            failures += any(tab.failed for tab in tabs)
        self.desktop.stop()
        self.make_room()
        self.desktop.start()
        self.all(tabs, self.enter)
        self.end("disk full", tabs)

    def fill_up(self) -> None:
        """Let the files of the desk grow by a few more labels only."""
        assert self.desktop.process is not None
        wal = self.desktop.store.with_name(self.desktop.store.name + ".wal")
        size = wal.stat().st_size if wal.exists() else 0
        resource.prlimit(self.desktop.process.pid, resource.RLIMIT_FSIZE, (size + ROOM, resource.RLIM_INFINITY))

    def make_room(self) -> None:
        """Take that back; a new process has no such limit."""


def counts(played: Sequence[Played], events: Sequence[LabelEvent]) -> list[Count]:
    """What the store holds, beside what was done; one line per fault."""
    lines: dict[str, Count] = {}
    for one in played:
        stored = [(key_of(event), str(event.label)) for event in events if event.labeller == one.labeller]
        meant = Counter(one.pressed) - Counter(one.refused)
        line = Count(
            fault=one.fault,
            pressed=len(one.pressed),
            acknowledged=one.acknowledged,
            refused=len(one.refused),
            stored=len(stored),
            doubled=len(stored) - len({key for key, _ in stored}),
            lost=sum((meant - Counter(stored)).values()),
            wrong=sum(pair not in meant for pair in stored),
        )
        before = lines.get(one.fault)
        lines[one.fault] = Count(one.fault, *map(sum, zip(before[1:], line[1:], strict=True))) if before else line
    return list(lines.values())


def run(
    folder: Path, people: int, rounds: int, seed: int, faults: Sequence[str], browser: bool = False, kills: int = 1
) -> list[Count]:
    """Play faults one after the other on one store, then count; the server is killed ``kills`` times a round."""
    desktop = Desktop(folder / "desk.duckdb", folder)
    bench_labelling.fill(desktop.store, CLAIMS)
    desktop.start()
    desks = Desks(desktop, people, seed)
    try:
        for fault in faults:
            getattr(desks, fault)(rounds * kills if fault == "killed" else rounds)
        if browser:
            desks.played += [Played(*one) for one in browser_faults.play(desktop.url, 5 * rounds, desks.chance)]
    finally:
        desktop.stop()
    with open_store(desktop.store) as store:
        return counts(desks.played, [stored.event for stored in store.labels.events()])


def table(lines: Sequence[Count]) -> str:
    """A line per fault."""
    rows = [Count._fields, *lines]
    return "\n".join(f"{row[0]:<16}" + "".join(f"{cell:>14}" for cell in map(str, row[1:])) for row in rows)


FAULTS = ("killed", "cut", "twice", "stale", "full")


def main() -> int:
    """Play everything and print the table."""
    parser = argparse.ArgumentParser(prog="python -m tests.faults.desk_faults", description=__doc__)
    parser.add_argument("--people", type=int, default=20, help="who label at the same time")
    parser.add_argument("--rounds", type=int, default=3, help="how often each fault happens to them")
    parser.add_argument("--kills", type=int, default=4, help="how often the server is killed in each round")
    parser.add_argument("--seed", type=int, default=None, help="repeat the choices of an earlier run")
    given = parser.parse_args()
    seed = random.randrange(1_000_000) if given.seed is None else given.seed
    with TemporaryDirectory() as folder:
        try:
            lines = run(Path(folder), given.people, given.rounds, seed, FAULTS, browser=True, kills=given.kills)
        except LookupError as error:
            sys.stdout.write(f"Nothing is tried in a browser: {error}\n")
            lines = run(Path(folder, "again"), given.people, given.rounds, seed, FAULTS, kills=given.kills)
    sys.stdout.write(f"{table(lines)}\nseed {seed}\n")
    return int(any(one.doubled or one.lost or one.wrong for one in lines))


if __name__ == "__main__":
    sys.exit(main())
