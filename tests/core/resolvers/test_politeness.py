"""How often a host is asked, by a clock that only moves when somebody waits."""

from __future__ import annotations

import asyncio
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime

import pytest

from core.politeness import Politeness, gap_of, seconds_to_wait

NOW = datetime(2026, 11, 30, 9, tzinfo=UTC)


class Clock:
    """Seconds that pass by waiting."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """Begin at nought."""
        self.now = 0.0
        real = asyncio.sleep

        async def sleep(seconds: float) -> None:
            self.now += seconds
            await real(0)

        monkeypatch.setattr("core.politeness.asyncio.sleep", sleep)

    def __call__(self) -> float:
        """The present second."""
        return self.now


def times(clock: Clock, politeness: Politeness, turns: int, per_second: float = 2) -> list[float]:
    """When so many turns at one host come."""

    async def take() -> list[float]:
        at = []
        for _ in range(turns):
            async with politeness.turn("a", per_second) as held:
                at.append(-float(held) if held else clock.now)
        return at

    with ThreadPoolExecutor(1) as apart:  # a browser that another test drives may hold this thread's event loop
        return apart.submit(asyncio.run, take()).result()


def test_turns_keep_their_distance(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two a second."""
    clock = Clock(monkeypatch)

    assert times(clock, Politeness(1, 4, 60, clock), 4) == [0.0, 0.5, 1.0, 1.5]


def test_a_site_may_want_more_distance(monkeypatch: pytest.MonkeyPatch) -> None:
    """Never less than the policy's."""
    clock = Clock(monkeypatch)
    politeness = Politeness(1, 4, 60, clock)
    politeness.slow_down("a", 3)
    politeness.slow_down("a", 0.1)

    assert times(clock, politeness, 3) == [0.0, 3.0, 6.0]


@pytest.mark.parametrize(("patience", "expected"), [(60, [30.0, 30.5]), (10, [-30.0, -30.0])])
def test_a_pause_is_waited_for_or_told(monkeypatch: pytest.MonkeyPatch, patience: float, expected: list[float]) -> None:
    """Up to the policy's patience; beyond it the seconds are told, and nobody waits."""
    clock = Clock(monkeypatch)
    politeness = Politeness(1, 4, patience, clock)
    politeness.pause("a", 30)

    assert times(clock, politeness, 2) == expected


@pytest.mark.parametrize(
    ("said", "seconds"),
    [
        ("30", 30), ("0", 0), ("1.2", 2), ("-5", 0), ("999999999", 86_400), ("Mon, 30 Nov 2026 09:01:00 GMT", 60),
        ("Mon, 30 Nov 2026 08:00:00 GMT", 0), ("soon", None), ("", None), ("nan", None), ("inf", None),
    ],
)  # fmt: skip
def test_retry_after_in_both_forms(said: str, seconds: int | None) -> None:
    """Whole seconds, at most a day."""
    assert seconds_to_wait(said, NOW) == seconds


@pytest.mark.parametrize(
    ("most", "interval", "gap"),
    [("50", "1s", 0.02), ("1", "2s", 2.0), ("0", "1s", None), (None, None, None), ("x", "y", None)],
)  # fmt: skip
def test_the_limits_that_crossref_tells(most: str | None, interval: str | None, gap: float | None) -> None:
    """So many requests in so many seconds."""
    assert gap_of(most, interval) == gap
