"""A short round of what ``make faults`` does to a desk that people label on."""

from __future__ import annotations

from pathlib import Path

import pytest

from core.models import Label
from core.store.label_records import LabelEvent, LabelKind
from tests.faults.desk_faults import Played, counts, run

pytestmark = pytest.mark.long


def test_what_people_pressed_is_stored_once(tmp_path: Path) -> None:
    """Five people: lines cut, two tabs at once, stale texts, wrong clocks, the server killed and started anew."""
    lines = run(tmp_path, people=5, rounds=1, seed=5, faults=("cut", "twice", "stale", "killed"))

    assert [line.fault for line in lines] == ["line cut", "two tabs", "stale, clock", "killed"]
    assert [(line.doubled, line.lost, line.wrong) for line in lines] == [(0, 0, 0)] * 4
    assert [(line.pressed, line.acknowledged, line.refused) for line in lines[:3]] == [(5, 5, 0), (5, 5, 0), (10, 5, 5)]
    assert lines[3].pressed == lines[3].acknowledged == lines[3].stored >= 5


def test_each_way_to_go_wrong_is_counted() -> None:
    """One label is missing, one stands twice, one at another claim; one was refused and is stored all the same."""
    labels = (("a C1", "supported"), ("b C1", "partial"), ("c C1", "supported"), ("d C1", "supported"))
    played = Played("x", "ann", list(labels), acknowledged=3, refused=[labels[3]])
    stored = [_event("a", "supported"), _event("a", "supported"), _event("e", "partial"), _event("d", "supported")]

    (line,) = counts([played], [*stored, _event("b", "partial").model_copy(update={"labeller": "ben"})])

    assert (line.pressed, line.acknowledged, line.refused, line.stored) == (4, 3, 1, 4)
    assert (line.doubled, line.lost, line.wrong) == (1, 2, 2)


def _event(claim_uid: str, label: str) -> LabelEvent:
    return LabelEvent(
        event_id=f"{claim_uid} {label}",
        kind=LabelKind.LABEL,
        claim_uid=claim_uid,
        cite="C1",
        labeller="ann",
        label=Label(label),
        guideline="v1",
        seen_sha256="0" * 64,
    )
