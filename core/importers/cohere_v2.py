"""Cohere chat: ``message.content`` with ``message.citations``, whole or as the events of a stream.

Shapes as in the SDK's ``types/citation.py``, ``types/source.py`` and ``v2/types/v2chat_stream_response.py``; version 1
(``text`` with ``citations`` and ``documents``) is read too. Offsets count within their content block, and the stated
text decides what ``end`` means. Events that follow one another, one a line or in a list, are one answer; so is an
object whose ``events`` are a list. Citations of the model's plan or thinking are none of the answer's.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from core.importers import _cohere_stream, _records
from core.importers._draft import Draft, Part
from core.importers._envelope import Envelope, inner_paths
from core.importers._json import RowError
from core.importers._node import Node
from core.importers._rows import BadLine
from core.models import Answer
from core.offsets import Unit

_READ = frozenset({"message", "text", "citations", "documents", "content", "role"})
_UNITS = (Unit.CODE_POINTS, Unit.UTF16_UNITS, Unit.UTF8_BYTES)
_TEXTS = ("text", "snippet", "content", "body")
_SIGNS = {"message.citations", "citations.sources", "citations.document_ids", "message.tool_plan"}


def sniff(path: Path, head: bytes) -> bool:
    """Whether the first objects are cited messages, or events of a stream."""
    found = inner_paths(_records.paths(head))
    types = {f"{where}type={name}" for name in _cohere_stream.TYPES for where in ("", "events.")}
    return not found.isdisjoint(_SIGNS | types) or {"finish_reason", "content.type=text"} <= found


def read(path: Path) -> Iterator[Answer | BadLine]:
    """Read the responses in order; the events of one stream are one row, numbered by its last event.

    Raises:
        ImportFormatError: At once when the file is no text, later when it holds no rows or reading fails on the way.
    """
    return _rows(path, _records.records(path))


def count(path: Path) -> int:
    """How many rows ``read`` gives, refused ones included.

    Raises:
        ImportFormatError: The file as a whole cannot be read.
    """
    return sum(1 for _ in _cohere_stream.joined(_records.records(path)))


def answer_of(row: Mapping[str, Any]) -> Answer:
    """One answer from one response, from the events of one, or from an object that holds either.

    Raises:
        RowError: It holds neither or no text, or a field has another type than its meaning needs.
    """
    notes: list[str] = []
    if isinstance(row.get("events"), list):
        row = {key: value for key, value in row.items() if key != "events"} | _cohere_stream.response(row, notes)
    envelope = Envelope(row, _is_response, "Cohere")
    draft = Draft("cohere", envelope)
    draft.notes.extend(notes)
    response = envelope.response
    message = response.node("message") if response.has_object("message") else response
    for document in response.nodes("documents"):
        if (name := document.name("id")) is not None:
            _supply(draft, name, document.node("data") if document.has_object("data") else document)
    parts = _parts(draft, message)
    for citation in message.nodes("citations"):
        _attach(draft, parts, citation)
    return draft.answer(_READ)


def _rows(path: Path, records: Iterator[tuple[int, dict[str, Any] | BadLine]]) -> Iterator[Answer | BadLine]:
    for number, row in _cohere_stream.joined(records):
        try:
            yield row if isinstance(row, BadLine) else answer_of(row)
        except RowError as refused:
            yield BadLine(file=str(path), line=number, field=refused.field, reason=refused.reason)


def _is_response(node: Node) -> bool:
    if node.has_object("message"):
        return _is_message(node.node("message"))
    return _is_message(node)


def _is_message(node: Node) -> bool:
    return node.has_list("content") or isinstance(node.get("content"), str) or isinstance(node.get("text"), str)


def _parts(draft: Draft, message: Node) -> list[Part | None]:
    """The content blocks of a message, by index; none for what is no text."""
    content = message.get("content")
    if not isinstance(content, list):
        return [draft.add(message.text("content") or message.text("text") or "", *_UNITS)]
    texts = [block.text("text") for block in message.nodes("content")]
    return [None if text is None else draft.add(text, *_UNITS) for text in texts]


def _attach(draft: Draft, parts: list[Part | None], citation: Node) -> None:
    sources = [(source.name("id"), source) for source in citation.nodes("sources")]
    for name, source in sources:
        if name is None:
            draft.notes.append(f"{source.path}: a source without an id, which no citation can name")
        else:
            _supply(draft, name, source.node("document") if source.has_object("document") else source)
    ids = [Node({"id": each}, citation.at("document_ids")).name("id") for each in citation.items("document_ids")]
    index = citation.number("content_index")
    kind = citation.get("type")
    part = next((one for one in parts if one), None) if index is None else None
    if index is not None and 0 <= index < len(parts):
        part = parts[index]
    if part is None or kind in ("THINKING_CONTENT", "PLAN"):
        draft.notes.append(f"{citation.path}: it cites no text of the answer; it was not attached")
        return
    cites = [name for name in [*(name for name, _ in sources), *ids] if name is not None]
    start, end = citation.number("start"), citation.number("end")
    draft.attach(part, start, end, cites, citation.path, citation.text("text"))


def _supply(draft: Draft, name: str, source: Node) -> None:
    """Enter a document or a tool's output; a source that only repeats an id adds nothing."""
    output = source.get("tool_output")
    document = source.node("tool_output") if isinstance(output, dict) else source
    text = next((document.text(key) for key in _TEXTS if isinstance(document.get(key), str)), None)
    if text is None and output is not None:
        text = output if isinstance(output, str) else json.dumps(output, ensure_ascii=False)
    if text is None and draft.knows(name):
        return
    url, title = document.text("url"), document.text("title")
    meta = {key: value for key, value in document.value.items() if key not in ("id", "url", "title", *_TEXTS)}
    draft.supply(name, text, uri=url, title=title, meta={} if output is not None else meta)
