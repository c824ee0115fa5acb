"""What came back when an address was asked for: an answer, or why there is none."""

from __future__ import annotations

import hashlib
from datetime import datetime
from enum import StrEnum
from urllib.parse import urlsplit

from pydantic import Field

from core.models import Record


class Trouble(StrEnum):
    """Why there is no answer that could be read."""

    REFUSED = "refused"
    """The address must not be opened."""
    DENIED = "denied"
    """The policy leaves the host out."""
    ROBOTS = "robots"
    NO_SUCH_HOST = "no_such_host"
    """The name has no address, while other names have."""
    NO_NAMES = "no_names"
    """Names cannot be looked up at the moment."""
    NO_CONNECTION = "no_connection"
    UNTRUSTED = "untrusted"
    TIMED_OUT = "timed_out"
    TOO_LARGE = "too_large"
    TOO_MANY_REDIRECTS = "too_many_redirects"
    CIRCLE = "circle"
    ENCODING = "encoding"
    """Compressed in a way that was not asked for, or damaged."""
    BROKEN = "broken"
    """No HTTP, or it ended in the middle."""
    HELD = "held"
    """Not asked: the host has asked to be left alone for a while."""


class Hop(Record):
    """One step of a chain of redirects."""

    url: str
    status: int


class Reply(Record):
    """What came back for one address."""

    url: str
    """As it was asked for first."""
    at: datetime
    """UTC."""
    status: int | None = None
    """Of the last address; none when there was no answer."""
    trouble: Trouble | None = None
    detail: str = ""
    """The trouble, as a clause of ours."""
    final_url: str = ""
    headers: dict[str, str] = Field(default_factory=dict)
    """Names in lower case; only those that mean something here."""
    hops: tuple[Hop, ...] = ()
    """The redirects on the way, in order."""
    body: bytes = b""
    kept: bool = False
    """From the cache."""
    retry_after: int | None = None
    """Seconds, where the server says so."""

    @property
    def is_read(self) -> bool:
        """Whether a whole answer of success came."""
        return self.trouble is None and self.status is not None and 200 <= self.status < 300

    @property
    def is_missing(self) -> bool:
        """Whether the server, or the system of names, says that there is nothing here."""
        return self.status in (404, 410) if self.trouble is None else self.trouble is Trouble.NO_SUCH_HOST

    @property
    def sha256(self) -> str | None:
        """64 hex of the bytes that were read; none when none were."""
        return hashlib.sha256(self.body).hexdigest() if self.body else None

    @property
    def content_type(self) -> str:
        """The kind of content in lower case, without parameters; empty when not said."""
        return self.headers.get("content-type", "").partition(";")[0].strip().lower()


def host_in(url: str) -> str:
    """The host of an address, however broken; empty when there is none."""
    try:
        return urlsplit(url).hostname or ""
    except ValueError:
        return ""
