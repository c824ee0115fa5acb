"""Speeds, each beside a peer or a floor measured in the same run, and how each grows with the data: one table.

Run as ``make bench``; ``ARGS=--quick`` for a look, ``ARGS=--full`` for up to 10,000,000 rows (hours),
``ARGS="--only trends failures"`` for some of it. ``make performance`` writes it as a page of the documentation. Ratios
travel between machines, milliseconds do not.
"""

from __future__ import annotations

import argparse
import os
import platform
import re
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple
from uuid import uuid4

import duckdb

from core import __version__, extraction, importers, pipeline, sample
from core.inference import cores
from core.models import Answer, Label, utc_now
from core.settings import Settings
from core.store import Store, open_store
from core.store.label_records import LabelEvent, LabelKind
from core.store.records import Batch, RunHeader
from tests import (
    bench_backup,
    bench_corpus,
    bench_failures,
    bench_judging,
    bench_labelling,
    bench_reading,
    bench_retrieval,
    bench_trends,
)
from tests.browser.conftest import Desktop
from tests.fakes.page_client import visit

Row = tuple[str, str, str, str]
"""What, measured, what stands beside it, and the ratio of the two."""

HEAD = ("what", "measured", "beside it", "ratio", "growth")

LABELS = 300
"""Label writes to time."""

_INSTRUCTIONS = ("avx2", "avx512f", "avx_vnni", "avx512_vnni", "amx_int8", "amx_bf16")

_NUMBER = r"(\d[\d,]*(?:\.\d+)?)"
_FIGURE = re.compile(rf"p50 {_NUMBER}|{_NUMBER} (?:µs|ms|s|MiB|\w+/s)\b")


class Section(NamedTuple):
    """One thing that is measured at growing sizes."""

    measure: Callable[[int], Iterator[Row]]
    quick: Sequence[int]
    usual: Sequence[int]
    full: Sequence[int]


def sections(float_model: Path | None) -> Mapping[str, Section]:
    """All there are, by the name under which they are asked for."""
    many = (10_000, 100_000, 1_000_000, 10_000_000)
    return {
        "starts": Section(starts, (1,), (1,), (1,)),
        "rules": Section(verification, (1,), (5,), (5,)),
        "judging": Section(partial(bench_judging.rows, float_model=float_model), (200,), (2_000,), (20_000,)),
        "import": Section(bench_reading.rows, (2_000,), (2_000, 20_000), (1_000, 10_000, 100_000)),
        "corpus": Section(bench_corpus.rows, (200,), (2_000,), (20_000,)),
        "questions": Section(bench_retrieval.rows, (2_000, 10_000), (10_000, 100_000), (10_000, 100_000, 1_000_000)),
        "store": Section(store, (2_000,), (2_000, 20_000), (10_000, 100_000)),
        "labels": Section(
            lambda claims: bench_labelling.rows(claims, 5 * claims), (2_000,), (10_000, 100_000), (100_000, 1_000_000)
        ),
        "trends": Section(lambda rows: bench_trends.rows(rows, rows), many[:2], many[:3], many),
        "failures": Section(bench_failures.rows, many[:2], many[:3], many),
        "backup": Section(bench_backup.rows, many[:2], many[:3], many),
    }


def main() -> None:
    """Print one table."""
    parser = argparse.ArgumentParser(prog="python -m tests.bench", description=__doc__)
    size = parser.add_mutually_exclusive_group()
    size.add_argument("--quick", dest="size", action="store_const", const="quick", help="small sizes, minutes")
    size.add_argument("--full", dest="size", action="store_const", const="full", help="up to 10,000,000 rows, hours")
    parser.add_argument("--only", nargs="+", metavar="SECTION", choices=list(sections(None)), help="leave out the rest")
    parser.add_argument("--float-model", type=Path, help="a float32 checkpoint to stand beside the bundled judge")
    parser.add_argument("--page", type=Path, help="write the table as a page of the documentation, too")
    parser.set_defaults(size="usual")
    options = parser.parse_args()
    rows = [HEAD]
    for name, section in sections(options.float_model).items():
        if not options.only or name in options.only:
            sizes: Sequence[int] = getattr(section, options.size)
            rows += with_growth(sizes, [list(section.measure(number)) for number in sizes])
            sys.stderr.write(f"measured: {name}\n")
    widths = [max(len(row[column]) for row in rows) for column in range(5)]
    for row in rows:
        sys.stdout.write("  ".join(f"{cell:<{width}}" for cell, width in zip(row, widths, strict=True)).rstrip() + "\n")
    if options.page:
        options.page.write_text(page(rows[1:]), encoding="utf-8")


def page(rows: Sequence[Sequence[str]]) -> str:
    """The table as Markdown, with what must be known to read it."""
    memory = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE") / 2**30
    lines = [
        "# Speeds",
        "",
        "`make performance` writes this page; nothing in it is written by hand. Each figure stands beside a peer or a "
        "floor measured in the same run: ratios travel between machines, milliseconds do not. *Growth* is what became "
        "of the figure with more data.",
        "",
        f"{utc_now():%Y-%m-%d}, {platform.machine()} ({instructions()}), {cores()} cores, {memory:.0f} GiB, Python "
        f"{platform.python_version()}, Citedesk {__version__}. A shared machine; one run.",
        "",
        f"| {' | '.join(HEAD)} |",
        f"|{'---|' * len(HEAD)}",
    ]
    lines += ["| " + " | ".join(cell.replace("|", "\\|") for cell in row) + " |" for row in rows]
    return "\n".join(lines) + "\n"


