"""A backup and its return beside DuckDB's own export of the same tables; called by ``make bench``."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from pathlib import Path
from time import process_time

from core import backup
from core.store import open_store
from tests import bench_failures, bench_trends

Row = tuple[str, str, str, str]


def rows(claims: int) -> Iterator[Row]:
    """A store of so many claims, out and back."""
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder)
        bench_failures.fill(home / "desk.duckdb", claims)
        with bench_trends.bare(home / "desk.duckdb") as plain:
            began = process_time()
            plain.execute(f"export database '{home / 'bare'}' (format parquet, compression zstd)")
            floor = process_time() - began
        began = process_time()
        with open_store(home / "desk.duckdb") as store:
            written = backup.make(store, home / "kept", lambda done, total: None)
        out, began = process_time() - began, process_time()
        backup.restore(home / "kept", home / "new.duckdb", lambda done, total: None)
        back = process_time() - began
    for what, took in (("backup", out), ("restore", back)):
        yield (
            f"{what} of {claims:,} claims",
            f"{took:.1f} s CPU, {written.bytes / 1e6:.0f} MB",
            f"bare export database {floor:.1f} s CPU",
            f"{took / floor:.1f}×",
        )
