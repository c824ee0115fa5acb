"""Files that a person chose to import: an upload lies in a folder of its own until it was imported or put away.

What a browser sends is untrusted: its name is only shown and looked at for its ending, and never says where it lies.
"""

from __future__ import annotations

import atexit
import os
import re
import secrets
import shutil
import tempfile
import threading
import time
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path, PurePosixPath, PureWindowsPath

from core.errors import InputError

LARGEST_MB = 50
"""Megabytes that an upload may have; a larger file is read from this machine by its path."""

KEPT_SECONDS = 3600.0
"""How long a chosen file is kept that nobody imports."""

LONGEST_NAME = 100

_PREFIX = "citedesk-upload-"
_UNPRINTABLE = re.compile(r"[^\w .()+,=@-]", re.UNICODE)


@dataclass(frozen=True)
class Chosen:
    """One file that a person chose."""

    file_id: str
    """Known only to the page that chose it."""
    path: Path
    name: str
    size: int
    """Bytes."""
    uploaded: bool
    """Whether it is a copy of ours, which goes when it is put away."""
    since: float


_lock = threading.Lock()
_chosen: dict[str, Chosen] = {}


def upload(name: str, data: bytes | memoryview) -> Chosen:
    """Keep what a browser sent.

    Raises:
        InputError: It is too large.
        OSError: There is no room for it.
    """
    if len(data) > LARGEST_MB * 2**20:
        raise InputError(f"{name} is larger than {LARGEST_MB} MB", "give its path on this machine instead")
    put_away_old()
    folder = Path(tempfile.mkdtemp(prefix=f"{_PREFIX}{os.getpid()}-"))  # for its owner only
    path = folder / safe_name(name)
    try:
        path.write_bytes(data)
    except OSError:
        shutil.rmtree(folder, ignore_errors=True)
        raise
    return _keep(Chosen(secrets.token_urlsafe(16), path, path.name, len(data), True, time.monotonic()))


def on_this_machine(typed: str) -> Chosen:
    """Choose a file by its path; it is read where it lies.

    Raises:
        InputError: It is no absolute path of a file that can be read.
    """
    words = typed.strip().strip("\"'")
    try:
        path = Path(words).expanduser()
        if not path.is_absolute():
            raise InputError(f"{words} does not say where it begins", "give the whole path, from / or ~ on")
        if not path.is_file():
            raise InputError(f"There is no file {path}", "check the name and the folder")
        size = path.stat().st_size
    except (OSError, ValueError, RuntimeError) as error:  # a path that no file system can hold, an unknown home
        raise InputError(f"{words} cannot be read", "check the name and who may read it") from error
    put_away_old()
    return _keep(Chosen(secrets.token_urlsafe(16), path, path.name, size, False, time.monotonic()))


def get(file_id: str) -> Chosen | None:
    """A chosen file; none when it was put away."""
    with _lock:
        return _chosen.get(file_id)


def put_away(file_id: str) -> None:
    """Forget a chosen file; an upload is deleted, a file of this machine stays where it is."""
    with _lock:
        chosen = _chosen.pop(file_id, None)
    if chosen is not None and chosen.uploaded:
        shutil.rmtree(chosen.path.parent, ignore_errors=True)


def release(file_id: str) -> Chosen | None:
    """Hand a chosen file over to whoever imports it, and who deletes the upload then; none when it is gone."""
    with _lock:
        return _chosen.pop(file_id, None)


def put_away_old(older_than: float = KEPT_SECONDS) -> None:
    """Put away what nobody imported in that many seconds."""
    now = time.monotonic()
    with _lock:
        old = [one.file_id for one in _chosen.values() if now - one.since >= older_than]
    for file_id in old:
        put_away(file_id)


def put_away_left() -> None:
    """Delete what desks left that were killed: folders of uploads, named after processes that are no more."""
    for folder in Path(tempfile.gettempdir()).glob(f"{_PREFIX}*-*"):
        number = folder.name.removeprefix(_PREFIX).partition("-")[0]
        if number.isdigit() and not _runs(int(number)):
            shutil.rmtree(folder, ignore_errors=True)  # another person's cannot be deleted, and stays


def _runs(pid: int) -> bool:
    if os.name != "posix":
        return True  # there a signal would end it; the system's own cleaning takes the folder
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except (OSError, OverflowError):
        return True
    return True


def delete(chosen: Chosen) -> None:
    """Delete an upload that was released."""
    if chosen.uploaded:
        shutil.rmtree(chosen.path.parent, ignore_errors=True)


def safe_name(name: str) -> str:
    """The last part of a name as a browser sends it, without anything that a file system or a terminal minds."""
    last = PureWindowsPath(PurePosixPath(name).name).name
    kept = _UNPRINTABLE.sub("_", last).strip(" .")
    with suppress(UnicodeError):
        while len(kept.encode()) > LONGEST_NAME:
            stem, dot, suffix = kept.rpartition(".")
            kept = f"{stem[:-1]}{dot}{suffix}" if stem else suffix[:-1]
    return kept or "upload"


def _keep(chosen: Chosen) -> Chosen:
    with _lock:
        _chosen[chosen.file_id] = chosen
    return chosen


atexit.register(put_away_old, 0.0)
