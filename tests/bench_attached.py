"""What an attached run costs to read: ``python -m tests.bench_attached [--files 20 --files 100]``.

The sample's answers, all of one day, are judged once by ``lexical`` into one file of claims and one of answers; a
folder of so many copies of both stands for a run of so many blocks. Times are CPU seconds of this process, the second
number of each pair that of reading the same again.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from shutil import copyfile

from core.engines import Plan
from core.large_verification import verify
from core.run_folder import RunFolder
from core.sample import answers_path
from core.settings import Settings
from core.store import open_store
from core.store.attached import AttachedStore
from core.store.records import ClaimFilter


def one_day(path: Path, copies: int) -> Path:
    """The sample so many times over, all asked on one day."""
    rows = [json.loads(line) for line in answers_path().read_text(encoding="utf-8").splitlines()]
    with path.open("w", encoding="utf-8") as file:
        for number in range(copies):
            for row in rows:
                told = {"request_id": f"{row['request_id']}-{number}", "asked_at": "2026-11-01T09:00:00Z"}
                file.write(json.dumps(row | told) + "\n")
    return path


def multiply(folder: Path, times: int) -> None:
    """Stand for a larger run: each block's files again under other names, until there are so many."""
    run = RunFolder(str(folder))
    (report,) = run.done()
    for number in range(1, times):
        block = report.block.model_copy(update={"start": number})
        files = []
        for part in report.files:
            names = {kind: getattr(part, kind).replace(report.block.name, block.name) for kind in ("claims", "answers")}
            for kind, name in names.items():
                copyfile(folder / getattr(part, kind), folder / name)
            files.append(part.model_copy(update=names))
        run.finish(report.model_copy(update={"block": block, "files": tuple(files)}))


def twice(act: Callable[[], object]) -> str:
    """CPU seconds of doing something, and of doing it again."""
    took = []
    for _ in range(2):
        begun = time.process_time()
        act()
        took.append(time.process_time() - begun)
    return f"{took[0]:6.2f} / {took[1]:5.2f}"


def main() -> None:
    """Print a line a size."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--files", type=int, action="append")
    sizes = parser.parse_args().files or [20, 100]
    for files in sizes:
        with tempfile.TemporaryDirectory() as scratch:
            out, log = Path(scratch, "run"), one_day(Path(scratch, "log.jsonl"), 5)
            plan = Plan(settings=Settings(verifier="lexical", cache=None), where=str(out), format="auto")
            total = verify([str(log)], "local", plan, lambda done, of: None)
            (report,) = RunFolder(str(out)).done()
            (part,) = report.files
            multiply(out, files)
            beside = open_store(Path(scratch, "desk.duckdb"))
            begun = time.process_time()
            store = AttachedStore(str(out), beside)
            opened = time.process_time() - begun
            wanted = ClaimFilter(protocol=total.protocol)
            first = store.claim_page(wanted, 1).items[0].claim_uid
            lines = {
                "bytes a claim, claims": f"{part.claims_bytes / part.claims_rows:6.0f}",
                "bytes an answer, answers": f"{part.answers_bytes / part.answers_rows:6.0f}",
                "input bytes an answer": f"{log.stat().st_size / part.answers_rows:6.0f}",
                "attach": f"{opened:6.2f}",
                "Review, first page": twice(lambda: store.claim_page(wanted, 50)),  # noqa: B023 - called here
                "one claim": twice(lambda: store.claim(first)),  # noqa: B023 - called here
                "Trends, by day": twice(lambda: store.trend([wanted.protocol], "day", "UTC")),  # noqa: B023 - here
            }
            sys.stdout.write(f"{store.summary().claims:,} claims in {files} files\n")
            sys.stdout.writelines(f"  {name:<26} {figure}\n" for name, figure in lines.items())
            store.close()
            beside.close()


if __name__ == "__main__":
    main()
