"""A short round of ``make soak``, and that a broken promise would be told."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.faults.desk_faults import Count
from tests.faults.soak import run
from tests.faults.soak_ledger import Ledger
from tests.faults.soak_load import KINDS

pytestmark = pytest.mark.long


def test_no_promise_is_broken(tmp_path: Path) -> None:
    """Two people label, one reads; answers come in and are backed up; the server is killed and its log torn."""
    soak, found = run(tmp_path, minutes=0, people=2, readers=1, seed=7, faults=("torn",), claims=300)

    assert found.odd == []
    assert found.is_kept
    assert [line.fault for line in found.labels] == ["torn log"]
    assert all(line.acknowledged == line.stored > 0 for line in found.labels)
    assert set(soak.load.done) == set(KINDS)
    assert found.answers.acknowledged == 20 * soak.load.done["imports"] + 2 * soak.load.done["slow imports"]


def test_a_broken_promise_is_told() -> None:
    """Each alone is enough."""
    line = Count("killed", pressed=3, acknowledged=3, refused=0, stored=3, doubled=0, lost=0, wrong=0)
    kept = Ledger([line], line, backups=1, missing_in_backup=0, audit="holds", odd=[])

    assert kept.is_kept
    assert not kept._replace(labels=[line._replace(lost=1)]).is_kept
    assert not kept._replace(answers=line._replace(doubled=1)).is_kept
    assert not kept._replace(missing_in_backup=1).is_kept
    assert not kept._replace(audit="the entry 3 is missing").is_kept
    assert not kept._replace(odd=["AssertionError: a page"]).is_kept
