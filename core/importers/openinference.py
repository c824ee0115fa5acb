"""OpenInference spans, as Phoenix exports them or OpenTelemetry writes them: one answer for each trace.

Attributes come flattened (``retrieval.documents.10.document.content``) or nested, as an object or as OTLP pairs; lists
are ordered by their numbers. Names and kinds are those of ``openinference-semantic-conventions`` 0.1.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from core.importers import _spans
from core.importers._json import RowError, kind
from core.importers._records import paths
from core.importers._rows import BadLine
from core.importers._spans import Span, moment
from core.importers._told import answer_in, opened, query_in
from core.models import Answer

_KINDS = {
    "RETRIEVER": _spans.RETRIEVER,
    "RERANKER": _spans.RERANKER,
    "LLM": _spans.GENERATION,
    "CHAIN": _spans.STEP,
    "AGENT": _spans.STEP,
    "UNKNOWN": _spans.STEP,
    "": _spans.STEP,
}
_MAX_PARTS = 24


def sniff(path: Path, head: bytes) -> bool:
    """Whether attributes are named in the way of OpenInference: flattened, nested or as OTLP keys."""
    marks = ("openinference.span.kind", "attributes.retrieval.documents", "attributes.llm.input_messages")
    # Tools that take in such spans keep the attributes as metadata of their own records.
    return any(mark in found and "metadata." not in found.partition(mark)[0] for found in paths(head) for mark in marks)


def read(path: Path) -> Iterator[Answer | BadLine]:
    """One answer for each trace: JSON Lines of spans, a list of them, Phoenix's ``data`` or OTLP's ``resourceSpans``.

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
    if isinstance(record.get("resourceSpans"), list):
        scopes = [scope for each in record["resourceSpans"] for scope in _listed(each, "scopeSpans")]
        return [_span(span) for scope in scopes for span in _listed(scope, "spans")]
    for key in ("data", "spans"):
        if isinstance(record.get(key), list):
            return [_span(span) for span in record[key]]
    return [_span(record)]


def _listed(row: object, key: str) -> list[Any]:
    found = row.get(key) if isinstance(row, Mapping) else None
    return found if isinstance(found, list) else []


def _span(row: object) -> Span:
    if not isinstance(row, Mapping):
        raise RowError("spans", f"{kind(row)} where a span is due")
    attributes = _attributes(row)
    if not attributes:
        raise RowError("attributes", "a span without attributes")
    tree = nested(attributes)
    word = _text(tree, "openinference", "span", "kind") or ""
    said = _KINDS.get(word.upper(), _spans.OTHER)
    return Span(
        trace=_id(row, "trace_id", "traceId", "context.trace_id"),
        is_root=not _id(row, "parent_id", "parentSpanId", "parentId"),
        kind=said,
        query=_query(tree),
        answer=_answer(tree, said),
        passages=_documents(tree, said),
        model=_text(tree, "llm", "model_name") or _text(tree, "llm", "response", "model_name"),
        name=row["name"] if isinstance(row.get("name"), str) else None,
        start=moment(row.get("start_time", row.get("startTimeUnixNano"))),
        end=moment(row.get("end_time", row.get("endTimeUnixNano"))),
        meta={key: tree[key] for key in ("session", "user", "tag") if isinstance(tree.get(key), Mapping)},
    )


def _attributes(row: Mapping[str, Any]) -> dict[str, Any]:
    """The attributes of a span: an object, OTLP's list of pairs, or columns named ``attributes.…``."""
    found = row.get("attributes")
    if isinstance(found, list):
        pairs = [pair for pair in found if isinstance(pair, Mapping) and isinstance(pair.get("key"), str)]
        return {pair["key"]: _otlp(pair.get("value")) for pair in pairs}
    start = "attributes."
    columns = {key.removeprefix(start): value for key, value in row.items() if key.startswith(start)}
    return {**columns, **found} if isinstance(found, Mapping) else columns


