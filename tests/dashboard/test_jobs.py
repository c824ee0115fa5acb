"""Jobs: they go on by themselves, say how far they are, and end when they are asked to."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any, cast

import pytest

from core.desk import Desk, ImportReport
from core.errors import InputError, StoreError
from core.verification import Progress
from core.work import Work
from dashboard import jobs, session
from dashboard.jobs import Job, Status
from dashboard.widgets import job_view


@pytest.fixture(autouse=True)
def own_store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A store of the test's own, and no job left behind."""
    session.close()
    monkeypatch.setenv("CITEDESK_STORE", str(tmp_path / "desk.duckdb"))
    yield
    jobs.stop_all(10)
    session.close()


class Script:
    """Work that goes on when it is told to, and then does as the test says."""

    def __init__(self, error: BaseException | None = None, rows: int = 3) -> None:
        """End in this error, if any, after these rows."""
        self.error, self.rows = error, rows
        self.go = threading.Event()
        self.began = threading.Event()

    def run(self, desk: Desk, progress: Progress) -> ImportReport:
        """Tell of one row after another."""
        self.began.set()
        for number in range(1, self.rows + 1):
            assert self.go.wait(10)
            progress(number, self.rows)
        if self.error:
            raise self.error
        return desk.verify_stored(desk.settings)


def begin(script: Script, **more: Any) -> Job:
    """Start it."""
    return jobs.start(cast(Work, script), "a.jsonl", **more)


def test_a_job_says_how_far_it_is_and_what_came_of_it() -> None:
    """It is found under its id while it runs and afterwards."""
    script = Script()
    job = begin(script)
    assert script.began.wait(10)
    assert jobs.get(job.job_id) is job
    assert job in jobs.going()
    script.go.set()
    assert job.wait(10)

    assert (job.status, job.done, job.total) == (Status.DONE, 3, 3)
    assert job.report is not None
    assert job not in jobs.going()
    assert jobs.get("another") is None


@pytest.mark.parametrize(
    ("error", "what"),
    [
        (InputError("a.jsonl is empty", "look"), "a.jsonl is empty"),
        (StoreError("no"), "no"),
        (OSError(28, "No space left on device", "/x"), "No space left on device (/x)"),
        (RuntimeError("bug"), "The work ended in an error of ours"),
    ],
)
@pytest.mark.filterwarnings("ignore::pytest.PytestUnhandledThreadExceptionWarning")
def test_a_job_that_fails_says_why(error: BaseException, what: str) -> None:
    """In a sentence; what is at its end is done all the same."""
    script = Script(error)
    script.go.set()
    ended = threading.Event()
    job = begin(script, then=ended.set)
    assert job.wait(10)

    assert job.status is Status.FAILED
    assert job.error is not None
    assert job.error.what == what
    assert ended.is_set()


def test_a_job_ends_when_it_is_asked_to() -> None:
    """At the next row; also one that waits for another to end."""
    running = [Script(), Script()]
    first, _second = (begin(script) for script in running)
    assert all(script.began.wait(10) for script in running)
    waiting = Script()
    third = begin(waiting)
    assert third.status is Status.WAITING
    assert job_view.words(third) == "waiting for another one to end"
    third.stop()
    first.stop()
    running[0].go.set()
    assert first.wait(10)
    assert third.wait(10)

    assert (first.status, third.status) == (Status.STOPPED, Status.STOPPED)
    assert not waiting.began.is_set()
    running[1].go.set()


def test_the_oldest_are_forgotten() -> None:
    """Only so many finished jobs are remembered."""
    script = Script(rows=0)
    first = begin(script)
    assert first.wait(10)
    for _ in range(jobs.KEPT):
        assert begin(script).wait(10)

    assert jobs.get(first.job_id) is None


def test_the_pace_is_that_of_the_last_seconds() -> None:
    """By hand: 10 rows a second for ten seconds, then 2 a second for ten; what is left takes 2 a second."""
    seconds = iter(range(21))
    job = Job(cast(Work, Script()), "a.jsonl", clock=lambda: float(next(seconds)))
    for second in range(11):
        job.tell(10 * second, 200)
    assert (job.pace(), job.seconds_left()) == (10.0, 10.0)
    for second in range(1, 11):
        job.tell(100 + 2 * second, 200)

    assert (job.pace(), job.seconds_left()) == (2.0, 40.0)
    job.status = Status.RUNNING
    assert job_view.words(job) == "120 of 200 rows judged · 2 a second · about 40 s left"


def test_nothing_is_said_that_is_not_known() -> None:
    """No pace from one row, no time left without a total."""
    job = Job(cast(Work, Script()), "a.jsonl", status=Status.RUNNING)
    assert job_view.words(job) == "just begun"
    job.tell(1, 0)

    assert (job.pace(), job.seconds_left()) == (0.0, None)


@pytest.mark.parametrize(
    ("seconds", "words"),
    [(0, "1 s"), (1.4, "1 s"), (89, "89 s"), (90, "2 min"), (600, "10 min"), (5400, "1.5 h"), (36000, "10.0 h")],
)
def test_time_left_in_words(seconds: float, words: str) -> None:
    """The largest unit that says enough."""
    assert job_view.span(seconds) == words
