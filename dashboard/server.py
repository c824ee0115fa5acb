"""The server: one process that serves the pages and the HTTP routes over one open store.

Started by name, ``streamlit run dashboard/server.py``, which finds ``app`` in this file without importing the package.
"""

from __future__ import annotations

import gc
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import Any

import click
import streamlit as st
from starlette.concurrency import run_in_threadpool
from starlette.middleware import Middleware
from starlette.routing import Route

from core import launch, redaction, sign_in
from core.api import Api
from core.errors import CitedeskError
from core.settings import Settings
from dashboard import admin, identity, jobs, label_line, navigation, session, uploads
from dashboard.security import AllowedHosts, ApiGate, OwnMachine, OwnOrigin, SecurityHeaders
from dashboard.widgets import label_keys  # noqa: F401 - keys that clash stop the start

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
    navigation.entries()  # two first visitors at once would both parse the pages, for which CPython 3.11 has no lock
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
    host = st.get_option("server.address") or "0.0.0.0"
    host = "127.0.0.1" if host == "localhost" else host
    near = sign_in.is_loopback(host) or host in {"0.0.0.0", "::"}
    return launch.own_url(host, st.get_option("server.port")) if near else None


def signing_in() -> sign_in.SignIn | None:
    """How people sign in at this desk, none if they do not; ends the process where it may not be served as it is."""
    settings = Settings()
    try:
        identity.check_start(settings)
    except CitedeskError as error:
        click.echo(f"citedesk: {error}", err=True)
        raise SystemExit(2) from error
    return sign_in.read(settings.sign_in) if settings.sign_in is not None else None


redaction.install()
SIGN_IN = signing_in()
API = Api(session.desk)
ROUTES = [
    *API.routes(),
    Route("/api/admin/{kind}", admin.work, methods=["POST"]),
    Route("/api/label", label_line.exchange, methods=["POST"]),
]

app = st.App(
    Path(__file__).with_name("app.py"),
    lifespan=lifespan,
    routes=ROUTES,
    middleware=[
        Middleware(SecurityHeaders, https=SIGN_IN is not None and SIGN_IN.redirect_uri.startswith("https://")),
        Middleware(OwnMachine, needed=SIGN_IN is None),
        Middleware(AllowedHosts, hosts=st.get_option("server.allowedHosts") or ()),
        Middleware(OwnOrigin),
        Middleware(ApiGate, routes=ROUTES),
    ],
)
