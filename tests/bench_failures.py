"""How fast are the failures of a large store? Makes one of a million claims by SQL and times what the page asks.

Run as ``python -m tests.bench_failures --claims 1000000``.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import NamedTuple

import duckdb

from core import failure_groups, failures, slices
from core.store import open_store
from core.store.answers import WORDS
from core.store.records import ClaimFilter
from tests import bench_trends
from tests.core.store import build

_REQUESTS = """
insert into requests by name
select i::integer as request_no, printf('%016x', i) as request_uid, 'r' || i as request_id,
  'How does the ' || ['lamp', 'inhaler', 'museum', 'contract', 'engine', 'vaccine', 'policy'][1 + i % 7]
    || ' behave in ' || ['winter', 'children', 'court', 'traffic'][1 + i % 4] || '?' as query,
  timestamptz '2026-01-01 00:00:00+00' + to_minutes(i::integer) as asked_at, null as asked_at_as_given,
  'g' as generator_name, ['m-1', 'm-2', 'm-3'][1 + i % 3] as generator_model, null as answer, null as given_claims,
  '{}' as meta, '[]' as notes, 'bench' as source, timestamptz '2026-06-01 00:00:00+00' as recorded_at
from range(1, ? + 1) t(i)
"""
_CLAIMS = """
insert into claims by name
select n::integer as claim_no, printf('%016x', n) as claim_uid, (1 + n // 4)::integer as request_no,
  (1 + n % 4)::integer as position, 'sentences@1' as splitter, 'c' || (1 + n % 4) as claim_id,
  'The ' || ['lamp', 'inhaler', 'museum', 'contract', 'engine', 'vaccine', 'policy'][1 + n % 7] || ' weighs '
    || (hash(n) % 900) || ' grams and was sold to '
    || ['Norway', 'Spain', 'Japan', 'Peru'][1 + (hash(n, 1) % 4)::integer]
    || if(hash(n, 2) % 10 < 2, ' because the regulator demanded a recall', ' in the spring of that year') as text,
  '[]' as fragments, 'none' as answer_match, true as material, ['number'] as flags, '[]' as leaked, '[]' as quotes,
  '[]' as notes, hash(n, 3) as queue_order
from range(1, ? + 1) t(n)
"""
_VERDICTS = """
insert into claim_verdicts by name
select n::integer as verdict_no, null::integer as replaces, n::integer as claim_no, 1 as protocol_no, 1 as run_no,
  sha256(n::varchar) as row_sha256, label, if(label = 'uncited', 'uncited', 'ok') as structural,
  if(label = 'unresolvable', 'not_in_registry', 'ok') as resolve, 'not_given' as quote, coalesce(label,
    'failed') as semantic,
  true as material, true as attempted,
  coalesce(label in ('partial', 'contradicted', 'irrelevant', 'wrong_scope', 'uncited', 'unresolvable'), false)
    as unsupported_strict,
  coalesce(label in ('contradicted', 'irrelevant', 'wrong_scope', 'uncited', 'unresolvable'), false)
    as unsupported_lenient,
  list_filter(['number', 'name', 'date'], lambda x: hash(n, x) % 4 = 0) as flags, 'because' as why,
  'source ' || (hash(n, 5) % 2000) as source,
  if(label in ('contradicted', 'partial'), [['number', 'date', 'population', 'hedge'][1 + (hash(n,
    6) % 4)::integer]], [])
    as differing,
  (hash(n, 7) % 4)::integer as cite_count, date '2024-06-01' + (hash(n, 8) % 900)::integer as source_date,
  '{}' as row_json
from (
  select n, ['supported', 'supported', 'supported', 'supported', 'supported', 'supported', 'partial', 'contradicted',
    'irrelevant', 'uncited', 'unresolvable', 'wrong_scope', null][1 + (hash(n, 9) % 13)::integer] as label
  from range(1, ? + 1) t(n)
)
"""


Row = tuple[str, str, str, str]

BARE = """
select coalesce(r.generator_model, r.generator_name), count(*), count(*) filter (v.unsupported_strict)
from claim_verdicts v join claims c using (claim_no) join requests r using (request_no)
where v.attempted and v.label is not null group by 1
"""
"""What an analyst would write for one slice, who knew of no withdrawn import, replaced verdict or concealed claim."""

BARE_TEXT = "select count(*) from claims where contains(lower(text), 'lamp')"
"""What a search must do at least."""


def main() -> None:
    """Make the store, or open the one that is named, and print the times."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--claims", type=int, default=1_000_000)
    parser.add_argument("--store", type=Path, help="made before with the same number of claims; kept")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        path = options.store or Path(folder, "desk.duckdb")
        if not path.exists():
            fill(path, options.claims)
        for found in measured(path):
            sys.stdout.write("  ".join(found) + "\n")
            sys.stdout.flush()


