"""Kill the process that writes labels, again and again, and count what became of them.

``python -m tests.faults.labels --writes 1000 --rounds 20``: in every round a child process writes labels one by one
through the store and says which ones the store acknowledged; it is killed with SIGKILL at a random moment, as likely
while it opens the store as during a write or a checkpoint. This process then opens the store, sends the first label
without acknowledgement once more, as a browser would, and counts. Exit 1 if an acknowledged label is lost or changed,
or any label is there twice.
"""

from __future__ import annotations

import argparse
import random
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

from core.models import Label
from core.store import Store, open_store
from core.store.label_records import LabelEvent
from tests.core.store import build

CLAIMS = 40
CHECKPOINT_EVERY = 97
"""Writes between two forced checkpoints, so that kills fall into those as well."""


class Round(NamedTuple):
    """What became of one round's labels."""

    acknowledged: int
    stored: int
    lost: int
    """Acknowledged, but not in the store or not as sent."""
    doubled: int


def claim_uids() -> list[str]:
    """The claims that are labelled."""
    return [build.uid(build.answer(), build.claim(number)) for number in range(1, CLAIMS + 1)]


def event(round_number: int, number: int, uids: Sequence[str]) -> LabelEvent:
    """The label with this number; the same arguments always make the same one."""
    labels = list(Label)
    return build.event(
        f"r{round_number}-{number}",
        uids[number % CLAIMS],
        labeller=f"labeller {round_number}",
        label=labels[number % len(labels)],
        note="n" * (number % 500),
    )


def write(path: Path, round_number: int, writes: int) -> None:
    """The child: write labels one by one and say each one's id once the store has acknowledged it."""
    uids = claim_uids()
    with open_store(path) as store:
        for number in range(writes):
            stored = store.labels.add([event(round_number, number, uids)])
            sys.stdout.write(f"{stored[0].event.event_id}\n")
            sys.stdout.flush()
            if number % CHECKPOINT_EVERY == CHECKPOINT_EVERY - 1:
                store.checkpoint()


def kill_while_writing(path: Path, round_number: int, writes: int, drawn: random.Random) -> list[str]:
    """Start a child, kill it at a random moment, and give the ids that it said were acknowledged."""
    words = ["--child", str(path), "--number", str(round_number), "--writes", str(writes)]
    with subprocess.Popen(
        [sys.executable, "-m", "tests.faults.labels", *words], stdout=subprocess.PIPE, text=True
    ) as child:
        assert child.stdout is not None
        before = drawn.randrange(writes)
        said = [line for line, _ in zip(child.stdout, range(before), strict=False)]
        time.sleep(drawn.random() * (0.01 if before else 1.0))
        child.kill()
        said += child.stdout
    return [line.strip() for line in said if line.endswith("\n")]


def count(store: Store, round_number: int, writes: int, acknowledged: Sequence[str]) -> Round:
    """Send the first label without acknowledgement again, then compare the store with what was sent."""
    uids = claim_uids()
    if len(acknowledged) < writes:
        store.labels.add([event(round_number, len(acknowledged), uids)] * 2)
    stored = [one.event for one in store.labels.last(f"labeller {round_number}", writes * 3)]
    by_id = {one.event_id: one for one in stored}
    sent = {one.event_id: one for one in (event(round_number, number, uids) for number in range(writes))}
    return Round(
        acknowledged=len(acknowledged),
        stored=len(stored),
        lost=sum(by_id.get(name) != sent[name] for name in acknowledged),
        doubled=sum(times - 1 for times in Counter(one.event_id for one in stored).values()),
    )


def run(folder: Path, writes: int, rounds: int, seed: int) -> list[Round]:
    """Play all rounds on one store file; it keeps growing."""
    path = folder / "desk.duckdb"
    drawn = random.Random(seed)
    with open_store(path) as store:
        store.record(build.batch(build.checked(build.answer(), [None] * CLAIMS)))
    played = []
    for number in range(rounds):
        acknowledged = kill_while_writing(path, number, writes, drawn)
        with open_store(path) as store:
            played.append(count(store, number, writes, acknowledged))
    with open_store(path) as store:  # nothing of an early round went missing later
        for number, one in enumerate(played):
            kept = len(store.labels.last(f"labeller {number}", writes * 3))
            played[number] = one._replace(lost=max(one.lost, one.stored - kept))
    return played


def table(played: Sequence[Round]) -> str:
    """One line per round and one for all."""
    total = Round(*(sum(column) for column in zip(*played, strict=True)))
    lines = [("round", *Round._fields), *((number, *one) for number, one in enumerate(played, 1)), ("all", *total)]
    return "\n".join("".join(f"{cell:>14}" for cell in map(str, line)) for line in lines)


def main(words: Sequence[str] | None = None) -> int:
    """Play the rounds and print the table; as a child, only write."""
    parser = argparse.ArgumentParser(prog="python -m tests.faults.labels", description=__doc__)
    parser.add_argument("--writes", type=int, default=1000, help="labels a child wants to write")
    parser.add_argument("--rounds", type=int, default=20, help="how many children are killed")
    parser.add_argument("--seed", type=int, default=None, help="repeat the moments of an earlier run")
    parser.add_argument("--child", type=Path, help=argparse.SUPPRESS)
    parser.add_argument("--number", type=int, help=argparse.SUPPRESS)
    given = parser.parse_args(words)
    if given.child:
        write(given.child, given.number, given.writes)
        return 0
    seed = random.randrange(1_000_000) if given.seed is None else given.seed
    with TemporaryDirectory() as folder:
        played = run(Path(folder), given.writes, given.rounds, seed)
    sys.stdout.write(f"{table(played)}\nseed {seed}\n")
    return int(any(one.lost or one.doubled for one in played))


if __name__ == "__main__":
    sys.exit(main())
