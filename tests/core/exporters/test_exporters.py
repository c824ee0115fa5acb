"""Exporters: every row goes out, in order, and nothing in it can run."""

from __future__ import annotations

import csv as csv_module
import json
from datetime import UTC, datetime
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core import exporters, plugins
from core.exporters import csv, parquet
from core.models import ClaimRow, Label, Record
from tests.core.judged import judged
from tests.core.rows import claim_row


class Line(Record):
    """A record of another kind than a claim row."""

    label: Label | None
    at: datetime
    shares: dict[str, float]


@pytest.mark.parametrize("name", plugins.names(exporters))
def test_contract(name: str, tmp_path: Path) -> None:
    """Every exporter says what it writes and writes as many as it is given, also none."""
    module = plugins.load(exporters, name)
    out = tmp_path / f"rows{module.SUFFIX}"
    rows = [claim_row(claim_id="c1"), claim_row(claim_id="c2")]
    given_claims = rows if module.KIND == "table" else [judged(row) for row in rows]

    assert module.__doc__
    assert module.KIND in ("table", "document", "report")
    assert module.write(given_claims, out) == 2
    assert out.stat().st_size > 0
    assert module.write([], out) == 0


def test_every_format_has_a_suffix_of_its_own() -> None:
    """The suffix of a file names one exporter."""
    suffixes = [module.SUFFIX for module in plugins.load_all(exporters)]

    assert sorted(suffixes) == [".csv", ".html", ".jsonl", ".jsonld", ".md", ".parquet"]


@pytest.mark.parametrize("name", ["csv", "jsonl", "parquet"])
def test_a_table_is_made_of_any_record(name: str, tmp_path: Path) -> None:
    """Its columns are the fields of the record."""
    module = plugins.load(exporters, name)
    out = tmp_path / f"lines{module.SUFFIX}"
    line = Line(label=Label.PARTIAL, at=datetime(2026, 11, 30, 9, tzinfo=UTC), shares={"b": 1.0})

    assert module.write([line, line.model_copy(update={"label": None})], out, Line) == 2
    if name == "parquet":
        first, second = pq.read_table(out).to_pylist()
        assert (first["label"], second["label"], first["at"]) == ("partial", None, line.at)
    else:
        assert "partial" in out.read_text("utf-8-sig")


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


def test_parquet_columns_have_the_types_of_the_contract() -> None:
    """Offsets are whole numbers, lists are lists, scores a map, whatever the first rows hold."""
    form = parquet.schema()

    assert form.field("start").type == pa.int64()
    assert form.field("material").type == pa.bool_()
    assert form.field("label").type == pa.string()
    assert form.field("fragments").type == pa.list_(pa.list_(pa.int64()))
    assert form.field("spans").type.value_type.field("scores").type == pa.map_(pa.string(), pa.float64())


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


@pytest.mark.parametrize("number", [-0.25, -1, 1])
def test_csv_leaves_numbers_alone(number: float) -> None:
    """A negative number is no formula."""
    assert csv.cell(number) == number


@given(st.text())
def test_csv_changes_nothing_else(text: str) -> None:
    """A cell is its text, or an apostrophe and its text; no other change."""
    assert csv.cell(text) in (text, f"'{text}")
