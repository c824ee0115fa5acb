"""TruLens: records with their calls, rows of its record table, or the OpenTelemetry events that it writes today.

Names are those of ``trulens-core`` 2.16 (``Record``, ``Event``) and ``trulens-otel-semconv`` (``ai.observability.…``).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from core.importers import _spans
from core.importers._json import RowError
from core.importers._passages import passages_in
from core.importers._records import paths
from core.importers._rows import BadLine
from core.importers._spans import Span, moment
from core.importers._told import answer_in, opened, query_in
from core.models import Answer

_SCOPE = "ai.observability."
_RETRIEVAL = frozenset(
    f"{first}{second}{name}"
    for first in ("", "_")
    for second in ("", "a")
    for name in ("retrieve", "get_relevant_documents")
)
"""How the retrievers that TruLens instruments call their method: own ones, LlamaIndex's and LangChain's."""

_KINDS = {
    "record_root": _spans.STEP,
    "retrieval": _spans.RETRIEVER,
    "reranking": _spans.RERANKER,
    "generation": _spans.GENERATION,
}


def sniff(path: Path, head: bytes) -> bool:
    """Whether objects are TruLens records, rows of its table, or events with its attributes."""
    found = paths(head)
    record = "record_id" in found and bool(found & {"main_input", "main_output", "record_json", "app_id", "app_name"})
    return record or any(f"{_SCOPE}span_type" in each or f"{_SCOPE}record_id" in each for each in found)


def read(path: Path) -> Iterator[Answer | BadLine]:
    """One answer for each record.

    Raises:
        ImportFormatError: The file as a whole cannot be read.
    """
    return _spans.read(path, _expanded)


def count(path: Path) -> int:
    """How many rows ``read`` gives, refused ones included.

    Raises:
        ImportFormatError: The file as a whole cannot be read.
    """
    return _spans.count(path, _expanded)


def _expanded(record: Mapping[str, Any]) -> list[Span]:
    attributes = opened(record.get("record_attributes", record.get("attributes")))
    if isinstance(attributes, Mapping):
        return [_event(record, attributes)]
    whole = opened(record.get("record_json"))
    row = {**whole, **record} if isinstance(whole, Mapping) else record
    trace = row.get("record_id")
    if not isinstance(trace, str) or not trace.strip():
        raise RowError("record_id", "neither a record nor an event: it has no record_id")
    root = Span(
        trace=trace,
        is_root=True,
        kind=_spans.STEP,
        query=query_in(row.get("main_input", row.get("input"))),
        answer=answer_in(row.get("main_output", row.get("output"))),
        name=next((row[key] for key in ("app_name", "app_id") if isinstance(row.get(key), str)), None),
        start=moment(row.get("ts")),
        meta={key: row[key] for key in ("app_version", "tags", "meta") if row.get(key)},
    )
    calls = row.get("calls")
    return [
        root,
        *(_call(trace, call) for call in (calls if isinstance(calls, list) else ()) if isinstance(call, Mapping)),
    ]


def _call(trace: str, call: Mapping[str, Any]) -> Span:
    """A call of the app; retrievals are known by the name of the method on top of the stack."""
    stack = call.get("stack")
    top = stack[-1] if isinstance(stack, list) and stack else None
    method = top.get("method") if isinstance(top, Mapping) else None
    name = method.get("name") if isinstance(method, Mapping) else None
    if not isinstance(name, str) or name not in _RETRIEVAL:
        return Span(trace, False, _spans.OTHER)
    return Span(trace, False, _spans.RETRIEVER, passages=_nodes(call.get("rets")))


def _nodes(rets: object) -> list[object]:
    """Retrieved passages; what LlamaIndex wraps with a score is taken out of its wrapping."""
    found = passages_in(rets)
    return [
        each["node"] if isinstance(each, Mapping) and isinstance(each.get("node"), Mapping) else each for each in found
    ]


def _event(record: Mapping[str, Any], attributes: Mapping[str, Any]) -> Span:
    """One OpenTelemetry span of a record; events of feedback runs carry the record they judge elsewhere."""
    trace = attributes.get(f"{_SCOPE}record_id")
    if not isinstance(trace, str) or not trace.strip():
        raise RowError(f"{_SCOPE}record_id", "an event that belongs to no record")
    said = _KINDS.get(str(attributes.get(f"{_SCOPE}span_type")), _spans.OTHER)
    found = {
        _spans.RETRIEVER: attributes.get(f"{_SCOPE}retrieval.retrieved_contexts"),
        _spans.RERANKER: attributes.get(f"{_SCOPE}reranking.output_context_texts"),
    }.get(said)
    model = attributes.get("gen_ai.request.model", attributes.get(f"{_SCOPE}cost.model"))
    name = attributes.get(f"{_SCOPE}app_name")
    return Span(
        trace=trace,
        is_root=said == _spans.STEP,
        kind=said,
        query=query_in(attributes.get(f"{_SCOPE}record_root.input")),
        answer=answer_in(attributes.get(f"{_SCOPE}record_root.output")) if said == _spans.STEP else None,
        passages=passages_in(found),
        model=model if isinstance(model, str) else None,
        name=name if isinstance(name, str) else None,
        start=moment(record.get("start_timestamp")),
        end=moment(record.get("timestamp")),
    )
