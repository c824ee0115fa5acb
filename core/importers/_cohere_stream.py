"""The events of a Cohere stream → the response that the same call would have given whole."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from core.importers._json import RowError
from core.importers._node import Node
from core.importers._rows import BadLine

TYPES = frozenset(
    {
        "message-start",
        "content-start",
        "content-delta",
        "content-end",
        "tool-plan-delta",
        "tool-call-start",
        "tool-call-delta",
        "tool-call-end",
        "citation-start",
        "citation-end",
        "message-end",
        "debug",
    }
)
"""The ``type`` of every event."""

_MAX_BLOCKS = 1000


def joined(records: Iterable[tuple[int, dict[str, Any] | BadLine]]) -> Iterator[tuple[int, dict[str, Any] | BadLine]]:
    """Make one row of events that follow one another up to the end of their message; other rows pass as they are.

    A broken row among events refuses the whole stream: without it every later offset would be wrong.
    """
    events: list[dict[str, Any]] = []
    last, broken = 0, False
    for number, row in records:
        kind = _event(row)
        if events and kind is None and isinstance(row, BadLine):
            row = row.model_copy(update={"reason": f"{row.reason}; the stream of events around it was left out"})
            events, broken = [], True
        elif kind is None or kind == "message-start":
            broken = False
            if events:
                yield last, {"events": events}
            events = []
        if kind is None:
            yield number, row
        elif not broken and not isinstance(row, BadLine):
            events.append(row)
            last = number
        if kind == "message-end":
            broken = False
            if events:
                yield last, {"events": events}
            events = []
    if events:
        yield last, {"events": events}


def _event(row: dict[str, Any] | BadLine) -> str | None:
    """The type of an event; none for any other row."""
    kind = None if isinstance(row, BadLine) else row.get("type")
    return kind if isinstance(kind, str) and kind in TYPES else None


def response(row: Mapping[str, Any], notes: list[str]) -> dict[str, Any]:
    """The whole response of a row's ``events``, in the shape that is not streamed.

    Raises:
        RowError: An event has another shape than its type says.
    """
    found: dict[str, Any] = {}
    texts: dict[int, list[str]] = {}
    citations: list[Any] = []
    ended = False
    for event in Node(row).nodes("events"):
        kind = event.get("type")
        delta = event.node("delta")
        if kind == "message-start":
            found["id"] = event.get("id")
        elif kind in ("content-start", "content-delta"):
            content = delta.node("message").node("content")
            text = content.text("text") if content.value else event.text("text")
            if text is not None:
                texts.setdefault(_index(event), []).append(text)
        elif kind == "citation-start":
            told = event.get("citation") or delta.node("message").get("citations")
            citations += told if isinstance(told, list) else [told]
        elif kind == "message-end":
            ended = True
            found |= {key: value for key, value in delta.value.items() if key in ("finish_reason", "usage")}
    if not ended:
        notes.append("The stream has no event that ends it, so the answer may be cut short")
    blocks = [
        {"type": "text", "text": "".join(texts[at])} if at in texts else {} for at in range(max(texts, default=-1) + 1)
    ]
    return found | {"message": {"content": blocks, "citations": citations}}


def _index(event: Node) -> int:
    index = event.number("index") or 0
    if not 0 <= index < _MAX_BLOCKS:
        raise RowError(event.at("index"), "no index of a content block")
    return index
