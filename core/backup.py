"""Copies of a whole store, to be kept elsewhere and restored: a folder of Parquet files, checksums, and a manifest.

The folder is made beside its place and put there when its manifest is written and all of it is on the disk, so that a
backup is whole or not there. What is only derived (verdict cache, fetched pages) is not part of it.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import shutil
from collections.abc import Callable, Iterator
from datetime import datetime
from importlib.metadata import version
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Literal

from pydantic import Field, ValidationError

from core import audit_check, originals, pseudonyms
from core.audit_check import AuditReport
from core.errors import InputError
from core.models import Record, digest, utc_now
from core.store import Store, open_store
from core.store.table_copies import load

MANIFEST = "manifest.json"
TABLES, FILES, SECRET = "tables", "files", "pseudonyms"
"""Where tables, the files that page images are drawn from, and the secret of the pseudonyms lie in a backup."""

Told = Callable[[int, int], None]

_LARGEST_MANIFEST = 64 * 1024 * 1024
_PLAIN = re.compile(r"tables/[a-z_]+\.parquet|files/[0-9a-f]{64}\.pdf|pseudonyms")


class Part(Record):
    """One file of a backup."""

    name: str
    """Its place in the folder, with ``/``."""
    bytes: int = Field(ge=0)
    sha256: str


class Manifest(Record):
    """What a backup holds."""

    format: Literal["citedesk backup 1"] = "citedesk backup 1"
    made_at: datetime
    package_version: str
    schema_number: int = Field(ge=1)
    rows: dict[str, int]
    """By table."""
    parts: tuple[Part, ...]

    @property
    def checksum(self) -> str:
        """The sha256 (64 hex) over all of it, and so over every file."""
        return digest(self.model_dump(mode="json"))


class BackupReport(Record):
    """What was written or restored."""

    path: Path
    made_at: datetime
    """When the backup was made."""
    tables: int
    rows: int
    files: int
    """Besides the tables."""
    bytes: int
    checksum: str
    """Of the backup; kept elsewhere, it tells later whether somebody made another one of it."""
    audit: AuditReport | None = None
    """What a check of the restored audit chain found; none for a backup that was written."""


def make(store: Store, target: Path, told: Told) -> BackupReport:
    """Write a backup of one state of a store; whoever labels meanwhile does not wait.

    Args:
        store: Open, here.
        target: The new folder; nothing may be there.
        told: Is told how many rows of how many are written; what it raises ends the work, and nothing is left of it.

    Raises:
        InputError: Something is there already, or the folder it belongs in is missing.
        StoreError: A table cannot be read, or its copy cannot be written.
        OSError: The place cannot be written.
    """
    if target.exists() or target.is_symlink():
        raise InputError(f"There is something at {target} already", "name a new folder: nothing is overwritten")
    if not target.parent.is_dir():
        raise InputError(f"There is no folder {target.parent}", "make it first, or name another place")
    with TemporaryDirectory(dir=target.parent, prefix=".citedesk-backup-", ignore_cleanup_errors=True) as beside:
        fresh = Path(beside, "backup")
        (fresh / TABLES).mkdir(parents=True, mode=0o700)
        copied = store.copies.write(fresh / TABLES, told)
        _copy_files(store.path, fresh)
        parts = tuple(_part(fresh, file) for file in sorted(fresh.rglob("*")) if file.is_file())
        manifest = Manifest(made_at=utc_now(), package_version=version("citedesk"), parts=parts, **copied.model_dump())
        _write_manifest(fresh / MANIFEST, manifest)
        for written in (*fresh.rglob("*"), fresh):
            _sync(written)
        fresh.chmod(0o700)  # what is in it is nobody else's
        fresh.rename(target)
    _sync(target.parent)
    return _report(target, manifest)


def restore(folder: Path, path: Path, told: Told, checksum: str | None = None) -> BackupReport:
    """Make a new store of a backup, bring its schema up to date, and check its audit chain.

    Args:
        folder: The backup; it is only read.
        path: The new store; nothing may be there.
        told: Is told how many rows of how many are back.
        checksum: That of the backup, as it was printed when it was made.

    Raises:
        InputError: It is no whole backup, a file of it was changed, or something is in the way at ``path``.
        StoreTooNew: A newer Citedesk made it.
        StoreError: The new store cannot be written; nothing is at its place then.
        OSError: A file cannot be read or written.
    """
    path = path.absolute()
    manifest = read(folder, checksum)
    for there in (path, path.with_name(f"{path.name}.wal")):
        if there.exists() or there.is_symlink():
            raise InputError(f"There is something at {there} already", "name a new place with --store, or move it away")
    path.parent.mkdir(parents=True, exist_ok=True)
    _restore_files(folder, manifest, path)
    load(path, folder / TABLES, manifest.schema_number, manifest.rows, told)
    with open_store(path) as store:
        audit = audit_check.verify(store)
    return _report(path, manifest, audit)


def read(folder: Path, checksum: str | None = None) -> Manifest:
    """The manifest of a backup all of whose files are as they were written.

    Raises:
        InputError: It is not one, or not any more.
        OSError: A file cannot be read.
    """
    manifest = _manifest(folder)
    if checksum is not None and checksum.strip().lower() != manifest.checksum:
        raise InputError(f"{folder} is another backup than the one with that checksum", "compare the checksums")
    names = [part.name for part in manifest.parts]
    tables = sorted(f"{TABLES}/{name}.parquet" for name in manifest.rows)
    if not all(map(_PLAIN.fullmatch, names)) or sorted(n for n in names if n.startswith(TABLES)) != tables:
        raise _unusable(folder, f"{MANIFEST} names other files than a backup has")
    for part in manifest.parts:
        if not (folder / part.name).is_file():
            raise _unusable(folder, f"{part.name} is missing")
        if _part(folder, folder / part.name) != part:
            raise _unusable(folder, f"{part.name} was changed since it was written")
    return manifest


def _manifest(folder: Path) -> Manifest:
    file = folder / MANIFEST
    if not file.is_file():
        raise _unusable(folder, f"it has no {MANIFEST}, which is written last")
    if file.stat().st_size > _LARGEST_MANIFEST:
        raise _unusable(folder, f"{MANIFEST} is larger than any")
    try:
        whole = json.loads(file.read_bytes())
        manifest = Manifest.model_validate(whole["backup"])
        if whole["sha256"] == manifest.checksum:
            return manifest
    except (ValidationError, ValueError, LookupError, TypeError, RecursionError) as error:
        raise _unusable(folder, f"{MANIFEST} cannot be read") from error
    raise _unusable(folder, f"{MANIFEST} was changed since it was written")


def _unusable(folder: Path, why: str) -> InputError:
    return InputError(f"{folder} is not a whole backup: {why}", "use another one")


def _part(home: Path, file: Path) -> Part:
    """Size and sha256 of a file."""
    with file.open("rb") as content:
        sha256 = hashlib.file_digest(content, "sha256").hexdigest()
        return Part(name=file.relative_to(home).as_posix(), bytes=content.tell(), sha256=sha256)


def _copy_files(store: Path, fresh: Path) -> None:
    """What lies beside a store and cannot be made again."""
    for file, name in _beside(store):
        (fresh / name).parent.mkdir(exist_ok=True)
        shutil.copyfile(file, fresh / name)


def _beside(store: Path) -> Iterator[tuple[Path, str]]:
    for file in sorted(originals.folder_of(store).glob(f"*{originals.SUFFIX}")):
        if originals.read(store, file.stem) is not None:  # a damaged one is of no use to anybody
            yield file, f"{FILES}/{file.name}"
    secret = store.with_name(store.name + pseudonyms.SUFFIX)
    if secret.is_file():
        yield secret, SECRET


def _restore_files(folder: Path, manifest: Manifest, path: Path) -> None:
    for part in manifest.parts:
        kind, _, name = part.name.partition("/")
        if kind == FILES:
            originals.keep(path, folder / part.name, name.removesuffix(originals.SUFFIX))
        elif kind == SECRET:
            pseudonyms.keep(path, (folder / part.name).read_bytes())


def _write_manifest(file: Path, manifest: Manifest) -> None:
    whole = {"backup": manifest.model_dump(mode="json"), "sha256": manifest.checksum}
    file.write_text(json.dumps(whole, indent=1) + "\n", encoding="utf-8")


def _sync(place: Path) -> None:
    """Wait until a file, or the list of what is in a folder, is on the disk."""
    handle = os.open(place, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def _report(path: Path, manifest: Manifest, audit: AuditReport | None = None) -> BackupReport:
    return BackupReport(
        path=path,
        made_at=manifest.made_at,
        tables=len(manifest.rows),
        rows=sum(manifest.rows.values()),
        files=len(manifest.parts) - len(manifest.rows),
        bytes=sum(part.bytes for part in manifest.parts),
        checksum=manifest.checksum,
        audit=audit,
    )
