"""``/api/admin``: work that a command on this machine asks of the desk, because the desk holds the store.

Only who can read the door beside the store knows the secret, and no browser may ask at all.
"""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import AsyncIterator
from hmac import compare_digest
from ipaddress import ip_address
from typing import Any

from starlette.requests import Request
from starlette.responses import Response, StreamingResponse

from core.api import bounded_body, refusal
from core.ask_work import AskWork
from core.corpus_work import CorpusAddWork, SourcesWork, SourceWork
from core.errors import CitedeskError, InputError
from core.people_work import PeopleWork
from core.queue_work import QueueWork
from core.work import CostsWork, ExportWork, ImportWork, LabelsWork, ProtocolsWork, TokenWork, VerifyWork, Work, parse
from dashboard import jobs, session
from dashboard.widgets import showable

LARGEST_BODY = 64 * 1024
"""Bytes that a request may have; it names files and holds none."""

STEP = 0.1
"""Seconds between two looks at the work."""

HEARTBEAT = 5.0
"""Seconds after which a line is sent even when nothing changed."""


async def work(request: Request) -> Response:
    """Do a piece of work and tell how far it is, a JSON object a line: ``progress``, then ``report`` or ``error``.

    Whoever hangs up ends the work, between two answers.
    """
    if not _from_here(request):
        return refusal(403, "Only commands on this machine may ask for this.")
    if not _knows_secret(request):
        return refusal(401, "The secret beside the store is needed for this.")
    body = await bounded_body(request, LARGEST_BODY)
    if isinstance(body, Response):
        return body
    try:
        asked = parse(request.path_params["kind"], json.loads(body))
    except InputError as error:
        return refusal(400, str(error))
    except (ValueError, RecursionError):
        return refusal(400, "The body is not JSON.")
    return StreamingResponse(_lines(jobs.start(asked, _name(asked))), media_type="application/x-ndjson")


def _name(asked: Work) -> str:
    """What a piece of work works on, for a person."""
    if isinstance(asked, VerifyWork):
        return "answers in the store"
    if isinstance(asked, PeopleWork):
        return "people of the store"
    if isinstance(asked, ProtocolsWork):
        return "protocols of the store"
    if isinstance(asked, CostsWork):
        return "costs of the store"
    if isinstance(asked, QueueWork):
        return "queues of the store"
    if isinstance(asked, TokenWork):
        return "tokens of the store"
    if isinstance(asked, CorpusAddWork):
        return showable(f"sources of the corpus {asked.corpus}")
    if isinstance(asked, AskWork):
        return showable(f"a question of the corpus {asked.question.corpus}")
    if isinstance(asked, SourcesWork | SourceWork):
        return "sources of the store"
    if isinstance(asked, ExportWork):
        return showable(asked.out.name)
    if isinstance(asked, ImportWork | LabelsWork):
        return showable(asked.path.name)
    return "what is in the store"


def _from_here(request: Request) -> bool:
    """Whether a program on this machine sent it; a browser always says where a page's request comes from."""
    try:
        near = request.client is not None and ip_address(request.client.host).is_loopback
    except ValueError:
        near = False
    return near and not {"origin", "sec-fetch-site", "referer"} & set(request.headers)


def _knows_secret(request: Request) -> bool:
    door = session.door()
    kind, _, given = request.headers.get("authorization", "").partition(" ")
    return door is not None and kind == "Bearer" and compare_digest(given.encode(), door.secret.encode())


async def _lines(job: jobs.Job) -> AsyncIterator[str]:
    said: tuple[int, int] | None = None
    last = time.monotonic()
    try:
        while job.status not in jobs.OVER:
            now = (job.done, job.total)
            if now != said or time.monotonic() - last > HEARTBEAT:
                yield _line({"progress": now})
                said, last = now, time.monotonic()
            await asyncio.sleep(STEP)
        yield _line(_end(job))
    finally:
        job.stop()  # nothing more when it is over


def _end(job: jobs.Job) -> dict[str, Any]:
    if job.report is not None:
        return {"report": job.report.model_dump(mode="json")}
    error = job.error or CitedeskError("The work was stopped in the desk", "give the command again to go on")
    return {"error": {"kind": type(error).__name__, "what": error.what, "advice": error.advice}}


def _line(message: dict[str, Any]) -> str:
    return json.dumps(message) + "\n"
