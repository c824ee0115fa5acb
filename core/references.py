"""What is found out about a work that an answer cites and that lies outside its registry: three axes, with receipts.

Whether a work exists, whether it is the one that is meant, and whether it can be read here are three questions. None
of them says whether it supports a claim, and none of their words accuses anybody.
"""

from __future__ import annotations

from datetime import datetime
from enum import StrEnum

from pydantic import Field as PydanticField

from core.models import Evidence, Label, Record, Resolve

FETCHED_NOW = "fetched now, not supplied then"
"""Stands beside every text that was read here instead of being given to the generator."""


class Exists(StrEnum):
    """Whether somebody who keeps such lists, or the place itself, knows of the work."""

    YES = "yes"
    NO = "no"
    UNKNOWN = "unknown"


class Matches(StrEnum):
    """Whether what was found is what the answer says of it."""

    YES = "yes"
    DIFFERS = "differs"
    """In the fields that ``ReferenceFinding.differs`` names."""
    OTHER_WORK = "other_work"
    """Two registries describe another work under this identifier."""
    UNKNOWN = "unknown"


class Reachable(StrEnum):
    """Whether the text can be opened from here."""

    LIVE = "live"
    BLOCKED = "blocked"
    GONE = "gone"
    SOFT_GONE = "soft_gone"
    ARCHIVED = "archived"
    """Only a copy in an archive was read."""
    UNKNOWN = "unknown"


class Field(StrEnum):
    """What can be compared of a work."""

    TITLE = "title"
    AUTHORS = "authors"
    YEAR = "year"
    VENUE = "venue"
    VERSION = "version"


class Reason(StrEnum):
    """Why a reference stands as it does: stored, counted and shown, so never renamed."""

    OK = "ok"
    MOVED = "moved"
    """Read, at another address than the one that was cited."""
    NOT_FOUND = "not_found"
    """Missing twice, a day apart: 404, 410, or a host without an address."""
    SOFT_NOT_FOUND = "soft_not_found"
    """A page that says that there is none, in the shape of a page; twice, a day apart."""
    MISSING_ONCE = "missing_once"
    """Missing when it was asked for once; that proves nothing."""
    NEEDS_LOGIN = "needs_login"
    PAYWALL = "paywall"
    FORBIDDEN = "forbidden"
    BOT_WALL = "bot_wall"
    CONSENT = "consent"
    RATE_LIMITED = "rate_limited"
    LEGAL = "legal"
    SERVER_ERROR = "server_error"
    TIMED_OUT = "timed_out"
    NO_CONNECTION = "no_connection"
    UNTRUSTED = "untrusted"
    """The certificate does not fit the host."""
    TOO_LARGE = "too_large"
    UNREADABLE = "unreadable"
    """An encoding, kind of content or page of scripts that cannot be read here."""
    ROBOTS = "robots"
    """The site asks programs to stay away from this address."""
    REDIRECTS = "redirects"
    """In circles, or too many."""
    BLOCKED_BY_POLICY = "blocked_by_policy"
    """An address that must not be opened, or a host that the policy leaves out."""
    MALFORMED = "malformed"
    NOT_REGISTERED = "not_registered"
    """The registrar itself does not know this identifier."""
    NOT_IN_REGISTRIES = "not_in_registries"
    """No identifier, and no registry has such a title; many works are in none."""
    AMBIGUOUS = "ambiguous"
    """A work of this title was found, and nothing else speaks for it."""
    COVERAGE_INCOMPLETE = "coverage_incomplete"
    """Somebody who had to be asked did not answer."""
    NOT_ALLOWED = "not_allowed"
    NO_CONTACT = "no_contact"
    OFFLINE = "offline"


NOT_CHECKED = frozenset({Reason.NOT_ALLOWED, Reason.NO_CONTACT, Reason.OFFLINE, Reason.MALFORMED})
"""Nobody was asked."""
ABSENT = frozenset({Reason.NOT_FOUND, Reason.SOFT_NOT_FOUND})
"""The ladder was climbed to its end."""
_CLOSED = frozenset({Reachable.BLOCKED, Reachable.GONE, Reachable.SOFT_GONE})


class Scope(StrEnum):
    """How much of the work a text is."""

    WHOLE = "whole"
    PARTIAL = "partial"
    """A teaser: what is missing in it may stand behind a wall."""
    ABSTRACT = "abstract"


class Receipt(Record):
    """One question that was asked, and what came back."""

    who: str
    """The host, or the name of the registry, that was asked."""
    url: str
    """Without credentials."""
    at: datetime
    """UTC."""
    said: str
    """In a few words of ours."""
    status: int | None = None
    final_url: str | None = None
    sha256: str | None = None
    """Of the bytes that were read."""
    kept: bool = False
    """From the cache: ``at`` is when it was really asked."""


