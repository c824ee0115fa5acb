"""Speed of labelling as the log grows: what one press costs on a store of many claims and many label events.

Run as ``python -m tests.bench_labelling`` (``--claims 100000 --events 500000``).
"""

from __future__ import annotations

import argparse
import statistics
import sys
import tempfile
import time
import tracemalloc
from collections.abc import Iterator
from pathlib import Path
from uuid import uuid4

from core import queues
from core.models import Label, utc_now
from core.store import Store, open_store
from core.store.label_records import LabelEvent, LabelKind
from core.store.queue_records import EVERYTHING
from tests import bench_label_page

Row = tuple[str, str, str, str]
LABELLERS, PRESSES = 5, 100
_REQUESTS = """
insert into requests
select i, lpad(hex(i), 16, '0'), 'r' || i, 'What of ' || i || '?', null, null, null, null, null, null, '{}', '[]',
  'bench', now(), null
from range(1, ? + 1) t(i)
"""
_CLAIMS = """
insert into claims
select i, lpad(hex(i), 16, 'c'), i, 1, 'sentences@1', 'c1', 'The gate is open, says line ' || i || '.', null, null,
  '[]', 'none', true, [], '[]', '[]', '[]', hash(i)
from range(1, ? + 1) t(i)
"""
_SPANS = "insert into spans select i, i, 0, 'C1' from range(1, ? + 1) t(i)"
_TEXTS = "insert into texts values (1, repeat('0', 64), 'The gate is open.')"
_ENTRIES = """
insert into registry_entries
select i, 0, 'C1', 1, null, null, null, null, true, true, true, true, '[]', '{}' from range(1, ? + 1) t(i)
"""
# Half of the claims are labelled over and over, each by five people; the other half wait.
_EVENTS = """
insert into label_events by name
select i as event_no, 'e' || i as event_id, 'label' as kind, 1 + (i * 7919) % (? // 2) as span_no,
  'p' || (i // (? // 2)) % 5 as labeller, 'supported' as label, '' as note, '' as reason, 'v1' as guideline,
  repeat('0', 64) as seen_sha256, timestamptz '2026-01-01 00:00:00+00' + to_seconds(i) as recorded_at,
  'everything' as queue_id
from range(?, ?) t(i)
"""
_AUDIT = """
insert into audit
select n + i, now(), 'p' || i % 5, 'labelled', 'label_event e' || i, sha256('c' || i), sha256(i::varchar),
  sha256((i + 1)::varchar)
from range(?, ?) t(i), (select coalesce(max(entry_no), 0) - ? + 1 as n from audit)
"""
_MOST_AT_ONCE = 500_000
"""Rows of one insert, or its memory would be the peak."""


def rows(claims: int, events: int) -> Iterator[Row]:
    """One press with so many events in the log, and with ten times as many."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "labels.duckdb")
        fill(path, claims)
        add_events(path, claims, 1, events)
        once = dict(measured(path))
        pages = [*bench_label_page.rows(path, "p0", f"{events:,} events")]
        add_events(path, claims, events + 1, 10 * events)
        more = dict(measured(path))
        pages += bench_label_page.rows(path, "p0", f"{10 * events:,} events")
    for what, (shown, number) in more.items():
        before, base = once[what]
        yield (
            f"{what}, {claims:,} claims",
            f"{10 * events:,} events: {shown}",
            f"{events:,}: {before}",
            f"{number / base:.1f}×",
        )
    yield from pages


def fill(path: Path, claims: int) -> None:
    """A store of claims that cite one text, each in an answer of its own, written in bulk."""
    with open_store(path) as store, store._connection.write() as session:
        session.run(_TEXTS)
        for sql in (_REQUESTS, _CLAIMS, _SPANS, _ENTRIES):
            session.run(sql, [claims])


def add_events(path: Path, claims: int, first: int, last: int) -> None:
    """Label events in bulk with their audit entries, as if people had labelled for months."""
    with open_store(path) as store:
        for start in range(first, last + 1, _MOST_AT_ONCE):
            end = min(start + _MOST_AT_ONCE, last + 1)
            with store._connection.write() as session:
                session.run(_EVENTS, [claims, claims, start, end])
                session.run(_AUDIT, [start, end, start])
        store.checkpoint()


def measured(path: Path) -> Iterator[tuple[str, tuple[str, float]]]:
    """What each part of a press costs on a store that was just opened: as shown, and as a number to compare."""
    with open_store(path) as store:
        queues.everything(store)
        yield "board of the queue", built(store)
        times = list(presses(store, PRESSES))
        for what, part in zip(("next claims asked for", "label committed"), zip(*times, strict=True), strict=True):
            in_order = sorted(part)
            middle, slow = statistics.median(in_order), in_order[int(len(in_order) * 0.95)]
            yield what, (f"p50 {middle * 1000:.1f}, p95 {slow * 1000:.1f} ms", middle)


def built(store: Store) -> tuple[str, float]:
    """Seconds until the first question is answered, and what the board holds in memory."""
    began = time.perf_counter()
    store.queues.state(EVERYTHING, "p0", utc_now())
    seconds = time.perf_counter() - began
    store.queues._boards.forget()
    tracemalloc.start()
    store.queues.state(EVERYTHING, "p0", utc_now())
    held, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    return f"{seconds:.1f} s, {held / 2**20:.0f} MiB", seconds


def presses(store: Store, count: int) -> Iterator[tuple[float, float]]:
    """Seconds to ask for the next claim and to commit a label on it, five people in turn, each holding ten."""
    for number in range(count):
        labeller = f"p{number % LABELLERS}"
        began = time.perf_counter()
        spans = store.queues.ahead(EVERYTHING, labeller, 10, (), utc_now())
        asked = time.perf_counter()
        store.labels.add([_label(spans[0].claim_uid, labeller, spans[0].seen_sha256)])
        yield asked - began, time.perf_counter() - asked


def _label(claim_uid: str, labeller: str, seen: str) -> LabelEvent:
    return LabelEvent(
        event_id=str(uuid4()),
        kind=LabelKind.LABEL,
        claim_uid=claim_uid,
        cite="C1",
        labeller=labeller,
        label=Label.SUPPORTED,
        guideline="v1",
        seen_sha256=seen,
        queue_id=EVERYTHING,
    )


def main() -> None:
    """Print the rows."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--claims", type=int, default=100_000)
    parser.add_argument("--events", type=int, default=500_000)
    options = parser.parse_args()
    for row in rows(options.claims, options.events):
        sys.stdout.write("  ".join(row) + "\n")


if __name__ == "__main__":
    main()
