"""Speeds of reading: claims out of prose, logs off a disk, and a whole import; called by ``make bench``."""

from __future__ import annotations

import json
import resource
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from subprocess import run

from yasbd import BoundaryDetector

from core import extraction, importers, sample
from core.desk import Desk
from core.models import Answer
from core.settings import Settings

Row = tuple[str, str, str, str]

MEGABYTE = 1_000_000

MEMORY_BOUND = 400
"""MiB that an import of 100,000 answers may take at its peak."""


def rows(answers: int) -> Iterator[Row]:
    """All of them; ``answers`` is how many the long log has."""
    yield claims_from_prose()
    with tempfile.TemporaryDirectory() as folder:
        yield from reading(Path(folder), answers)
        yield from whole_import(Path(folder), answers)


def claims_from_prose(copies: int = 40) -> Row:
    """Extraction with its markers beside the bare segmenter on the same prose, in megabytes of UTF-8 a CPU second."""
    read = [row for row in importers.read(sample.answers_path()) if isinstance(row, Answer) and row.answer]
    answers = [
        one.model_copy(update={"answer": f"{one.answer} This is copy {number} [C1].", "claims": None})
        for number in range(copies)
        for one in read
    ]
    texts = [one.answer or "" for one in answers]
    size = sum(len(text.encode()) for text in texts) / MEGABYTE
    detector = BoundaryDetector("en")
    floor = ours = float("inf")
    for _ in range(3):
        began = time.process_time()
        for text in texts:
            list(detector.detect(text))
        between = time.process_time()
        for answer in answers:
            extraction.claims(answer)
        floor, ours = min(floor, between - began), min(ours, time.process_time() - between)
    return (
        f"claims from {size:.1f} MB of prose",
        f"{size / ours:.2f} MB/s",
        f"bare yasbd {size / floor:.2f} MB/s",
        f"{ours / floor:.1f}×",
    )


def reading(folder: Path, answers: int) -> Iterator[Row]:
    """Reading a log of citedesk answers, a row of a long one beside a row of one with a thousand."""
    for name in ("citedesk", "csv"):
        each = {}
        for number in (1_000, answers):
            path = write_log(folder / f"{number}.{name}", name, number)
            began = time.process_time()
            count = sum(isinstance(row, Answer) for row in importers.read(path, name))
            each[number] = (time.process_time() - began) / count * 1e6
            assert count == number, "not every row was read"
        yield _flat(f"read {answers:,} answers, {name}", each[answers], each[1_000])


def whole_import(folder: Path, answers: int) -> Iterator[Row]:
    """Reading, judging and storing in a process of its own, beside the same for a thousand answers."""
    seen = {}
    for number in (1_000, answers):
        path = write_log(folder / f"whole-{number}.jsonl", "citedesk", number)
        command = [sys.executable, "-m", "tests.bench_reading", str(path), str(folder / f"{number}.duckdb")]
        seen[number] = json.loads(run(command, check=True, capture_output=True).stdout)
        assert seen[number]["answers"] == number, "not every row was imported"
    micro = {number: one["seconds"] / number * 1e6 for number, one in seen.items()}
    yield _flat(f"import {answers:,} answers into a store", micro[answers], micro[1_000])
    long, short = seen[answers]["peak"], seen[1_000]["peak"]
    yield (
        f"memory of that import (bound {MEMORY_BOUND} MiB)",
        f"{long:.0f} MiB",
        f"of 1,000 answers {short:.0f} MiB",
        f"{long / short:.1f}×",
    )


def write_log(path: Path, name: str, answers: int) -> Path:
    """A log of short answers, each with words of its own and two citations."""
    with path.open("w", encoding="utf-8") as file:
        if name == "csv":
            file.write("id,question,answer,contexts,context_ids\n")
        for number in range(answers):
            text = f"Hall {number} has {number % 90 + 10} seats [C1]. It opened in {1900 + number % 120} [C2]."
            passages = [f"Hall {number} has {number % 90 + 10} seats.", f"Hall {number} opened long ago."]
            if name == "csv":
                cells = [f"r{number}", "How large is it?", text, json.dumps(passages), json.dumps(["C1", "C2"])]
                file.write(",".join('"' + cell.replace('"', '""') + '"' for cell in cells) + "\n")
                continue
            evidence = [{"id": f"C{place}", "text": passage} for place, passage in enumerate(passages, 1)]
            file.write(json.dumps({"request_id": f"r{number}", "answer": text, "evidence": evidence}) + "\n")
    return path


def _flat(what: str, long: float, short: float) -> Row:
    return what, f"{long:,.0f} µs CPU a row", f"of 1,000 {short:,.0f} µs a row", f"{long / short:.1f}×"


def main() -> None:
    """Import one log into one store and say as JSON what it took."""
    path, store = map(Path, sys.argv[1:3])
    settings = Settings(store=store, verifier="lexical", cache=store.with_suffix(".sqlite"))
    with closing(Desk.open(settings)) as desk:
        began = time.process_time()
        report = desk.import_file(path, "citedesk")
        seconds = time.process_time() - began
    sys.stdout.write(json.dumps({"answers": report.answers_new, "seconds": seconds, "peak": _peak()}))


def _peak() -> float:
    """The most memory that this process had, in MiB; where only ``getrusage`` tells, at least what its parent had."""
    status = Path("/proc/self/status")
    if status.exists():
        return int(status.read_text().split("VmHWM:")[1].split()[0]) / 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


if __name__ == "__main__":
    main()
