"""``/api/label``: the line on which a tab of the label page sends presses and gets answers, past Streamlit's runs.

A run of the page opens a line for whoever its session belongs to, and gives the secret of it to the tab. A request says
nothing of who sends it: it names the line, and the desk knows whose that is, and looks at each message what they may do
by now. Lines end when the hours of the sign-in are over that they were opened under, and with the process; the tab then
asks the page for another one.
"""

from __future__ import annotations

import hashlib
import json
import secrets
import threading
from collections.abc import Callable
from typing import Any, NamedTuple

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response

from core.api import bounded_body, refusal
from core.desk import Desk
from core.errors import CitedeskError
from core.people import Person
from core.store.queue_records import Queue
from dashboard import label_exchange, session
from dashboard.identity import NotSignedIn

HEADER = "x-citedesk-line"
"""Names the line. A page of another origin cannot set it without being asked first, which is never granted."""

LARGEST_BODY = 2 * 2**20
"""Bytes of a message: twenty presses with the longest notes and marks are less."""

NOT_OPEN = "This line is not open; the page opens another one."

MOST = 10_000
"""Lines that are open at once; then the oldest ends."""


class Line(NamedTuple):
    """Whose presses come over it, into which queue."""

    seat: Callable[[Desk], Person]
    """See ``identity.seat``."""
    queue: Queue


_lock = threading.Lock()
_lines: dict[str, Line] = {}
"""By the sha256 of their secrets, the oldest first."""


def open_line(seat: Callable[[Desk], Person], queue: Queue) -> str:
    """Open a line for who sits in a session; gives its secret, which is for the tab alone."""
    secret = secrets.token_urlsafe(32)
    with _lock:
        while len(_lines) >= MOST:
            del _lines[next(iter(_lines))]
        _lines[_hashed(secret)] = Line(seat, queue)
    return secret


def find(secret: str) -> Line | None:
    """The line of a secret; none when there is none."""
    with _lock:
        return _lines.get(_hashed(secret))


async def exchange(request: Request) -> Response:
    """Take in what a tab sends, and answer it; what is acknowledged is stored."""
    line = find(request.headers.get(HEADER, ""))
    if line is None:
        return refusal(401, NOT_OPEN)
    body = await bounded_body(request, LARGEST_BODY)
    if isinstance(body, Response):
        return body
    try:
        log = json.loads(body)
    except (ValueError, RecursionError):
        return refusal(400, "The body is not JSON.")
    if not isinstance(log, dict):
        return refusal(400, "The body is no message of a tab.")
    try:
        answer = await run_in_threadpool(_answer, line, log)
    except NotSignedIn:
        return refusal(401, NOT_OPEN)
    except CitedeskError as error:
        return refusal(503, str(error))
    # Escapes, for half a surrogate pair in a source has no UTF-8.
    return Response(json.dumps(answer), headers={"cache-control": "no-store"}, media_type="application/json")


def _answer(line: Line, log: dict[str, Any]) -> dict[str, Any]:
    desk = session.desk()
    return label_exchange.exchange(desk.store, line.seat(desk), line.queue, log)


def _hashed(secret: str) -> str:
    return hashlib.sha256(secret.encode()).hexdigest()
