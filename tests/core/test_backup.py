"""Backups: what comes back is what was there, and nothing half-written, changed or newer is taken for one."""

from __future__ import annotations

import hashlib
import json
import os
import resource
import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import duckdb
import pytest
from click.testing import CliRunner

from core import audit_check, backup, originals
from core.backup import BackupReport, Manifest
from core.cli import cli, main
from core.errors import CitedeskError, InputError, StoreError, StoreTooNew
from core.models import Label
from core.pseudonyms import Pseudonyms
from core.store import migration, open_store
from core.store.migration import known
from core.store.records import ClaimFilter
from tests.core.store import build
from tests.core.test_audit_check import fill, label

pytestmark = pytest.mark.long

PDF = b"%PDF-1.7 of a source"
SHA256 = hashlib.sha256(PDF).hexdigest()


def silent(_done: int, _total: int) -> None:
    """Show no progress."""


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path, BackupReport]:
    """A closed store with labels, an audit chain, a page to draw and pseudonyms; its backup; what was said of it."""
    home = tmp_path_factory.mktemp("backup")
    (home / "source.pdf").write_bytes(PDF)
    with open_store(home / "desk.duckdb") as store:
        fill(store)
        store.record(
            build.batch(build.checked(build.answer("half \ud83d and \0", query="\U0010ffff"), [Label.PARTIAL]))
        )
        originals.keep(store.path, home / "source.pdf", SHA256)
        Pseudonyms(store.path).of("ana")
        report = backup.make(store, home / "kept", silent)
    return home / "desk.duckdb", home / "kept", report


@pytest.fixture
def copy(made: tuple[Path, Path, BackupReport], tmp_path: Path) -> Path:
    """A copy of the backup."""
    return Path(shutil.copytree(made[1], tmp_path / "kept"))


@pytest.fixture
def desk(made: tuple[Path, Path, BackupReport], tmp_path: Path) -> Path:
    """A copy of the closed store."""
    return Path(shutil.copy(made[0], tmp_path / "desk.duckdb"))


def rows(path: Path) -> dict[str, list[tuple[Any, ...]]]:
    """Everything in a closed store, by table."""
    with duckdb.connect(str(path), read_only=True) as root:
        names = [name for (name,) in root.execute("select table_name from duckdb_tables() order by 1").fetchall()]
        return {name: root.execute(f"select * from {name}").fetchall() for name in names}


def test_what_comes_back_is_what_was_there(made: tuple[Path, Path, BackupReport], tmp_path: Path) -> None:
    """Every row of every table in its order, the audit chain, the files beside the store and the pseudonyms."""
    path, folder, report = made
    back = backup.restore(folder, tmp_path / "new" / "desk.duckdb", silent, report.checksum)
    with open_store(path) as old, open_store(back.path) as new:
        assert audit_check.verify(new) == audit_check.verify(old) == back.audit
        assert [*new.answers()] == [*old.answers()]
        assert [one.path for one in (old, new)] == [path, back.path]

    there = rows(path)
    assert rows(back.path) == there
    assert back.audit is not None
    assert (back.audit.fault, back.audit.entries) == (None, len(there["audit"]))
    assert (back.rows, back.tables, back.files) == (sum(map(len, there.values())), len(there), 2)
    assert originals.read(back.path, SHA256) == PDF
    assert Pseudonyms(back.path).of("ben") == Pseudonyms(path).of("ben")


def test_the_files_are_plain_parquet(made: tuple[Path, Path, BackupReport]) -> None:
    """Any other engine reads them."""
    with duckdb.connect() as root:
        found = root.execute(
            f"select labeller, label from '{made[1]}/tables/label_events.parquet' where kind = 'label'"
        ).fetchall()

    assert found == [("ana@example.org", "partial")] * 2


