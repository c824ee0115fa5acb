"""The quality page: a sentence under every heading, and why a place is empty."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from core.anchoring import NOBODY
from core.label_quality import LabellerFigures, Share
from core.metrics import Undefined, undefined
from core.models import Label
from core.store import open_store
from core.store.label_records import LabelKind
from dashboard.widgets import quality_tables as tables
from tests.core.store import build
from tests.core.test_adjudication import CHECKED, FIRST, SECOND, label

Open = Callable[..., AppTest]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """A store with two labellers of one claim, one of another, and a skip."""
    file = tmp_path / "desk.duckdb"
    with open_store(file) as store:
        store.record(build.batch(CHECKED))
        store.labels.add(
            [
                label("e1", FIRST, "ann", Label.SUPPORTED, active_ms=900),
                label("e2", FIRST, "bob", Label.PARTIAL, active_ms=9000),
                label("e3", SECOND, "ann", Label.SUPPORTED, active_ms=9000),
                label("e4", SECOND, "bob", None, kind=LabelKind.SKIP, reason="Later"),
            ]
        )
    return file


def test_each_figure_has_a_sentence(path: Path, open_page: Open) -> None:
    """Agreement, speed, days and reasons, in words."""
    app = open_page(path, "quality")
    said = " ".join(one.value for one in app.text)

    assert not app.exception
    assert "give it the same label in 0% of cases" in said
    assert "ann: 1 of 2 labels came in under 2 seconds" in said
    assert tables.NO_CHECKS in said
    assert NOBODY in said
    assert "All labels are of one day" in said
    agreement, labellers, days, reasons = (frame.value for frame in app.dataframe)
    assert agreement["Figure"].tolist() == ["Raw agreement", "Krippendorff's α", "Gwet's AC1", "Cohen's κ"]
    assert labellers["Labels"].tolist() == [2, 1]
    assert days["Supported"].tolist() == [100, 0]
    assert reasons.values.tolist() == [["Skipped", "Later", "bob", 1]]


def test_an_empty_store_says_why(tmp_path: Path, open_page: Open) -> None:
    """Nobody has labelled anything."""
    with open_store(tmp_path / "other.duckdb") as store:
        store.record(build.batch(CHECKED))
    app = open_page(tmp_path / "other.duckdb", "quality")

    assert [one.value for one in app.text if one.value == tables.NO_LABELS] == [tables.NO_LABELS]


def test_one_labeller_has_nobody_to_be_compared_with(tmp_path: Path, open_page: Open) -> None:
    """The page says how to get a second one."""
    with open_store(tmp_path / "one.duckdb") as store:
        store.record(build.batch(CHECKED))
        store.labels.add([label("e1", FIRST, "ann", Label.SUPPORTED)])
    app = open_page(tmp_path / "one.duckdb", "quality")

    assert tables.NO_AGREEMENT in [one.value for one in app.text]


def test_a_figure_without_a_value_says_why() -> None:
    """Never NaN, never 0."""
    assert "every label is the same" in tables.figure(undefined(Undefined.NO_VARIATION, 3, "x"))


def test_shares_are_per_cent_of_a_day() -> None:
    """One line a day and person; a label not given is 0."""
    rows = [
        Share(day=date(2026, 11, 1), labeller="ann", label="supported", count=3, of=4),
        Share(day=date(2026, 11, 1), labeller="ann", label="not_a_claim", count=1, of=4),
        Share(day=date(2026, 11, 2), labeller="ann", label="supported", count=2, of=2),
    ]
    table = tables.drift_table(rows)

    assert table["Supported"].tolist() == [75, 100]
    assert table["Not a claim"].tolist() == [25, 0]
    assert "by day (UTC)" in tables.drift_sentence(rows, "UTC")


def test_one_label_only_is_said() -> None:
    """In a sentence of its own."""
    figures = LabellerFigures(
        labeller="ann",
        labels=12,
        not_claims=0,
        skips=0,
        flags=0,
        after_reveal=0,
        timed=0,
        fast=0,
        median_seconds=None,
        active_hours=0,
        per_hour=None,
        only_label="supported",
    )

    assert "ann: all 12 labels are Supported." in tables.labeller_sentences([figures])
    assert tables.labeller_table([figures])["Under 2 s"].tolist() == ["not known"]
