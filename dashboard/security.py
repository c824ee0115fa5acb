"""What every response carries and what no request gets past: headers, cookies, hosts, origins, a gate for ``/api``.

Streamlit checks hosts and origins on its own websocket only, so all of it is held here, for pages and routes alike.
"""

from __future__ import annotations

import re
from base64 import b64encode
from collections.abc import Iterable, Sequence
from hashlib import sha256
from pathlib import Path
from urllib.parse import urlsplit

import streamlit as st
from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import JSONResponse
from starlette.routing import Match, Route
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from core.api import refusal
from core.sign_in import is_loopback

LOOPBACK = ("localhost", "127.0.0.1", "::1")
"""Names under which a desk on this machine is always reached."""


def inline_scripts(html: str) -> list[str]:
    """The CSP sources that allow exactly the scripts written into a page."""
    scripts = re.findall(r"<script>(.*?)</script>", html, re.DOTALL)
    return [f"'sha256-{b64encode(sha256(script.encode()).digest()).decode()}'" for script in scripts]


_INDEX = Path(st.__file__).with_name("static") / "index.html"

CONTENT_POLICY = "; ".join(
    (
        "default-src 'none'",
        # Streamlit turns a component's script into a blob and imports it; its page holds one line of script.
        " ".join(("script-src 'self' blob:", *inline_scripts(_INDEX.read_text(encoding="utf-8")))),
        # Emotion and Components v2 write <style> elements; what they could fetch is closed below.
        "style-src 'self' 'unsafe-inline'",
        "img-src 'self' data: blob:",
        "font-src 'self' data:",
        "connect-src 'self'",
        "media-src 'self' blob:",
        "worker-src 'self' blob:",
        "manifest-src 'self'",
        "base-uri 'self'",
        "form-action 'none'",
        "frame-src 'none'",
        "frame-ancestors 'none'",
        "object-src 'none'",
    )
)
"""As strict as Streamlit's pages bear: nothing is fetched from, sent to or framed by another host."""

HEADERS = {
    "content-security-policy": CONTENT_POLICY,
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "x-frame-options": "DENY",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": ", ".join(
        f"{feature}=()"
        for feature in (
            *("accelerometer", "bluetooth", "browsing-topics", "camera", "clipboard-read", "display-capture"),
            *("encrypted-media", "geolocation", "gyroscope", "hid", "magnetometer", "microphone", "midi", "payment"),
            *("publickey-credentials-get", "screen-wake-lock", "serial", "usb", "xr-spatial-tracking"),
        )
    ),
}

HTTPS_HEADERS = {"strict-transport-security": "max-age=31536000"}
"""Where people reach the desk by https: a browser that was here once never speaks plain HTTP to it again."""

READ_BY_PAGES = ("_streamlit_xsrf=",)
"""Cookies that Streamlit's own script must read, so that they cannot be kept from scripts."""


class SecurityHeaders:
    """Puts the headers on every response, whoever made it, and the flags on every cookie.

    Args:
        app: What is wrapped.
        https: Whether people reach the desk by https.
    """

    def __init__(self, app: ASGIApp, https: bool = False) -> None:
        """Wrap an application."""
        self.app = app
        self.https = https
        self.headers = HEADERS | (HTTPS_HEADERS if https else {})

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on and add the headers to what comes back."""

        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                cookies = [flagged(cookie, self.https) for cookie in headers.getlist("set-cookie")]
                del headers["set-cookie"]
                for cookie in cookies:
                    headers.append("set-cookie", cookie)
                headers.update(self.headers)
                if scope["path"].startswith("/media/"):  # pictures of pages, downloads: on shared machines not kept
                    headers["cache-control"] = "private, no-store"
            await send(message)

        await self.app(scope, receive, send_with_headers if scope["type"] == "http" else send)


class OwnMachine:
    """Where nobody signs in, answers only on addresses of this machine itself, however the server was started."""

    def __init__(self, app: ASGIApp, needed: bool) -> None:
        """Guard an application, if needed."""
        self.app = app
        self.needed = needed

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Refuse what came in from elsewhere."""
        here = (scope.get("server") or (None,))[0]
        if not self.needed or scope["type"] not in {"http", "websocket"} or is_loopback(here):
            await self.app(scope, receive, send)
        elif scope["type"] == "http":
            await refusal(403, "Without sign-in this desk answers on its own machine only.")(scope, receive, send)
        else:
            await send({"type": "websocket.close", "code": 1008})


