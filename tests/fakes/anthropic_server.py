"""A local server that speaks Anthropic's protocol: messages as streams of events, and message batches with results.

What happens is scripted: each entry of ``script`` answers one request for a message, in the order of arrival; after
them every message is answered by ``decide``. The SDK is the real one, and so are the sockets.
"""

from __future__ import annotations

import json
import sys
import threading
import time
from collections import deque
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

Decide = Callable[[str, str], Mapping[str, Any]]
"""From claim and cited text to the object that the model answers with."""

USAGE = {"input_tokens": 1000, "output_tokens": 200}


def supported(claim: str, evidence: str) -> dict[str, Any]:
    """Support everything with the first three words of the cited text."""
    quote = " ".join(evidence.split()[:3])
    return {"rationale": "The text says so.", "quote": quote, "qualifiers": [], "label": "supported"}


@dataclass(frozen=True)
class Reply:
    """How one request is answered.

    ``kind``: ``ok``, ``status``, ``slow`` (silence for ``seconds``), ``cut`` (the connection ends in the middle of the
    stream), ``cut_first`` (before its first event), ``pings`` (nothing else, for ``seconds``), ``error_event``,
    ``garbage`` (events that are not JSON), ``ends`` (the stream ends without saying why).
    """

    kind: str = "ok"
    status: int = 200
    error: str = "api_error"
    headers: Mapping[str, str] = field(default_factory=dict)
    seconds: float = 0.0
    stop_reason: str = "end_turn"
    text: str | None = None
    """Instead of what ``decide`` gives, as JSON."""
    blocks: tuple[Mapping[str, Any], ...] = ()
    """Instead of one block of text: several, each with ``text`` and the ``citations`` of documents that were sent."""
    usage: Mapping[str, Any] = field(default_factory=lambda: dict(USAGE))
    model: str | None = None


class AnthropicServer:
    """The server and what it was asked; start it with ``running``."""

    def __init__(self) -> None:
        """Answer everything with support."""
        self.script: deque[Reply] = deque()
        self.decide: Decide = supported
        self.requests: list[dict[str, Any]] = []
        """Bodies of the requests for messages, batches left out."""
        self.keys: list[str | None] = []
        self.batches: dict[str, list[dict[str, Any]]] = {}
        self.outcomes: dict[str, str] = {}
        """What becomes of requests of the next batch, by their claim: ``errored``, ``expired`` or ``canceled``."""
        self.polls_until_ended = 1
        self.polls: dict[str, int] = {}
        self.busy, self.busiest = 0, 0
        self.lock = threading.Lock()
        self.url = ""

    def reset(self) -> None:
        """Forget everything that was said, asked and sent."""
        url = self.url
        self.__init__()  # type: ignore[misc]
        self.url = url

    def next_reply(self, body: dict[str, Any]) -> Reply:
        """Note a request and take the next entry of the script."""
        with self.lock:
            self.requests.append(body)
            return self.script.popleft() if self.script else Reply()


def texts(params: Mapping[str, Any]) -> tuple[str, str]:
    """The claim and the cited text of a request, decoded from their blocks."""
    blocks = [block["text"] for block in params["messages"][0]["content"]]
    return json.loads(blocks[0])["claim"], json.loads(blocks[1])["cited_text"]


def spoken(server: AnthropicServer, params: Mapping[str, Any], reply: Reply) -> str:
    """The text of an answer: the scripted one, none of a refusal, or what is decided about the claim of the request."""
    if reply.text is not None or reply.stop_reason == "refusal":
        return reply.text or ""
    return json.dumps(server.decide(*texts(params)), ensure_ascii=False)


def message(server: AnthropicServer, params: Mapping[str, Any], reply: Reply) -> dict[str, Any]:
    """The whole message that answers a request."""
    blocks = reply.blocks
    if not blocks:
        blocks = ({"text": spoken(server, params, reply)},)
    return {
        "id": "msg_1",
        "type": "message",
        "role": "assistant",
        "model": reply.model or params["model"],
        "content": [{"type": "text", "citations": None} | dict(block) for block in blocks],
        "stop_reason": reply.stop_reason,
        "stop_sequence": None,
        "stop_details": {"type": "refusal", "category": "bio"} if reply.stop_reason == "refusal" else None,
        "usage": dict(reply.usage),
        "new_field_of_tomorrow": {"is": "ignored"},
    }


