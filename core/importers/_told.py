"""What was asked and what was answered, in the inputs and outputs that tracing tools log in many shapes."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from core.importers._json import RowError, parse

_ANSWER = (
    "answer", "result", "output_text", "response", "output", "generated_text", "completion", "generation", "text",
    "content", "message", "messages", "choices", "generations", "kwargs",
)  # fmt: skip
_QUERY = (
    "query", "question", "user_input", "query_str", "input", "prompt", "text", "content", "message", "messages", "args",
    "kwargs",
)  # fmt: skip
_ANSWERERS = frozenset({"assistant", "ai", "aimessage", "aimessagechunk", "model"})
_ASKERS = frozenset({"user", "human", "humanmessage"})
_MAX_DEPTH = 8


def answer_in(value: object) -> str | None:
    """The answer in an output: text, an object that names it, or the last message of the assistant; else none."""
    return _told(value, _ANSWER, _ANSWERERS, 0)


def query_in(value: object) -> str | None:
    """The question in an input: text, an object that names it, or the last message of the user; else none."""
    return _told(value, _QUERY, _ASKERS, 0)


def opened(value: object) -> object:
    """A text that holds JSON as what it holds; everything else, and JSON that is not safe to keep, as it is."""
    if isinstance(value, str) and value.lstrip().startswith(("{", "[", '"')):
        try:
            return parse(b'{"held": %s}' % value.encode())["held"]
        except RowError:
            return value
    return value


def _told(value: object, keys: tuple[str, ...], speakers: frozenset[str], depth: int) -> str | None:
    value = opened(value)
    if isinstance(value, str):
        return value if value.strip() else None
    if depth > _MAX_DEPTH:
        return None
    if isinstance(value, list):
        return _in_list(value, keys, speakers, depth)
    if not isinstance(value, Mapping):
        return None
    found = (_told(value[key], keys, speakers, depth + 1) for key in keys if value.get(key) is not None)
    return next((text for text in found if text is not None), None)


def _in_list(value: list[Any], keys: tuple[str, ...], speakers: frozenset[str], depth: int) -> str | None:
    """The texts of one message's parts in a row, else the last message by the right speaker, else the only element."""
    parts = [part for part in value if isinstance(part, Mapping) and isinstance(part.get("text"), str)]
    if parts and all(isinstance(part, Mapping) and "role" not in part for part in value):
        return "".join(part["text"] for part in parts) or None
    spoken = [message for message in value if isinstance(message, Mapping) and _speaker(message) in speakers]
    found = (_told(message, keys, speakers, depth + 1) for message in reversed(spoken))
    text = next((text for text in found if text is not None), None)
    return _told(value[0], keys, speakers, depth + 1) if text is None and len(value) == 1 else text


def _speaker(message: Mapping[str, Any]) -> str:
    """Who speaks, however it is written: ``role``, ``type``, or the last part of a LangChain constructor's id."""
    id_ = message.get("id")
    named = message.get("role") or (id_[-1] if isinstance(id_, list) and id_ else message.get("type"))
    return named.lower() if isinstance(named, str) else ""