class AllowedHosts:
    """Answers only under the names it knows, so that a foreign name pointed at this machine reads nothing."""

    def __init__(self, app: ASGIApp, hosts: Iterable[str] = ()) -> None:
        """Allow the loopback names and these."""
        self.app = app
        self.hosts = frozenset(host.lower() for host in (*LOOPBACK, *hosts))

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Refuse a request or websocket whose Host header is none of the names."""
        if scope["type"] not in {"http", "websocket"} or host_name(Headers(scope=scope).get("host", "")) in self.hosts:
            await self.app(scope, receive, send)
        elif scope["type"] == "http":
            await refusal(400, "This desk does not answer under that host name.")(scope, receive, send)
        else:
            await send({"type": "websocket.close", "code": 1008})


class OwnOrigin:
    """Refuses websockets, and requests that may change something, that a page of another origin asks for."""

    def __init__(self, app: ASGIApp) -> None:
        """Guard an application."""
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass on what reads only, and what our own pages or a program sent."""
        changes = scope["type"] == "websocket" or scope.get("method") not in {"GET", "HEAD", "OPTIONS"}
        if scope["type"] == "lifespan" or not changes or is_same_origin(Headers(scope=scope)):
            await self.app(scope, receive, send)
        elif scope["type"] == "http":
            await refusal(403, "Requests from pages of another origin are refused.")(scope, receive, send)
        else:
            await send({"type": "websocket.close", "code": 1008})


class ApiGate:
    """Lets requests for ``/api`` through to a route only when they are what the route takes.

    Refused, in one JSON sentence each: an unknown path (404), a wrong method (405), and a body that is not JSON (415).
    """

    def __init__(self, app: ASGIApp, routes: Sequence[Route]) -> None:
        """Guard these routes."""
        self.app = app
        self.routes = routes

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on, or answer it with the refusal."""
        if scope["type"] != "http" or not (scope["path"] + "/").startswith("/api/"):
            await self.app(scope, receive, send)
            return
        refused = self._refusal(scope)
        await (refused or self.app)(scope, receive, send)

    def _refusal(self, scope: Scope) -> JSONResponse | None:
        found = [(route, route.matches(scope)[0]) for route in self.routes]
        known = [route for route, match in found if match is not Match.NONE]
        if not known:
            return refusal(404, "There is nothing at this address.")
        if all(match is not Match.FULL for _, match in found):
            allowed = ", ".join(sorted({method for route in known for method in route.methods or ()}))
            return refusal(405, f"This address takes {allowed} only.", {"allow": allowed})
        if scope["method"] in {"GET", "HEAD"}:
            return None
        headers = Headers(scope=scope)
        if headers.get("content-type", "").partition(";")[0].strip().lower() != "application/json":
            return refusal(415, "Send the body as application/json.")
        return None


def flagged(cookie: str, https: bool) -> str:
    """A ``Set-Cookie`` header with the flags that it may have: none for other sites, none for scripts, https only."""
    said = {part.partition("=")[0].strip().lower() for part in cookie.split(";")[1:]}
    wanted = {
        "HttpOnly": not cookie.startswith(READ_BY_PAGES),
        "SameSite=Lax": True,
        "Secure": https,
    }
    missing = [flag for flag, wants in wanted.items() if wants and flag.partition("=")[0].lower() not in said]
    return "; ".join([cookie, *missing])


def host_name(host: str) -> str:
    """The name in a Host header, without port and brackets, in lower case; empty when it is not a host at all."""
    try:
        return urlsplit(f"//{host}").hostname or ""
    except ValueError:
        return ""


def is_same_origin(headers: Headers) -> bool:
    """Whether a browser says that the request comes from our own pages, or no browser sent it."""
    upgrades = (
        headers.get("upgrade", "").lower() == "websocket"
    )  # browsers differ in whether ws: and http: are one site
    if not upgrades and headers.get("sec-fetch-site", "same-origin") not in {"same-origin", "none"}:
        return False
    origin = headers.get("origin")
    try:
        return origin is None or urlsplit(origin).netloc.lower() == headers.get("host", "").lower() != ""
    except ValueError:
        return False
