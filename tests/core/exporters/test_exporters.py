"""Exporters: every row goes out, in order, and nothing in it can run."""

from __future__ import annotations

import csv as csv_module
import json
from pathlib import Path

import pyarrow.parquet as pq
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core import exporters, plugins
from core.exporters import csv
from core.models import ClaimRow
from tests.core.rows import claim_row


@pytest.mark.parametrize("name", plugins.names(exporters))
def test_contract(name: str, tmp_path: Path) -> None:
    """Every exporter says what it writes and writes as many rows as it is given."""
    module = plugins.load(exporters, name)
    out = tmp_path / f"rows{module.SUFFIX}"

    assert module.__doc__
    assert module.write([claim_row(claim_id="c1"), claim_row(claim_id="c2")], out) == 2
    assert out.stat().st_size > 0


def test_jsonl_reads_back_equal(tmp_path: Path) -> None:
    """A row written as JSON Lines is the same row when read."""
    row = claim_row(claim="The 👩‍👩‍👧 café, “x” \u2028 $y$")
    out = tmp_path / "rows.jsonl"
    plugins.load(exporters, "jsonl").write([row], out)

    assert [ClaimRow.model_validate_json(line) for line in out.read_text("utf-8").split("\n") if line] == [row]


def test_parquet_keeps_nested_lists(tmp_path: Path) -> None:
    """Spans and their scores stay nested, under the names of the contract."""
    row = claim_row()
    out = tmp_path / "rows.parquet"
    plugins.load(exporters, "parquet").write([row], out)
    (read,) = pq.read_table(out).to_pylist()

    assert list(read) == list(ClaimRow.model_fields)
    assert read["claim"] == row.claim
    assert read["spans"][0]["cite"] == "C1"
    assert dict(read["spans"][0]["scores"]) == {"coverage": 0.5}


def test_csv_has_a_cell_for_every_field(tmp_path: Path) -> None:
    """The header names the contract's fields; lists are JSON."""
    out = tmp_path / "rows.csv"
    plugins.load(exporters, "csv").write([claim_row(cites=("C1", "C2"))], out)
    header, line = csv_module.reader(out.read_text("utf-8-sig").splitlines())

    assert header == list(ClaimRow.model_fields)
    assert json.loads(line[header.index("cites")]) == ["C1", "C2"]


@pytest.mark.parametrize("start", ["=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠", " =", "\u00a0@"])
def test_csv_neutralises_formulas(start: str) -> None:
    """A cell that a spreadsheet could run begins with an apostrophe."""
    assert csv.cell(f"{start}HYPERLINK(1)") == f"'{start}HYPERLINK(1)"


@given(st.text())
def test_csv_changes_nothing_else(text: str) -> None:
    """A cell is its text, or an apostrophe and its text; no other change."""
    assert csv.cell(text) in (text, f"'{text}")