def instructions(told: str | None = None) -> str:
    """The processor's instructions on which int8 against float32 depends, as ``/proc/cpuinfo`` tells them."""
    cpuinfo = Path("/proc/cpuinfo")
    text = told if told is not None else cpuinfo.read_text(encoding="utf-8") if cpuinfo.exists() else ""
    flags = next((line.split(":")[1].split() for line in text.splitlines() if line.startswith("flags")), [])
    return ", ".join(one for one in _INSTRUCTIONS if one in flags) or "instructions not told"


def with_growth(sizes: Sequence[int], found: Sequence[Sequence[Row]]) -> list[tuple[str, str, str, str, str]]:
    """The rows of the largest size, each with what became of its figure whenever there was more data."""
    table = []
    for at, row in enumerate(found[-1]):
        figures = [_figure(rows[at][1]) for rows in found if at < len(rows)]
        steps = [f"{more / less:.1f}×" if less and more else "?" for less, more in pairwise(figures)]
        said = [f"{more / less:.0f}× data: {step}" for (less, more), step in zip(pairwise(sizes), steps, strict=False)]
        table.append((*row, ", ".join(said)))
    return table


def _figure(text: str) -> float:
    """The median, or the first number with a unit; 0 where there is none."""
    found = _FIGURE.search(text)
    return float((found[1] or found[2]).replace(",", "")) if found else 0.0


def starts(times: int) -> Iterator[Row]:
    """From nothing: the help text, a verdict, and the first page of a desk on the sample."""
    yield from help_cost()
    with tempfile.TemporaryDirectory() as folder:
        yield bench_judging.cold_start(Path(folder))
        yield from first_page(Path(folder), times)


def first_page(folder: Path, visits: int) -> Iterator[Row]:
    """A desk is started and its first page drawn whole, without a browser, beside bare Streamlit imported."""
    with open_store(folder / "desk.duckdb") as opened:
        fill(opened, 100)
    desktop = Desktop(folder / "desk.duckdb", folder)
    began = time.perf_counter()
    desktop.start()
    try:
        visit(desktop.port, "review")
        ours = time.perf_counter() - began
        again = _seconds(lambda: visit(desktop.port, "review"), repeat=2 + visits)
        assert desktop.process is not None
        held = int(Path(f"/proc/{desktop.process.pid}/status").read_text().split("VmRSS:")[1].split()[0]) / 1024
    finally:
        desktop.stop()
    floor = _seconds(lambda: subprocess.run([sys.executable, "-c", "import streamlit"], check=True), repeat=2)
    yield "first page of a desk, cold", f"{ours:.1f} s", f"import streamlit {floor:.1f} s", f"{ours / floor:.1f}×"
    yield "the same page again", f"{again:.2f} s", f"the first time {ours:.1f} s", f"{again / ours:.2f}×"
    yield "memory of that desk", f"{held:.0f} MiB", "", ""


def help_cost() -> Iterator[Row]:
    """CPU of ``citedesk --help`` beside a Python that does nothing."""
    ours, floor = (
        min(_cpu([sys.executable, *words]) for _ in range(5)) for words in (["-m", "core", "--help"], ["-c", "pass"])
    )
    yield "citedesk --help, CPU", f"{ours * 1000:.0f} ms", f"bare Python {floor * 1000:.0f} ms", f"{ours / floor:.1f}×"


def verification(copies: int) -> Iterator[Row]:
    """Judging the sample beside segmenting the same evidence and nothing else."""
    judge, protocol = pipeline.build(Settings(cache=None, verifier="lexical"))
    # Every copy gets its own words, or judging duplicates once would flatter the figure.
    answers = [_salted(answer, number) for number, answer in enumerate(sample_answers() * copies)]
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


def store(claims: int) -> Iterator[Row]:
    """Recording, and one label after another, on a store of that many claims."""
    with tempfile.TemporaryDirectory() as folder, open_store(Path(folder, "desk.duckdb")) as opened:
        seconds = fill(opened, claims)
        yield f"record {claims:,} claims", f"{claims / seconds:,.0f} claims/s", "", ""
        times = sorted(label_times(opened, LABELS))
        floor = statistics.median(bare_insert_times(Path(folder, "bare.duckdb"), LABELS))
        middle = statistics.median(times)
        yield (
            f"one label committed, {claims:,} claims",
            f"p50 {middle * 1000:.1f}, p95 {times[int(len(times) * 0.95)] * 1000:.1f} ms",
            f"bare DuckDB insert p50 {floor * 1000:.1f} ms",
            f"{middle / floor:.1f}×",
        )
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    yield "peak memory of this run so far", f"{peak:.0f} MiB", "", ""


def fill(opened: Store, claims: int) -> float:
    """Fill a store with judged copies of the sample; gives the seconds of recording."""
    judge, protocol = pipeline.build(Settings(cache=None, verifier="lexical"))
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
    return seconds


def label_times(opened: Store, labels: int) -> Iterator[float]:
    """Seconds of one label after another, each committed on its own."""
    for span in opened.labels.ahead("bench", "v1", labels):
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
        opened.labels.add([event])
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
