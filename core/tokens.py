"""Bearer tokens: who may ask over HTTP, in which groups and until when; of the secret only a hash is ever kept."""

from __future__ import annotations

import re
import secrets
from collections.abc import Callable, Iterable
from datetime import datetime, timedelta
from hashlib import sha256
from hmac import compare_digest
from typing import Annotated, Literal

from pydantic import AwareDatetime, Field, StringConstraints, ValidationError, field_validator

from core.errors import InputError
from core.models import Record

Standing = Literal["valid", "expired", "revoked"]
Name = Annotated[str, StringConstraints(min_length=1, max_length=200, pattern=r"^\S(.*\S)?$")]
"""A person, a service or a group: one line without blanks around it."""

_SECRET = re.compile(r"cdk_([0-9a-f]{12})_[A-Za-z0-9_-]{43}")
NOTED_EVERY = timedelta(hours=1)
"""How much newer a use must be than the one that is noted; a busy token shall not write at every question."""

_NOBODY = "0" * 64
"""Compared with when there is no such token, so that it takes as long."""


class NewToken(Record):
    """A token as it is written down: everything but its secret."""

    token_id: str = Field(pattern=r"^[0-9a-f]{12}$")
    """Stands in the secret and names the token to people."""
    sha256: str = Field(pattern=r"^[0-9a-f]{64}$")
    """Of the whole secret, as UTF-8."""
    principal: Name
    """Who asks with it."""
    groups: tuple[Name, ...] = ()
    """Whose sources they may read, sorted; sources without groups are everyone's."""
    expires_at: AwareDatetime | None = None
    """The first moment at which it is refused; none: never."""

    @field_validator("groups")
    @classmethod
    def _in_order(cls, groups: tuple[str, ...]) -> tuple[str, ...]:
        return tuple(sorted(set(groups)))


class Token(Record):
    """A token that was created, as anybody who manages the desk may see it."""

    token_id: str
    principal: str
    groups: tuple[str, ...]
    created_at: datetime
    expires_at: datetime | None
    """The first moment at which it is refused: as it was made, or as it was replaced."""
    revoked_at: datetime | None
    last_used_at: datetime | None = None
    """When it was last good for a question, to the hour."""
    successor: str | None = None
    """The id of the token that took its place."""

    def standing(self, now: datetime) -> Standing:
        """Whether it is good at a moment, and if not, why."""
        if self.revoked_at is not None:
            return "revoked"
        return "expired" if self.expires_at is not None and now >= self.expires_at else "valid"

    def is_use_worth_noting(self, now: datetime) -> bool:
        """Whether the last use that was noted is an hour old, or none was."""
        return self.last_used_at is None or now - self.last_used_at >= NOTED_EVERY


class KeptToken(Record):
    """A token and the hash of its secret."""

    token: Token
    sha256: str


def mint(principal: str, groups: Iterable[str] = (), expires_at: datetime | None = None) -> tuple[str, NewToken]:
    """Draw a secret of 256 random bits, and the token to be written down for it.

    Raises:
        InputError: A name is blank, has several lines or more than 200 characters, or the moment has no time zone.
    """
    token_id = secrets.token_hex(6)
    secret = f"cdk_{token_id}_{secrets.token_urlsafe(32)}"
    try:
        token = NewToken(
            token_id=token_id,
            sha256=_hash(secret),
            principal=principal.strip(),
            groups=tuple(group.strip() for group in groups),
            expires_at=expires_at,
        )
    except ValidationError as error:
        field = str(error.errors()[0]["loc"][0])
        raise InputError(f"The token's {field} cannot be used", "give one line of at most 200 characters") from error
    return secret, token


def bearer(header: str | None) -> str | None:
    """The secret in an ``Authorization`` header of the kind ``Bearer``; none when there is no such thing in it."""
    kind, _, given = (header or "").partition(" ")
    return given.strip() or None if kind.lower() == "bearer" else None


def authenticate(secret: str | None, find: Callable[[str], KeptToken | None], now: datetime) -> Token | None:
    """The token that a secret belongs to; none when nobody's, and when the token is expired or revoked.

    Args:
        secret: As the caller gave it.
        find: From the id of a token to what is kept of it.
        now: With a time zone.
    """
    read = _SECRET.fullmatch(secret or "")
    kept = find(read[1]) if read else None
    same = compare_digest(_hash(secret or ""), kept.sha256 if kept else _NOBODY)
    return kept.token if kept and same and kept.token.standing(now) == "valid" else None


def _hash(secret: str) -> str:
    return sha256(secret.encode("utf-8", "surrogatepass")).hexdigest()
