"""Amazon Bedrock Converse: ``output.message.content`` with ``citationsContent`` blocks.

Shapes as in the API's ``CitationsContentBlock``, ``Citation`` and ``CitationLocation``. The generated text of a block
is what its citations are about; the ``sourceContent`` of a citation is the evidence. Numbers of a location are kept as
the service gives them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from core.importers import _records, _responses
from core.importers._cited_passage import Where
from core.importers._draft import Draft
from core.importers._envelope import Envelope, inner_paths
from core.importers._node import Node
from core.importers._rows import BadLine
from core.models import Answer

_READ = frozenset({"output"})
_CONTENT = "output.message.content"
_SPANS = {
    "documentChar": ("document", "documentIndex", "characters"),
    "documentPage": ("document", "documentIndex", "pages"),
    "documentChunk": ("document", "documentIndex", "chunks"),
    "searchResultLocation": ("search result", "searchResultIndex", "blocks"),
}


def sniff(path: Path, head: bytes) -> bool:
    """Whether the first objects have a message under ``output``, with cited content or a reason to stop."""
    found = inner_paths(_records.paths(head))
    return f"{_CONTENT}.citationsContent" in found or {_CONTENT, "stopReason"} <= found


def read(path: Path) -> Iterator[Answer | BadLine]:
    """Read the responses in order.

    Raises:
        ImportFormatError: At once when the file is no text, later when reading fails on the way.
    """
    return _responses.answers(path, answer_of)


def answer_of(row: Mapping[str, Any]) -> Answer:
    """One answer from one response, or from an object that holds one.

    Raises:
        RowError: It holds no response or no text, or a field has another type than its meaning needs.
    """
    envelope = Envelope(row, _is_response, "Bedrock Converse")
    draft = Draft("bedrock", envelope)
    interrupted = False
    for block in envelope.response.node("output").node("message").nodes("content"):
        cited = block.node("citationsContent")
        if not cited.value and block.get("text") is None:
            interrupted = interrupted or "reasoningContent" not in block.value
            continue
        pieces = cited.nodes("content") if cited.value else [block]
        text = "".join(piece.text("text") or "" for piece in pieces)
        part = draft.add(text, apart=interrupted)
        interrupted = False
        cites = [_supply(draft, citation) for citation in cited.nodes("citations")]
        if cites and text.strip():
            draft.attach_whole(part, cites)
    return draft.answer(_READ)


def _is_response(node: Node) -> bool:
    return node.has_object("output") and node.node("output").has_object("message")


def _supply(draft: Draft, citation: Node) -> str:
    """Enter the passage of one citation; gives the id that means it."""
    passages = [piece.text("text") or "" for piece in citation.nodes("sourceContent")]
    text, title, source = "\n".join(passages), citation.text("title"), citation.text("source")
    location = citation.node("location")
    for key, (kind, index, unit) in _SPANS.items():
        if location.has_object(key):
            place = location.node(key)
            where = Where(kind, place.number(index), unit, place.number("start"), place.number("end"))
            return draft.supply(where.name, text, apart=True, uri=source, title=title, locator=where.locator)
    url = location.node("web").name("url")
    if url is None:
        draft.notes.append(f"{citation.path}: a citation without a place in a source")
    return draft.supply(url or source or title or citation.path, text, apart=True, uri=url or source, title=title)
