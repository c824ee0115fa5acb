"""How fast each engine judges, in one run: ``python -m tests.bench_engines [--copies 20] [--verifier nli]``.

The sample's answers, so many times over under other ids, are judged into a run folder by the engine ``local`` and then
by ``ray`` with two actors, without a cache of judgements. Wall time holds what starting costs; the rate from the first
block to the last does not.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from core.engines import Plan
from core.large_verification import verify
from core.sample import answers_path
from core.settings import Settings


def copies(path: Path, count: int) -> Path:
    """The sample so many times over, each time under other request ids."""
    rows = [json.loads(line) for line in answers_path().read_text(encoding="utf-8").splitlines()]
    with path.open("w", encoding="utf-8") as file:
        for number in range(count):
            for row in rows:
                file.write(json.dumps(row | {"request_id": f"{row['request_id']}-{number}"}) + "\n")
    return path


def tree(folder: Path) -> dict[str, bytes]:
    """Every file that must be equal: claims, answers and what is done."""
    return {
        str(file.relative_to(folder)): file.read_bytes()
        for part in ("claims", "answers", "done")
        for file in sorted((folder / part).rglob("*.*"))
    }


def timed(moments: list[tuple[float, int]]) -> Callable[[int, int], None]:
    """Note when each block was done."""
    return lambda done, total: moments.append((time.perf_counter(), done))


def main() -> None:
    """Judge with both and print what came of it."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--copies", type=int, default=20)
    parser.add_argument("--verifier", default="nli")
    chosen = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        log = copies(Path(folder, "answers.jsonl"), chosen.copies)
        block_mib = log.stat().st_size / 8 / 2**20
        trees = []
        for engine in ("local", "ray"):
            settings = Settings(verifier=chosen.verifier, cache=None)
            plan = Plan(settings=settings, where=str(Path(folder, engine)), format="auto", actors=2)
            moments: list[tuple[float, int]] = []
            begun, used = time.perf_counter(), time.process_time()
            total = verify([str(log)], engine, plan, timed(moments), block_mib)
            wall, used = time.perf_counter() - begun, time.process_time() - used
            (first, at), (last, end) = moments[1], moments[-1]
            between = total.claims * (end - at) / total.blocks / (last - first) if end > at else 0.0
            sys.stdout.write(
                f"{engine:<6} {total.claims} claims in {total.blocks} blocks: {wall:.1f} s, {total.claims / wall:.0f} "
                f"claims/s whole, {between:.0f} claims/s between first and last block, {used:.1f} s of CPU in this "
                "process\n"
            )
            sys.stdout.flush()
            trees.append(tree(Path(folder, engine)))
        sys.stdout.write(f"files equal: {trees[0] == trees[1]} ({len(trees[0])} files)\n")


if __name__ == "__main__":
    main()
