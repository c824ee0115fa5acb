"""Signing in: the file that says at which issuer, and the rule that strangers may reach no desk without it."""

from __future__ import annotations

import tomllib
from ipaddress import ip_address
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from core.errors import InputError
from core.models import Record

CALLBACK = "/oauth2callback"
"""Where an issuer sends people back to."""

SHORTEST_SECRET = 32
"""Characters of a cookie secret; whoever guesses it can be anybody."""

_NEEDED = ("redirect_uri", "cookie_secret", "client_id", "client_secret", "server_metadata_url")


class SignIn(Record):
    """What the desk must know of how people sign in; the secrets stay in the file."""

    path: Path
    redirect_uri: str

    @property
    def host(self) -> str:
        """The name under which people reach the desk."""
        return urlsplit(self.redirect_uri).hostname or ""


def read(path: Path) -> SignIn:
    """Read the file that ``CITEDESK_SIGN_IN`` names: TOML with a section ``[auth]``, as Streamlit takes it.

    Raises:
        InputError: It cannot be read, something in it is missing, or it would not be safe.
    """
    auth = _auth(path)
    for name in _NEEDED:
        if not isinstance(auth.get(name), str) or not auth[name].strip():
            raise InputError(f"The section [auth] of {path} has no {name}", "add it; see docs/people.md")
    if len(auth["cookie_secret"]) < SHORTEST_SECRET:
        raise InputError(
            f"The cookie_secret in {path} is shorter than {SHORTEST_SECRET} characters",
            "make one with: python -c 'import secrets; print(secrets.token_urlsafe(32))'",
        )
    for name in ("redirect_uri", "server_metadata_url"):
        _check_address(path, name, auth[name])
    if urlsplit(auth["redirect_uri"]).path != CALLBACK:
        raise InputError(
            f"The redirect_uri in {path} does not end with {CALLBACK}", f"write https://your.desk{CALLBACK}"
        )
    return SignIn(path=path.absolute(), redirect_uri=auth["redirect_uri"])


def check_host(host: str | None, sign_in: Path | None) -> None:
    """Refuse to be reached from elsewhere by people who do not sign in.

    Args:
        host: Where the desk listens; none means everywhere.
        sign_in: The file that says how people sign in, which must be good whenever it is named.

    Raises:
        InputError: The desk must not be started like this.
    """
    if sign_in is not None:
        read(sign_in)
    elif not is_loopback(host):
        raise InputError(
            f"The desk will not listen on {host or 'every address'} without sign-in",
            "use --host 127.0.0.1, or name a sign-in file with CITEDESK_SIGN_IN (docs/people.md)",
        )


def is_loopback(host: str | None) -> bool:
    """Whether only this machine reaches that address; a name other than ``localhost`` never counts."""
    try:
        return host == "localhost" or ip_address(host or "").is_loopback
    except ValueError:
        return False


def _auth(path: Path) -> dict[str, Any]:
    try:
        found = tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise InputError(
            f"The sign-in file {path} cannot be read ({error.strerror})", "correct CITEDESK_SIGN_IN"
        ) from error
    except ValueError as error:  # no UTF-8, or no TOML
        raise InputError(f"The sign-in file {path} is not TOML ({error})", "correct it; see docs/people.md") from error
    auth = found.get("auth")
    if not isinstance(auth, dict):
        raise InputError(f"The sign-in file {path} has no section [auth]", "add it; see docs/people.md")
    return auth


def _check_address(path: Path, name: str, address: str) -> None:
    """Secrets and cookies travel to these addresses: encrypted, or not off this machine."""
    try:
        parts = urlsplit(address)
        fine = parts.scheme == "https" or (parts.scheme == "http" and is_loopback(parts.hostname))
    except ValueError:
        fine = False
    if not fine:
        raise InputError(f"The {name} in {path} is no https address", "write one that begins with https://")
