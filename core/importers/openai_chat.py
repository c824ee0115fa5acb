"""OpenAI Chat and Assistants messages, and the many services that answer in the same shape.

``choices[].message`` with ``content`` and ``annotations`` (SDK: ``types/chat/chat_completion_message.py``), a message
on its own, or an Assistants message whose ``content`` parts hold ``text.value`` and ``text.annotations`` (SDK:
``types/beta/threads``). Also read are numbered ``citations`` with a zero-based ``cite_index``, shown as
``[citation:1]``, and Azure's ``context.citations``, shown as ``[doc1]``.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from core.importers import _records, _responses
from core.importers._draft import Draft, Part
from core.importers._envelope import Envelope, inner_paths
from core.importers._node import Node
from core.importers._rows import BadLine
from core.models import Answer
from core.offsets import Unit

_UNITS = (Unit.CODE_POINTS, Unit.UTF16_UNITS)
_READ = frozenset({"choices", "content", "annotations", "object", "role", "citations", "context"})
_CHAT = {"choices.message.content", "choices.message"}
_OTHERS = {"citations", "search_results"}
_ALONE = {"object=thread.message", "content.text.annotations", "annotations.type=url_citation"}
_THINKING = re.compile(r"\s*<think>.*?(?:</think>\s*|\Z)", re.S)


def sniff(path: Path, head: bytes) -> bool:
    """Whether the first objects have choices with messages, or are annotated messages."""
    found = inner_paths(_records.paths(head))
    return bool(found & _ALONE or (found & _CHAT and not found & _OTHERS))


def read(path: Path) -> Iterator[Answer | BadLine]:
    """Read the responses or messages in order.

    Raises:
        ImportFormatError: At once when the file is no text, later when reading fails on the way.
    """
    return _responses.answers(path, answer_of)


def answer_of(row: Mapping[str, Any]) -> Answer:
    """One answer from one response or message, or from an object that holds one; of several choices the first.

    Raises:
        RowError: It holds neither or no text, or a field has another type than its meaning needs.
    """
    envelope = Envelope(row, _is_response, "OpenAI Chat")
    draft = Draft("openai", envelope)
    message = message_of(envelope.response, draft.notes)
    for citation in message.nodes("citations"):
        _supply_numbered(draft, citation)
    for number, citation in enumerate(message.node("context").nodes("citations"), 1):
        url, title = citation.name("url"), citation.text("title")
        draft.supply(f"doc{number}", citation.text("content"), uri=url, title=title or citation.text("filepath"))
    for part, attached in _parts(draft, message):
        for annotation in attached:
            _attach(draft, part, annotation)
    return draft.answer(_READ)


def message_of(response: Node, notes: list[str]) -> Node:
    """The message of the first choice, or the response itself; further choices are noted.

    Raises:
        RowError: There is no list of choices, or no object in it.
    """
    choices = response.nodes("choices")
    if len(choices) > 1:
        notes.append(f"Only the first of {len(choices)} choices was read")
    return choices[0].node("message") if choices else response


def thinking(content: str, notes: list[str]) -> int:
    """How many code points of thinking some models write before the answer; that it is left out is noted."""
    found = _THINKING.match(content)
    if found:
        notes.append("The model's thinking before the answer was left out")
    return found.end() if found else 0


def label(index: int, base: int = 0) -> str:
    """The number that a visible marker, counted from one, uses for an entry that its metadata counts from ``base``."""
    return str(index - base + 1)


def _is_response(node: Node) -> bool:
    if node.has_list("choices"):
        return True
    content = node.get("content")
    return isinstance(content, str) or (isinstance(content, list) and any(_is_part(each) for each in content))


def _is_part(each: Any) -> bool:
    return isinstance(each, dict) and isinstance(each.get("text"), dict | str)


def _parts(draft: Draft, message: Node) -> Iterator[tuple[Part, list[Node]]]:
    """The pieces of a message, each with its annotations."""
    content = message.get("content")
    if content is None:
        content = message.text("refusal")
    if content is None or isinstance(content, str):
        skip = thinking(content or "", draft.notes)
        yield draft.add(content or "", *_UNITS, skip=skip), message.nodes("annotations")
        return
    texts = [each for each in message.nodes("content") if _is_part(each.value)]
    for index, each in enumerate(texts):
        inner = each.node("text") if each.has_object("text") else each
        text = inner.text("value") or "" if each.has_object("text") else inner.text("text") or ""
        part = draft.add(text, *_UNITS, apart=each.has_object("text") and index > 0)
        whole_message = message.nodes("annotations") if len(texts) == 1 else []
        yield part, [*inner.nodes("annotations"), *whole_message]


def _supply_numbered(draft: Draft, citation: Node) -> None:
    index = citation.number("cite_index")
    if index is None:
        draft.notes.append(f"{citation.path}: no cite_index, so no marker can name it; it was left out")
        return
    url = citation.name("url")
    draft.supply(label(index), citation.text("text"), uri=url, title=citation.text("title"))


def _attach(draft: Draft, part: Part, annotation: Node) -> None:
    """Attach one annotation; its fields stand beside ``type`` or in an object named after it."""
    kind = annotation.text("type") or ""
    inner = annotation.node(kind) if kind and annotation.has_object(kind) else annotation
    cite, title = inner.name("url") or inner.name("file_id"), inner.text("title") or inner.text("filename")
    if cite is None or kind == "file_path":
        draft.notes.append(f"{annotation.path}: an annotation that names no source; it was not attached")
        return
    if not draft.knows(cite):
        draft.supply(cite, None, uri=inner.name("url"), title=title)
    start, end = (
        annotation.number(key) if annotation.get(key) is not None else inner.number(key)
        for key in ("start_index", "end_index")
    )
    stated = annotation.text("text_of_span") or annotation.text("text") or inner.text("text_of_span")
    draft.attach(part, start, end, [cite], annotation.path, stated)