def _otlp(value: object) -> object:
    """The one value in an OTLP ``AnyValue``; its integers are written as text."""
    if not isinstance(value, Mapping):
        return None
    array = value.get("arrayValue")
    if isinstance(array, Mapping):
        return [_otlp(each) for each in _listed(array, "values")]
    return next((each for key, each in value.items() if key.endswith("Value")), None)


def nested(attributes: Mapping[str, Any]) -> dict[str, Any]:
    """Flattened attributes as a tree; numbers in keys and places in lists become keys that ``ordered`` sorts."""
    tree: dict[str, Any] = {}
    stack: list[tuple[dict[str, Any], str, Any]] = [(tree, key, value) for key, value in attributes.items()]
    while stack:
        node, key, value = stack.pop()
        *parents, leaf = key.split(".", _MAX_PARTS)
        for part in parents:
            below = node.get(part)
            node[part] = node = below if isinstance(below, dict) else {}
        if isinstance(value, list) and any(isinstance(each, Mapping) for each in value):
            value = {str(index): each for index, each in enumerate(value)}
        if isinstance(value, Mapping) and leaf != "metadata":
            below = node.get(leaf)
            node[leaf] = below = below if isinstance(below, dict) else {}
            stack.extend((below, str(inner), each) for inner, each in value.items())
        elif value is not None and not isinstance(node.get(leaf), dict):
            node[leaf] = value
    return tree


def ordered(node: object) -> list[Any]:
    """The elements of a flattened list by their number: 0, 2, 10."""
    if not isinstance(node, Mapping):
        return []
    numbered = [(int(key), key) for key in node if key.isascii() and key.isdigit() and len(key) < 10]
    return [node[key] for _, key in sorted(numbered)]


def _documents(tree: Mapping[str, Any], said: str) -> list[dict[str, Any]]:
    places = {_spans.RETRIEVER: ("retrieval", "documents"), _spans.RERANKER: ("reranker", "output_documents")}
    if said not in places:
        return []
    found = []
    for each in ordered(_at(tree, *places[said])):
        document = (
            dict(each["document"]) if isinstance(each, Mapping) and isinstance(each.get("document"), Mapping) else {}
        )
        if "metadata" in document:
            document["metadata"] = opened(document["metadata"])
        found.append(document)
    return found


def _answer(tree: Mapping[str, Any], said: str) -> str | None:
    if said == _spans.GENERATION:
        for message in reversed(ordered(_at(tree, "llm", "output_messages"))):
            if text := _message(message):
                return text
        for choice in ordered(_at(tree, "llm", "choices")):
            if text := _text(choice, "completion", "text"):
                return text
    return _value(_at(tree, "output"), answer_in)


def _query(tree: Mapping[str, Any]) -> str | None:
    for message in reversed(ordered(_at(tree, "llm", "input_messages"))):
        if _text(message, "message", "role") == "user" and (text := _message(message)):
            return text
    return _value(_at(tree, "input"), query_in)


def _value(node: object, told: Any) -> str | None:
    """The text of ``input.value`` or ``output.value``; only what is said to be JSON, or an object, is opened."""
    value = _at(node, "value")
    if isinstance(value, str) and "json" not in (_text(node, "mime_type") or "") and not value.lstrip().startswith("{"):
        return value or None
    found: str | None = told(value)
    return found


def _message(node: object) -> str | None:
    """A message's text: ``message.content``, or its text parts in order."""
    content = _text(node, "message", "content")
    parts = (_text(part, "message_content", "text") for part in ordered(_at(node, "message", "contents")))
    return content or "".join(part for part in parts if part) or None


def _at(node: object, *keys: str) -> object:
    for key in keys:
        node = node.get(key) if isinstance(node, Mapping) else None
    return node


def _text(node: object, *keys: str) -> str | None:
    found = _at(node, *keys)
    return found if isinstance(found, str) else None


def _id(row: Mapping[str, Any], *keys: str) -> str:
    """An id of a span, at the top or in ``context``; empty when there is none."""
    context = row.get("context")
    rows: Sequence[Mapping[str, Any]] = (row, context) if isinstance(context, Mapping) else (row,)
    found = (each[key] for each in rows for key in keys if isinstance(each.get(key), str) and each[key].strip())
    return next(found, "")