def events(whole: Mapping[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    """A message as the events of its stream, its text in two pieces."""
    usage = dict(whole["usage"])
    start = {**whole, "content": [], "stop_reason": None, "stop_details": None, "usage": {**usage, "output_tokens": 1}}
    yield "message_start", {"type": "message_start", "message": start}
    for index, block in enumerate(whole["content"]):
        yield from _block_events(index, block)
    delta = {key: whole[key] for key in ("stop_reason", "stop_sequence", "stop_details")}
    out = {"output_tokens": usage["output_tokens"]}
    yield "message_delta", {"type": "message_delta", "delta": delta, "usage": out}
    yield "message_stop", {"type": "message_stop"}


def _block_events(index: int, block: Mapping[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    """One block: its text in two pieces, then its citations one by one."""
    begun: dict[str, Any] = {"type": "text", "text": ""} | ({"citations": []} if block["citations"] else {})
    yield "content_block_start", {"type": "content_block_start", "index": index, "content_block": begun}
    if not index:
        yield "ping", {"type": "ping"}
    text = block["text"]
    deltas: list[dict[str, Any]] = [
        {"type": "text_delta", "text": piece} for piece in (text[: len(text) // 2], text[len(text) // 2 :])
    ]
    deltas += [{"type": "citations_delta", "citation": one} for one in block["citations"] or ()]
    for delta in deltas:
        yield "content_block_delta", {"type": "content_block_delta", "index": index, "delta": delta}
    yield "content_block_stop", {"type": "content_block_stop", "index": index}


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server_version = "fake"
    ours: AnthropicServer

    def log_message(self, format: str, *args: Any) -> None:
        """Keep quiet."""

    def do_POST(self) -> None:
        """A message, or a batch of them."""
        body = json.loads(self.rfile.read(int(self.headers["content-length"])))
        self.ours.keys.append(self.headers.get("authorization"))
        if self.path.endswith("/batches"):
            self._new_batch(body)
            return
        reply = self.ours.next_reply(body)
        with self.ours.lock:
            self.ours.busy += 1
            self.ours.busiest = max(self.ours.busiest, self.ours.busy)
        try:
            self._answer(body, reply)
        except (BrokenPipeError, ConnectionResetError):  # the client has gone away
            self.close_connection = True
        finally:
            with self.ours.lock:
                self.ours.busy -= 1

    def do_GET(self) -> None:
        """The state of a batch, or its results."""
        batch_id = self.path.split("/batches/")[1].split("/")[0].split("?")[0]
        if batch_id not in self.ours.batches:
            self._error(404, "not_found_error", {})
        elif self.path.endswith("/results"):
            lines = [self._result(one) for one in reversed(self.ours.batches[batch_id])]
            self._whole("\n".join(map(json.dumps, lines)).encode() + b"\n", "application/x-jsonl")
        else:
            self.ours.polls[batch_id] = self.ours.polls.get(batch_id, 0) + 1
            self._json(200, self._batch(batch_id))

    def _answer(self, body: dict[str, Any], reply: Reply) -> None:
        if reply.kind != "pings":
            time.sleep(reply.seconds)
        if reply.kind == "status":
            self._error(reply.status, reply.error, reply.headers)
            return
        self.send_response(200)
        self.send_header("content-type", "text/event-stream")
        self.send_header("request-id", f"req_{len(self.ours.requests)}")
        self.send_header("transfer-encoding", "chunked")
        self.end_headers()
        until = time.monotonic() + (reply.seconds if reply.kind == "pings" else 0)
        while time.monotonic() < until:
            self._chunk(b'event: ping\ndata: {"type": "ping"}\n\n')
            time.sleep(0.02)
        for number, (name, data) in enumerate(events(message(self.ours, body, reply))):
            if reply.kind == "cut_first" or (reply.kind == "cut" and number == 4):
                self._hang_up()
                return
            if reply.kind == "ends" and name == "message_delta":
                break
            if reply.kind == "error_event" and number == 4:
                name, data = "error", {"type": "error", "error": {"type": reply.error, "message": "in the middle"}}
            line = json.dumps(data, ensure_ascii=False) if reply.kind != "garbage" else "{not json"
            self._chunk(f"event: {name}\ndata: {line}\n\n".encode())
            if name == "error":
                break
        self.wfile.write(b"0\r\n\r\n")

    def _hang_up(self) -> None:
        self.wfile.flush()
        self.close_connection = True
        self.connection.close()

    def _chunk(self, data: bytes) -> None:
        self.wfile.write(f"{len(data):x}\r\n".encode() + data + b"\r\n")
        self.wfile.flush()

    def _new_batch(self, body: dict[str, Any]) -> None:
        with self.ours.lock:
            batch_id = f"msgbatch_{len(self.ours.batches) + 1}"
            outcomes = [self.ours.outcomes.get(texts(one["params"])[0], "succeeded") for one in body["requests"]]
            self.ours.batches[batch_id] = [
                one | {"outcome": outcome} for one, outcome in zip(body["requests"], outcomes, strict=True)
            ]
        self._json(200, self._batch(batch_id))

    def _batch(self, batch_id: str) -> dict[str, Any]:
        ended = self.ours.polls.get(batch_id, 0) >= self.ours.polls_until_ended
        return {
            "id": batch_id,
            "type": "message_batch",
            "processing_status": "ended" if ended else "in_progress",
            "request_counts": {"processing": 0, "succeeded": 0, "errored": 0, "canceled": 0, "expired": 0},
            "created_at": "2026-11-30T09:00:00Z",
            "expires_at": "2026-12-01T09:00:00Z",
            "ended_at": "2026-11-30T09:01:00Z" if ended else None,
            "results_url": f"{self.ours.url}/v1/messages/batches/{batch_id}/results" if ended else None,
        }

    def _result(self, request: dict[str, Any]) -> dict[str, Any]:
        outcome = request["outcome"]
        result: dict[str, Any] = {"type": outcome}
        if outcome == "succeeded":
            result["message"] = message(self.ours, request["params"], Reply())
        elif outcome == "errored":
            error = {"type": "overloaded_error", "message": "later"}
            result["error"] = {"type": "error", "error": error, "request_id": "req_x"}
        return {"custom_id": request["custom_id"], "result": result}

    def _error(self, status: int, kind: str, headers: Mapping[str, str]) -> None:
        body = {"type": "error", "error": {"type": kind, "message": "SECRET words of the provider"}}
        self._json(status, body, {"request-id": "req_failed", **headers})

    def _json(self, status: int, body: Mapping[str, Any], headers: Mapping[str, str] | None = None) -> None:
        self._whole(json.dumps(body).encode(), "application/json", status, headers or {})

    def _whole(self, body: bytes, kind: str, status: int = 200, headers: Mapping[str, str] | None = None) -> None:
        self.send_response(status)
        for name, value in {"content-type": kind, "content-length": str(len(body)), **(headers or {})}.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)


class _Http(ThreadingHTTPServer):
    daemon_threads = True

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Say nothing when a client hangs up, which these tests make it do; anything else as usual."""
        if not isinstance(sys.exc_info()[1], ConnectionError):
            super().handle_error(request, client_address)


@contextmanager
def running() -> Iterator[AnthropicServer]:
    """Start a server on a free port of this machine and stop it at the end."""
    ours = AnthropicServer()
    handler = type("Handler", (_Handler,), {"ours": ours})
    with _Http(("127.0.0.1", 0), handler) as http:
        ours.url = f"http://127.0.0.1:{http.server_address[1]}"
        thread = threading.Thread(target=http.serve_forever, args=(0.02,), daemon=True)
        thread.start()
        try:
            yield ours
        finally:
            http.shutdown()
            thread.join()
