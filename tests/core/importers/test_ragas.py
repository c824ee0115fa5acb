"""RAGAS datasets: samples of today and of before 0.2."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from core import importers
from core.importers import ragas
from tests.core.importers.logs import answer, evidence, refusals, written

SAMPLE: dict[str, Any] = {
    "user_input": "How long?",
    "response": "57 km [d1].",
    "retrieved_contexts": ["The tunnel is 57 km long.", "It opened in 2016."],
    "retrieved_context_ids": ["d1", 2],
    "reference": "57",
}


@pytest.mark.parametrize("content", [json.dumps(SAMPLE), [SAMPLE], {"samples": [SAMPLE]}])
def test_a_sample(tmp_path: Path, content: object) -> None:
    """Ids may be numbers; what is for scoring only is kept in meta."""
    path = written(tmp_path, content)
    found = answer(path)

    assert importers.detect(path) is ragas
    assert (found.query, found.answer, found.meta) == ("How long?", "57 km [d1].", {"reference": "57"})
    assert evidence(found) == [("d1", "The tunnel is 57 km long."), ("2", "It opened in 2016.")]


def test_without_ids_no_marker_names_a_context(tmp_path: Path) -> None:
    """RAGAS does not say what ``[1]`` means, so neither do we; the older column names."""
    old = {"question": "How long?", "answer": "57 km [1].", "contexts": ["x"], "ground_truth": "57"}
    path = written(tmp_path, [old])

    assert importers.detect(path) is ragas
    assert evidence(answer(path)) == [("", "x")]
    assert answer(path).meta == {"ground_truth": "57"}


def test_a_conversation(tmp_path: Path) -> None:
    """Its last answer and question; the whole of it is kept."""
    turns = [
        {"type": "human", "content": "How old?"},
        {"type": "ai", "content": "Old."},
        {"type": "human", "content": "How long?"},
        {"type": "ai", "content": "57 km."},
    ]
    path = written(tmp_path, [{"user_input": turns, "reference": "57"}])
    found = answer(path)

    assert importers.detect(path) is ragas
    assert (found.query, found.answer, found.meta["user_input"]) == ("How long?", "57 km.", turns)
    assert "A conversation: its last answer was read" in found.notes


def test_refusals(tmp_path: Path) -> None:
    """Field and reason of each."""
    path = written(
        tmp_path,
        [
            SAMPLE,
            SAMPLE | {"response": None},
            SAMPLE | {"response": 5},
            SAMPLE | {"retrieved_contexts": "x"},
            SAMPLE | {"retrieved_context_ids": ["d1"]},
            SAMPLE | {"retrieved_contexts": [5, "x"]},
        ],
    )

    assert refusals(path) == [
        (2, "answer", "neither an answer nor claims, so there is nothing to check"),
        (3, "response", "a number where text is due"),
        (4, "retrieved_contexts", "text where a list is due"),
        (5, "evidence_ids", "1 ids for 2 passages"),
        (6, "evidence[0]", "a number where a passage is due"),
    ]
