"""A short round of ``make faults``: a killed writer loses nothing that was acknowledged and doubles nothing."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.faults import labels

pytestmark = pytest.mark.long


def test_killed_writers_lose_nothing(tmp_path: Path) -> None:
    """Four children are killed somewhere in sixty writes; every acknowledged label is stored once."""
    played = labels.run(tmp_path, writes=60, rounds=4, seed=5)

    assert [(one.lost, one.doubled) for one in played] == [(0, 0)] * 4
    assert sum(one.acknowledged for one in played) > 0
    assert all(one.stored >= one.acknowledged for one in played)


def test_a_loss_is_found(tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    """Were an acknowledged label missing, the table and the exit code would say so."""
    monkeypatch.setattr(labels, "kill_while_writing", lambda *given: ["r0-0"])

    code = labels.main(["--writes", "10", "--rounds", "1", "--seed", "1"])

    lines = capsys.readouterr().out.splitlines()
    assert code == 1
    assert lines[0].split() == ["round", "acknowledged", "stored", "lost", "doubled"]
    assert lines[2].split() == ["all", "1", "1", "1", "0"]
    assert lines[3] == "seed 1"
