"""Connections to the outside of which every one goes to an address that was checked, and to that address.

A name is looked up once for a connection, all that the look-up gives is checked, and one of these very addresses is
connected to, while the name stays in the Host header and in TLS. Nothing else opens a socket: no proxy of the
environment, no redirect that the client follows by itself.
"""

from __future__ import annotations

import asyncio
import socket
import ssl
from collections import OrderedDict
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

import httpcore
import httpx

from core.addresses import Refused, checked, host_of
from core.models import utc_now

Lookup = Callable[[str, int], Awaitable[list[str]]]
"""From a host's name and a port to its addresses, as text; ``socket.gaierror`` when there are none."""
Connect = Callable[[str, int, float | None], Awaitable[httpcore.AsyncNetworkStream]]
"""Opens a connection to an address and a port, within seconds."""


async def look_up(host: str, port: int) -> list[str]:
    """The addresses of a name by the system's own resolver."""
    found = await asyncio.get_running_loop().getaddrinfo(host, port, type=socket.SOCK_STREAM)
    return list(dict.fromkeys(str(one[4][0]) for one in found))


async def connect(ip: str, port: int, seconds: float | None) -> httpcore.AsyncNetworkStream:
    """Open a connection to an address, which is never a name."""
    return await httpcore.AnyIOBackend().connect_tcp(ip, port, timeout=seconds)


@dataclass(frozen=True, slots=True)
class Network:
    """How this machine speaks to others; what differs from the default is given by code only, as in tests."""

    lookup: Lookup = look_up
    connect: Connect = connect
    trust: ssl.SSLContext | None = None
    """Whom to believe; none: the authorities that httpx brings along."""
    loopback: bool = False
    """Whether addresses of this machine may be opened."""
    clock: Callable[[], datetime] = field(default=utc_now)


class NameTrouble(Exception):
    """A name could not be looked up."""

    def __init__(self, is_unknown: bool) -> None:
        """Keep whether the system of names says that there is no such name."""
        self.is_unknown = is_unknown
        super().__init__("there is no such name" if is_unknown else "names cannot be looked up now")


class _Backend(httpcore.AsyncNetworkBackend):
    """Looks up, checks and connects in one step."""

    def __init__(self, network: Network) -> None:
        self._network = network

    async def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,
        local_address: str | None = None,
        socket_options: Iterable[Any] | None = None,
    ) -> httpcore.AsyncNetworkStream:
        """Connect to the first address of a host that answers.

        Raises:
            Refused: One of its addresses may not be connected to.
            NameTrouble: It has none.
        """
        good = checked(await addresses_of(self._network, host, port), self._network.loopback)
        for number, ip in enumerate(good, 1):
            try:
                return await self._network.connect(ip, port, timeout)
            except (httpcore.ConnectError, httpcore.ConnectTimeout):
                if number == len(good):
                    raise
        raise NameTrouble(is_unknown=True)

    async def connect_unix_socket(
        self, path: str, timeout: float | None = None, socket_options: Iterable[Any] | None = None
    ) -> httpcore.AsyncNetworkStream:
        """Never."""
        raise Refused("sockets of this machine are not opened")

    async def sleep(self, seconds: float) -> None:
        """Wait between two attempts."""
        await asyncio.sleep(seconds)


async def addresses_of(network: Network, host: str, port: int) -> list[str]:
    """The addresses of a host, unchecked; of an address itself.

    Raises:
        NameTrouble: It has none.
    """
    if ":" in host or host.replace(".", "").isdigit():
        return [host]
    try:
        return await network.lookup(host, port)
    except socket.gaierror as error:
        raise NameTrouble(is_unknown=error.errno in (socket.EAI_NONAME, _NO_DATA)) from error
    except UnicodeError as error:
        raise Refused("its host is no name of the public web") from error


_POOLS = 64
"""Hosts to which connections are kept open for the next turn."""
_NO_DATA = getattr(socket, "EAI_NODATA", socket.EAI_NONAME)


class _Body(httpx.AsyncByteStream):
    """The bytes of an answer as they are sent."""

    def __init__(self, stream: Any) -> None:
        self._stream = stream

    async def __aiter__(self) -> AsyncIterator[bytes]:
        async for piece in self._stream:
            yield piece

    async def aclose(self) -> None:
        await self._stream.aclose()


class GuardedTransport(httpx.AsyncBaseTransport):
    """What httpx sends through: pools whose every connection is guarded, one a host.

    It is built on the public parts of httpcore, so that a change inside httpx cannot quietly take the guard away. One
    pool for all hosts would look at every connection of every host for each request.

    Args:
        network: How connections are made.
        per_host: Connections to one host at once.
    """

    def __init__(self, network: Network, per_host: int) -> None:
        """Connect to nobody yet."""
        self._network, self._per_host = network, per_host
        self._trust = network.trust or httpx.create_ssl_context()
        self._pools: OrderedDict[tuple[bytes, bytes, int | None], httpcore.AsyncConnectionPool] = OrderedDict()

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        """Send one request; errors are those of httpcore, ``Refused`` and ``NameTrouble``."""
        host = request.url.raw_host.decode("ascii").strip("[]")
        if not self._network.loopback:
            host_of(host)
        url = httpcore.URL(
            scheme=request.url.raw_scheme, host=host.encode(), port=request.url.port, target=request.url.raw_path
        )
        asked = httpcore.Request(
            request.method, url, headers=request.headers.raw, content=b"", extensions=request.extensions
        )
        await self._close_some()
        answer = await self._pool_of(url).handle_async_request(asked)
        return httpx.Response(
            answer.status, headers=answer.headers, stream=_Body(answer.stream), extensions=answer.extensions
        )

    def _pool_of(self, url: httpcore.URL) -> httpcore.AsyncConnectionPool:
        key = (url.scheme, url.host, url.port)
        if key not in self._pools:
            self._pools[key] = httpcore.AsyncConnectionPool(
                ssl_context=self._trust,
                max_connections=self._per_host,
                keepalive_expiry=20,
                retries=0,
                network_backend=_Backend(self._network),
            )
        self._pools.move_to_end(key)
        return self._pools[key]

    async def _close_some(self) -> None:
        """Close the pools that were used longest ago and have nothing on its way."""
        for key in list(self._pools)[: max(0, len(self._pools) - _POOLS)]:
            pool = self._pools.get(key)  # another request may have closed it meanwhile
            if pool is not None and all(one.is_idle() for one in pool.connections):
                del self._pools[key]
                await pool.aclose()

    async def aclose(self) -> None:
        """Close all connections."""
        while self._pools:
            await self._pools.popitem()[1].aclose()
