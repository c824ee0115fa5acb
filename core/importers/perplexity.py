"""Perplexity: a chat response whose ``[n]`` count the ``citations`` or ``search_results`` beside it, from one.

Shapes as in the SDK's ``types/stream_chunk.py`` and ``types/shared/api_public_search_result.py``. A page's text is not
in the log; the snippet of the search result stands for it where there is one, and that is noted.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from core.importers import _records, _responses
from core.importers._draft import Draft
from core.importers._envelope import Envelope, inner_paths
from core.importers._node import Node
from core.importers._rows import BadLine
from core.importers.openai_chat import label, message_of, thinking
from core.models import Answer

_READ = frozenset({"choices", "citations", "search_results", "object"})


def sniff(path: Path, head: bytes) -> bool:
    """Whether the first objects have choices with messages, and sources beside them."""
    found = inner_paths(_records.paths(head))
    return "choices.message" in found and bool(found & {"citations", "search_results"})


def read(path: Path) -> Iterator[Answer | BadLine]:
    """Read the responses in order.

    Raises:
        ImportFormatError: At once when the file is no text, later when reading fails on the way.
    """
    return _responses.answers(path, answer_of)


def answer_of(row: Mapping[str, Any]) -> Answer:
    """One answer from one response, or from an object that holds one; of several choices the first.

    Raises:
        RowError: It holds no response or no text, or a field has another type than its meaning needs.
    """
    envelope = Envelope(row, _is_response, "Perplexity")
    draft = Draft("perplexity", envelope)
    message = message_of(envelope.response, draft.notes)
    content = message.get("content")
    if isinstance(content, list):
        content = "".join(part.text("text") or "" for part in message.nodes("content"))
    else:
        content = message.text("content") or ""
    draft.add(content, skip=thinking(content, draft.notes))
    _supply(draft, envelope.response)
    return draft.answer(_READ)


def _is_response(node: Node) -> bool:
    return node.has_list("choices")


def _supply(draft: Draft, response: Node) -> None:
    results = response.nodes("search_results")
    by_url = {result.text("url"): result for result in reversed(results)}
    urls = [
        _url(each, f"{response.at('citations')}[{index}]") for index, each in enumerate(response.items("citations"))
    ]
    snippets = False
    for index, url in enumerate(urls or [result.text("url") for result in results]):
        result = by_url.get(url, Node({}))
        snippet = result.text("snippet")
        snippets = snippets or bool(snippet and snippet.strip())
        meta = {key: result.value[key] for key in ("date", "last_updated", "source") if result.get(key) is not None}
        draft.supply(label(index), snippet, uri=url, title=result.text("title"), meta=meta)
    if snippets:
        draft.notes.append("The evidence is the snippets of the search results; the log does not hold the pages")


def _url(citation: Any, path: str) -> str | None:
    """A citation is an address, or an object with one."""
    return Node(citation, path).text("url") if isinstance(citation, dict) else Node({"url": citation}, path).text("url")
