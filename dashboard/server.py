"""The server: one process that serves the pages and the HTTP routes over one open store.

Started by name, ``streamlit run dashboard/server.py``, which finds ``app`` in this file without importing the package.
"""

from __future__ import annotations

import gc
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import Any

import streamlit as st
from starlette.concurrency import run_in_threadpool
from starlette.middleware import Middleware
from starlette.routing import Route

from core.api import Api
from core.errors import CitedeskError
from dashboard import admin, jobs, session, uploads
from dashboard.security import LOOPBACK, AllowedHosts, ApiGate, SecurityHeaders

STOP_SECONDS = 10.0
"""How long work may take to come to an end when the desk is stopped; it does so after the answers at hand."""


@asynccontextmanager
async def lifespan(_app: object) -> AsyncIterator[dict[str, Any]]:
    """Open the store, load what every page needs, and keep the garbage collector from walking through it again."""
    uploads.put_away_left()
    if url := own_address():
        session.listen_at(url)
    with suppress(CitedeskError):  # the pages and the health route say it, and try again
        session.desk()
    import pandas  # noqa: F401 - loaded before the first visitor comes
    import plotly.graph_objects  # noqa: F401
    import pyarrow  # noqa: F401

    # Streamlit collects after every script run; without the freeze each run walks through all imported modules.
    gc.collect()
    gc.freeze()
    with jobs.ended_by_signals(API.end):
        yield {}
    await run_in_threadpool(jobs.stop_all, STOP_SECONDS)
    await run_in_threadpool(API.stop, STOP_SECONDS)
    session.close()
    uploads.put_away_old(0.0)


def own_address() -> str | None:
    """Where this process is reached from this machine; none when it listens elsewhere only."""
    host, port = st.get_option("server.address") or "127.0.0.1", st.get_option("server.port")
    host = "127.0.0.1" if host == "localhost" else host
    return f"http://{f'[{host}]' if ':' in host else host}:{port}" if host in LOOPBACK else None


API = Api(session.desk)
ROUTES = [
    *API.routes(),
    Route("/api/admin/{kind}", admin.work, methods=["POST"]),
]

app = st.App(
    Path(__file__).with_name("app.py"),
    lifespan=lifespan,
    routes=ROUTES,
    middleware=[
        Middleware(SecurityHeaders),
        Middleware(AllowedHosts, hosts=st.get_option("server.allowedHosts") or ()),
        Middleware(ApiGate, routes=ROUTES),
    ],
)
