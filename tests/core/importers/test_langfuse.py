"""Langfuse: a trace with its observations, or observations by themselves."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from core import importers
from core.importers import langfuse
from tests.core.importers.logs import answer, answers, evidence, refusals, written

ROOT: dict[str, Any] = {
    "id": "o1",
    "traceId": "t1",
    "type": "SPAN",
    "name": "qa",
    "parentObservationId": None,
    "startTime": "2026-11-30T09:00:00Z",
    "input": {"question": "How long?"},
    "output": {"answer": "57 km [d1]."},
}
FOUND: dict[str, Any] = {
    "id": "o2",
    "traceId": "t1",
    "type": "RETRIEVER",
    "parentObservationId": "o1",
    "startTime": "2026-11-30T09:00:01Z",
    "output": [{"page_content": "The tunnel is 57 km long.", "id": "d1", "metadata": {"source": "https://t.example/"}}],
}
TOLD: dict[str, Any] = {
    "id": "o3",
    "traceId": "t1",
    "type": "GENERATION",
    "model": "m1",
    "parentObservationId": "o1",
    "startTime": "2026-11-30T09:00:02Z",
    "input": [{"role": "system", "content": "Cite."}, {"role": "user", "content": "How long?"}],
    "output": {"role": "assistant", "content": "57 km [d1]."},
}


def test_observations(tmp_path: Path) -> None:
    """As the API's pages and as lines of an export: roots answer, retrievers give the evidence."""
    for content in ({"data": [ROOT, FOUND, TOLD], "meta": {}}, "\n".join(map(json.dumps, [TOLD, FOUND, ROOT]))):
        path = written(tmp_path, content)
        found = answer(path)

        assert importers.detect(path) is langfuse
        assert (found.request_id, found.query, found.answer) == ("t1", "How long?", "57 km [d1].")
        assert found.asked_at == datetime(2026, 11, 30, 9, tzinfo=UTC)
        assert (found.generator.name, found.generator.model) == ("qa", "m1")
        assert evidence(found) == [("d1", "The tunnel is 57 km long.")]
        assert found.evidence[0].uri == "https://t.example/"


def test_a_trace_with_its_observations(tmp_path: Path) -> None:
    """The trace itself is the root, whatever its observations say of their parents."""
    trace = {
        "id": "t1",
        "timestamp": "2026-11-30T09:00:00Z",
        "name": "qa",
        "input": "How long?",
        "output": "57 km [d1].",
        "userId": "u",
        "observations": [FOUND, TOLD],
    }
    path = written(tmp_path, trace)
    found = answer(path)

    assert importers.detect(path) is langfuse
    assert (found.request_id, found.query, found.answer) == ("t1", "How long?", "57 km [d1].")
    assert evidence(found) == [("d1", "The tunnel is 57 km long.")]
    assert found.meta == {"userId": "u"}


def test_an_export_writes_underscores_and_json_in_texts(tmp_path: Path) -> None:
    """The blob-storage export."""
    row = {
        "id": "o1",
        "trace_id": "t1",
        "type": "GENERATION",
        "parent_observation_id": None,
        "start_time": "2026-11-30 09:00:00",
        "input": json.dumps([{"role": "user", "content": [{"type": "text", "text": "How long?"}]}]),
        "output": json.dumps({"content": "57 km."}),
    }
    found = answer(written(tmp_path, json.dumps(row)))

    assert (found.query, found.answer) == ("How long?", "57 km.")
    assert found.notes == ("asked_at has no time zone and was read as UTC",)


def test_without_a_root_the_last_generation_answers(tmp_path: Path) -> None:
    """By its end, not by its place."""
    first = TOLD | {"endTime": "2026-11-30T09:00:03Z", "output": "Let me look."}
    last = TOLD | {"id": "o4", "endTime": "2026-11-30T09:00:05Z", "output": "57 km."}

    assert answer(written(tmp_path, [last, first])).answer == "57 km."


def test_traces_without_an_answer_are_refused(tmp_path: Path) -> None:
    """And a row that is neither trace nor observation, with its number."""
    path = written(tmp_path, [ROOT, {"id": "e", "traceId": "t2", "type": "EVENT", "output": "x"}, {"name": "nothing"}])

    assert len(answers(written(tmp_path, [ROOT], "other.json"))) == 1
    assert refusals(path) == [
        (2, "output", "no answer in the outputs of this trace"),
        (3, "id", "neither a trace nor an observation: it has no id"),
    ]


@pytest.mark.parametrize(
    "inside",
    [
        {"output": [{"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": "57 km."}]}]},
        {"output": {"choices": [{"message": {"role": "assistant", "content": "57 km."}}]}},
        {"output": {"type": "message", "role": "assistant", "content": [{"type": "text", "text": "57 km."}]}},
        {"output": {"answer": "57 km.", "context": [{"page_content": "x"}]}},
        {"output": "57 km.", "metadata": {"attributes": {"openinference.span.kind": "LLM"}}},
    ],
)
def test_what_was_traced_does_not_hide_the_trace(tmp_path: Path, inside: dict[str, Any]) -> None:
    """A vendor's response or another tool's span inside an observation."""
    path = written(tmp_path, json.dumps(TOLD | inside))

    assert importers.detect(path) is langfuse
    assert answer(path).answer == "57 km."
