"""Let a whole house work at one desk for a while, break it again and again, and count what became of every promise.

``python -m tests.faults.soak --minutes 30``: a server process of its own; twenty people label over its websocket, five
read pages, answers are imported, judged by rules and by a slow provider, verified anew and backed up, all at once.
Meanwhile, in turns: the server is killed (SIGKILL), the disk is full (a small file system of its own where one may be
mounted, else a limit on the size of files), the clock jumps three days ahead and a year back, the write-ahead log is
torn at its end and then damaged in its middle, and the server is killed while it writes a backup. Exit 1 if a promise
was not kept.
"""

from __future__ import annotations

import argparse
import random
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

from tests import bench_labelling
from tests.core.claude_env import leading_to
from tests.fakes import anthropic_server
from tests.faults.soak_clock import Clock
from tests.faults.soak_faults import FAULTS, Soak, SoakedDesk
from tests.faults.soak_ledger import Ledger, ledger, report
from tests.faults.soak_load import slow_provider

CLAIMS_A_MINUTE = 4_000
DISK_MIB = 3_000
PATIENCE = 120
"""Seconds that a short soak waits for work that nothing was acknowledged of yet."""


@contextmanager
def small_disk(folder: Path, is_wanted: bool) -> Iterator[Path | None]:
    """A file system of its own for a folder, until the block ends; gives where ballast goes, none without one."""
    folder.mkdir()
    size = f"size={DISK_MIB}m"
    mounted = (
        is_wanted
        and shutil.which("mount")
        and not subprocess.run(
            ["mount", "-t", "tmpfs", "-o", size, "tmpfs", folder], capture_output=True, check=False
        ).returncode
    )
    try:
        yield folder / "ballast" if mounted else None
    finally:
        if mounted:
            subprocess.run(["umount", folder], check=True)


def run(
    folder: Path, minutes: float, people: int, readers: int, seed: int, faults: Sequence[str] = FAULTS, claims: int = 0
) -> tuple[Soak, Ledger]:
    """Let everybody work and break things until the time is over, every fault at least once; then count."""
    ended = time.monotonic() + 60 * minutes
    try:
        clock: Clock | None = Clock(folder)
    except LookupError:
        clock = None
    with small_disk(folder / "disk", "full" in faults) as ballast, anthropic_server.running() as provider:
        slow_provider(provider)
        also = {**leading_to(provider.url), **(clock.environment if clock else {})}
        desktop = SoakedDesk(folder / "disk" / "desk.duckdb", folder, also=also)
        bench_labelling.fill(desktop.store, claims or int(CLAIMS_A_MINUTE * max(2.0, minutes)))
        desktop.start()
        soak = Soak(desktop, people, seed, clock, ballast)
        soak.load.start(readers)
        try:
            while not soak.turn or time.monotonic() < ended:
                for fault in faults:
                    getattr(soak, fault)(1)
                soak.turn += 1
            soak.load.wait_for_each(PATIENCE)
        finally:
            soak.load.stop()
            desktop.stop()
        return soak, ledger(soak, folder)


def main() -> int:
    """Soak and print."""
    parser = argparse.ArgumentParser(prog="python -m tests.faults.soak", description=__doc__)
    parser.add_argument("--minutes", type=float, default=30, help="how long; every fault comes at least once")
    parser.add_argument("--people", type=int, default=20, help="who label at the same time")
    parser.add_argument("--readers", type=int, default=5, help="who read pages")
    parser.add_argument("--seed", type=int, default=None, help="repeat the choices of an earlier run")
    given = parser.parse_args()
    seed = random.randrange(1_000_000) if given.seed is None else given.seed
    with TemporaryDirectory() as folder:
        soak, found = run(Path(folder), given.minutes, given.people, given.readers, seed)
    sys.stdout.write(f"{report(found, soak)}\nseed {seed}\n")
    return int(not found.is_kept)


if __name__ == "__main__":
    sys.exit(main())
