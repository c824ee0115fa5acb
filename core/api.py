"""The HTTP API: routes over one desk, which serve a verified answer or the kind of failure, and nothing else.

Everything a caller is told comes from ``core.api_telling``; nothing here reads a text of an answer.
"""

from __future__ import annotations

import asyncio
import json
import threading
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Protocol

from pydantic import ValidationError
from starlette.concurrency import run_in_threadpool
from starlette.requests import ClientDisconnect, Request
from starlette.responses import JSONResponse, Response, StreamingResponse
from starlette.routing import Route

from core import __version__, answering, openapi
from core.answering import Question
from core.api_contract import OPERATIONS, QueryBody, Told, failed
from core.api_telling import STEP, UNKNOWN_CORPUS, end_of, events, put
from core.desk import Desk
from core.errors import CitedeskError
from core.generators import Event, Tell
from core.models import utc_now
from core.outcomes import Outcome
from core.question_pool import QuestionPool, Running
from core.rate_limit import RateLimit
from core.settings import ApiSettings
from core.sources import CORPUS
from core.tokens import Token, authenticate, bearer

_NO_STORE = {"cache-control": "no-store"}


class Answerer(Protocol):
    """Answers a question; see ``core.answering.ask``. What ``tell`` raises ends the work."""

    def __call__(self, desk: Desk, question: Question, tell: Tell, /) -> Outcome:
        """Give the outcome."""
        ...


class _Bounds:
    """What callers may do, as long as the API runs."""

    def __init__(self, settings: ApiSettings) -> None:
        self.settings = settings
        self.limit = RateLimit(settings.per_minute, settings.burst)
        self.pool: QuestionPool[Event, Outcome] = QuestionPool(settings.concurrent, settings.waiting)


class Api:
    """The routes of one desk.

    Args:
        desk: Gives the open desk; raises ``StoreError`` when there is none to be had.
        ask: Answers questions, in threads of the API's own.
    """

    def __init__(self, desk: Callable[[], Desk], ask: Answerer = answering.ask) -> None:
        """Begin without a desk; the first request asks for it."""
        self._desk, self._ask = desk, ask
        self._lock = threading.Lock()
        self._bounds: _Bounds | None = None

    def routes(self) -> list[Route]:
        """A route for each operation of the contract."""
        return [Route(one.path, getattr(self, one.name), methods=[one.method], name=one.name) for one in OPERATIONS]

    def end(self) -> None:
        """Ask what is being answered to end, from anywhere, without waiting for it."""
        if (bounds := self._bounds) is not None:
            bounds.pool.end()

    def stop(self, seconds: float) -> None:
        """End what is being answered, waiting for it as long as that; the next request begins anew."""
        with self._lock:
            bounds, self._bounds = self._bounds, None
        if bounds is not None:
            bounds.pool.stop(seconds)

    async def query(self, request: Request) -> Response:
        """Answer a question; whoever hangs up ends the work."""
        running = await self._begin(request, lambda event: None)
        if isinstance(running, Response):
            return running
        over: asyncio.Queue[Event | None] = asyncio.Queue()
        running.future.add_done_callback(partial(put, asyncio.get_running_loop(), over, None))
        try:
            while not (running.future.done() or running.stopped or await request.is_disconnected()):
                with suppress(TimeoutError):
                    await asyncio.wait_for(over.get(), STEP)
        finally:
            running.stop()
        return _response(end_of(running))

    async def query_stream(self, request: Request) -> Response:
        """Answer a question and tell of its stages; whoever hangs up ends the work."""
        feed: asyncio.Queue[Event | None] = asyncio.Queue()
        listen = partial(put, asyncio.get_running_loop(), feed)
        running = await self._begin(request, listen)
        if isinstance(running, Response):
            return running
        running.future.add_done_callback(partial(listen, None))
        return StreamingResponse(events(feed, running), media_type="text/event-stream", headers=_NO_STORE)

    async def health(self, request: Request) -> Response:
        """Whether the desk can work: 200 with what is open, or 503 with the sentence that says why not."""
        try:
            summary = await run_in_threadpool(lambda: self._desk().store.summary())
        except CitedeskError as error:
            return refusal(503, _sendable(str(error)))
        name = _sendable(Path(summary.path).name)
        found = {"status": "ok", "version": __version__, "store": name, "claims": summary.claims}
        return JSONResponse(found, headers=_NO_STORE)

    async def document(self, request: Request) -> Response:
        """The OpenAPI document."""
        return JSONResponse(openapi.document(), headers=_NO_STORE)

    async def _begin(self, request: Request, listen: Tell) -> Running[Event, Outcome] | Response:
        """Begin to answer, or say why not; in the order of token, pace, body, user, corpus, room."""
        try:
            token, bounds = await run_in_threadpool(self._enter, request.headers.get("authorization"))
        except CitedeskError:
            return refusal(503, "The desk cannot use its store; its terminal says why.")
        if token is None:
            return refusal(401, "A token that is good is needed for this.", {"www-authenticate": "Bearer"})
        if wait := bounds.limit.take(token.token_id):
            return refusal(429, "Too many questions; wait a little.", {"retry-after": str(wait)})
        body = await _body(request, bounds.settings)
        if isinstance(body, Response):
            return body
        if body.user is not None and body.user != token.principal:
            return _response(failed("forbidden", 403))
        asked = Question(
            query=body.query,
            corpus=body.corpus or CORPUS,
            principal=token.principal,
            groups=token.groups,
            accept=body.accept,
        )
        try:
            seen = await run_in_threadpool(self._sees, asked)
        except CitedeskError:
            return _response(failed("retrieval_failed", 500))
        if not seen:
            return _response(UNKNOWN_CORPUS)
        running = bounds.pool.start(lambda tell: self._ask(self._desk(), asked, tell), listen)
        return running or refusal(429, "The desk is answering as many questions as it can.", {"retry-after": "1"})

    def _enter(self, header: str | None) -> tuple[Token | None, _Bounds]:
        desk = self._desk()
        with self._lock:
            if self._bounds is None:
                self._bounds = _Bounds(desk.settings.api)
            bounds = self._bounds
        token = authenticate(bearer(header), desk.store.tokens.find, utc_now())
        if token is not None and token.is_use_worth_noting(utc_now()):
            desk.store.tokens.used(token.token_id)
        return token, bounds

    def _sees(self, asked: Question) -> bool:
        return bool(self._desk().store.corpora.visible(asked.corpus, asked.groups, utc_now()))


