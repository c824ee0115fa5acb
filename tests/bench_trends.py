"""Trends and the review list over a store made by SQL, beside the bare aggregation of the same tables.

Run alone as ``python -m tests.bench_trends 1000000 1000000`` (verdicts of twenty judges; claims of one).
"""

from __future__ import annotations

import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import duckdb

from core.models import Label
from core.protocol import ClaimProtocol, VerifierProtocol
from core.store import Store, open_store
from core.store.records import ClaimFilter

Row = tuple[str, str, str, str]

VERSIONS = 20
CLAIMS_PER_ANSWER = 5
DAYS = 365

ANSWERS = ",\n  count(distinct c.request_no)"
BARE = f"""
select v.protocol_no, date_trunc('week', r.asked_at),
  count(*) filter (v.attempted),
  count(*) filter (v.attempted and v.label is not null and v.label <> 'inaccessible'),
  count(*) filter (v.attempted and v.label = 'inaccessible'),
  count(*) filter (v.attempted and v.label is null),
  count(*) filter (v.unsupported_strict),
  count(*) filter (v.unsupported_lenient),
  count(*) filter (v.attempted and v.label = 'secondary_only'){ANSWERS}
from claim_verdicts v join claims c using (claim_no) join requests r using (request_no)
group by all
"""
"""What an analyst would write who knew of no withdrawn import, replaced verdict, time zone or concealed claim."""


def rows(verdicts: int, claims: int) -> Iterator[Row]:
    """Figures of one store with that many verdicts of ``VERSIONS`` protocols, and of one with so many claims of one."""
    with tempfile.TemporaryDirectory() as folder:
        yield from trends(Path(folder, "trends.duckdb"), verdicts)
        yield from review(Path(folder, "review.duckdb"), claims)


