"""OpenInference spans: flattened or nested, mixed or in order, every trace becomes one answer or one refusal."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from core import importers
from core.importers import openinference
from tests.core.importers.logs import answer, answers, evidence, refusals, rows, written

RETRIEVE: dict[str, Any] = {
    "name": "retrieve",
    "attributes": {
        "openinference.span.kind": "RETRIEVER",
        "retrieval.documents.0.document.id": 7,
        "retrieval.documents.0.document.content": "Gate 3 is closed.",
        "retrieval.documents.0.document.metadata": '{"page": 2}',
        "retrieval.documents.10.document.content": "Gate 10 is open.",
        "retrieval.documents.2.document.content": "Gate 2 is open.",
    },
}
ANSWER: dict[str, Any] = {
    "name": "llm",
    "attributes": {"openinference.span.kind": "LLM", "output.value": "Gate 3 is closed [7]."},
}


def span(trace: str, kind: str, parent: str | None = "s0", **attributes: Any) -> dict[str, Any]:
    """A span as Phoenix's API gives it; attribute names have two underscores for a dot."""
    named = {key.replace("__", "."): value for key, value in attributes.items()}
    return {
        "name": kind.lower(),
        "context": {"trace_id": trace, "span_id": "s"},
        "parent_id": parent,
        "start_time": "2026-11-30T10:00:00+01:00",
        "attributes": {"openinference.span.kind": kind, **named},
    }


@pytest.mark.parametrize(
    "content",
    [
        [RETRIEVE, ANSWER],
        {"spans": [RETRIEVE, ANSWER]},
        {"data": [RETRIEVE, ANSWER], "next_cursor": None},
        f"{json.dumps(RETRIEVE)}\n{json.dumps(ANSWER)}\n",
    ],
)
def test_flattened_documents_are_ordered_by_number(tmp_path: Path, content: object) -> None:
    """0, 2, 10; ids may be numbers or missing; metadata is JSON in a text."""
    path = written(tmp_path, content)
    found = answer(path)

    assert importers.detect(path) is openinference
    assert evidence(found) == [("7", "Gate 3 is closed."), ("", "Gate 2 is open."), ("", "Gate 10 is open.")]
    assert found.evidence[0].meta == {"metadata": {"page": 2}}
    assert found.answer == "Gate 3 is closed [7]."
    assert found.notes == (
        "Without an id, so that no citation can name it: evidence 2, 3",
        "The spans name no trace; all of the file's that do not were taken for one request",
    )


def test_traces_that_are_mixed(tmp_path: Path) -> None:
    """Each is given out when it is complete, however its spans lie in the file; one without an output is refused."""
    path = written(
        tmp_path,
        [
            span("a", "CHAIN", None, input__value="How long?", output__value="57 km [d1]."),
            span("b", "RETRIEVER", retrieval__documents=[{"document.id": "d2", "document.content": "y"}]),
            span("c", "EMBEDDING", None, input__value="How long?"),
            span("b", "LLM", llm__model_name="m1", output__value="Old [d2]."),
            span("a", "RETRIEVER", retrieval__documents=[{"document": {"id": "d1", "content": "x"}}]),
        ],
    )
    second, first = answers_in_order(path)

    assert (first.request_id, first.query, first.answer, evidence(first)) == (
        "a", "How long?", "57 km [d1].", [("d1", "x")],
    )  # fmt: skip
    assert first.asked_at == datetime(2026, 11, 30, 9, tzinfo=UTC)
    assert (second.request_id, second.generator.model, evidence(second)) == ("b", "m1", [("d2", "y")])
    assert refusals(path) == [(3, "output", "no answer in the outputs of this trace")]


def answers_in_order(path: Path) -> list[Any]:
    """The rows that are no refusals."""
    return [row for row in rows(path) if not isinstance(row, importers.BadLine)]


def test_messages(tmp_path: Path) -> None:
    """The last message of the model, in one text or in parts; the last one of the user is the question."""
    path = written(
        tmp_path,
        span(
            "a",
            "LLM",
            None,
            **{
                "llm.input_messages.0.message.role": "user",
                "llm.input_messages.0.message.content": "How long?",
                "llm.output_messages.0.message.contents.0.message_content.text": "57 ",
                "llm.output_messages.0.message.contents.1.message_content.text": "km.",
                "output.value": '{"choices": []}',
            },
        ),
    )

    assert (answer(path).query, answer(path).answer) == ("How long?", "57 km.")


