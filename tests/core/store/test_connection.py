"""Opening the store's file, transactions, and one sentence for whatever goes wrong."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import duckdb
import pytest

from core.errors import StoreBusy, StoreError, StoreTooNew
from core.models import Label
from core.store import Store, open_store
from core.store.connection import Connection, explain
from core.store.records import ClaimFilter
from tests.core.store import build

pytestmark = pytest.mark.usefixtures("made_anew")

HOLD = """
import sys, pathlib
from core.store import open_store
store = open_store(pathlib.Path(sys.argv[1]))
print("open", flush=True)
sys.stdin.read()
"""


def files(folder: Path) -> list[str]:
    """Everything under a folder."""
    return sorted(str(path.relative_to(folder)) for path in folder.rglob("*"))


def is_one_sentence(error: StoreError) -> bool:
    """Whether a message is one line that ends as a sentence and advises."""
    text = str(error)
    return "\n" not in text and text.endswith(".") and bool(error.advice)


def test_makes_the_file_and_its_folders(tmp_path: Path) -> None:
    """A path that does not exist yet becomes a store, and nothing else is left beside it."""
    path = tmp_path / "new" / "folder" / "desk.duckdb"

    open_store(path).close()

    assert files(tmp_path) == ["new", "new/folder", "new/folder/desk.duckdb"]


def test_file_keeps_the_oldest_storage_format(tmp_path: Path) -> None:
    """The file is pinned to the storage format of DuckDB 1.0 and says its times in UTC."""
    connection = Connection(tmp_path / "desk.duckdb")

    with connection.read() as session:
        options = session.value("select tags from duckdb_databases() where path is not null")
        zone = session.value("select current_setting('TimeZone')")
    connection.close()

    assert options["storage_version"].startswith("v1.0.0")
    assert zone == "UTC"


def test_a_name_that_sql_would_read(tmp_path: Path) -> None:
    """A path is a path, whatever stands in it, and nothing is left beside the store."""
    path = tmp_path / 'it\'s; drop "desk" -- ü.duckdb'
    with open_store(path) as store:
        store.record(build.batch(build.checked(build.answer(), [Label.SUPPORTED])))
    with open_store(path) as store:
        assert store.summary().claims == 1

    assert files(tmp_path) == [path.name]


def test_row_groups_stay_small(tmp_path: Path) -> None:
    """DuckDB rewrites row groups whole and in memory: none is larger than ours, however the rows came in."""
    path = tmp_path / "desk.duckdb"
    for start in (0, 7000, 14000, 21000):
        connection = Connection(path)
        for first in range(start, start + 7000, 500):
            rows = [{"text_no": number, "sha256": str(number), "text": "x"} for number in range(first, first + 500)]
            with connection.write() as session:
                session.append("texts", rows)
            if first % 1500 == 0:
                connection.checkpoint()
        connection.close()
    connection = Connection(path)
    with connection.read() as session:
        sizes = session.all(
            "select row_group_id, sum(count) from pragma_storage_info('texts') "
            "where column_name = 'text_no' and segment_type = 'INTEGER' group by 1"
        )
        ordered = session.value("select list(text_no order by rowid) = range(28000) from texts")
    connection.close()

    assert sum(size for _, size in sizes) == 28000
    assert max(size for _, size in sizes) <= 8192
    assert ordered


APPEND = """
import pathlib, re, sys
from core.store.connection import Connection
# not ru_maxrss, which begins with what the parent had
peak = lambda: int(re.search(r"VmHWM:\\s+(\\d+)", pathlib.Path("/proc/self/status").read_text())[1])
connection = Connection(pathlib.Path(sys.argv[1]))
before = None
for first in range(0, 40_000, 500):
    made = [{"line": line, "reason": f"{line:08} " * 300} for line in range(first, first + 500)]
    with connection.write() as session:
        session.append("refused_rows", [one | {"run_no": 1, "position": one["line"], "file": ""} for one in made])
    before = before or peak()
