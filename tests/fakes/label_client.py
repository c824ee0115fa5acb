"""A tab of the label page without a browser: it opens the page as Streamlit's client does, then uses its line."""

from __future__ import annotations

import json
import socket
from collections.abc import Mapping
from contextlib import suppress
from copy import copy
from datetime import UTC, datetime
from http.client import HTTPConnection, HTTPException
from typing import Any, NamedTuple
from urllib.parse import urlencode
from uuid import uuid4

from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from websockets.sync.client import ClientConnection, connect
from websockets.typing import Origin, Subprotocol

ANSWER_SECONDS = 60.0
"""How long a desk on a busy machine may take to answer."""

SCRIPT_FINISHED = {ForwardMsg.FINISHED_SUCCESSFULLY, ForwardMsg.FINISHED_FRAGMENT_RUN_SUCCESSFULLY}


class Sent(NamedTuple):
    """One decision: what the person meant, by its event id."""

    event_id: str
    claim_uid: str
    cite: str | None
    label: str

    @property
    def key(self) -> str:
        """The browser's name of the span."""
        return self.claim_uid if self.cite is None else f"{self.claim_uid} {self.cite}"


class Tab:
    """One tab of one person in one queue; what it pressed outlives its connection, as it does in a browser."""

    def __init__(self, port: int, labeller: str, queue_id: str) -> None:
        """Know where the desk is; ``open`` connects."""
        self._host = f"127.0.0.1:{port}"
        self._query = urlencode({"labeller": labeller, "queue": queue_id})
        self._queue_id = queue_id
        self.labeller = labeller
        self._attempt = 0
        self._line: ClientConnection | None = None
        self._http: HTTPConnection | None = None
        self.secret = ""
        """Of the line that the page opened."""
        self._log: dict[str, dict[str, Any]] = {}
        self.items: dict[tuple[str, str | None], dict[str, Any]] = {}
        """What is there to be labelled, in the order in which it came."""
        self.pressed: list[Sent] = []
        self.acknowledged: dict[str, datetime] = {}
        """Event ids with the moment at which the desk says that it stored them."""
        self.refused: dict[str, str] = {}
        """Event ids with why the desk will never store them."""
        self.failed = ""
        """Why the desk could not store anything the last time that it could not."""

    def open(self) -> None:
        """Connect, and wait until the page and its first claims are there."""
        self.close()
        self._line = connect(
            f"ws://{self._host}/_stcore/stream",
            origin=Origin(f"http://{self._host}"),
            subprotocols=[Subprotocol("streamlit")],
            proxy=None,
            max_size=None,
            open_timeout=ANSWER_SECONDS,
        )
        self._run(BackMsg())
        if not self.secret:
            raise AssertionError("the desk shows no queue")

    def close(self) -> None:
        """Cut the line at once."""
        line, self._line = self._line, None
        sockets = [line.socket if line else None, self._http.sock if self._http else None]
        for one in filter(None, sockets):
            with suppress(OSError):  # the desk was faster
                one.shutdown(socket.SHUT_RDWR)

    def twin(self) -> Tab:
        """Another tab of the same person in the same browser: what one pressed, the other knows and may send."""
        other = copy(self)
        other._line = other._http = None
        return other

    def press(self, label: str, **changes: Any) -> Sent:
        """Decide on the claim in front, which makes room for the next one; nothing is sent yet.

        Args:
            label: Which one.
            changes: What the message says otherwise than it should.
        """
        item = self.items.pop(next(iter(self.items)))
        sent = Sent(str(uuid4()), item["claim_uid"], item["cite"], label)
        self._log[sent.event_id] = sent._asdict() | {
            "kind": "label",
            "seen_sha256": item["seen_sha256"],
            "queue_id": self._queue_id,
            "decided_at": datetime.now(UTC).isoformat(),
            **changes,
        }
        self.pressed.append(sent)
        return sent

    def send(self, ready: bool = True, times: int = 1) -> None:
        """Send everything that has no answer yet, and take the answer in; again and again if asked to."""
        for _ in range(times):
            self._attempt += 1
            message = {
                "attempt": self._attempt,
                "events": list(self._log.values()),
                "have": [list(place) for place in self.items],
                "ready": ready,
            }
            self._take(self.post(message))

    def post(self, message: object, **headers: str) -> Any:
        """Send one message over the line; gives the answer.

        Raises:
            PermissionError: The desk refuses it; the message begins with the status.
            OSError: The line is cut.
        """
        if self._line is None:
            raise ConnectionError("the line is cut")
        told = {"content-type": "application/json", "x-citedesk-line": self.secret} | headers
        self._http = HTTPConnection(self._host, timeout=ANSWER_SECONDS)
        try:
            self._http.request("POST", "/api/label", json.dumps(message), told)
            reply = self._http.getresponse()
            answer = json.loads(reply.read())
        except (HTTPException, ValueError) as error:
            raise ConnectionError("the line is cut") from error
        finally:
            self._http.close()
        if reply.status != 200:
            raise PermissionError(f"{reply.status} {answer['detail']}")
        return answer

    @property
    def unanswered(self) -> int:
        """Presses that the desk has neither stored nor refused."""
        return len(self._log)

    def _run(self, message: BackMsg) -> None:
        """Let the page run once, until it says that it is done."""
        line = self._line
        if line is None:
            raise ConnectionError("the line is cut")
        message.rerun_script.query_string = self._query
        message.rerun_script.page_name = "label"
        message.rerun_script.context_info.url = f"http://{self._host}/label"
        line.send(message.SerializeToString())
        while True:
            answer = ForwardMsg()
            answer.ParseFromString(line.recv(ANSWER_SECONDS, decode=False))
            kind = answer.WhichOneof("type")
            if kind == "delta" and answer.delta.new_element.HasField("bidi_component"):
                data = json.loads(answer.delta.new_element.bidi_component.json)
                self.secret = data["line"]
                self._take(data)
            if kind == "delta" and answer.delta.new_element.HasField("exception"):
                raise AssertionError(answer.delta.new_element.exception.message)
            if kind == "script_finished" and answer.script_finished in SCRIPT_FINISHED:
                return

    def _take(self, data: Mapping[str, Any]) -> None:
        for ack in data["acks"]:
            if ack.get("failed") or self._log.pop(ack["event_id"], None) is None:
                self.failed = ack.get("failed", self.failed)
            elif ack["refused"]:
                self.refused[ack["event_id"]] = ack["refused"]
            else:
                self.acknowledged[ack["event_id"]] = datetime.fromisoformat(ack["stored_at"])
        pending = {(one["claim_uid"], one["cite"]) for one in self._log.values()}
        for item in data["items"]:
            place = item["claim_uid"], item["cite"]
            if place not in pending:
                self.items[place] = item
