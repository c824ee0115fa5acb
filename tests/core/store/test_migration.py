"""Numbered migrations: run once, recorded, refused when newer or other than they were."""

from __future__ import annotations

from pathlib import Path

import duckdb
import pytest

from core.errors import StoreError, StoreTooNew
from core.store import open_store
from core.store.migration import Migration, known, migrate

FIRST = Migration(1, "0001_first", "create table a (x integer); insert into a values (1);")
SECOND = Migration(2, "0002_second", "create table b (x integer);")
BROKEN = Migration(2, "0002_broken", "create table b (x integer); insert into nowhere values (1);")


@pytest.fixture
def root() -> duckdb.DuckDBPyConnection:
    """A database in memory."""
    return duckdb.connect()


def tables(root: duckdb.DuckDBPyConnection) -> list[str]:
    """Its tables."""
    return [name for (name,) in root.execute("select table_name from duckdb_tables() order by 1").fetchall()]


def test_numbers_are_in_order_without_gaps() -> None:
    """The files of the package are numbered 1, 2, 3 … and their names begin with the number."""
    steps = known()

    assert [step.number for step in steps] == list(range(1, len(steps) + 1))


def test_steps_run_once(root: duckdb.DuckDBPyConnection) -> None:
    """A second opening runs what is new only and records each step with its hash."""
    path = Path("desk.duckdb")
    migrate(root, path, [FIRST])
    migrate(root, path, [FIRST, SECOND])
    migrate(root, path, [FIRST, SECOND])

    assert root.execute("select count(*) from a").fetchall() == [(1,)]
    assert root.execute("select number, sha256 from migrations order by 1").fetchall() == [
        (1, FIRST.sha256),
        (2, SECOND.sha256),
    ]


def test_a_failing_step_leaves_the_store_as_it_was(root: duckdb.DuckDBPyConnection) -> None:
    """Half a step is no step."""
    path = Path("desk.duckdb")
    migrate(root, path, [FIRST])

    with pytest.raises(duckdb.Error):
        migrate(root, path, [FIRST, BROKEN])

    assert tables(root) == ["a", "migrations"]
    migrate(root, path, [FIRST, SECOND])
    assert tables(root) == ["a", "b", "migrations"]


def test_a_changed_step_is_refused(root: duckdb.DuckDBPyConnection) -> None:
    """A store built by other SQL under the same number is not touched."""
    migrate(root, Path("desk.duckdb"), [FIRST])

    with pytest.raises(StoreError, match="built with another version of migration 0001_first"):
        migrate(root, Path("desk.duckdb"), [Migration(1, "0001_first", "create table other (x integer);"), SECOND])

    assert tables(root) == ["a", "migrations"]


def test_line_ends_do_not_change_the_hash() -> None:
    """A checkout with Windows line ends is the same migration."""
    assert Migration(1, "x", "a\r\nb").sha256 == Migration(1, "x", "a\nb").sha256


def test_newer_store_is_refused_with_advice(tmp_path: Path) -> None:
    """A file with a later migration stays as it is."""
    path = tmp_path / "desk.duckdb"
    with open_store(path) as store, store._connection.write() as session:
        session.run("insert into migrations values (7, '0007_later', 'x', now())")
    before = path.read_bytes()

    with pytest.raises(StoreTooNew) as caught:
        open_store(path)

    assert str(caught.value) == (
        f"The store {path} was written by a newer Citedesk (schema 7, this one knows {known()[-1].number}); "
        "update Citedesk, or choose another file with --store."
    )
    assert path.read_bytes() == before