def test_outputs_that_are_json(tmp_path: Path) -> None:
    """An object that names its answer is opened; one that does not leaves the answer to the model's own span."""
    named = span("a", "CHAIN", None, output__value='{"result": "57 km."}', output__mime_type="application/json")
    other = span("b", "CHAIN", None, output__value='{"n": 1}', output__mime_type="application/json")
    told = span("b", "LLM", output__value="2016.")
    first, second = answers(written(tmp_path, [named, other, told]))

    assert (first.answer, second.answer) == ("57 km.", "2016.")


def test_what_a_reranker_hands_on_is_the_same_again(tmp_path: Path) -> None:
    """A passage counts once; scores do not make it another."""
    first = {"document.id": "d1", "document.content": "x", "document.score": 0.1}
    path = written(
        tmp_path,
        [
            span("a", "RETRIEVER", retrieval__documents=[first]),
            span("a", "RERANKER", reranker__output_documents=[{**first, "document.score": 0.9}]),
            span("a", "CHAIN", None, output__value="Yes [d1]."),
        ],
    )

    assert evidence(answer(path)) == [("d1", "x")]


def test_a_document_without_content_is_inaccessible(tmp_path: Path) -> None:
    """It was retrieved, and cannot be read here."""
    path = written(
        tmp_path,
        [
            span("a", "RETRIEVER", retrieval__documents=[{"document.id": "d1"}]),
            span("a", "CHAIN", None, output__value="Yes [d1]."),
        ],
    )

    assert [(entry.id, entry.accessible) for entry in answer(path).evidence] == [("d1", False)]


def test_otlp(tmp_path: Path) -> None:
    """As OpenTelemetry's file exporter writes it: pairs, integers as texts, nanoseconds."""
    pairs = {"openinference.span.kind": "CHAIN", "output.value": "57 km."}
    content = {
        "resourceSpans": [
            {
                "scopeSpans": [
                    {
                        "spans": [
                            {
                                "traceId": "a",
                                "spanId": "s",
                                "name": "ask",
                                "startTimeUnixNano": "1795942800000000000",
                                "attributes": [{"key": k, "value": {"stringValue": v}} for k, v in pairs.items()],
                            }
                        ]
                    }
                ]
            }
        ]
    }
    path = written(tmp_path, content)
    found = answer(path)

    assert importers.detect(path) is openinference
    assert (found.request_id, found.answer, found.generator.name) == ("a", "57 km.", "ask")
    assert found.asked_at == datetime.fromtimestamp(1_795_942_800, UTC)


def test_columns_of_a_data_frame(tmp_path: Path) -> None:
    """``get_spans_dataframe().to_json(orient="records")``: attributes as columns, empty ones null."""
    path = written(
        tmp_path,
        [
            {
                "context.trace_id": "a",
                "parent_id": None,
                "attributes.openinference.span.kind": "CHAIN",
                "attributes.output.value": "57 km.",
                "attributes.retrieval.documents": None,
            }
        ],
    )

    assert (answer(path).request_id, answer(path).answer) == ("a", "57 km.")


def test_what_is_no_span(tmp_path: Path) -> None:
    """Refused with its line; the rest goes in."""
    path = written(tmp_path, f'{json.dumps(ANSWER)}\n{{"name": "x"}}\n{{broken\n{{"spans": [5]}}\n')

    assert [(line, field) for line, field, _ in refusals(path, "openinference")] == [
        (2, "attributes"),
        (3, None),
        (4, "spans"),
    ]
    assert len(rows(path, "openinference")) == 4


def test_keys_with_too_many_parts() -> None:
    """The tree stays shallow enough to be kept."""
    tree = openinference.nested({".".join("a" * 1000): 1})
    depth = 0
    node: Any = tree
    while isinstance(node, dict):
        node = next(iter(node.values()))
        depth += 1

    assert depth == 25
