"""Questions being answered: a bounded number at a time, each of which whoever asked it can end."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from concurrent.futures import Future
from typing import Generic, TypeVar

Told = TypeVar("Told")
Found = TypeVar("Found")
Tell = Callable[[Told], None]

_STEP = 0.05
"""Seconds between two looks of a waiting question at whether it is still wanted."""


class Stopped(Exception):
    """Nobody waits for the answer any more; raised inside the work, where it tells of its progress."""


class Running(Generic[Told, Found]):
    """One question on its way.

    Args:
        work: Answers it, telling of its progress; what it raises is what ``future`` raises.
        listen: Gets what is told, in the thread of the work.
    """

    def __init__(self, work: Callable[[Tell[Told]], Found], listen: Tell[Told]) -> None:
        """Begin nothing yet."""
        self.future: Future[Found] = Future()
        self._work, self._listen = work, listen
        self._stop = threading.Event()

    def stop(self) -> None:
        """Ask it to end; harmless when it is over."""
        self._stop.set()

    @property
    def stopped(self) -> bool:
        """Whether it was asked to end; the work may still be under way, where it waits for somebody else."""
        return self._stop.is_set()

    def tell(self, what: Told) -> None:
        """Pass on how far the work is.

        Raises:
            Stopped: It was asked to end.
        """
        if self._stop.is_set():
            raise Stopped
        self._listen(what)

    def run(self, room: threading.Semaphore, then: Callable[[], None]) -> None:
        """Do the work as soon as there is room for it."""
        try:
            while not room.acquire(timeout=_STEP):
                if self._stop.is_set():
                    raise Stopped
            try:
                if self._stop.is_set():
                    raise Stopped
                found = self._work(self.tell)
            finally:
                room.release()
        except BaseException as error:  # whoever waits for the end gets it, as from an executor
            then()
            self.future.set_exception(error)
        else:
            then()
            self.future.set_result(found)


class QuestionPool(Generic[Told, Found]):
    """Answers so many questions at a time, lets so many wait, and takes no more.

    Its threads do not keep the process alive: an executor would wait at the end for a provider that says nothing.
    """

    def __init__(self, concurrent: int, waiting: int) -> None:
        """Begin with nothing to do."""
        self._room = threading.Semaphore(concurrent)
        self._most = concurrent + waiting
        self._going: set[Running[Told, Found]] = set()
        self._lock = threading.Lock()
        self._closed = False

    def start(self, work: Callable[[Tell[Told]], Found], listen: Tell[Told]) -> Running[Told, Found] | None:
        """Begin to answer a question; none when there is no room for it."""
        running = Running(work, listen)
        with self._lock:
            if self._closed or len(self._going) >= self._most:
                return None
            self._going.add(running)
        threading.Thread(
            target=running.run, args=(self._room, lambda: self._over(running)), name="question", daemon=True
        ).start()
        return running

    def end(self) -> None:
        """Ask all to end. Without the lock: a signal may come while this very thread holds it."""
        for one in list(self._going):
            one.stop()

    def stop(self, seconds: float) -> None:
        """Take no more, ask all to end, and wait for that as long as that many seconds."""
        with self._lock:
            self._closed = True
        self.end()
        deadline = time.monotonic() + seconds
        while self._going and time.monotonic() < deadline:
            time.sleep(_STEP)

    def _over(self, running: Running[Told, Found]) -> None:
        with self._lock:
            self._going.discard(running)
