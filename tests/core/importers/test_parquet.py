"""Parquet: typed columns become the same answers as text would."""

from __future__ import annotations

import datetime as dt
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from core import importers
from core.errors import ImportFormatError
from core.importers import parquet
from tests.core.importers.logs import answer, answers, evidence, refusals, written


def table(folder: Path, columns: dict[str, Any], name: str = "log.parquet") -> Path:
    """A Parquet file of these columns."""
    path = folder / name
    pq.write_table(pa.table(columns), path)
    return path


def test_types(tmp_path: Path) -> None:
    """Whole numbers as ids, moments, lists of texts and of objects, null and NaN for nothing."""
    path = table(
        tmp_path,
        {
            "id": [7, 8],
            "answer": ["a [d1]", "b"],
            "timestamp": [dt.datetime(2026, 11, 30, 9, tzinfo=dt.UTC), None],
            "contexts": [[{"id": "d1", "text": "x"}], []],
            "score": [float("nan"), 0.5],
        },
    )
    first, second = answers(path)

    assert parquet.columns(path) == ["id", "answer", "timestamp", "contexts", "score"]
    assert (first.request_id, first.asked_at, first.meta) == ("7", dt.datetime(2026, 11, 30, 9, tzinfo=dt.UTC), {})
    assert evidence(first) == [("d1", "x")]
    assert (second.asked_at, second.evidence, second.meta) == (None, (), {"score": 0.5})


def test_a_ragas_data_frame(tmp_path: Path) -> None:
    """The columns of ``EvaluationDataset.to_pandas``."""
    found = answer(
        table(
            tmp_path,
            {
                "user_input": ["How long?"],
                "retrieved_contexts": [["x", "y"]],
                "retrieved_context_ids": [["d1", "d2"]],
                "response": ["57 km"],
                "reference": ["57"],
            },
        )
    )

    assert (found.query, found.answer, found.meta) == ("How long?", "57 km", {"reference": "57"})
    assert evidence(found) == [("d1", "x"), ("d2", "y")]


def test_refused_rows_have_their_number(tmp_path: Path) -> None:
    """Counted from 1, with column and reason."""
    path = table(
        tmp_path,
        {
            "answer": ["a", None, "c", "d"],
            "contexts": [["x"], ["x"], ["x", "y"], ["x"]],
            "context_ids": [["1"], ["1"], ["1"], ["1"]],
        },
    )

    assert refusals(path) == [
        (2, "answer", "neither an answer nor claims, so there is nothing to check"),
        (3, "context_ids", "1 ids for 2 passages"),
    ]


def test_bytes_that_are_no_text_and_dates_out_of_reach(tmp_path: Path) -> None:
    """Each costs its own row."""
    path = table(
        tmp_path,
        {
            "answer": pa.array([b"fine", b"\xff", b"c"]),
            "when": pa.array([0, 0, 2**62], pa.timestamp("ms")),
        },
    )

    assert refusals(path) == [
        (2, "answer", "not UTF-8 text (byte 1 of the cell)"),
        (3, "when", "a value that cannot be read, such as a date beyond the year 9999"),
    ]


def test_recognised_by_its_first_bytes(tmp_path: Path) -> None:
    """Whatever the file is called."""
    assert importers.detect(table(tmp_path, {"answer": ["x"]}, "log.bin")) is parquet


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        (b"PAR1 and no more", "cannot be read as Parquet"),
        (b"id,answer\n", "is no Parquet file; leave the format to be recognised"),
    ],
)
def test_damage_is_one_sentence(tmp_path: Path, content: bytes, sentence: str) -> None:
    """At once."""
    with pytest.raises(ImportFormatError, match=sentence):
        importers.read(written(tmp_path, content, "log.parquet"), "parquet")


def test_no_rows(tmp_path: Path) -> None:
    """An empty table is no log."""
    with pytest.raises(ImportFormatError, match="holds no row"):
        answers(table(tmp_path, {"answer": pa.array([], pa.string())}))
