"""TruLens: records, rows of its table, and events."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from core import importers
from core.importers import trulens
from tests.core.importers.logs import answer, answers, evidence, refusals, written


def call(method: str, rets: Any) -> dict[str, Any]:
    """A call as ``RecordAppCall`` dumps it."""
    return {"call_id": "c", "stack": [{"path": "app", "method": {"name": method}}], "args": {}, "rets": rets}


RECORD: dict[str, Any] = {
    "record_id": "r1",
    "app_id": "app1",
    "ts": "2026-11-30T09:00:00",
    "main_input": "How long?",
    "main_output": "57 km.",
    "calls": [call("query", "57 km."), call("retrieve", ["The tunnel is 57 km long.", "It opened in 2016."])],
}


def test_a_record(tmp_path: Path) -> None:
    """Passages are what methods called retrieve returned; they have no ids."""
    path = written(tmp_path, json.dumps(RECORD))
    found = answer(path)

    assert importers.detect(path) is trulens
    assert (found.request_id, found.query, found.answer, found.generator.name) == ("r1", "How long?", "57 km.", "app1")
    assert evidence(found) == [("", "The tunnel is 57 km long."), ("", "It opened in 2016.")]
    assert found.notes == (
        "Without an id, so that no citation can name it: evidence 1, 2",
        "asked_at has no time zone and was read as UTC",
    )


def test_what_retrievers_of_frameworks_return(tmp_path: Path) -> None:
    """Documents of LangChain and nodes of LlamaIndex keep their ids."""
    calls = [
        call("_get_relevant_documents", [{"page_content": "x", "id": "d1", "metadata": {}}]),
        call("_retrieve", [{"node": {"id_": "n1", "text": "y"}, "score": 0.5}]),
    ]

    assert evidence(answer(written(tmp_path, RECORD | {"calls": calls}))) == [("d1", "x"), ("n1", "y")]


def test_a_row_of_the_record_table(tmp_path: Path) -> None:
    """Its ``record_json`` holds the calls."""
    row = {
        "app_name": "bot",
        "record_id": "r1",
        "input": "How long?",
        "output": "57 km.",
        "record_json": json.dumps(RECORD),
    }
    path = written(tmp_path, [row])

    assert importers.detect(path) is trulens
    assert (answer(path).answer, answer(path).generator.name) == ("57 km.", "bot")
    assert len(answer(path).evidence) == 2


def event(record: str, kind: str, **attributes: Any) -> dict[str, Any]:
    """An event as TruLens stores OpenTelemetry spans; two underscores stand for a dot."""
    scope = "ai.observability."
    named = {scope + key.replace("__", "."): value for key, value in attributes.items()}
    return {
        "event_id": "e",
        "record": {"name": kind},
        "record_attributes": {f"{scope}record_id": record, f"{scope}span_type": kind, **named},
        "start_timestamp": "2026-11-30T09:00:00",
        "trace": {"trace_id": "t", "parent_id": "", "span_id": "s"},
    }


def test_events(tmp_path: Path) -> None:
    """One answer for each record; feedback runs are none."""
    path = written(
        tmp_path,
        [
            event("r1", "retrieval", retrieval__retrieved_contexts=["x", "y"]),
            event("r2", "record_root", record_root__input="How old?", record_root__output="Old."),
            event("r1", "record_root", record_root__input="How long?", record_root__output="57 km."),
        ],
    )
    second, first = answers(path)

    assert importers.detect(path) is trulens
    assert (first.request_id, first.query, first.answer) == ("r1", "How long?", "57 km.")
    assert evidence(first) == [("", "x"), ("", "y")]
    assert (second.request_id, second.answer) == ("r2", "Old.")


def test_records_without_an_answer_are_refused(tmp_path: Path) -> None:
    """An app that failed has a ``main_error`` and no output."""
    failed = RECORD | {"record_id": "r2", "main_output": None, "main_error": "time-out"}
    path = written(tmp_path, [RECORD, failed, {"app_id": "x"}])

    assert refusals(path) == [
        (2, "output", "no answer in the outputs of this trace"),
        (3, "record_id", "neither a record nor an event: it has no record_id"),
    ]
