"""ALCE result files: the number of a doc is its id."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from core import importers
from core.importers import alce
from tests.core.importers.logs import answers, evidence, refusals, rows, written

ITEM: dict[str, Any] = {
    "sample_id": "s1",
    "question": "How long?",
    "answer": "57",
    "docs": [{"id": "900", "title": "Tunnels", "text": "57 km."}, {"title": "Openings", "text": "2016.", "score": "1"}],
    "output": "It is 57 km long [1]. It opened in 2016 [2][3].",
}


def test_results(tmp_path: Path) -> None:
    """Docs are counted from 1, as ``eval.py`` does; a doc's own id and the gold answer are kept in meta."""
    path = written(tmp_path, {"args": {"ndoc": 2}, "data": [ITEM, ITEM | {"sample_id": "s2", "docs": []}]})
    first, second = answers(path)

    assert importers.detect(path) is alce
    assert (first.request_id, first.query, first.answer) == ("s1", "How long?", ITEM["output"])
    assert evidence(first) == [("1", "57 km."), ("2", "2016.")]
    assert [entry.title for entry in first.evidence] == ["Tunnels", "Openings"]
    assert first.evidence[0].meta == {"own_id": "900"}
    assert first.meta == {"answer": "57"}
    assert (second.request_id, second.evidence) == ("s2", ())


def test_refusals_are_numbered_by_position(tmp_path: Path) -> None:
    """Items of the data set without an output, samples of several outputs, and what is no item."""
    items = [ITEM, {"question": "q", "docs": [{"text": "x"}]}, ITEM | {"output": ["a", "b"]}, 5, ITEM | {"docs": {}}]
    path = written(tmp_path, {"data": items, "args": {}})

    assert refusals(path) == [
        (2, "output", "no output: this is an item of the data set, not a result"),
        (3, "answer", "a list where text is due"),
        (4, None, "a number where an object is due"),
        (5, "docs", "an object where a list is due"),
    ]
    assert len(rows(path)) == 5
