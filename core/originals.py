"""The files that page images are drawn from: kept beside the store under their own sha256, and read only when it fits.

A PDF's text is in the store; what it looks like is not. ``desk.duckdb`` has its files in ``desk.duckdb.files``.
"""

from __future__ import annotations

import hashlib
import shutil
import tempfile
from pathlib import Path

from core.errors import InputError

SUFFIX = ".pdf"


def folder_of(store: Path) -> Path:
    """Where the files of a store lie."""
    return store.with_name(f"{store.name}.files")


def keep(store: Path, file: Path, sha256: str) -> None:
    """Put a copy of a file beside the store, whole or not at all; one that is there and whole already stays.

    Args:
        store: The store's file.
        file: What to copy.
        sha256: Of the bytes that were read from it (64 hex).

    Raises:
        InputError: The file has other bytes by now.
        OSError: The copy cannot be written.
    """
    if read(store, sha256) is not None:
        return
    home = folder_of(store)
    home.mkdir(mode=0o700, parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=home, prefix=".keeping-") as beside:
        part = Path(beside, "part")
        shutil.copyfile(file, part)
        if _sha256(part) != sha256:
            raise InputError(f"{file} was written while it was read", "add it again")
        part.replace(home / f"{sha256}{SUFFIX}")


def read(store: Path, sha256: str) -> bytes | None:
    """The bytes of a file; none when it is not there, or is not the one that was kept."""
    try:
        content = (folder_of(store) / f"{sha256}{SUFFIX}").read_bytes()
    except OSError:
        return None
    return content if hashlib.sha256(content).hexdigest() == sha256 else None


def _sha256(file: Path) -> str:
    with file.open("rb") as content:
        return hashlib.file_digest(content, "sha256").hexdigest()
