"""The one open desk of this process, for pages and routes alike, and the settings it runs under."""

from __future__ import annotations

import threading
from functools import cache

from core.desk import Desk
from core.settings import Settings

_lock = threading.Lock()
_open: list[Desk] = []  # at most one: DuckDB lets one process open a file, and once


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
        return _open[0]


def close() -> None:
    """Close the desk, if it is open, and forget the settings: the next call starts anew."""
    with _lock:
        while _open:
            _open.pop().close()
        settings.cache_clear()
