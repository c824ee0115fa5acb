"""Bearer tokens in the store: what was created and revoked, by whom and when; hashes only."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from typing import Any

from core.errors import InputError, StoreConflict
from core.models import utc_now
from core.store.connection import Connection, Session
from core.store.encoding import in_utc
from core.tokens import KeptToken, NewToken, Token

_FIELDS = tuple(Token.model_fields)
_COLUMNS = f"select sha256, {', '.join(_FIELDS)} from current_tokens"
_SAID = {"principal", "groups", "expires_at"}


class TokenLog:
    """The tokens of one store.

    Args:
        connection: To the store.
        wrote: Called after every write.
    """

    def __init__(self, connection: Connection, wrote: Callable[[], None]) -> None:
        """Speak through the store's connection."""
        self._connection, self._wrote = connection, wrote

    def add(self, new: NewToken, who: str) -> Token:
        """Write down a token; one that is there already, with the same content, is given back.

        Raises:
            StoreConflict: The id belongs to another token; nothing was written.
        """
        with self._connection.write() as session:
            _add(session, new, who)
        self._wrote()
        return self._get(new.token_id)

    def revoke(self, token_id: str, who: str) -> Token:
        """End a token for good; one that was revoked before stays revoked since then.

        Raises:
            InputError: There is no such token.
        """
        with self._connection.write() as session:
            if _known(session, token_id).revoked_at is None:
                _note(session, token_id, "revoked", who)
        self._wrote()
        return self._get(token_id)

    def replace(self, token_id: str, new: NewToken, ends_at: datetime, who: str) -> Token:
        """Put a new token in the place of one, which is refused from a moment on; said twice, it is done once.

        Args:
            token_id: The old one's.
            new: Of the same caller, with the same groups.
            ends_at: The first moment at which the old one is refused; it never lives longer for this.
            who: Does it.

        Raises:
            InputError: There is no such token, or it is not good any more.
            StoreConflict: The new one is somebody else's or reads other groups, or the old one has another successor.
        """
        with self._connection.write() as session:
            old = _known(session, token_id)
            if (old.principal, old.groups) != (new.principal, new.groups):
                raise StoreConflict(f"The new token is not one of {old.principal}", "make it with: citedesk token new")
            if old.successor not in (None, new.token_id):
                raise StoreConflict(f"Token {token_id} was replaced by {old.successor}", f"rotate {old.successor}")
            if old.successor is None:
                if old.standing(utc_now()) != "valid":
                    raise InputError(
                        f"Token {token_id} is {old.standing(utc_now())}", "make another with: citedesk token new"
                    )
                _add(session, new, who)
                _note(session, token_id, "replaced", who, ends_at, new.token_id)
        self._wrote()
        return self._get(new.token_id)

    def used(self, token_id: str) -> None:
        """Note that a token was good for a question; pages show nothing of it, so none is drawn anew."""
        with self._connection.write() as session:
            _note(session, token_id, "used", _known(session, token_id).principal)

    def all(self) -> list[Token]:
        """Every token there ever was, in the order of their making."""
        with self._connection.read() as session:
            return [_kept(row).token for row in session.all(f"{_COLUMNS} order by created_at, token_id")]

    def find(self, token_id: str) -> KeptToken | None:
        """A token with the hash of its secret; none when there is no such token."""
        with self._connection.read() as session:
            return _find(session, token_id)

    def _get(self, token_id: str) -> Token:
        kept = self.find(token_id)
        assert kept is not None, "tokens are never deleted"
        return kept.token


def _add(session: Session, new: NewToken, who: str) -> None:
    kept = _find(session, new.token_id)
    if kept is None:
        values = (new.token_id, new.sha256, new.principal, new.groups, new.expires_at)
        session.run("insert into tokens values (?, ?, ?, ?, ?)", values)
        _note(session, new.token_id, "created", who)
    elif kept.sha256 != new.sha256 or kept.token.model_dump(include=_SAID) != new.model_dump(include=_SAID):
        raise StoreConflict(f"There is another token {new.token_id}", "make a new one")


def _known(session: Session, token_id: str) -> Token:
    kept = _find(session, token_id)
    if kept is None:
        raise InputError(f"There is no token {token_id!r}", "list them with: citedesk token list")
    return kept.token


def _find(session: Session, token_id: str) -> KeptToken | None:
    row = session.one(f"{_COLUMNS} where token_id = ?", [token_id])
    return _kept(row) if row else None


def _kept(row: tuple[Any, ...]) -> KeptToken:
    sha256, *values = row
    said = {
        name: in_utc(value) if isinstance(value, datetime) else value
        for name, value in zip(_FIELDS, values, strict=True)
    }
    return KeptToken(token=Token.model_validate(said), sha256=sha256)


def _note(
    session: Session,
    token_id: str,
    kind: str,
    who: str,
    ends_at: datetime | None = None,
    successor: str | None = None,
) -> None:
    number = session.next_number("token_events", "event_no")
    session.run(
        "insert into token_events values (?, ?, ?, ?, ?, ?, ?)",
        [number, token_id, kind, who, utc_now(), ends_at, successor],
    )
