"""Speeds, each beside a floor measured in the same run: ratios travel between machines, milliseconds do not.

Run as ``make bench`` (``ARGS="--claims 100000 --answers 100000"`` for more rows).
"""

from __future__ import annotations

import argparse
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from uuid import uuid4

import duckdb

from core import extraction, importers, pipeline, sample
from core.models import Answer, Label, utc_now
from core.settings import Settings
from core.store import Store, open_store
from core.store.records import Batch, ClaimFilter, LabelEvent, LabelKind, RunHeader
from tests import bench_corpus, bench_judging, bench_reading

Row = tuple[str, str, str, str]


def main() -> None:
    """Print one table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--claims", type=int, default=20_000, help="claims in the largest store")
    parser.add_argument("--answers", type=int, default=10_000, help="answers in the longest log")
    parser.add_argument("--labels", type=int, default=300, help="label writes to time")
    parser.add_argument("--pairs", type=int, default=2_000, help="pairs that the bundled judge judges in one run")
    parser.add_argument("--float-model", type=Path, help="a float32 checkpoint to stand beside the bundled judge")
    options = parser.parse_args()
    rows: list[Row] = [("what", "measured", "beside it", "ratio")]
    rows += help_cost()
    rows += verification()
    rows += bench_reading.rows(options.answers)
    rows += bench_judging.rows(options.pairs, options.float_model)
    rows += bench_corpus.rows()
    with tempfile.TemporaryDirectory() as folder:
        for claims in (options.claims // 10, options.claims):
            rows += store(Path(folder, f"{claims}.duckdb"), claims, options.labels)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    rows.append(("peak memory of this run", f"{peak:.0f} MiB", "", ""))
    widths = [max(len(row[column]) for row in rows) for column in range(4)]
    for row in rows:
        sys.stdout.write("  ".join(f"{cell:<{width}}" for cell, width in zip(row, widths, strict=True)) + "\n")


def help_cost() -> Iterator[Row]:
    """CPU of ``citedesk --help`` beside a Python that does nothing."""
    ours, floor = (
        min(_cpu([sys.executable, *words]) for _ in range(5)) for words in (["-m", "core", "--help"], ["-c", "pass"])
    )
    yield "citedesk --help, CPU", f"{ours * 1000:.0f} ms", f"bare Python {floor * 1000:.0f} ms", f"{ours / floor:.1f}×"


def verification() -> Iterator[Row]:
    """Judging the sample beside segmenting the same evidence and nothing else."""
    judge, protocol = pipeline.build(Settings(cache=None))
    # Every copy gets its own words, or judging duplicates once would flatter the figure.
    answers = [_salted(answer, number) for number, answer in enumerate(sample_answers() * 5)]
    claims = 0

    def judge_all() -> None:
        nonlocal claims
        claims = sum(len(checked.rows) for checked in pipeline.check(answers, judge, protocol))

    ours = _seconds(judge_all)
    floor = _seconds(lambda: [extraction.sentences(entry.text) for each in answers for entry in each.evidence])
    yield (
        "verify, lexical",
        f"{claims / ours:,.0f} claims/s",
        f"bare segmenting of the evidence {claims / floor:,.0f} claims/s",
        f"{ours / floor:.1f}×",
    )


def store(path: Path, claims: int, labels: int) -> Iterator[Row]:
    """Recording, paging, trends and labels on a store of that many claims."""
    with open_store(path) as opened:
        name, seconds = fill(opened, claims)
        yield f"record {claims:,} claims", f"{claims / seconds:,.0f} claims/s", "", ""
        count = _seconds(opened.summary, repeat=5)
        beside = f"summary {count * 1000:.0f} ms"
        page = _seconds(lambda: opened.claim_page(ClaimFilter(protocol=name), 50, 0), repeat=5)
        yield f"review page of {claims:,}", f"{page * 1000:.0f} ms", beside, f"{page / count:.1f}×"
        trend = _seconds(lambda: opened.trend([name], "week", "UTC"), repeat=5)
        yield f"trend of {claims:,}", f"{trend * 1000:.0f} ms", beside, f"{trend / count:.1f}×"
        queue = _seconds(lambda: opened.spans_to_label("bench", "v1", 20), repeat=5)
        yield f"next 20 to label of {claims:,}", f"{queue * 1000:.0f} ms", beside, f"{queue / count:.1f}×"
        times = sorted(label_times(opened, labels))
        floor = statistics.median(bare_insert_times(path.with_suffix(".bare"), labels))
        middle = statistics.median(times)
        yield (
            f"one label committed, {claims:,} claims",
            f"p50 {middle * 1000:.1f}, p95 {times[int(len(times) * 0.95)] * 1000:.1f} ms",
            f"bare DuckDB insert p50 {floor * 1000:.1f} ms",
            f"{middle / floor:.1f}×",
        )


def fill(opened: Store, claims: int) -> tuple[str, float]:
    """Fill a store with judged copies of the sample; gives the protocol's name and the seconds of recording."""
    judge, protocol = pipeline.build(Settings(cache=None))
    checked = list(pipeline.check(sample_answers(), judge, protocol))
    copies = claims // sum(len(one.rows) for one in checked) + 1
    run = RunHeader(
        run_id=uuid4().hex, protocol=protocol, started_at=utc_now(), source="bench", package_version="bench"
    )
    seconds = 0.0
    for copy in range(copies):
        renamed = (one.model_copy(update={"answer": _renamed(one.answer, copy)}) for one in checked)
        batch = Batch(run=run, answers=tuple(renamed))
        began = time.perf_counter()
        opened.record(batch)
        seconds += time.perf_counter() - began
    return str(protocol), seconds


