"""A reader of a page without a browser: one visit over the websocket, as Streamlit's page makes it."""

from __future__ import annotations

from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from websockets.sync.client import connect
from websockets.typing import Origin, Subprotocol

from tests.fakes.label_client import ANSWER_SECONDS, SCRIPT_FINISHED


def visit(port: int, page: str) -> int:
    """Open a page of a desk, wait until it is drawn whole, and give how many elements it has.

    Raises:
        WebSocketException: The line was cut.
        OSError: Nobody listens there, or no answer came in time.
        AssertionError: The page shows an exception.
    """
    host = f"127.0.0.1:{port}"
    with connect(
        f"ws://{host}/_stcore/stream",
        origin=Origin(f"http://{host}"),
        subprotocols=[Subprotocol("streamlit")],
        proxy=None,
        max_size=None,
        open_timeout=ANSWER_SECONDS,
    ) as line:
        message = BackMsg()
        message.rerun_script.page_name = page
        message.rerun_script.context_info.url = f"http://{host}/{page}"
        line.send(message.SerializeToString())
        elements = 0
        while True:
            answer = ForwardMsg()
            answer.ParseFromString(line.recv(ANSWER_SECONDS, decode=False))
            kind = answer.WhichOneof("type")
            if kind == "delta" and answer.delta.new_element.HasField("exception"):
                raise AssertionError(f"{page}: {answer.delta.new_element.exception.message}")
            if kind == "delta":
                elements += 1
            if kind == "script_finished" and answer.script_finished in SCRIPT_FINISHED:
                return elements
