"""Pseudonyms of labellers: the same for the same name as long as the store is the same, and not to be turned back.

A pseudonym is a keyed hash (HMAC-SHA-256, RFC 2104) of the name, under a secret that lies beside the store and that
only its owner can read. Who has the exported file alone cannot try names; without the secret none can be made again.
"""

from __future__ import annotations

import hmac
import os
import secrets
from pathlib import Path

from core.errors import InputError

SUFFIX = ".pseudonyms"
"""What the secret's file is called: the store's name, and this."""


class Pseudonyms:
    """The pseudonyms of one store."""

    def __init__(self, store: Path) -> None:
        """Read the secret beside a store, making it when there is none.

        Raises:
            OSError: It can be neither read nor made.
        """
        self._secret = _secret(store.with_name(store.name + SUFFIX))

    def of(self, name: str) -> str:
        """The pseudonym of a name: ``p-`` and 12 hex."""
        return f"p-{hmac.digest(self._secret, name.encode('utf-8', 'surrogatepass'), 'sha256').hex()[:12]}"


def keep(store: Path, secret: bytes) -> None:
    """Lay a secret from elsewhere beside a store, so that names have the pseudonyms that they had there.

    Raises:
        InputError: Another one lies there.
        OSError: It can be neither read nor written.
    """
    path = store.with_name(store.name + SUFFIX)
    try:
        with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
            file.write(secret)
    except FileExistsError:
        if path.read_bytes() != secret:
            raise InputError(f"The pseudonyms of another store are kept in {path}", "move that file away") from None


def _secret(path: Path) -> bytes:
    try:
        with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
            file.write(secrets.token_bytes(32))
    except FileExistsError:
        pass
    return path.read_bytes()