def label_times(opened: Store, labels: int) -> Iterator[float]:
    """Seconds of one label after another, each committed on its own."""
    for span in opened.spans_to_label("bench", "v1", labels):
        event = LabelEvent(
            event_id=str(uuid4()),
            kind=LabelKind.LABEL,
            claim_uid=span.claim_uid,
            cite=span.cite,
            labeller="bench",
            label=Label.SUPPORTED,
            guideline="v1",
            seen_sha256=span.seen_sha256,
        )
        began = time.perf_counter()
        opened.add_label_events([event])
        yield time.perf_counter() - began


def bare_insert_times(path: Path, inserts: int) -> Iterator[float]:
    """Seconds of one committed insert after another into a bare DuckDB table of three columns."""
    with duckdb.connect(str(path)) as connection:
        connection.execute("create table label (id varchar primary key, who varchar, label varchar)")
        for _ in range(inserts):
            began = time.perf_counter()
            connection.execute("insert into label values (?, 'bench', 'supported')", [uuid4().hex])
            yield time.perf_counter() - began


def sample_answers() -> list[Answer]:
    """The sample's answers."""
    return [row for row in importers.read(sample.answers_path()) if isinstance(row, Answer)]


def _renamed(answer: Answer, number: int) -> Answer:
    return answer.model_copy(update={"request_id": f"{answer.request_id}-{number}"})


def _salted(answer: Answer, number: int) -> Answer:
    evidence = tuple(one.model_copy(update={"text": f"{one.text} Copy {number}."}) for one in answer.evidence)
    return answer.model_copy(update={"request_id": f"{answer.request_id}-{number}", "evidence": evidence})


def _seconds(work: Callable[[], object], repeat: int = 1) -> float:
    """Wall-clock seconds, the best of some repetitions."""
    times = []
    for _ in range(repeat):
        began = time.perf_counter()
        work()
        times.append(time.perf_counter() - began)
    return min(times)


def _cpu(command: list[str]) -> float:
    """CPU seconds of a child process, its own and the system's on its behalf."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(command, check=True, capture_output=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


if __name__ == "__main__":
    main()
