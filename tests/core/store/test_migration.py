"""Numbered migrations: run once, recorded, refused when newer or other than they were."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import duckdb
import pytest

from core.errors import StoreError, StoreTooNew
from core.models import Annotation, Label
from core.store import Store, open_store
from core.store.migration import Migration, known, migrate
from core.store.records import Batch, ClaimFilter
from tests.core.store import build

pytestmark = pytest.mark.usefixtures("made_anew")

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
    path, newest = tmp_path / "desk.duckdb", known()[-1].number
    with open_store(path) as store, store._connection.write() as session:
        session.run("insert into migrations values (?, 'later', 'x', now())", [newest + 1])
    before = path.read_bytes()

    with pytest.raises(StoreTooNew) as caught:
        open_store(path)

    assert str(caught.value) == (
        f"The store {path} was written by a newer Citedesk (schema {newest + 1}, this one knows {newest}); "
        "update Citedesk, or choose another file with --store."
    )
    assert path.read_bytes() == before


def seen(store: Store) -> dict[str, Any]:
    """What a store gives of everything that a migration may touch, without the name of its file."""
    wanted = ClaimFilter(protocol=str(build.PROTOCOL))
    items = store.claim_page(wanted).items
    return {
        "answers": store.answers(),
        "page": items,
        "claims": [store.claim(item.claim_uid) for item in items],
        "labels": list(store.labels.events()),
        "queue": store.labels.ahead("bob", "v1"),
        "imports": store.imports(),
        "summary": store.summary().model_copy(update={"path": ""}),
    }


def filled() -> Batch:
    """Answers with everything that a column of theirs can hold, and nothing where it may hold nothing."""
    full = build.answer(
        "r1", claims=(), annotations=(Annotation(start=0, end=8, cite="C1"),), meta={"a": "\0\ud83d"}, notes=("n",)
    )
    bare = build.answer("r2", query=None, asked_at=None, answer=None, claims=None, evidence=())
    claims = [build.claim(1, quotes=("open",), flags=("number", "date"), notes=("n",)), build.claim(2, cites=())]
    made = build.batch(build.checked(full, [Label.SUPPORTED, None], claims), build.checked(bare, [Label.UNRESOLVABLE]))
    header = {"source_sha256": "a" * 64, "format": "citedesk", "mapping": {}}
    return made.model_copy(update={"run": made.run.model_copy(update=header)})


def test_a_store_with_indexes_keeps_everything(tmp_path: Path) -> None:
    """Version 3 had keys on answers, claims and texts; all data and labels come over, and what is known stays known."""
    path, batch = tmp_path / "desk.duckdb", filled()
    with open_store(path) as store:
        store.record(batch)
        uid = build.uid(batch.answers[0].answer, batch.answers[0].claims[0])
        store.labels.add([build.event("e1", uid)])
        expected = seen(store)
    older = build.older(path, 3)
    with duckdb.connect(str(older), read_only=True) as before:
        keyed = "select table_name from duckdb_constraints() where constraint_type = 'PRIMARY KEY'"
        assert {"requests", "claims", "texts"} <= {name for (name,) in before.execute(keyed).fetchall()}

    with open_store(older) as store:
        assert seen(store) == expected
        again = store.record(batch)
        assert (again.requests_new, again.claims_new, again.verdicts_new) == (0, 0, 0)
        stored = store.labels.add([build.event("e1", uid)])
        assert seen(store) == expected
    assert [one.event.event_id for one in stored] == ["e1"]


def test_an_interrupted_migration_is_none(tmp_path: Path) -> None:
    """Each step is one transaction: a store that was left at version 3 opens at the newest with all it had."""
    path, batch = tmp_path / "desk.duckdb", filled()
    with open_store(path) as store:
        store.record(batch)
    older = build.older(path, 3)
    step = known()[3]
    with duckdb.connect(str(older)) as root, pytest.raises(duckdb.Error):
        migrate(root, older, [*known()[:3], Migration(4, step.name, step.sql + "insert into nowhere values (1);")])

    with open_store(older) as store:
        assert store.answers() == [one.answer for one in batch.answers]
