"""How often something is attempted: until it works, cannot, or attempts, seconds or the run's limits are used up."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from typing import TypeVar

from core.asking import Setback, Trouble
from core.models import Failure
from core.setbacks import DOWN, backoff
from core.settings import ClaudeSettings
from core.spend import Ledger

Found = TypeVar("Found")

PATIENCE = 5
"""Calls in a row that the provider may leave without an answer; then the rest of the run is not asked."""

_ONCE_MORE = frozenset({Failure.BAD_OUTPUT, Failure.QUOTE_NOT_IN_SPAN})
"""What is asked again only once: another answer may be better, a third seldom is."""


class Patience:
    """The patience of one run with one provider; safe from many threads.

    Args:
        settings: How often, how long, and how long to wait in between.
        ledger: Says when the run's limits are used up.
    """

    def __init__(self, settings: ClaudeSettings, ledger: Ledger) -> None:
        """Begin with all of it."""
        self._settings, self._ledger = settings, ledger
        self._stopped = threading.Event()
        self._hopeless: Trouble | None = None
        self._in_vain = 0

    def stop(self) -> None:
        """Wait for nothing any more."""
        self._stopped.set()

    def persist(self, attempt: Callable[[float], Found | Setback], counted: bool = False) -> Found | Trouble:
        """Attempt something until it works or cannot; attempts that are ``counted`` need room in the ledger."""
        settings, seen = self._settings, set[Failure]()
        deadline = time.monotonic() + settings.seconds
        setback: Setback | None = None
        for number in range(1, settings.attempts + 1):
            if self._hopeless is not None:
                return self._hopeless
            if counted and (used_up := self._ledger.begin()):
                return setback.trouble if setback else Trouble(failure=Failure.BUDGET, reason=f"Not asked: {used_up}")
            found = attempt(min(settings.attempt_seconds, max(deadline - time.monotonic(), 0.05)))
            if not isinstance(found, Setback):
                self._in_vain = 0
                return found
            setback = found if counted or found.failure is not Failure.REJECTED else found._replace(hopeless=False)
            wait = found.wait if found.wait is not None else backoff(settings.first_wait, number)
            too_late = number == settings.attempts or time.monotonic() + wait >= deadline
            if too_late or not found.again or found.failure in seen & _ONCE_MORE or self._stopped.wait(wait):
                break
            seen.add(found.failure)
        assert setback is not None  # there is at least one attempt
        return self._give_up(setback, number)

    def _give_up(self, setback: Setback, attempts: int) -> Trouble:
        self._in_vain = self._in_vain + 1 if setback.again and setback.failure in DOWN else 0
        if setback.hopeless or self._in_vain >= PATIENCE:
            reason = f"Not asked, for earlier calls of this run ended so: {setback.reason}"
            self._hopeless = Trouble(failure=setback.failure, reason=reason)
        times = "" if attempts == 1 else f" ({attempts} attempts)"
        return Trouble(failure=setback.failure, reason=setback.reason + times, when=setback.when)