def trends(path: Path, verdicts: int) -> Iterator[Row]:
    """The query of the Trends page beside the bare aggregation, in the same run."""
    make(path, verdicts // VERSIONS, VERSIONS)
    with bare(path) as plain:
        plain.execute(BARE).fetchall()
        floor = seconds(lambda: plain.execute(BARE).fetchall())
        without = BARE.replace(ANSWERS, "")
        lower = seconds(lambda: plain.execute(without).fetchall())
    with open_store(path) as store:
        names = [info.name for info in store.protocols()]
        store.trend(names, "week", "Europe/Berlin")
        ours = seconds(lambda: store.trend(names, "week", "Europe/Berlin"))
    yield (
        f"trend of {verdicts:,} verdicts, {VERSIONS} versions",
        f"{ours * 1000:.0f} ms",
        f"bare aggregation {floor * 1000:.0f} ms",
        f"{ours / floor:.2f}×",
    )
    yield (
        "the same",
        f"{ours * 1000:.0f} ms",
        f"without its count of answers {lower * 1000:.0f} ms",
        f"{ours / lower:.2f}×",
    )


def review(path: Path, claims: int) -> Iterator[Row]:
    """Pages and counts of the review list, in the orders and filters that read most."""
    make(path, claims, 1)
    with open_store(path) as store:
        (info,) = store.protocols()
        every = ClaimFilter(protocol=info.name)
        count = seconds(store.summary)
        for name, wanted, offset in pages(store, every, claims):
            store.claim_page(wanted, 50, offset)
            took = seconds(lambda wanted=wanted, offset=offset: store.claim_page(wanted, 50, offset))  # type: ignore[misc]
            yield (
                f"review of {claims:,}, {name}",
                f"{took * 1000:.0f} ms",
                f"summary {count * 1000:.0f} ms",
                f"{took / count:.1f}×",
            )


def pages(store: Store, every: ClaimFilter, claims: int) -> Iterator[tuple[str, ClaimFilter, int]]:
    """Views of the list, by name, with the place of the page."""
    (row, *_) = store.trend([every.protocol], "week", "UTC")
    week = {"bucket": (row.start, row.end), "attempted_only": True}
    yield "first page", every, 0
    yield "last page", every, claims - 50
    yield "one label", every.model_copy(update={"labels": (Label.CONTRADICTED,)}), 0
    yield "one week", every.model_copy(update=week), 0
    yield "one word", every.model_copy(update={"text": "lamp"}), 0


def make(path: Path, claims: int, versions: int) -> None:
    """A store of that many claims, each judged under every version, its labels drawn from a seed."""
    open_store(path).close()
    protocols = [protocol(number) for number in range(versions)]
    with bare(path) as plain:
        plain.execute("select setseed(0.5)")
        for number, one in enumerate(protocols, 1):
            plain.execute(
                "insert into protocols values (?, ?, ?, ?)", [number, one.sha256, str(one), one.model_dump_json()]
            )
        plain.execute(_REQUESTS, [DAYS, claims // CLAIMS_PER_ANSWER])
        plain.execute(_CLAIMS, [CLAIMS_PER_ANSWER, CLAIMS_PER_ANSWER, claims])
        plain.execute(
            "insert into runs by name select number as run_no, 'run' || number as run_id, number as protocol_no, "
            "timestamptz '2026-01-01' as started_at, 'bench' as source, '0' as package_version "
            "from range(1, ? + 1) t(number)",
            [versions],
        )
        for number in range(versions):
            plain.execute(_VERDICTS, [number * claims, number + 1, number + 1])
        plain.execute("checkpoint desk")


def protocol(number: int) -> ClaimProtocol:
    """One of the versions."""
    verifier = VerifierProtocol(
        verifier="lexical", version=1, thresholds={"supported": number / 100}, windowing="whole"
    )
    return ClaimProtocol(verifier=verifier, splitter="sentences@1", materiality="rules@1")


def bare(path: Path) -> duckdb.DuckDBPyConnection:
    """The file without our code around it, cut into row groups as the store cuts it."""
    plain = duckdb.connect(config={"storage_compatibility_version": "v1.0.0"})
    plain.execute("set TimeZone = 'UTC'")
    plain.execute(f"attach '{path}' as desk (type duckdb, row_group_size 8192)")
    plain.execute("use desk")
    return plain


def seconds(work: Callable[[], object], repeat: int = 3) -> float:
    """The shortest of several times."""
    times = []
    for _ in range(repeat):
        began = time.perf_counter()
        work()
        times.append(time.perf_counter() - began)
    return min(times)


_REQUESTS = """
insert into requests by name
select number as request_no, md5(number::varchar) as request_uid, 'r' || number as request_id,
  'How heavy is lamp ' || number || '?' as query,
  timestamptz '2026-01-01' + to_minutes((random() * 1440 * ?)::bigint) as asked_at, 'desk' as generator_name,
  '{}' as meta, '[]' as notes, 'bench' as source, timestamptz '2026-01-01' as recorded_at
from range(1, ? + 1) t(number)
"""
_CLAIMS = """
insert into claims by name
select number as claim_no, md5('c' || number) as claim_uid, 1 + (number - 1) // ? as request_no,
  1 + number % ? as position, 'sentences@1' as splitter, 'c' || number as claim_id,
  'The lamp of line ' || number || ' weighs 40 grams and was sold to Norway in March.' as text,
  '[]' as fragments, 'none' as answer_match, true as material, ['number'] as flags, '[]' as leaked, '[]' as quotes,
  '[]' as notes, number::ubigint as queue_order
from range(1, ? + 1) t(number)
"""
_VERDICTS = """
insert into claim_verdicts by name
with drawn as (
  select claim_no, [
    'supported', 'supported', 'supported', 'partial', 'contradicted', 'irrelevant', 'uncited', 'inaccessible',
    'secondary_only', null
  ][1 + (random() * 9.999)::integer % 10] as label from claims
)
select ? + claim_no as verdict_no, claim_no, ?::integer as protocol_no, ?::integer as run_no, '0' as row_sha256, label,
  'ok' as structural, 'ok' as resolve, 'not_given' as quote, coalesce(label, 'failed') as semantic, true as material,
  true as attempted,
  coalesce(label in ('partial', 'contradicted', 'irrelevant', 'uncited'), false) as unsupported_strict,
  coalesce(label in ('contradicted', 'irrelevant', 'uncited'), false) as unsupported_lenient,
  ['number'] as flags, if(label is null, 'timed_out: none came', 'found') as why, 'lamps.txt:p1' as source,
  '{}' as row_json
from drawn
"""

if __name__ == "__main__":
    for found in rows(*(int(word) for word in sys.argv[1:3])):
        sys.stdout.write("  ".join(found) + "\n")