print((peak() - before) // 1024, sorted({"pandas", "pyarrow"} & set(sys.modules)))
"""


@pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")
def test_memory_does_not_grow_with_what_is_written(tmp_path: Path) -> None:
    """A hundred megabytes of text go in with about as much memory, and without the libraries for tables.

    With DuckDB's own row groups it was 258 MiB beyond the first transaction, with ours 95.
    """
    words = [sys.executable, "-c", APPEND, str(tmp_path / "desk.duckdb")]
    grown, libraries = subprocess.run(words, capture_output=True, text=True, check=True).stdout.split(maxsplit=1)

    assert libraries.strip() == "[]"
    assert int(grown) <= 180


def test_another_process_gets_one_sentence_with_the_pid(tmp_path: Path) -> None:
    """A store that another process has open is refused, naming that process, and opens when it is gone."""
    path = tmp_path / "desk.duckdb"
    holder = subprocess.Popen(
        [sys.executable, "-c", HOLD, str(path)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    assert holder.stdout is not None
    assert holder.stdout.readline() == "open\n"

    with pytest.raises(StoreBusy) as caught:
        open_store(path)
    holder.communicate()
    open_store(path).close()

    assert str(caught.value) == (
        f"Another process (PID {holder.pid}) has the store {path} open; close it, or choose another file with --store."
    )


def a_folder(path: Path) -> None:
    """Make the path a folder."""
    path.mkdir()


def an_empty_file(path: Path) -> None:
    """Make the path an empty file."""
    path.touch()


def a_text_file(path: Path) -> None:
    """Make the path a text file longer than a DuckDB header."""
    path.write_text("request_id\n" * 2000)


def another_duckdb(path: Path) -> None:
    """Make the path somebody else's DuckDB file."""
    with duckdb.connect(str(path)) as theirs:
        theirs.execute("create table invoices (id integer)")


def a_truncated_store(path: Path) -> None:
    """Make the path the first third of a store."""
    open_store(path).close()
    os.truncate(path, path.stat().st_size // 3)


@pytest.mark.parametrize(
    ("make", "says"),
    [
        (a_folder, "it is a directory"),
        (an_empty_file, "it is not a DuckDB file"),
        (a_text_file, "it is not a DuckDB file"),
        (another_duckdb, "not a store of Citedesk"),
        (a_truncated_store, "it is cut short"),
    ],
)
def test_what_is_no_store_is_left_alone(tmp_path: Path, make: Callable[[Path], None], says: str) -> None:
    """A path that is something else is refused in one sentence that names it, and stays byte for byte."""
    path = tmp_path / "thing"
    make(path)
    before = files(tmp_path), path.read_bytes() if path.is_file() else b""

    with pytest.raises(StoreError, match=says) as caught:
        open_store(path)

    assert is_one_sentence(caught.value)
    assert str(path) in str(caught.value)
    assert (files(tmp_path), path.read_bytes() if path.is_file() else b"") == before


@pytest.mark.parametrize("name", ["a\0b/desk.duckdb", "x" * 300, "file/desk.duckdb"])
def test_impossible_paths(tmp_path: Path, name: str) -> None:
    """A path that no file can have is refused in one sentence and leaves nothing behind."""
    (tmp_path / "file").touch()

    with pytest.raises(StoreError) as caught:
        open_store(tmp_path / name)

    assert is_one_sentence(caught.value)
    assert files(tmp_path) == ["file"]


@pytest.mark.skipif(os.name != "posix", reason="needs POSIX permissions")
def test_no_permission(tmp_path: Path) -> None:
    """A folder that may not be written to is refused in one sentence; root steps down to nobody to see it."""
    folder = tmp_path / "closed"
    folder.mkdir(mode=0o500)
    done = opened_by_a_child(folder / "new" / "desk.duckdb", before="if os.geteuid() == 0: os.setuid(65534)")
    folder.chmod(0o700)

    assert "cannot be used: you may not write there; change the permissions" in done
    assert len(done.splitlines()) == 1
    assert files(tmp_path) == ["closed"]


def opened_by_a_child(path: Path, before: str) -> str:
    """What a child process says that opens a store after doing something to itself."""
    code = f"""
import os, pathlib, resource, signal, sys
from core.errors import StoreError
from core.store import open_store
{before}
try:
    open_store(pathlib.Path(sys.argv[1]))
except StoreError as error:
    print(error)
"""
    words = [sys.executable, "-c", code, str(path)]
    return subprocess.run(words, stdout=subprocess.PIPE, text=True, check=True).stdout


@pytest.mark.parametrize(
    ("complaint", "says"),
    [
        ('IO Error: Cannot open file "/x/d.duckdb": Permission denied', "you may not write there"),
        ('IO Error: Cannot open file "/x/d.duckdb": Read-only file system', "the disk is read-only"),
        ('IO Error: Could not write file "/x/d.duckdb": No space left on device', "the disk is full"),
        ("Fatal Error: database has been invalidated because of a previous fatal error", "an earlier error stopped it"),
        ("Out of Memory Error: could not allocate\nblock", "Out of Memory Error: could not allocate"),
    ],
)
def test_complaints_in_words(complaint: str, says: str) -> None:
    """What DuckDB says becomes one sentence with advice."""
    error = explain(duckdb.IOException(complaint), Path("/x/d.duckdb"))

    assert is_one_sentence(error)
    assert str(error).startswith(f"The store /x/d.duckdb cannot be used: {says}; ")


def test_newer_duckdb_file() -> None:
    """A file of a storage version that this DuckDB cannot read is told apart from a damaged one."""
    complaint = "IO Error: Trying to read a database file with version number 999, but we can only read versions 64"

    assert isinstance(explain(duckdb.IOException(complaint), Path("d")), StoreTooNew)


@pytest.mark.skipif(os.name != "posix", reason="needs POSIX limits")
@pytest.mark.parametrize("limit", [0, 300_000])
def test_making_a_store_on_a_full_disk_leaves_nothing(tmp_path: Path, limit: int) -> None:
    """When the file cannot be written to its end, there is one sentence and no file."""
    limited = f"resource.setrlimit(resource.RLIMIT_FSIZE, ({limit}, {limit}))"
    ignored = "signal.signal(signal.SIGXFSZ, signal.SIG_IGN)"
    said = opened_by_a_child(tmp_path / "new" / "desk.duckdb", before=f"{ignored}; {limited}")

    assert said.startswith("The store ")
    assert len(said.splitlines()) == 1
    assert files(tmp_path) == []


class Stopped(BaseException):
    """What a page raises when it is rerun."""


@pytest.mark.parametrize("stop", [KeyboardInterrupt, Stopped, SystemExit, ValueError])
def test_a_write_that_is_stopped_leaves_nothing(store: Store, stop: type[BaseException]) -> None:
    """Whatever is raised inside a write comes out again, and nothing of the write is in the store."""
    connection = store._connection
    insert = "insert into migrations values (99, 'x', 'x', now())"

    def stopped() -> None:
        with connection.write() as session:
            session.run(insert)
            raise stop

    with pytest.raises(stop):
        stopped()

    with connection.write() as session:
        assert session.value("select count(*) from migrations where number = 99") == 0
        session.run(insert)
    with connection.read() as session:
        assert session.value("select count(*) from migrations where number = 99") == 1


def test_an_interrupted_record_leaves_nothing(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    """Ctrl-C after everything was written but before the commit: no request, no claim, no run; again, and all is in."""
    from core.store import recording

    def interrupted(*args: object) -> str:
        raise KeyboardInterrupt

    one = build.batch(build.checked(build.answer(), [Label.SUPPORTED]))
    revision = store.revision()
    with monkeypatch.context() as patch:
        patch.setattr(recording, "digest", interrupted)
        with pytest.raises(KeyboardInterrupt):
            store.record(one)
    summary = store.summary()

    assert (summary.requests, summary.claims, summary.runs, store.protocols()) == (0, 0, (), [])
    assert store.revision() == revision
    assert store.record(one).verdicts_new == 1
    assert store.revision() > revision


def test_readers_keep_their_state_while_somebody_writes(store: Store) -> None:
    """A read sees one state from beginning to end."""
    connection = store._connection
    with connection.read() as session:
        before = session.value("select count(*) from requests")
        store.record(build.batch(build.checked(build.answer(), [Label.SUPPORTED])))
        during = session.value("select count(*) from requests")

    assert (before, during, store.summary().requests) == (0, 0, 1)


def test_closed_store(store: Store) -> None:
    """A closed store says so; closing it again does no harm, and the file opens once more."""
    store.checkpoint()
    store.close()
    store.close()

    with pytest.raises(StoreError, match="it was closed; open it again"):
        store.claim_page(ClaimFilter(protocol="x"))
    with open_store(store.path) as again:
        assert again.summary().path == str(store.path)
