"""What may be asked of the outside, of whom, how often and how much: one record, frozen into every run.

The default asks nobody. What a test may do beyond it (open addresses of this machine) is no field of it, so that no
settings file can grant it.
"""

from __future__ import annotations

import os
import re
from enum import StrEnum
from pathlib import Path

from pydantic import Field, field_validator

from core.errors import InputError
from core.models import Record

PROGRAM = "Citedesk"

_CONTACT = re.compile(r"[^\s@<>()\"',;:]+@[^\s@<>()\"',;:]+\.[^\s@<>()\"',;:]+|https://[^\s<>()\"']+")
_HOST = re.compile(r"(?:\*\.)?[a-z0-9_-]+(?:\.[a-z0-9_-]+)*")


class Also(StrEnum):
    """What may be looked up beyond the registry of the request."""

    URLS = "urls"
    IDENTIFIERS = "identifiers"
    """DOIs, arXiv ids and titles, at the registries below."""
    SUPPLIED = "supplied"
    """Passages that people with access supplied; nobody is asked for them, and whoever looks up anything uses them."""


class Limits(Record):
    """What one look-up may take, and all of them together."""

    redirects: int = Field(default=5, ge=0, le=20)
    bytes: int = Field(default=5_000_000, ge=1)
    """Of one answer as it is sent."""
    decompressed_bytes: int = Field(default=10_000_000, ge=1)
    seconds: float = Field(default=10, gt=0)
    """For one address with all its redirects; waiting for one's turn is not counted."""
    characters: int = Field(default=1_000_000, ge=1)
    """Of the text that is taken from one page."""
    per_second: float = Field(default=0.5, gt=0)
    """Requests to one host."""
    per_host: int = Field(default=1, ge=1, le=8)
    """Requests on their way to one host at once."""
    concurrent: int = Field(default=16, ge=1, le=128)
    """Requests on their way at once."""
    patience: float = Field(default=60, ge=0)
    """Seconds that a host may ask to wait while the run goes on; who asks for more is passed over."""


class Lives(Record):
    """How long an answer is kept before it is asked for again; zero asks always."""

    read_days: float = Field(default=30, ge=0)
    missing_days: float = Field(default=1, ge=0)
    refused_hours: float = Field(default=1, ge=0)
    """Of refusals and failures: they are no findings, but asking at once again would not be polite."""
    gone_after_hours: float = Field(default=24, ge=24)
    """Between two looks of which both must find nothing."""


class Credential(Record):
    """Where a secret is to be found; the secret itself is never part of a record."""

    host: str
    """It is sent to this host only, and only over HTTPS."""
    header: str = "Authorization"
    env: str | None = None
    """Name of the environment variable that holds the header's value."""
    file: Path | None = None
    """The file whose first line holds it."""

    @field_validator("header")
    @classmethod
    def _a_header(cls, header: str) -> str:
        if not re.fullmatch(r"[A-Za-z0-9-]+", header) or header.lower() in ("host", "content-length", "user-agent"):
            raise ValueError(f"{header!r} is no header that a credential can be sent in")
        return header

    def secret(self) -> str:
        """Read the value now.

        Raises:
            InputError: It is not there; the message names the place, never a value.
        """
        if self.env:
            found = os.environ.get(self.env, "")
            where = f"the environment variable {self.env}"
        else:
            where = f"the file {self.file}"
            try:
                found = self.file.read_text(encoding="utf-8").partition("\n")[0] if self.file else ""
            except (OSError, UnicodeDecodeError) as error:
                raise InputError(f"The credential for {self.host} cannot be read from {where}", "check it") from error
        if not found.strip() or not found.isprintable() or not found.isascii():
            raise InputError(f"The credential for {self.host} is not in {where}", "put it there, on one line")
        return found.strip()


class Endpoint(Record):
    """A registry's address and its pace."""

    url: str
    per_second: float = Field(gt=0)

    @field_validator("url")
    @classmethod
    def _an_address(cls, url: str) -> str:
        if not re.match(r"https?://[^/\s]+", url):
            raise ValueError(f"{url!r} is no http or https address")
        return url.rstrip("/")


class Endpoints(Record):
    """Where registries are asked; each can be replaced by a mirror. Paces are those that they ask for, or slower."""

    crossref: Endpoint = Endpoint(url="https://api.crossref.org", per_second=2)
    datacite: Endpoint = Endpoint(url="https://api.datacite.org", per_second=3)
    doi: Endpoint = Endpoint(url="https://doi.org", per_second=2)
    arxiv: Endpoint = Endpoint(url="https://export.arxiv.org", per_second=1 / 3)
    openalex: Endpoint | None = None
    """A second registry for Crossref's DOIs; it wants a key, see ``credentials``."""
    archive: Endpoint | None = None
    """An archive of the web in the manner of ``https://archive.org``, asked when a page is missing."""


class ReferencePolicy(Record):
    """What one run may do outside."""

    also: frozenset[Also] = frozenset()
    """Beyond the registry of the request; empty: nobody is asked."""
    chosen: bool = False
    """Whether that was said for this very run, so that a corpus with a policy of its own may only narrow it."""
    offline: bool = False
    """Whether nothing may be asked whatever else is said."""
    works_offline: str = "this desk"
    """Who works offline, where somebody does; for the sentence that says so."""
    contact: str | None = None
    """An e-mail or https address of whoever runs this; registries are not asked without one."""
    allow: tuple[str, ...] = ()
    """Hosts that pages may be opened at, ``*.example.org`` for all below; empty: all that are not denied."""
    deny: tuple[str, ...] = ()
    """Hosts that are never opened, also after a redirect."""
    ports: tuple[int, ...] = (80, 443)
    robots: bool = True
    """Whether robots.txt is obeyed."""
    credentials: tuple[Credential, ...] = ()
    limits: Limits = Limits()
    lives: Lives = Lives()
    endpoints: Endpoints = Endpoints()

    @field_validator("contact")
    @classmethod
    def _reaches_somebody(cls, contact: str | None) -> str | None:
        if contact is not None and not _CONTACT.fullmatch(contact):
            raise ValueError(f"{contact!r} is no e-mail or https address")
        return contact

    @field_validator("allow", "deny")
    @classmethod
    def _are_hosts(cls, named: tuple[str, ...]) -> tuple[str, ...]:
        return hosts(named)

    @property
    def user_agent(self) -> str:
        """How every request introduces itself."""
        from core import __version__  # read when asked: the package's own first module

        contact = self.contact and (self.contact if "://" in self.contact else f"mailto:{self.contact}")
        return f"{PROGRAM}/{__version__}" + (f" (+{contact})" if contact else "")

    def permits(self, host: str) -> bool:
        """Whether pages of this host may be opened, by the two lists; denying wins."""
        if any(covers(pattern, host) for pattern in self.deny):
            return False
        return not self.allow or any(covers(pattern, host) for pattern in self.allow)


def hosts(named: tuple[str, ...]) -> tuple[str, ...]:
    """Hosts and patterns of hosts in small letters.

    Raises:
        ValueError: One is neither.
    """
    if wrong := [host for host in named if not _HOST.fullmatch(host.lower())]:
        raise ValueError(f"{wrong[0]!r} is no host; write example.org, or *.example.org for all below it")
    return tuple(host.lower() for host in named)


def covers(pattern: str, host: str) -> bool:
    """Whether a host, or all that another pattern names, is what a pattern names."""
    return host.endswith(pattern[1:]) if pattern.startswith("*.") else host == pattern
