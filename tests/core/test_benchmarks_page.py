"""The page of benchmarks: what it is written from, and that it says so."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from core import bench_judges, gold_pairs
from docs.benchmarks import generate
from tests.core.test_cli_bench import ROWS, write


@pytest.fixture(autouse=True)
def _without_baselines(monkeypatch: pytest.MonkeyPatch) -> None:
    """The page is tested, not the judges beside."""
    build = bench_judges.Judges.build
    monkeypatch.setattr(bench_judges.Judges, "build", lambda settings: build(settings, ()))


def test_the_page_is_written_from_the_files_of_a_folder(tmp_path: Path) -> None:
    """Every verifier gets its tables; the minimal pairs stand at the end."""
    write(tmp_path / "gates.jsonl", *(row | {"dataset": "gates", "split": "dev"} for row in ROWS))

    text = generate.page(["lexical"], 10, folder=tmp_path)

    assert not any(place in text for place in ("{where}", "{cores}", "{reports}"))
    assert generate.SETS in text
    assert "## `lexical` against people's labels" in text
    assert "| `gates` | `dev` | 3 | 1.000 [" in text
    assert text.index("## Qualifiers on minimal pairs") > text.index("### Data")


def test_without_the_folder_the_sample_stands_in_and_is_named(tmp_path: Path) -> None:
    """A reader must not take our own sentences for the public sets."""
    text = generate.page(["lexical"], 10, folder=tmp_path / "gone")

    assert generate.OURS in text
    assert "| `samples` |  | 10 of " in text


def test_the_sample_has_the_texts_that_its_claims_cite(tmp_path: Path) -> None:
    """Claims that cite nothing, or nothing readable, have no pair."""
    path = generate.write_sample(tmp_path / "samples.jsonl")
    rows = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]

    assert len(rows) > 60
    assert all(row["claim"].strip() and row["evidence"].strip() for row in rows)
    assert gold_pairs.load([path]).bad_lines == ()


def test_a_page_is_not_written_over_lines_that_could_not_be_read(tmp_path: Path) -> None:
    """It stops and names the first."""
    write(tmp_path / "gates.jsonl", ROWS[0], "{")

    with pytest.raises(SystemExit, match=r"gates\.jsonl, line 2"):
        generate.page(["lexical"], 10, folder=tmp_path)
