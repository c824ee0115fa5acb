"""How often one host is asked: one request at a time, at a steady pace, and not while it asks to be left alone."""

from __future__ import annotations

import asyncio
import math
import re
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import datetime
from email.utils import parsedate_to_datetime

_LONGEST_WAIT = 86_400
"""Seconds: nobody is believed who asks for more than a day."""


@dataclass(slots=True)
class _Host:
    """What is known of one host."""

    places: asyncio.Semaphore
    turn: asyncio.Lock = field(default_factory=asyncio.Lock)
    next_at: float = 0.0
    gap: float = 0.0


class Politeness:
    """Turns by host, for one event loop.

    Args:
        per_host: Requests on their way to one host at once.
        concurrent: Requests on their way at once.
        patience: Seconds that a turn may be waited for because a host asked for a pause.
        clock: Seconds that never go back.
    """

    def __init__(
        self, per_host: int, concurrent: int, patience: float, clock: Callable[[], float] = time.monotonic
    ) -> None:
        """Nobody has been asked yet."""
        self._per_host, self._patience, self._clock = per_host, patience, clock
        self._hosts: dict[str, _Host] = {}
        self._all = asyncio.Semaphore(concurrent)

    def _of(self, host: str) -> _Host:
        return self._hosts.setdefault(host, _Host(asyncio.Semaphore(self._per_host)))

    @asynccontextmanager
    async def turn(self, host: str, per_second: float) -> AsyncIterator[int]:
        """Wait for one's turn; gives 0, or the seconds for which the host must not be asked, and then do not."""
        known = self._of(host)
        async with known.places:
            async with known.turn:
                wait = known.next_at - self._clock()
                refused = wait > max(self._patience, known.gap, 1 / per_second)
                if not refused:
                    await asyncio.sleep(max(wait, 0))
                    await self._all.acquire()
                    # a loop may wake a little early: the next turn is counted from where this one was due
                    known.next_at = max(known.next_at, self._clock()) + max(known.gap, 1 / per_second)
            if refused:
                yield math.ceil(wait)
                return
            try:
                yield 0
            finally:
                self._all.release()

    def slow_down(self, host: str, gap: float) -> None:
        """Leave at least so many seconds between two requests from now on."""
        self._of(host).gap = max(self._of(host).gap, gap)

    def pause(self, host: str, seconds: float) -> None:
        """Leave a host alone for a while."""
        known = self._of(host)
        known.next_at = max(known.next_at, self._clock() + seconds)


def seconds_to_wait(said: str, now: datetime) -> int | None:
    """What a ``Retry-After`` means, in whole seconds up to a day, from either form; none when it means nothing."""
    try:
        wait = float(said)
    except ValueError:
        try:
            wait = (parsedate_to_datetime(said) - now).total_seconds()
        except (ValueError, TypeError):
            return None
    return math.ceil(min(max(wait, 0.0), _LONGEST_WAIT)) if math.isfinite(wait) else None


def gap_of(most: str | None, interval: str | None) -> float | None:
    """The seconds between two requests that Crossref's headers allow (``50`` in ``1s``); none when they say nothing."""
    found = re.fullmatch(r"\s*(\d{1,5})\s*s?\s*", interval or "")
    if found is None or not (most or "").strip().isdigit() or int(most or "0") == 0:
        return None
    return int(found[1]) / int(most or "1")
