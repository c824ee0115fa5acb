"""One request and its answer: bytes counted while they come, compression undone in bounds, trouble named."""

from __future__ import annotations

import ssl
import zlib
from collections.abc import AsyncIterator, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime

import httpcore
import httpx

from core.addresses import Refused
from core.reference_policy import Limits
from core.web_reply import Trouble

REDIRECTS = frozenset({301, 302, 303, 307, 308})
ENCODINGS = "gzip, deflate"
"""What is asked for: only what can be undone a bounded piece at a time."""
LONGEST_HEADER = 500
"""Characters of a header that are kept."""

_KEPT = frozenset(
    "content-type etag last-modified retry-after cf-mitigated x-amzn-waf-action x-rate-limit-limit "
    "x-rate-limit-interval".split()
)
"""Headers that mean something here."""
_DECODERS = {"gzip": 47, "x-gzip": 47, "deflate": 47}
"""Window bits for zlib, which tells gzip and zlib apart by itself."""


class Stopped(Exception):
    """There is no answer that can be used."""

    def __init__(self, trouble: Trouble, detail: str, at: datetime | None = None) -> None:
        """Keep why: the trouble, a clause of ours, and when it was found, if not now."""
        self.trouble, self.detail, self.at = trouble, detail, at
        super().__init__(detail)


@dataclass(frozen=True, slots=True)
class Fetched:
    """One answer, before redirects are followed."""

    status: int
    headers: dict[str, str]
    body: bytes


async def exchange(client: httpx.AsyncClient, url: str, headers: Mapping[str, str], limits: Limits) -> Fetched:
    """Send a request and read its answer; of a redirect only the head.

    Raises:
        Stopped: No answer that can be used.
        TimeoutError: A part of it took too long.
        NameTrouble: The host has no address.
    """
    with _told():
        request = client.build_request("GET", url, headers=dict(headers))
        answer = await client.send(request, stream=True)
        try:
            client.cookies.clear()  # nobody is recognised from one reference to the next
            told = {name.lower(): value for name, value in answer.headers.items()}
            kept = {name: value[:LONGEST_HEADER] for name, value in told.items() if name in _KEPT}
            kept |= {"location": told["location"]} if "location" in told else {}
            body = b""
            if answer.status_code not in (*REDIRECTS, 304):
                body = b"".join([piece async for piece in _pieces(answer, limits)])
            return Fetched(answer.status_code, kept, body)
        finally:
            await answer.aclose()


async def _pieces(answer: httpx.Response, limits: Limits) -> AsyncIterator[bytes]:
    """The body, decompressed as it comes, up to the limits."""
    encoding = answer.headers.get("content-encoding", "identity").strip().lower()
    if encoding not in (*_DECODERS, "identity", ""):
        raise Stopped(Trouble.ENCODING, f"it is compressed with {encoding[:30]!r}, which was not asked for")
    unpack = zlib.decompressobj(_DECODERS[encoding]) if encoding in _DECODERS else None
    sent = unpacked = 0
    async for piece in answer.aiter_raw():
        sent += len(piece)
        if sent > limits.bytes:
            raise Stopped(Trouble.TOO_LARGE, f"it has more than {limits.bytes:,} bytes")
        if unpack:
            piece = _unpacked(unpack, piece, limits.decompressed_bytes - unpacked + 1)
        unpacked += len(piece)
        if unpacked > limits.decompressed_bytes:
            raise Stopped(Trouble.TOO_LARGE, f"it unpacks to more than {limits.decompressed_bytes:,} bytes")
        yield piece
    if unpack and sent and not unpack.eof:
        raise Stopped(Trouble.ENCODING, "it ends in the middle of its compression")


def _unpacked(unpack: zlib._Decompress, piece: bytes, most: int) -> bytes:
    try:
        return unpack.decompress(piece, max(most, 1))
    except zlib.error as error:
        raise Stopped(Trouble.ENCODING, "its compression is damaged") from error


@contextmanager
def _told() -> Iterator[None]:
    """What goes wrong on the way, in the words of ``Trouble``."""
    try:
        yield
    except TimeoutError:  # an OSError too
        raise
    except Refused as error:
        raise Stopped(Trouble.REFUSED, str(error)) from error
    except (httpcore.ConnectTimeout, httpcore.ReadTimeout, httpcore.WriteTimeout, httpcore.PoolTimeout) as error:
        raise TimeoutError from error
    except httpcore.ConnectError as error:
        if isinstance(error.__cause__ or error.__context__, ssl.SSLError):
            raise Stopped(Trouble.UNTRUSTED, "its certificate cannot be trusted") from error
        raise Stopped(Trouble.NO_CONNECTION, "no connection to it") from error
    except (httpcore.NetworkError, httpcore.ProtocolError, httpx.HTTPError, httpx.InvalidURL, OSError) as error:
        raise Stopped(Trouble.BROKEN, "its answer is no whole HTTP") from error
