"""A store whose log was damaged: what the desk says, and that the steps of docs/recovery.md keep what can be kept."""

from __future__ import annotations

import os
import re
import shutil
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from core import audit_check
from core.errors import StoreError
from core.store import open_store
from tests.core.store import build

pytestmark = pytest.mark.long

LABELS = 20


def write_and_die(path: Path) -> None:
    """The child: label after label, none of which reaches more than the log, then the end."""
    of = build.answer()
    with open_store(path) as store:
        store.record(build.batch(build.checked(of, [None] * LABELS)))
        store.checkpoint()
        for number in range(1, LABELS + 1):
            store.labels.add([build.event(f"e{number}", build.uid(of, build.claim(number)))])
        os.kill(os.getpid(), signal.SIGKILL)


@pytest.fixture(scope="module")
def killed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A store that was killed after twenty labels, all of them in its log."""
    path = tmp_path_factory.mktemp("killed") / "desk.duckdb"
    code = f"from pathlib import Path; from tests.core import test_recovery as t; t.write_and_die(Path({str(path)!r}))"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == -signal.SIGKILL
    return path


def with_log(killed: Path, folder: Path, log: bytes) -> Path:
    """A copy of the store with another log."""
    copy = Path(shutil.copy(killed, folder / "desk.duckdb"))
    copy.with_name("desk.duckdb.wal").write_bytes(log)
    return copy


def labels(path: Path) -> int:
    """How many labels a store opens with, and that its audit chain holds."""
    with open_store(path) as store:
        assert audit_check.verify(store).fault is None
        return sum(1 for _ in store.labels.events())


@pytest.mark.parametrize("end", [b"", bytes(300), b"\x9f\x03rubbish" * 20], ids=["whole", "zeros", "garbage"])
def test_an_end_that_was_never_acknowledged_is_left_out(end: bytes, killed: Path, tmp_path: Path) -> None:
    """Every label that was acknowledged is there."""
    log = killed.with_name("desk.duckdb.wal").read_bytes()

    assert labels(with_log(killed, tmp_path, log + end)) == LABELS


def test_a_damaged_middle_is_said_and_what_stands_before_it_can_be_kept(killed: Path, tmp_path: Path) -> None:
    """The message names log and byte; a log that is cut there opens with all labels before it."""
    log = bytearray(killed.with_name("desk.duckdb.wal").read_bytes())
    log[log.index(b"label_event e10")] ^= 0x55  # within what was written, not in the length of it
    path = with_log(killed, tmp_path, bytes(log))

    with pytest.raises(StoreError) as refused:
        open_store(path)
    said = re.search(
        rf"its log {re.escape(str(path))}\.wal is damaged from byte (\d+) on; restore a", str(refused.value)
    )
    assert said is not None, refused.value

    rescued = labels(with_log(killed, tmp_path, bytes(log[: int(said[1])])))
    assert LABELS // 4 < rescued < LABELS