def test_nobody_waits_for_a_backup(desk: Path, tmp_path: Path) -> None:
    """A label that is given while it is written goes into the store, and not into the backup: that is one state."""
    with open_store(desk) as store:
        (uid, *_) = (item.claim_uid for item in store.claim_page(ClaimFilter(protocol=str(build.PROTOCOL))).items)
        given: list[str] = []

        def label_once(_done: int, _total: int) -> None:
            if not given:
                given.append(uid)
                store.labels.add([label(store, uid, "while it was written")])
                store.checkpoint()

        before = sum(1 for _ in store.labels.events())
        backup.make(store, tmp_path / "kept", label_once)
        assert sum(1 for _ in store.labels.events()) == before + 1

    back = backup.restore(tmp_path / "kept", tmp_path / "new.duckdb", silent)
    assert len(rows(back.path)["label_events"]) == before
    assert back.audit is not None
    assert back.audit.fault is None


def test_a_backup_of_an_older_citedesk_is_brought_up_to_date(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its labels stay, and the chain that begins after them holds."""
    with open_store(tmp_path / "desk.duckdb") as store:
        store.record(build.batch(build.checked(build.answer(), [Label.PARTIAL])))
        uid = build.uid(build.answer(), build.claim(1))
        store.labels.add([build.event("e1", uid), build.undo("e2", build.event("e1", uid)), build.event("e3", uid)])
    old = build.older(tmp_path / "desk.duckdb", 10)
    with monkeypatch.context() as patched:
        patched.setattr(migration, "known", lambda: known()[:10])
        with open_store(old) as store:
            backup.make(store, tmp_path / "kept", silent)

    back = backup.restore(tmp_path / "kept", tmp_path / "new.duckdb", silent)

    assert back.audit is not None
    assert back.audit.fault is None
    assert len(rows(back.path)["migrations"]) == len(known())
    with open_store(back.path) as store:
        assert [one.event.event_id for one in store.labels.events()] == ["e1", "e2", "e3"]
        assert [item.label for item in store.claim_page(ClaimFilter(protocol=str(build.PROTOCOL))).items] == ["partial"]


def sealed(folder: Path, **changes: Any) -> None:
    """Change a manifest as somebody would who knows how its checksum is made."""
    values = json.loads((folder / "manifest.json").read_text())["backup"] | changes
    checksum = Manifest.model_validate(values).checksum
    (folder / "manifest.json").write_text(json.dumps({"backup": values, "sha256": checksum}))


def parts(folder: Path) -> list[dict[str, Any]]:
    """The files that a manifest names."""
    found: list[dict[str, Any]] = json.loads((folder / "manifest.json").read_text())["backup"]["parts"]
    return found


def rename_a_part(folder: Path) -> None:
    """A manifest that leads out of its folder."""
    shutil.copy(folder / "pseudonyms", folder.parent / "outside")
    names = [one | {"name": "../outside"} if one["name"] == "pseudonyms" else one for one in parts(folder)]
    sealed(folder, parts=names)


def leave_out_a_table(folder: Path) -> None:
    """A manifest that has forgotten what people said."""
    held = json.loads((folder / "manifest.json").read_text())["backup"]["rows"]
    kept = {name: number for name, number in held.items() if name != "label_events"}
    sealed(folder, rows=kept, parts=[one for one in parts(folder) if "label_events" not in one["name"]])


def change_a_byte(file: Path) -> None:
    """One bit is turned in the middle, as bad disks do."""
    content = bytearray(file.read_bytes())
    content[len(content) // 2] ^= 1
    file.write_bytes(content)


def cut(file: Path) -> None:
    """The end is missing."""
    file.write_bytes(file.read_bytes()[:-10])


def put_a_file_there(folder: Path) -> None:
    """A file under the name of a backup."""
    shutil.rmtree(folder)
    folder.write_text("x")


BROKEN: dict[str, tuple[Callable[[Path], object], str]] = {
    "no manifest": (lambda folder: (folder / "manifest.json").unlink(), "it has no manifest.json"),
    "manifest cut": (lambda folder: cut(folder / "manifest.json"), "manifest.json cannot be read"),
    "manifest a list": (lambda folder: (folder / "manifest.json").write_text("[]"), "manifest.json cannot be read"),
    "rows edited": (
        lambda folder: (folder / "manifest.json").write_text(
            (folder / "manifest.json").read_text().replace('"label_events": 3', '"label_events": 2')
        ),
        "manifest.json was changed",
    ),
    "byte changed": (lambda folder: change_a_byte(folder / "tables/claims.parquet"), "tables/claims.parquet was ch"),
    "table cut": (lambda folder: cut(folder / "tables/audit.parquet"), "tables/audit.parquet was changed"),
    "table missing": (lambda folder: (folder / "tables/spans.parquet").unlink(), "tables/spans.parquet is missing"),
    "file changed": (lambda folder: change_a_byte(folder / f"files/{SHA256}.pdf"), "was changed since it was written"),
    "leads outside": (rename_a_part, "names other files than a backup has"),
    "without labels": (leave_out_a_table, "does not have the tables of its schema (label_events)"),
    "not a folder": (put_a_file_there, "it has no manifest.json"),
}


@pytest.mark.parametrize("how", BROKEN)
def test_what_is_not_whole_is_refused(how: str, copy: Path, tmp_path: Path) -> None:
    """In one sentence that names what is wrong, and nothing is at the new place."""
    breaks, said = BROKEN[how]
    breaks(copy)

    with pytest.raises(CitedeskError) as refused:
        backup.restore(copy, tmp_path / "new.duckdb", silent)

    assert said in str(refused.value)
    assert not (tmp_path / "new.duckdb").exists()


def test_a_backup_of_a_newer_citedesk_is_refused(copy: Path, tmp_path: Path) -> None:
    """It has tables that nobody here knows."""
    sealed(copy, schema_number=len(known()) + 1)

    with pytest.raises(
        StoreTooNew, match=rf"schema {len(known()) + 1}, this one knows {len(known())}\); update Citedesk"
    ):
        backup.restore(copy, tmp_path / "new.duckdb", silent)


def test_another_backup_does_not_pass_for_the_one_that_was_made(
    made: tuple[Path, Path, BackupReport], copy: Path, tmp_path: Path
) -> None:
    """Who rewrites files and manifest alike is found by the checksum that was printed."""
    sealed(copy, package_version="9")

    with pytest.raises(InputError, match="is another backup than the one with that checksum"):
        backup.restore(copy, tmp_path / "new.duckdb", silent, made[2].checksum)


@pytest.mark.parametrize("name", ["new.duckdb", "new.duckdb.wal", "new.duckdb.pseudonyms"])
def test_nothing_is_overwritten(name: str, copy: Path, tmp_path: Path) -> None:
    """Neither a store nor the log of one, nor another store's pseudonyms."""
    (tmp_path / name).write_bytes(b"another store's")

    with pytest.raises(InputError):
        backup.restore(copy, tmp_path / "new.duckdb", silent)

    assert (tmp_path / name).read_bytes() == b"another store's"
    assert {file.name for file in tmp_path.iterdir()} <= {name, "kept", "new.duckdb.files"}


def test_a_backup_that_was_broken_off_leaves_nothing(desk: Path, tmp_path: Path) -> None:
    """Whoever stops it gets neither the folder nor a part of it; what is there already is never written to."""
    with open_store(desk) as store:

        def stop(_done: int, _total: int) -> None:
            raise KeyboardInterrupt

        with pytest.raises(KeyboardInterrupt):
            backup.make(store, tmp_path / "kept", stop)
        assert [file.name for file in tmp_path.iterdir() if file.is_dir()] == []
        (tmp_path / "kept").mkdir()
        with pytest.raises(InputError, match="nothing is overwritten"):
            backup.make(store, tmp_path / "kept", silent)
        with pytest.raises(InputError, match="There is no folder"):
            backup.make(store, tmp_path / "nowhere" / "kept", silent)


def test_what_else_lies_beside_a_backup_is_left_alone(desk: Path, tmp_path: Path) -> None:
    """Neither a name that leads nowhere nor a pipe that waits for somebody stops a backup that is made."""
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "link").symlink_to(tmp_path / "nowhere")
    with open_store(desk) as store:
        made = backup.make(store, tmp_path / "kept", silent)
    back = backup.restore(tmp_path / "kept", tmp_path / "back.duckdb", silent, made.checksum)

    assert back.rows == made.rows > 0
    assert (tmp_path / "pipe").is_fifo()
    assert (tmp_path / "link").is_symlink()