def rows(claims: int) -> Iterator[Row]:
    """Figures of a store with so many claims, each beside the bare scan of the same tables in the same run."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "desk.duckdb")
        fill(path, claims)
        yield from measured(path)


def fill(path: Path, claims: int) -> None:
    """A store of so many claims, four an answer."""
    with open_store(path) as store:
        store.record(build.batch())
    with duckdb.connect(str(path)) as root:
        root.execute(
            "insert into protocols select 1, ?, ?, ? where not exists (select 1 from protocols)",
            [build.PROTOCOL.sha256, str(build.PROTOCOL), build.PROTOCOL.model_dump_json()],
        )
        for sql, number in ((_REQUESTS, claims // 4 + 1), (_CLAIMS, claims), (_VERDICTS, claims)):
            root.execute(sql, [number])
        root.execute(WORDS, [1])
        root.execute("checkpoint")


def measured(path: Path) -> Iterator[Row]:
    """Each thing that the Failures and Review pages ask, in seconds of the processor and by the clock."""
    with bench_trends.bare(path) as plain:
        slice_floor, text_floor = (best(lambda sql=sql: plain.execute(sql).fetchall()) for sql in (BARE, BARE_TEXT))  # type: ignore[misc]
    with open_store(path) as store:
        wanted = ClaimFilter(protocol=str(build.PROTOCOL))
        found = failures.overview(store, wanted, "strict")
        inside = found.reasons[0].wanted
        some = store.claim_page(wanted, 1, found.judged // 2).items[0].claim_uid
        of = f"of {found.attempted:,} claims"
        asked: list[tuple[str, Callable[[], object], Took]] = [
            (f"failures {of}: main view", lambda: failures.overview(store, wanted, "strict"), slice_floor),
            (f"failures {of}: all slices", lambda: slices.ranked(store, wanted, "strict"), slice_floor),
            *(
                (f"  {one}", partial(store.slices.counts, wanted, "strict", [one], 320), slice_floor)
                for one in slices.DIMENSION_WORDS
            ),
            (f"failures {of}: groups", lambda: failure_groups.groups(store, inside, "strict"), text_floor),
            (f"review {of}: first page", lambda: store.claim_page(wanted), slice_floor),
            (f"review {of}: last page", lambda: store.claim_page(wanted, 50, found.attempted - 50), slice_floor),
            (f"review {of}: one reason", lambda: store.claim_page(inside), slice_floor),
            (
                f"review {of}: one word",
                lambda: store.claim_page(wanted.model_copy(update={"text": "lamp"})),
                text_floor,
            ),
            (f"review {of}: place of a claim", lambda: store.claim_position(wanted, some), slice_floor),
            (
                "one SQL cell, copy made before",
                lambda: store.sandbox.ask("select count(*) from v_verdicts", None),
                slice_floor,
            ),
        ]
        for what, does, floor in asked:
            ours = best(does)
            beside = "words searched" if floor is text_floor else "one slice"
            yield (
                what,
                f"{ours.cpu:.2f} s CPU, {ours.clock:.2f} s",
                f"bare DuckDB, {beside}: {floor.cpu:.2f} s CPU",
                f"{ours.cpu / floor.cpu:.1f}×",
            )


class Took(NamedTuple):
    """Seconds."""

    cpu: float
    clock: float


def best(does: Callable[[], object]) -> Took:
    """The best of three; the processor's time is the one that other work on the machine does not move."""
    found = []
    for _ in range(3):
        clock, cpu = time.perf_counter(), time.process_time()
        does()
        found.append(Took(time.process_time() - cpu, time.perf_counter() - clock))
    return min(found)


if __name__ == "__main__":
    main()
