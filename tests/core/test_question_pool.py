"""Questions being answered: bounded, ended by who asked them, and by the end of the desk."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable

import pytest

from core.question_pool import QuestionPool, Stopped

Tell = Callable[[str], None]


def ignore(_what: str) -> None:
    """Listen to nothing."""


def test_what_is_told_and_found_comes_out() -> None:
    """In its order, from another thread."""
    heard: list[str] = []

    def work(tell: Tell) -> int:
        tell("a")
        tell("b")
        return 7

    running = QuestionPool[str, int](1, 0).start(work, heard.append)

    assert running is not None
    assert running.future.result(10) == 7
    assert heard == ["a", "b"]


def test_what_the_work_raises_is_raised_where_it_is_waited_for() -> None:
    """And nowhere else; there is room again at once."""
    pool = QuestionPool[str, int](1, 0)
    for _ in range(3):
        running = pool.start(lambda tell: 1 // 0, ignore)
        assert running is not None
        with pytest.raises(ZeroDivisionError):
            running.future.result(10)


def test_so_many_at_a_time_and_so_many_waiting() -> None:
    """Two are answered, one waits, the fourth is not taken."""
    go, lock = threading.Event(), threading.Lock()
    now, most = 0, 0

    def work(tell: Tell) -> int:
        nonlocal now, most
        with lock:
            now += 1
            most = max(most, now)
        go.wait(10)
        with lock:
            now -= 1
        return 1

    pool = QuestionPool[str, int](2, 1)
    taken = [pool.start(work, ignore) for _ in range(4)]
    go.set()

    assert [one is None for one in taken] == [False, False, False, True]
    assert [one.future.result(10) for one in taken if one] == [1, 1, 1]
    assert most == 2
    last = pool.start(work, ignore)
    assert last is not None
    assert last.future.result(10) == 1


def test_whoever_asked_can_end_it() -> None:
    """At the next thing it tells; one that still waits for room never begins."""
    begun, go = threading.Event(), threading.Event()
    after: list[str] = []

    def work(tell: Tell) -> int:
        begun.set()
        go.wait(10)
        tell("next")
        after.append("went on")
        return 1

    pool = QuestionPool[str, int](1, 1)
    first, second = pool.start(work, ignore), pool.start(work, ignore)
    assert first is not None
    assert second is not None
    assert begun.wait(10)
    second.stop()
    with pytest.raises(Stopped):
        second.future.result(10)
    first.stop()
    go.set()
    with pytest.raises(Stopped):
        first.future.result(10)
    assert after == []


def test_the_end_of_the_desk_ends_all() -> None:
    """Nothing is taken any more; who does not end is not waited for longer than that."""
    stuck = threading.Event()
    pool = QuestionPool[str, int](1, 5)
    running = pool.start(lambda tell: int(stuck.wait(10)), ignore)
    began = time.monotonic()
    pool.stop(0.2)

    assert time.monotonic() - began < 5
    assert pool.start(lambda tell: 1, ignore) is None
    stuck.set()
    assert running is not None
    assert running.future.result(10) == 1