def refusal(status: int, sentence: str, headers: dict[str, str] | None = None) -> JSONResponse:
    """A request that is not taken, said in one sentence."""
    return JSONResponse({"detail": sentence}, status_code=status, headers=_NO_STORE | (headers or {}))


async def bounded_body(request: Request, largest: int) -> bytes | Response:
    """The body, or why it is not taken; one of more bytes than ``largest`` is not read to its end."""
    read = b""
    try:
        async for part in request.stream():
            read += part
            if len(read) > largest:
                return refusal(413, "The body is too large.")
    except ClientDisconnect:
        return refusal(400, "The request was cut short.")
    return read


def _response(end: Told) -> Response:
    # Escapes, for half a surrogate pair in a source has no UTF-8.
    content = json.dumps(end.body.model_dump(mode="json"))
    return Response(content, end.status, headers=_NO_STORE, media_type="application/json")


async def _body(request: Request, settings: ApiSettings) -> QueryBody | Response:
    """The question in the body, or why there is none."""
    read = await bounded_body(request, settings.largest_body)
    if isinstance(read, Response):
        return read
    try:
        body = QueryBody.model_validate_json(read, strict=True)
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        field = next((str(name) for name in first["loc"] if name in QueryBody.model_fields), None)
        if first["type"] == "json_invalid":
            return refusal(400, "The body is not JSON.")
        if first["type"] == "extra_forbidden":
            return refusal(400, "There is a field that a question does not have; /api/openapi.json lists those it has.")
        return refusal(400, f"The field {field} cannot be used." if field else "The body is not a question.")
    if len(body.query) > settings.longest_query:
        return refusal(413, f"The question has more than {settings.longest_query} characters.")
    return body


def _sendable(text: str) -> str:
    """With a question mark for each half of a surrogate pair that stands alone, as in names that are not UTF-8."""
    return text.encode("utf-8", "replace").decode()
