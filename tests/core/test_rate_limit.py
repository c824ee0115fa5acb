"""The pace of callers, by a clock of the test's own."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from core.rate_limit import RateLimit


class Clock:
    """Seconds as the test says."""

    now = 100.0

    def __call__(self) -> float:
        """Give them."""
        return self.now


def test_a_burst_and_then_the_pace() -> None:
    """Three at once; then one every two seconds (30 a minute); the wait is said in whole seconds, rounded up."""
    clock = Clock()
    limit = RateLimit(30, 3, clock)

    assert [limit.take("a") for _ in range(5)] == [0, 0, 0, 2, 2]
    clock.now += 0.5
    assert limit.take("a") == 2
    clock.now += 1.5
    assert [limit.take("a"), limit.take("a")] == [0, 2]
    clock.now += 3600
    assert [limit.take("a") for _ in range(4)] == [0, 0, 0, 2]


def test_callers_do_not_share() -> None:
    """One that asks too much takes nothing from another."""
    limit = RateLimit(60, 1, Clock())

    assert [limit.take("a"), limit.take("a"), limit.take("b")] == [0, 1, 0]


def test_many_callers_are_forgotten_when_their_buckets_are_full() -> None:
    """Memory stays bounded, and nobody gains by it."""
    clock = Clock()
    limit = RateLimit(60, 1, clock)
    for number in range(10_001):
        limit.take(str(number))
    clock.now += 3600
    limit.take("late")

    assert len(limit._buckets) == 1
    assert limit.take("late") == 1


@given(st.lists(st.floats(0, 10), max_size=60), st.integers(1, 5), st.sampled_from([6, 60, 600]))
def test_never_more_than_burst_and_pace_allow(pauses: list[float], burst: int, per_minute: int) -> None:
    """Whatever the rhythm; and after the wait that was said there is a permit."""
    clock = Clock()
    limit = RateLimit(per_minute, burst, clock)
    granted = 0
    for pause in pauses:
        clock.now += pause
        wait = limit.take("a")
        granted += wait == 0
        assert granted <= burst + (clock.now - 100) * per_minute / 60 + 1e-6
        if wait:
            clock.now += wait
            assert limit.take("a") == 0
            granted += 1