@contextmanager
def files_at_most(size: int) -> Iterator[None]:
    """No file may grow beyond some bytes, as on a disk that is full."""
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


def test_a_full_disk_is_said_and_leaves_nothing(
    made: tuple[Path, Path, BackupReport], desk: Path, tmp_path: Path
) -> None:
    """Of a backup as of a store that is restored; with room again, the same store and the same backup do."""
    with open_store(desk) as store:
        with files_at_most(100), pytest.raises((StoreError, OSError)) as full:
            backup.make(store, tmp_path / "kept", silent)
        assert "may not grow any more" in str(full.value)
        assert not (tmp_path / "kept").exists()
        backup.make(store, tmp_path / "kept", silent)
    with files_at_most(50_000), pytest.raises(StoreError, match="may not grow any more"):
        backup.restore(made[1], tmp_path / "new.duckdb", silent)
    assert not (tmp_path / "new.duckdb").exists()
    assert backup.restore(made[1], tmp_path / "new.duckdb", silent).rows == made[2].rows


def test_the_commands_say_what_they_did(
    desk: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Rows, size and checksum; then the chain's head. The next check of the old store finds that it was taken out."""
    path, new = str(desk), str(tmp_path / "new.duckdb")
    with open_store(desk) as store:
        head = audit_check.verify(store)
    ran = [
        CliRunner().invoke(cli, words, standalone_mode=False)
        for words in (
            ["backup", str(tmp_path / "kept"), "--store", path],
            ["restore", str(tmp_path / "kept"), "--store", new],
            ["audit", "list", "--subject", "export", "--store", path],
            ["backup", str(tmp_path / "json"), "--store", path, "--json"],
        )
    ]

    assert [(one.exception, one.return_value) for one in ran] == [(None, 0)] * 4
    written, restored, acts, as_json = (one.output for one in ran)
    assert f"written to {tmp_path / 'kept'}. Checksum: " in written
    assert (
        f"restored to {new}.\nThe audit chain holds: {head.entries} entries. Head: {head.entries}:{head.head}"
        in restored
    )
    assert " exported  export backup " in acts
    assert json.loads(as_json)["checksum"] == backup.read(tmp_path / "json").checksum
    monkeypatch.setattr(
        "sys.argv", ["citedesk", "backup", str(tmp_path / "x"), "--store", str(tmp_path / "none.duckdb")]
    )
    with pytest.raises(SystemExit, match="2"):
        main()
    assert capsys.readouterr().err == f"citedesk: There is no store {tmp_path / 'none.duckdb'}; name it with --store.\n"


def test_a_chain_that_was_broken_before_is_restored_and_said(desk: Path, tmp_path: Path) -> None:
    """A restored store is as good as what was backed up, and no better."""
    with duckdb.connect(str(desk)) as root:
        root.execute("update label_events set label = 'supported' where event_id = 'e1'")
    with open_store(desk) as store:
        backup.make(store, tmp_path / "kept", silent)

    words = ["restore", str(tmp_path / "kept"), "--store", str(tmp_path / "new.duckdb")]
    ran = CliRunner().invoke(cli, words, standalone_mode=False)

    assert ran.return_value == 1
    assert "The audit chain does not hold: what it speaks of was changed since." in ran.output


def test_every_table_is_in_a_backup(desk: Path, tmp_path: Path) -> None:
    """What a migration to come makes is backed up without a line of code."""
    with duckdb.connect(str(desk)) as root:
        root.execute("create table made_later as select 1 as x")
    with open_store(desk) as store:
        backup.make(store, tmp_path / "kept", silent)

    assert backup.read(tmp_path / "kept").rows["made_later"] == 1
