"""Numbered migrations: the files in ``migrations/``, each run once per store, in order, inside a transaction."""

from __future__ import annotations

import hashlib
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

import duckdb

from core.errors import StoreError, StoreTooNew
from core.models import utc_now

_FOLDER = Path(__file__).parent / "migrations"
_LEDGER = """
create table if not exists migrations (
  number integer primary key, name varchar not null, sha256 varchar not null, applied_at timestamptz not null
)
"""


@dataclass(frozen=True)
class Migration:
    """One step of the schema."""

    number: int
    name: str
    sql: str

    @property
    def sha256(self) -> str:
        """64 hex over the SQL text, line ends folded so that a checkout on Windows gives the same."""
        return hashlib.sha256(self.sql.replace("\r\n", "\n").encode()).hexdigest()


def known() -> list[Migration]:
    """All migrations of this package, in order."""
    files = sorted(_FOLDER.glob("[0-9]*.sql"))
    return [Migration(int(file.stem[:4]), file.stem, file.read_text(encoding="utf-8")) for file in files]


def migrate(root: duckdb.DuckDBPyConnection, path: Path, steps: list[Migration] | None = None) -> None:
    """Bring a store up to date; each missing step is one transaction, so a failing one leaves the store as it was.

    Args:
        root: An open connection that nobody else uses yet.
        path: For the messages.
        steps: Instead of this package's own.

    Raises:
        StoreTooNew: The store has steps that this package does not know.
        StoreError: The file is another program's, or a step differs from the one that the store was built with.
    """
    steps = known() if steps is None else steps
    done = _done(root, path)
    if done and max(done) > max((step.number for step in steps), default=0):
        raise StoreTooNew(
            f"The store {path} was written by a newer Citedesk (schema {max(done)}, this one knows {steps[-1].number})",
            "update Citedesk, or choose another file with --store",
        )
    for step in steps:
        if step.number not in done:
            _apply(root, step)
        elif done[step.number] != step.sha256:
            raise StoreError(
                f"The store {path} was built with another version of migration {step.name}",
                "use the Citedesk that made it, or start a new file with --store",
            )


def _done(root: duckdb.DuckDBPyConnection, path: Path) -> dict[int, str]:
    tables = {name for (name,) in root.execute("select table_name from duckdb_tables()").fetchall()}
    if not tables:
        return {}
    if "migrations" not in tables:
        raise StoreError(f"{path} is a DuckDB file, but not a store of Citedesk", "choose another file with --store")
    return dict(root.execute("select number, sha256 from migrations").fetchall())


def _apply(root: duckdb.DuckDBPyConnection, step: Migration) -> None:
    root.begin()
    try:
        root.execute(_LEDGER)
        root.execute(step.sql)
        root.execute("insert into migrations values (?, ?, ?, ?)", [step.number, step.name, step.sha256, utc_now()])
        root.commit()
    except BaseException:
        with suppress(duckdb.Error):  # a failed commit has rolled back already, and its reason is the one to tell
            root.rollback()
        raise
