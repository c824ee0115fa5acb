"""A small web on loopback: real HTTP and HTTPS servers that play many hosts, and the network that leads to them.

Names get public addresses by ``Web.dns``, and a connection to any of these is led to the servers here, so that the
policy on addresses is the real one. Nothing reaches another machine.
"""

from __future__ import annotations

import gzip
import json
import socket
import ssl
import sys
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from functools import cache
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import httpcore
import trustme

from core.guarded_network import Network

PUBLIC = "93.184.216.34"
LATEST = datetime(2026, 11, 30, 9, tzinfo=UTC)


@dataclass(frozen=True)
class Answer:
    """How one address answers.

    ``kind``: ``ok``; ``silent`` (nothing for ``seconds``); ``drip`` (a byte now and then, for ever); ``endless``
    (zeros without end); ``cut`` (half of what was promised); ``garbage`` (no HTTP); ``bomb`` (as gzip, ``size`` zeros).
    """

    body: str | bytes = ""
    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict)
    kind: str = "ok"
    seconds: float = 0.0
    size: int = 0
    etag: str | None = None

    @property
    def content(self) -> bytes:
        """The bytes of the body."""
        return self.body.encode() if isinstance(self.body, str) else self.body


@dataclass(frozen=True)
class Asked:
    """One request that arrived."""

    url: str
    at: float
    """Monotonic seconds."""
    headers: Mapping[str, str]


class Web:
    """What hosts there are, what they answer, and what was asked; start it with ``running``."""

    def __init__(self) -> None:
        """An empty web: names that answer 404 to everything."""
        self.pages: dict[str, Answer] = {}
        self.fallback: Callable[[str], Answer] | None = None
        self.dns: dict[str, list[list[str]]] = {}
        """What each look-up of a name gives, one after the other; the last one for ever; empty for no such name."""
        self.closed: set[str] = set()
        """Hosts at whose address nobody listens."""
        self.broken_names = False
        """Whether no name at all can be looked up."""
        self.requests: list[Asked] = []
        self.lookups: list[str] = []
        self.connected: list[tuple[str, int]] = []
        self.written = 0
        """Bytes that an endless answer got rid of."""
        self.now = LATEST
        self.ports = {"http": 0, "https": 0}
        self.trust: ssl.SSLContext | None = None
        self.lock = threading.Lock()

    def reset(self) -> None:
        """Forget everything that was set, asked and let pass."""
        ports, trust = self.ports, self.trust
        self.__init__()  # type: ignore[misc]
        self.ports, self.trust = ports, trust

    def put(self, url: str, body: str | bytes = "", status: int = 200, **more: Any) -> None:
        """Set what an address answers; text is a page in HTML unless headers say otherwise."""
        headers = {"content-type": "text/html; charset=utf-8"} | dict(more.pop("headers", {}))
        self.pages[url] = Answer(body, status, headers, **more)

    def put_json(self, url: str, data: object, status: int = 200) -> None:
        """Set a registry's answer."""
        self.put(url, json.dumps(data), status, headers={"content-type": "application/json"})

    def redirect(self, url: str, to: str, status: int = 302) -> None:
        """Lead an address to another one."""
        self.put(url, "", status, headers={"location": to})

    def network(self, **more: Any) -> Network:
        """How this web is reached."""
        given = {"lookup": self.lookup, "connect": self.connect, "trust": self.trust, "clock": lambda: self.now}
        return Network(**(given | more))

    def later(self, hours: float) -> None:
        """Let time pass."""
        self.now += timedelta(hours=hours)

    def asked(self, url: str) -> int:
        """How often an address was asked."""
        return sum(one.url == url for one in self.requests)

    async def lookup(self, host: str, port: int) -> list[str]:
        """The addresses of a name."""
        self.lookups.append(host)
        if self.broken_names:
            raise socket.gaierror(socket.EAI_AGAIN, "temporary failure")
        answers = self.dns.get(host, [[PUBLIC]])
        found = answers[0] if len(answers) == 1 else answers.pop(0)
        if not found:
            raise socket.gaierror(socket.EAI_NONAME, "no such name")
        return found

    async def connect(self, ip: str, port: int, seconds: float | None) -> httpcore.AsyncNetworkStream:
        """A connection to an address of this web; 443 is the port of TLS."""
        self.connected.append((ip, port))
        if ip in self.closed:
            raise httpcore.ConnectError("refused")
        ours = self.ports["https" if port == 443 else "http"]
        return await httpcore.AnyIOBackend().connect_tcp("127.0.0.1", ours, timeout=seconds)

    def answer(self, url: str) -> Answer:
        """What an address answers."""
        if url in self.pages:
            return self.pages[url]
        if self.fallback and not url.endswith("/robots.txt"):
            return self.fallback(url)
        return Answer("Not Found", 404, {"content-type": "text/plain"})


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server_version = "fake"
    web: Web
    scheme: str

    def log_message(self, format: str, *args: Any) -> None:
        """Keep quiet."""

    def do_GET(self) -> None:
        """Answer one request."""
        host = self.headers.get("host", "")
        url = f"{self.scheme}://{host}{self.path}"
        told = {name.lower(): value for name, value in self.headers.items()}
        with self.web.lock:
            self.web.requests.append(Asked(url, time.monotonic(), told))
        answer = self.web.answer(url)
        try:
            getattr(self, f"_{answer.kind}")(answer)
        except (ConnectionError, ssl.SSLError, TimeoutError):  # the client has gone away
            self.close_connection = True

    def do_HEAD(self) -> None:
        """As bad as some servers are."""
        self.send_response(404)
        self.send_header("content-length", "0")
        self.end_headers()

    def _head(self, answer: Answer, length: int | None) -> None:
        self.send_response(answer.status)
        for name, value in answer.headers.items():
            self.send_header(name, value)
        if answer.etag:
            self.send_header("etag", answer.etag)
        if length is not None:
            self.send_header("content-length", str(length))
        self.end_headers()

    def _ok(self, answer: Answer) -> None:
        if answer.etag and self.headers.get("if-none-match") == answer.etag:
            self.send_response(304)
            self.end_headers()
            return
        self._head(answer, len(answer.content))
        self.wfile.write(answer.content)

    def _silent(self, answer: Answer) -> None:
        self._wait_for_the_client(answer.seconds)

    def _drip(self, answer: Answer) -> None:
        self._head(answer, 1_000_000)
        for _ in range(10_000):
            self.wfile.write(b"x")
            self.wfile.flush()
            self._wait_for_the_client(0.02)

    def _endless(self, answer: Answer) -> None:
        self._head(answer, 10 * 1024**3)
        piece = b"<p>and on and on</p>" * 1000
        while True:
            self.wfile.write(piece)
            self.web.written += len(piece)

    def _cut(self, answer: Answer) -> None:
        self._head(answer, 2 * len(answer.content) + 2)
        self.wfile.write(answer.content)
        self.close_connection = True

    def _garbage(self, answer: Answer) -> None:
        self.wfile.write(b"\x00\x01 this is no HTTP\r\n\r\n")
        self.close_connection = True

    def _bomb(self, answer: Answer) -> None:
        packed = gzip.compress(bytes(answer.size), 9)
        self.send_response(200)
        self.send_header("content-type", "text/html")
        self.send_header("content-encoding", "gzip")
        self.send_header("content-length", str(len(packed)))
        self.end_headers()
        self.wfile.write(packed)

    def _wait_for_the_client(self, seconds: float) -> None:
        """Until it hangs up, at most so long."""
        self.connection.settimeout(seconds)
        try:
            if not self.connection.recv(1):
                raise ConnectionResetError
        except TimeoutError:
            pass
        finally:
            self.connection.settimeout(None)


