"""The gate's table: the adversarial exchanges over real HTTP end as they must, and nothing of a failure gets out."""

from __future__ import annotations

from pathlib import Path

import pytest

from core.outcomes import Ending
from tests import gate_table

pytestmark = pytest.mark.long


def test_every_exchange_ends_as_it_must(tmp_path: Path) -> None:
    """Outcome, status, reason, bytes of answer, query_log rows; no word of a failed answer anywhere."""
    rows = gate_table.table(tmp_path)

    assert [line for line in gate_table.as_lines(rows) if line.startswith("WRONG")] == []
    assert len(rows) == len(gate_table.EXCHANGES)
    assert {row.outcome for row in rows} == {str(ending) for ending in Ending} - {str(Ending.RETRIEVAL_FAILED)}
