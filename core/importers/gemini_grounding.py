"""Gemini with grounding: ``groundingSupports`` say which stretch of the answer rests on which ``groundingChunks``.

Shapes as in the SDK's ``GroundingMetadata``, in its camel case or snake case. A segment counts UTF-8 bytes within its
part, its end is exclusive, and a zero is left out. Parts with the model's thoughts count, but are none of the answer's.
A web chunk comes without its text and cannot be read here; a retrieved one has it.
"""

from __future__ import annotations

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

_READ = frozenset({"candidates", "content", "groundingMetadata", "grounding_metadata"})
_SIGNS = ("candidates.content.parts", "groundingMetadata", "grounding_metadata")


def sniff(path: Path, head: bytes) -> bool:
    """Whether the first objects have candidates with parts, or grounding."""
    found = inner_paths(_records.paths(head))
    return not found.isdisjoint(_SIGNS)


def read(path: Path) -> Iterator[Answer | BadLine]:
    """Read the responses in order.

    Raises:
        ImportFormatError: At once when the file is no text, later when reading fails on the way.
    """
    return _responses.answers(path, answer_of)


def answer_of(row: Mapping[str, Any]) -> Answer:
    """One answer from one response or candidate, or from an object that holds one; of several candidates the first.

    Raises:
        RowError: It holds neither or no text, or a field has another type than its meaning needs.
    """
    envelope = Envelope(row, _is_response, "Gemini")
    draft = Draft("google", envelope)
    candidates = envelope.response.nodes("candidates")
    if len(candidates) > 1:
        draft.notes.append(f"Only the first of {len(candidates)} candidates was read")
    candidate = candidates[0] if candidates else envelope.response
    parts = [
        None if part.get("thought") is True else draft.add(part.text("text") or "", Unit.UTF8_BYTES)
        for part in candidate.node("content").nodes("parts")
    ]
    grounding = candidate.node("groundingMetadata")
    for index, chunk in enumerate(grounding.nodes("groundingChunks")):
        _supply(draft, label(index), chunk)
    for support in grounding.nodes("groundingSupports"):
        _attach(draft, parts, support)
    return draft.answer(_READ)


def label(index: int) -> str:
    """What the registry calls a grounding chunk; not a bare number, which markers in the prose may use otherwise."""
    return f"chunk {index}"


def _is_response(node: Node) -> bool:
    return node.has_list("candidates") or (node.has_object("content") and node.node("content").has_list("parts"))


def _supply(draft: Draft, name: str, chunk: Node) -> None:
    kind = next((key for key in ("retrievedContext", "web", "maps", "image") if chunk.has_object(key)), None)
    source = chunk.node(kind) if kind else Node({})
    rag = source.node("ragChunk")
    pages = rag.node("pageSpan")
    page = source.number("pageNumber") or pages.number("firstPage")
    draft.supply(
        name,
        source.text("text") or rag.text("text"),
        uri=source.text("uri") or source.text("sourceUri"),
        title=source.text("title"),
        locator=None if page is None else f"p{page}",
        meta=dict(chunk.value) if kind is None else {},
    )


def _attach(draft: Draft, parts: list[Part | None], support: Node) -> None:
    segment = support.node("segment")
    index = segment.number("partIndex") or 0
    part = parts[index] if 0 <= index < len(parts) else None
    cites = []
    for position, chunk in enumerate(support.items("groundingChunkIndices")):
        number = Node({"n": chunk}, f"{support.at('groundingChunkIndices')}[{position}]").number("n")
        if number is not None:
            cites.append(label(number))
    if part is None:
        draft.notes.append(f"{support.path}: part {index} is none of the answer's; the citation was not attached")
        return
    start, end = segment.number("startIndex"), segment.number("endIndex")
    draft.attach(part, start, end, cites, support.path, segment.text("text"))
