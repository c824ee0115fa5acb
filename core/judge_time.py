"""How long a judge takes: counted while it judges, kept beside what it costs."""

from __future__ import annotations

import threading
from uuid import uuid4

from core.models import Record


class JudgeTime(Record):
    """What a judge did since it was asked last."""

    time_id: str
    """Names this record for ever."""
    judged: int
    """Spans that it judged; the same pair twice is judged once."""
    cached: int
    """Spans whose judgement was kept from an earlier run, and that took no time."""
    seconds: float
    """That judging took by the clock, all spans together, loading the model and waiting for a provider included."""


class Stopwatch:
    """Adds up the time of one judge; safe from many threads."""

    def __init__(self) -> None:
        """Begin at nothing."""
        self._lock = threading.Lock()
        self._judged, self._cached, self._seconds = 0, 0, 0.0

    def note(self, judged: int = 0, cached: int = 0, seconds: float = 0.0) -> None:
        """Count spans, and the time that judging them took."""
        with self._lock:
            self._judged += judged
            self._cached += cached
            self._seconds += seconds

    def take(self) -> JudgeTime | None:
        """Hand over what was counted since this was asked last; none when nothing was judged."""
        with self._lock:
            judged, cached, seconds = self._judged, self._cached, self._seconds
            self._judged, self._cached, self._seconds = 0, 0, 0.0
        if not judged + cached:
            return None
        return JudgeTime(time_id=uuid4().hex, judged=judged, cached=cached, seconds=seconds)
