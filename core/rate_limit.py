"""How often one caller may ask: a bucket of permits each, filled at a steady pace."""

from __future__ import annotations

import math
import threading
import time
from collections.abc import Callable

_ROUNDING = 1e-9
"""Of a permit: sums of seconds come short by less, and who waited as told must not be told to wait again."""
_MANY = 10_000
"""Buckets after which full ones are forgotten; a full one says no more than none."""


class RateLimit:
    """Token buckets by caller; safe from many threads.

    Args:
        per_minute: Permits that come back in a minute.
        burst: Permits of a full bucket, and of a caller never seen.
        clock: Seconds that never go back.
    """

    def __init__(self, per_minute: float, burst: int, clock: Callable[[], float] = time.monotonic) -> None:
        """Begin with full buckets."""
        self._pace, self._burst, self._clock = per_minute / 60, burst, clock
        self._buckets: dict[str, tuple[float, float]] = {}
        self._lock = threading.Lock()

    def take(self, caller: str) -> int:
        """Take a permit; gives 0, or the whole seconds after which there is one again, when there is none now."""
        with self._lock:
            now = self._clock()
            if len(self._buckets) > _MANY:
                self._buckets = {
                    one: kept for one, kept in self._buckets.items() if self._left(kept, now) < self._burst
                }
            left = self._left(self._buckets.get(caller, (float(self._burst), now)), now)
            granted = left > 1 - _ROUNDING
            self._buckets[caller] = (left - granted, now)
            return 0 if granted else max(1, math.ceil((1 - left) / self._pace))

    def _left(self, bucket: tuple[float, float], now: float) -> float:
        left, at = bucket
        return min(float(self._burst), left + (now - at) * self._pace)