class Reference(Record):
    """A work as an answer names it."""

    text: str = ""
    """The link, DOI or arXiv id as written; empty when there is only a title."""
    title: str | None = None
    authors: tuple[str, ...] = ()
    """As written, the first one first."""
    year: int | None = None
    venue: str | None = None


class Notice(Record):
    """Something that was published about a work after it."""

    kind: str
    """``retracted``, ``withdrawn``, ``corrected`` or ``concern``; ``notice_of_…`` when the work is such a notice."""
    by: str
    """Who says so: a registry's name, and its source where it names one."""
    doi: str | None = None
    on: str | None = None
    """The date as the registry writes it."""


class Read(Record):
    """A text that was read here, with its own proof."""

    text: str
    sha256: str
    """64 hex of the text."""
    at: datetime
    locator: str
    """The address it was read at."""
    scope: Scope = Scope.WHOLE
    title: str | None = None

    @property
    def is_whole(self) -> bool:
        """Whether its silence means anything: a part can support a claim, and never refute one by what it lacks."""
        return self.scope is Scope.WHOLE

    def evidence(self, id: str, uri: str | None = None) -> Evidence:
        """The text as an entry of a registry, marked as fetched now; its version is the moment it was read."""
        meta = {
            "origin": FETCHED_NOW, "sha256": self.sha256, "scope": str(self.scope), "fetched_at": self.at.isoformat()
        }  # fmt: skip
        return Evidence(
            id=id,
            text=self.text,
            locator=self.locator,
            source_version=f"fetched {self.at:%Y-%m-%dT%H:%M:%SZ}",
            uri=uri or self.locator,
            title=self.title,
            meta=meta,
        )


class Substitute(Record):
    """Another thing than the cited one was read, and this is which."""

    kind: str
    """``archived copy`` or ``another version``."""
    what: str
    """Its address, or its version."""
    on: str | None = None
    """Its date, as its keeper writes it."""


class ReferenceFinding(Record):
    """Everything found out about one reference."""

    reference: Reference
    kind: str
    """The resolver that looked: ``url``, ``doi``, ``arxiv`` or ``title``."""
    identifier: str
    """The reference in the one spelling under which it is kept."""
    exists: Exists = Exists.UNKNOWN
    matches: Matches = Matches.UNKNOWN
    reachable: Reachable = Reachable.UNKNOWN
    reason: Reason
    said: str
    """One sentence for a reviewer."""
    differs: tuple[Field, ...] = ()
    notices: tuple[Notice, ...] = ()
    read: Read | None = None
    substitute: Substitute | None = None
    final_url: str | None = None
    retry_after: int | None = None
    """Seconds that the server asks to wait."""
    resolved_by: str | None = None
    """The registry, or host, that knows the work."""
    receipts: tuple[Receipt, ...] = PydanticField(default=())

    @property
    def at(self) -> datetime | None:
        """When the last one was asked; none when nobody was."""
        return max((one.at for one in self.receipts), default=None)

    @property
    def resolve(self) -> Resolve:
        """The word of the claim table: only what is absent by the whole ladder is unresolvable there."""
        if self.reason in NOT_CHECKED:
            return Resolve.NOT_CHECKED
        if self.exists is Exists.NO:
            return Resolve.NOT_IN_REGISTRY
        if self.reason in ABSENT and self.exists is Exists.UNKNOWN and self.read is None:
            return Resolve.INACTIVE
        if self.reachable is Reachable.ARCHIVED:
            return Resolve.OK
        closed = self.reachable in _CLOSED or self.reason is Reason.MISSING_ONCE
        return Resolve.INACCESSIBLE if closed or self.exists is Exists.UNKNOWN else Resolve.OK

    @property
    def label(self) -> Label | None:
        """What a citation of it is before anybody judges: none when a text can be judged, or when nobody looked."""
        if self.resolve is Resolve.NOT_CHECKED:
            return None
        if self.resolve in (Resolve.NOT_IN_REGISTRY, Resolve.INACTIVE):
            return Label.UNRESOLVABLE
        readable = self.resolve is Resolve.OK and self.read is not None
        return None if readable else Label.INACCESSIBLE

    @property
    def flags(self) -> tuple[str, ...]:
        """What a reviewer should see besides the axes, in fixed words."""
        said = [f"{field}_mismatch" for field in self.differs]
        said += [one.kind for one in self.notices]
        said += ["other_work"] if self.matches is Matches.OTHER_WORK else []
        said += ["ambiguous_match"] if self.reason is Reason.AMBIGUOUS else []
        said += ["coverage_incomplete"] if self.reason is Reason.COVERAGE_INCOMPLETE else []
        said += [f"{self.read.scope}_only"] if self.read and self.read.scope is not Scope.WHOLE else []
        return tuple(dict.fromkeys(said + (["substituted"] if self.substitute else [])))
