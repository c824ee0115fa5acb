"""What a caller over HTTP is told: the stages while an answer is made, then the answer or why there is none."""

from __future__ import annotations

import asyncio
import json
import logging
import time
import traceback
from collections.abc import AsyncIterator
from contextlib import suppress
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from core.api_contract import INTERNAL_ERROR, RefusedBody, Told, failed, told
from core.errors import InputError, VerifierUnavailable
from core.generators import Event
from core.outcomes import Ending, Outcome
from core.question_pool import Running, Stopped

STEP = 0.1
"""Seconds between two looks at whether the caller is still there, and the desk."""

HEARTBEAT = 10.0
"""Seconds without an event after which a stream sends a comment."""

_CLOSING = Told(503, RefusedBody(detail="The desk is closing."))
UNKNOWN_CORPUS = Told(404, RefusedBody(detail="There is no such corpus."))
"""For one that is not there, and for one that the caller may not see."""

_log = logging.getLogger("citedesk.api")
_COUNTS = frozenset({"searched", "packed", "cut", "entries", "attempt", "done", "of"})
"""Counts that a stream may tell: of passages and attempts. Those of an answer may be of one that is not served."""


def end_of(running: Running[Event, Outcome]) -> Told:
    """What a caller is told of work that is over, or was asked to end and has not ended yet.

    An error of ours is noted by kind and place, without its words.
    """
    if not running.future.done():
        return _CLOSING
    error = running.future.exception()
    if error is None:
        try:
            return told(running.future.result())
        except ValidationError as broken:
            error = broken
    if isinstance(error, InputError):  # it was there when the question came
        return UNKNOWN_CORPUS
    if isinstance(error, VerifierUnavailable):  # a sentence of ours, for whoever keeps the desk
        _log.error("%s", error)
        return failed(str(Ending.PROVIDER_UNAVAILABLE), 503)
    if isinstance(error, Stopped):
        return _CLOSING
    place = traceback.extract_tb(error.__traceback__)[-1]
    _log.error("%s in %s, line %s", type(error).__name__, Path(place.filename).name, place.lineno)
    return failed(INTERNAL_ERROR, 500)


async def events(feed: asyncio.Queue[Event | None], running: Running[Event, Outcome]) -> AsyncIterator[str]:
    """The server-sent events of a question: ``status`` for each stage, then one ``answer`` or ``error``.

    Args:
        feed: The stages as they come, then none.
        running: The question; it is ended when nobody takes the events any more.
    """
    said = time.monotonic()
    try:
        while not running.stopped:
            try:
                event = await asyncio.wait_for(feed.get(), STEP)
            except TimeoutError:
                if running.future.done() and feed.empty():
                    break
                if time.monotonic() - said > HEARTBEAT:
                    yield ": still at it\n\n"
                    said = time.monotonic()
                continue
            if event is None:
                break
            said = time.monotonic()
            counts = {name: count for name, count in event.counts.items() if name in _COUNTS}
            yield _event("status", {"stage": event.stage, "counts": counts})
        end = end_of(running)
        body = end.body.model_dump(mode="json")
        yield _event("answer", body) if end.status == 200 else _event("error", {"status": end.status, **body})
    finally:
        running.stop()  # nothing more when it is over


def put(
    loop: asyncio.AbstractEventLoop, feed: asyncio.Queue[Event | None], event: Event | None, _over: object = None
) -> None:
    """Put an event into a queue of the server's thread, from any thread."""
    with suppress(RuntimeError):  # the server has ended, and with it whoever listened
        loop.call_soon_threadsafe(feed.put_nowait, event)


def _event(name: str, data: Any) -> str:
    return f"event: {name}\ndata: {json.dumps(data)}\n\n"
