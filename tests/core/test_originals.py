"""Files beside the store: whole, verified, and missed without harm."""

from __future__ import annotations

import hashlib
from pathlib import Path

import pytest

from core import originals
from core.errors import InputError


def sha256(content: bytes) -> str:
    """64 hex."""
    return hashlib.sha256(content).hexdigest()


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """Something to keep."""
    path = tmp_path / "a.pdf"
    path.write_bytes(b"%PDF-1.4 one")
    return path


def test_what_was_kept_is_read(tmp_path: Path, file: Path) -> None:
    """Under its sha256, by nobody else; keeping it twice writes it once, also when the file is gone by then."""
    store, name = tmp_path / "desk.duckdb", sha256(b"%PDF-1.4 one")
    originals.keep(store, file, name)
    file.unlink()
    originals.keep(store, file, name)

    assert originals.read(store, name) == b"%PDF-1.4 one"
    assert [path.name for path in (tmp_path / "desk.duckdb.files").iterdir()] == [f"{name}.pdf"]
    assert (tmp_path / "desk.duckdb.files").stat().st_mode & 0o077 == 0


def test_another_file_is_not_taken_for_it(tmp_path: Path, file: Path) -> None:
    """Damaged or missing it counts as not there; keeping it again mends it."""
    store, name = tmp_path / "desk.duckdb", sha256(b"%PDF-1.4 one")
    assert originals.read(store, name) is None
    originals.keep(store, file, name)
    kept = originals.folder_of(store) / f"{name}.pdf"
    kept.write_bytes(b"%PDF-1.4 two")
    assert originals.read(store, name) is None
    originals.keep(store, file, name)
    assert originals.read(store, name) == b"%PDF-1.4 one"


def test_a_file_that_changed_meanwhile_leaves_nothing(tmp_path: Path, file: Path) -> None:
    """It is refused, and nothing of it stays beside the store."""
    store = tmp_path / "desk.duckdb"
    with pytest.raises(InputError, match="was written while it was read"):
        originals.keep(store, file, sha256(b"something else"))
    assert list(originals.folder_of(store).iterdir()) == []
