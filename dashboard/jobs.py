"""Long work in this process, whoever asked for it: it goes on when its page is left, and says how far it is."""

from __future__ import annotations

import secrets
import signal
import threading
import time
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from types import FrameType

from core.errors import CitedeskError
from core.models import utc_now
from core.work import Report, Work
from dashboard import session

AT_ONCE = 2
"""Jobs that run at the same time; the others wait."""

KEPT = 20
"""Finished jobs that are remembered."""

LOOK_BACK = 10.0
"""Seconds over which the pace is measured."""


class Status(StrEnum):
    """How a job stands."""

    WAITING = "waiting"
    RUNNING = "running"
    DONE = "done"
    FAILED = "failed"
    STOPPED = "stopped"


OVER = frozenset({Status.DONE, Status.FAILED, Status.STOPPED})


class Stopped(Exception):
    """A person stopped the job; raised inside the work, between two answers."""


@dataclass
class Job:
    """One piece of work, read by many threads while one of them does it."""

    work: Work
    name: str
    """What it works on, for a person."""
    job_id: str = field(default_factory=lambda: secrets.token_urlsafe(16))
    asked_at: datetime = field(default_factory=utc_now)
    status: Status = Status.WAITING
    done: int = 0
    total: int = 0
    """0 while it is not known."""
    report: Report | None = None
    error: CitedeskError | None = None
    clock: Callable[[], float] = time.monotonic
    _stop: threading.Event = field(default_factory=threading.Event)
    _over: threading.Event = field(default_factory=threading.Event)
    _passed: deque[tuple[float, int]] = field(default_factory=deque)

    def stop(self) -> None:
        """Ask it to end; what it has recorded by then stays."""
        self._stop.set()

    @property
    def stopping(self) -> bool:
        """Whether it was asked to end."""
        return self._stop.is_set()

    def wait(self, seconds: float) -> bool:
        """Wait for its end; False when it takes longer."""
        return self._over.wait(seconds)

    def pace(self) -> float:
        """Answers a second, lately; 0 when that cannot be said yet."""
        passed = list(self._passed)
        if len(passed) < 2:
            return 0.0
        (first, before), (last, after) = passed[0], passed[-1]
        return (after - before) / max(last - first, 1e-3)

    def seconds_left(self) -> float | None:
        """How long it will take at that pace; none when that cannot be said."""
        pace = self.pace()
        return max(0, self.total - self.done) / pace if pace and self.total else None

    def tell(self, done: int, total: int) -> None:
        """Take note of how far the work is.

        Raises:
            Stopped: The job was asked to end.
        """
        if self._stop.is_set():
            raise Stopped
        now = self.clock()
        self.done, self.total = done, total
        self._passed.append((now, done))
        while now - self._passed[0][0] > LOOK_BACK:
            self._passed.popleft()

    def run(self, free: threading.Semaphore, then: Callable[[], None]) -> None:
        """Do the work when there is room for it, and remember what came of it."""
        status = Status.FAILED
        try:
            with free:
                if self._stop.is_set():
                    raise Stopped
                self.status = Status.RUNNING
                self.report = self.work.run(session.desk(), self.tell)
            status = Status.DONE
        except Stopped:
            status = Status.STOPPED
        except CitedeskError as error:
            self.error = error
        except OSError as error:
            where = f" ({error.filename})" if error.filename else ""
            self.error = CitedeskError(f"{error.strerror or error}{where}", "check the place, then try again")
        finally:
            if status is Status.FAILED and self.error is None:
                self.error = CitedeskError("The work ended in an error of ours", "the desk's terminal shows where")
            with suppress(OSError):
                then()
            self.status = status
            self._over.set()


_lock = threading.Lock()
_jobs: dict[str, Job] = {}
_free = threading.Semaphore(AT_ONCE)


def start(work: Work, name: str, then: Callable[[], None] = lambda: None) -> Job:
    """Begin a piece of work in a thread of its own.

    Args:
        work: What to do.
        name: What it works on, for a person.
        then: Called at its end, whatever came of it.
    """
    job = Job(work, name)
    with _lock:
        over = [one.job_id for one in _jobs.values() if one.status in OVER]
        for job_id in over[: max(0, len(over) - KEPT + 1)]:
            del _jobs[job_id]
        _jobs[job.job_id] = job
    threading.Thread(target=job.run, args=(_free, then), name=f"job {job.job_id}", daemon=True).start()
    return job


def get(job_id: str) -> Job | None:
    """A job of this process; none when it is not known, or forgotten."""
    with _lock:
        return _jobs.get(job_id)


def going() -> list[Job]:
    """The jobs that are not over, oldest first."""
    with _lock:
        return [job for job in _jobs.values() if job.status not in OVER]


@contextmanager
def ended_by_signals(also: Callable[[], None] = lambda: None) -> Iterator[None]:
    """Ask every job to end as soon as the process is asked to: the server waits for who follows one, and would hang.

    Args:
        also: Called then, to end what is no job.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = {number: signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)}

    def end(number: int, frame: FrameType | None) -> None:
        for job in list(_jobs.values()):  # without the lock: a signal may come while this very thread holds it
            job.stop()
        also()
        if callable(handler := before[signal.Signals(number)]):
            handler(number, frame)

    for number in before:
        signal.signal(number, end)
    try:
        yield
    finally:
        for number, handler in before.items():
            if signal.getsignal(number) is end:
                signal.signal(number, handler)


def stop_all(seconds: float) -> None:
    """Ask every job to end, and wait for that as long as that many seconds in all."""
    deadline = time.monotonic() + seconds
    there = going()
    for job in there:
        job.stop()
    for job in there:
        job.wait(max(0.0, deadline - time.monotonic()))