class _Http(ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 256

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Say nothing when a client hangs up, which these tests make it do; anything else as usual."""
        if not isinstance(sys.exc_info()[1], ConnectionError | ssl.SSLError | TimeoutError):
            super().handle_error(request, client_address)


class _Https(_Http):
    tls: ssl.SSLContext

    def finish_request(self, request: Any, client_address: Any) -> None:
        """Shake hands in the thread of the connection."""
        request.settimeout(5)
        with self.tls.wrap_socket(request, server_side=True) as wrapped:
            wrapped.settimeout(None)
            super().finish_request(wrapped, client_address)


AUTHORITY = trustme.CA()
"""Made once: keys take a while."""


@cache
def _tls_of(host: str) -> ssl.SSLContext:
    """What a server shows for one host."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    AUTHORITY.issue_cert(host).configure_cert(context)
    return context


def _show(connection: ssl.SSLObject, host: str | None, _: ssl.SSLContext) -> None:
    if host and not host.startswith("untrusted."):
        connection.context = _tls_of(host)


@contextmanager
def running() -> Iterator[Web]:
    """Start both servers on free ports of this machine and stop them at the end."""
    web = Web()
    web.trust = ssl.create_default_context()
    AUTHORITY.configure_trust(web.trust)
    tls = _tls_of("nobody.example")
    tls.sni_callback = _show
    servers: list[_Http] = []
    for scheme, kind in (("http", _Http), ("https", _Https)):
        server = kind(("127.0.0.1", 0), type("Handler", (_Handler,), {"web": web, "scheme": scheme}))
        if isinstance(server, _Https):
            server.tls = tls
        web.ports[scheme] = server.server_address[1]
        threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True).start()
        servers.append(server)
    try:
        yield web
    finally:
        for server in servers:
            server.shutdown()
            server.server_close()
