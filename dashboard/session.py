"""The one open desk of this process, for pages and routes alike, and the settings it runs under."""

from __future__ import annotations

import threading
from contextlib import suppress
from functools import cache

from core import admin
from core.admin import Door
from core.desk import Desk
from core.people import Person, Role
from core.settings import Settings
from dashboard import identity

_lock = threading.Lock()
_open: list[Desk] = []  # at most one: DuckDB lets one process open a file, and once
_doors: list[Door] = []  # at most one, beside the open store
_addresses: list[str] = []


@cache
def settings() -> Settings:
    """The settings of this process, from its environment."""
    return Settings()


def desk() -> Desk:
    """The desk of this process, opened at the first call and then shared by every page, thread and route.

    Raises:
        StoreError: The store cannot be opened; the next call tries again.
    """
    with _lock:
        if not _open:
            _open.append(Desk.open(settings()))
            _publish(_open[0])
        return _open[0]


def person(role: Role = Role.LABELLER) -> Person:
    """Who the session of this page run belongs to, for a page that this role may open; see ``dashboard.identity``.

    Raises:
        NotSignedIn: They must sign in first.
        NotAllowed: The page is not for them.
    """
    return identity.require(identity.person(desk()), role)


def listen_at(url: str) -> None:
    """Say where this process answers, so that commands of this machine find it while it holds a store."""
    with _lock:
        _addresses[:] = [url]
        for one in _open:
            _publish(one)


def door() -> Door | None:
    """The door beside the open store; none when no store is open or the process listens nowhere."""
    return next(iter(_doors), None)


def _publish(desk: Desk) -> None:
    """Lay a door beside the store; where that cannot be written, commands say that the store is open elsewhere."""
    if _addresses and not _doors:
        with suppress(OSError):
            _doors.append(admin.publish(desk.store.path, _addresses[0]))


def close() -> None:
    """Close the desk, if it is open, and forget the settings: the next call starts anew."""
    with _lock:
        while _open:
            closing = _open.pop()
            while _doors:
                admin.remove(closing.store.path, _doors.pop())
            closing.close()
        settings.cache_clear()
