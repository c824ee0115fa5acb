"""What stands around a vendor's response: who was asked what, when, and under which name it was logged.

A response is logged as it came, or inside ``response``, ``body``, ``result`` and the like, with the request beside it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from datetime import UTC, datetime
from typing import Any

from core.importers._json import RowError, finite
from core.importers._node import Node
from core.models import digest

_WRAPPERS = ("response", "body", "payload", "result", "message", "completion", "modelOutput")
_REQUESTS = ("request", "body", "modelInput", "params", "kwargs")
_NAMES = ("request_id", "requestId", "custom_id", "recordId", "trace_id")
_OWN_NAMES = ("id", "responseId", "response_id")
_QUERIES = ("query", "question", "user_input", "prompt", "input")
_TURNS = ("messages", "contents", "input", "prompt")
_MOMENTS = ("asked_at", "timestamp", "created_at", "createTime", "create_time", "created")
_MODELS = ("model", "modelVersion", "model_version", "modelId", "model_id")
_MILLISECONDS = 100_000_000_000


def inner_paths(paths: frozenset[str]) -> frozenset[str]:
    """Key paths as they are seen from the response, wherever it is wrapped (``core.importers._records.paths``)."""
    found = set(paths)
    for _ in range(3):
        found |= {path.partition(".")[2] for path in found if path.partition(".")[0] in _WRAPPERS}
    return frozenset(found - {""})


class Envelope:
    """A row, from its outermost object to the vendor's response in it."""

    def __init__(self, row: Mapping[str, Any], is_response: Callable[[Node], bool], vendor: str) -> None:
        """Look for the response.

        Args:
            row: As it was logged.
            is_response: Whether an object is one.
            vendor: For the message.

        Raises:
            RowError: There is none.
        """
        self._layers = [Node(row)]
        self.notes: list[str] = []
        while not is_response(self.response):
            inner = next((key for key in _WRAPPERS if self.response.has_object(key)), None)
            if inner is None:
                refused = next((layer for layer in self._layers if layer.get("error")), None)
                if refused:
                    raise RowError(refused.at("error"), "the request failed, so there is no answer")
                raise RowError(None, f"no response of {vendor}")
            self._layers.append(self.response.node(inner))

    @property
    def response(self) -> Node:
        """The vendor's response."""
        return self._layers[-1]

    def request_id(self) -> str:
        """The name under which it was logged, the vendor's own, or one made from the content, and noted."""
        for layer, keys in [
            *((layer, _NAMES) for layer in self._layers),
            *((layer, _OWN_NAMES) for layer in reversed(self._layers)),
        ]:
            for key in keys:
                name = layer.value.get(key)
                if isinstance(name, int | str) and not isinstance(name, bool) and str(name).strip():
                    return str(name)
        self.notes.append("The row has no request_id; one was made from its content")
        return f"made-{digest(self._layers[0].value)[:12]}"

    def query(self) -> str | None:
        """What was asked: a text beside the response, or the last turn of the user in the request."""
        for asked in self._requests():
            text = next((asked[key] for key in _QUERIES if isinstance(asked.get(key), str)), None)
            turns = next((asked[key] for key in _TURNS if isinstance(asked.get(key), list)), None)
            if text or turns:
                return text or _last_turn(turns or [])
        return None

    def asked_at(self) -> datetime | None:
        """When it was asked or answered; none, and a note, when what is written there is no moment."""
        for layer in self._layers:
            for key in _MOMENTS:
                value = layer.value.get(key)
                if value is None or isinstance(value, bool | dict | list):
                    continue
                moment = _moment(value)
                if moment is None:
                    self.notes.append(f"{layer.at(key)} is no moment, so the answer is undated")
                return moment
        return None

    def model(self) -> str | None:
        """The model that answered."""
        for layer in reversed(self._layers):
            named = next((layer.value[key] for key in _MODELS if isinstance(layer.value.get(key), str)), None)
            if named:
                return str(named)
        return None

    def meta(self, read: frozenset[str]) -> dict[str, Any]:
        """The fields that nobody read, outer ones first; numbers that are not finite become null, and that is noted.

        Args:
            read: The fields of the response that became part of the answer.
        """
        known = {*_NAMES, *_OWN_NAMES, *_MOMENTS, *_MODELS, *_QUERIES}
        inside = [layer.path.rpartition(".")[2] for layer in self._layers[1:]]
        found: dict[str, Any] = {}
        for layer, wrapper in zip(self._layers, [*inside, None], strict=True):
            own = read if wrapper is None else frozenset({wrapper})
            for key, value in layer.value.items():
                if value is None or key in own or key in found or (key in known and not isinstance(value, dict | list)):
                    continue
                found[key] = finite(value)
                if found[key] != value:
                    self.notes.append(f"{layer.at(key)} had a number that is not finite and was kept as null")
        return found

    def _requests(self) -> Iterator[Mapping[str, Any]]:
        for layer in self._layers:
            yield layer.value
            for key in _REQUESTS:
                if layer.has_object(key):
                    inner = layer.node(key)
                    yield inner.value
                    if inner.has_object("body"):
                        yield inner.node("body").value


def _last_turn(turns: list[Any]) -> str | None:
    for turn in reversed(turns):
        if isinstance(turn, dict) and turn.get("role", "user") == "user":
            content = turn.get("content", turn.get("parts"))
            pieces = [content] if isinstance(content, str) else content if isinstance(content, list) else []
            texts = [piece.get("text") if isinstance(piece, dict) else piece for piece in pieces]
            if found := "\n".join(text for text in texts if isinstance(text, str) and text.strip()):
                return found
    return None


def _moment(value: Any) -> datetime | None:
    try:
        if isinstance(value, str):
            moment = datetime.fromisoformat(value.strip().upper())
            return (moment if moment.tzinfo else moment.replace(tzinfo=UTC)).astimezone(UTC)
        return datetime.fromtimestamp(value / 1000 if value > _MILLISECONDS else value, UTC)
    except (ValueError, OverflowError, OSError):
        return None
