"""Anthropic messages: text blocks, each with the citations of what it says.

Shapes as in the SDK's ``types/citation_*_location.py`` and ``types/citations_*_location.py``. A block is what its
citations are about; each citation brings the cited text, which is the evidence. Starts count from 0 and pages from 1,
ends are exclusive; they are kept as the vendor gives them.
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

_READ = frozenset({"content", "role", "type"})
_SPANS = {
    "char_location": ("document", "document_index", "characters", "start_char_index", "end_char_index"),
    "page_location": ("document", "document_index", "pages", "start_page_number", "end_page_number"),
    "content_block_location": ("document", "document_index", "blocks", "start_block_index", "end_block_index"),
    "search_result_location": (
        "search result",
        "search_result_index",
        "blocks",
        "start_block_index",
        "end_block_index",
    ),
}


def sniff(path: Path, head: bytes) -> bool:
    """Whether the first objects are messages with cited blocks, or call themselves messages of the assistant."""
    found = inner_paths(_records.paths(head))
    return "content.citations.cited_text" in found or {"type=message", "role=assistant", "content.type=text"} <= found


def read(path: Path) -> Iterator[Answer | BadLine]:
    """Read the messages in order.

    Raises:
        ImportFormatError: At once when the file is no text, later when reading fails on the way.
    """
    return _responses.answers(path, answer_of)


def answer_of(row: Mapping[str, Any]) -> Answer:
    """One answer from one message, or from an object that holds one.

    Raises:
        RowError: It holds no message or no text, or a field has another type than its meaning needs.
    """
    envelope = Envelope(row, _is_message, "Anthropic")
    draft = Draft("anthropic", envelope)
    interrupted = False
    for block in envelope.response.nodes("content"):
        text = block.text("text") if block.get("type") in (None, "text") else None
        if text is None:
            interrupted = interrupted or block.get("type") not in ("thinking", "redacted_thinking")
            continue
        part = draft.add(text, apart=interrupted)
        interrupted = False
        cites = [_supply(draft, citation) for citation in block.nodes("citations")]
        if cites and text.strip():
            draft.attach_whole(part, cites)
    return draft.answer(_READ)


def _is_message(node: Node) -> bool:
    return node.has_list("content")


def _supply(draft: Draft, citation: Node) -> str:
    """Enter the passage of one citation; gives the id that means it."""
    kind = citation.text("type") or ""
    text = citation.text("cited_text")
    if kind in _SPANS:
        source, index, unit, start, end = _SPANS[kind]
        where = Where(source, citation.number(index), unit, citation.number(start), citation.number(end))
        uri = citation.text("source")
        title = citation.text("document_title") or citation.text("title")
        file = citation.name("file_id")
        meta = {} if file is None else {"file_id": file}
        return draft.supply(where.name, text, apart=True, uri=uri, title=title, locator=where.locator, meta=meta)
    url = citation.name("url")
    if url is None:
        draft.notes.append(f"{citation.path}: a citation of a kind that is not known here ({kind!r})")
    return draft.supply(url or citation.path, text, apart=True, uri=url, title=citation.text("title"))
