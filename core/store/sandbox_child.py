"""The process that runs a stranger's question: a copy of the views, no files, no network, little memory, little time.

Started by ``core.store.sandbox`` as a script, so that nothing but DuckDB is loaded; reads one JSON object on standard
input and writes one on standard output.
"""

from __future__ import annotations

import json
import sys
import time
from contextlib import suppress
from datetime import date, datetime
from decimal import Decimal
from typing import Any

import duckdb

LONGEST = 2_000
"""Code points of one value that are kept."""

MOST_BYTES = 4_000_000
"""Of all rows, as JSON."""

SPARE = 3 << 30
"""Bytes of address space; DuckDB's own limit below it counts most of what a question takes, but not long texts."""


def main() -> None:
    """Answer the question."""
    asked = json.load(sys.stdin)
    limit(asked["seconds"])
    try:
        json.dump(answer(asked["path"], asked["sql"], asked["rows"], asked["only"]), sys.stdout)
    except (duckdb.Error, MemoryError) as error:
        json.dump({"error": str(error).strip() or type(error).__name__}, sys.stdout)


def limit(seconds: float) -> None:
    """Take away memory and time where the system can; the parent ends the process otherwise."""
    with suppress(ImportError):  # not on Windows
        import resource

        resource.setrlimit(resource.RLIMIT_AS, (SPARE, SPARE))
        resource.setrlimit(resource.RLIMIT_CPU, (int(2 * seconds) + 2, int(2 * seconds) + 4))
        resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))


def answer(path: str, sql: str, most: int, only: str | None) -> dict[str, Any]:
    """Run one question over the copy, or over what one protocol says there."""
    config: dict[str, str | bool | int | float | list[str]] = {
        "access_mode": "READ_ONLY",
        "enable_external_access": "false",
        "autoinstall_known_extensions": "false",
        "autoload_known_extensions": "false",
        "allow_community_extensions": "false",
        "memory_limit": "512MB",
        "max_temp_directory_size": "0KB",
        "threads": "2",
    }
    with duckdb.connect(path, config=config) as root:
        root.execute("set TimeZone = 'UTC'")
        if only is not None:
            quoted = only.replace("'", "''")
            root.execute(
                f"create temp view v_verdicts as select * from views.main.v_verdicts where protocol = '{quoted}'"
            )
        root.execute("set lock_configuration = true")
        began = time.perf_counter()
        asked = root.execute(sql)
        columns = [(column[0], str(column[1])) for column in asked.description]
        rows: list[list[Any]] = []
        size = 0
        while len(rows) <= most and size <= MOST_BYTES and (row := asked.fetchone()) is not None:
            rows.append([plain(value) for value in row])
            size += len(json.dumps(rows[-1]))
        cut = len(rows) > most or size > MOST_BYTES
        return {
            "columns": [name for name, _ in columns],
            "types": [kind for _, kind in columns],
            "rows": rows[:most] if size <= MOST_BYTES else rows[:-1],
            "cut": cut,
            "seconds": time.perf_counter() - began,
        }


def plain(value: Any) -> Any:
    """A value as JSON has it: numbers and truth as they are, everything else as text that is not too long."""
    if value is None or isinstance(value, bool | int):
        return value if value is None or abs(value) < 2**53 else str(value)
    if isinstance(value, float | Decimal):
        value = float(value)
        return value if value - value == 0 else str(value)
    text = value.isoformat(sep=" ") if isinstance(value, datetime) else str(value)
    if isinstance(value, date) and not isinstance(value, datetime):
        text = value.isoformat()
    return text if len(text) <= LONGEST else f"{text[:LONGEST]}…"


if __name__ == "__main__":
    main()
