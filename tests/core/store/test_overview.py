"""What is in the store, in a few numbers."""

from __future__ import annotations

from datetime import timedelta

from core.models import Label, utc_now
from core.store import Store
from core.store.records import RunInfo, StoreSummary
from tests.core.store import build


def test_empty_store(store: Store) -> None:
    """An empty store counts nothing and was never written."""
    assert store.summary() == StoreSummary(
        path=str(store.path),
        requests=0,
        claims=0,
        undated_requests=0,
        label_events=0,
        labellers=0,
        last_write=None,
        runs=(),
    )
    assert store.protocols() == []
    assert store.generators() == []


def test_counts(store: Store) -> None:
    """Requests, undated ones, claims, events, people, and when it was last written."""
    one = build.checked(build.answer("r1"), [Label.SUPPORTED, None])
    two = build.checked(build.answer("r2", asked_at=None), [Label.PARTIAL])
    store.record(build.batch(one, two, run_id="a"))
    uid = build.uid(one.answer, one.claims[0])
    store.labels.add([build.event("e1", uid), build.event("e2", uid, labeller="bob")])
    summary = store.summary()

    assert (summary.requests, summary.claims, summary.undated_requests) == (2, 3, 1)
    assert (summary.label_events, summary.labellers) == (2, 2)
    assert summary.last_write is not None
    assert timedelta(0) <= utc_now() - summary.last_write < timedelta(minutes=1)
    assert summary.runs == (
        RunInfo(run_id="a", started_at=build.STARTED, source="answers.jsonl", protocol=str(build.PROTOCOL), claims=3),
    )


def test_latest_ten_runs(store: Store) -> None:
    """Newest first, no more than ten, also those that added nothing."""
    one = build.checked(build.answer(), [Label.SUPPORTED])
    for number in range(12):
        store.record(build.batch(one, run_id=f"run-{number}"))

    assert [run.run_id for run in store.summary().runs] == [f"run-{number}" for number in range(11, 1, -1)]


def test_protocols(store: Store) -> None:
    """Each protocol with the number of claims it judged and its first and last run, the one used last first."""
    one = build.checked(build.answer("r1"), [Label.SUPPORTED, Label.PARTIAL])
    changed = build.checked(build.answer("r1"), [None, None])
    stricter = build.protocol(0.9)
    store.record(build.batch(one, under=stricter))
    store.record(build.batch(one))
    later = build.batch(changed)
    run = later.run.model_copy(update={"started_at": build.STARTED + timedelta(days=3)})
    store.record(later.model_copy(update={"run": run}))
    first, second = store.protocols()

    assert (first.name, first.protocol, first.claims) == (str(build.PROTOCOL), build.PROTOCOL, 2)
    assert (first.first_run, first.last_run) == (build.STARTED, build.STARTED + timedelta(days=3))
    assert (second.name, second.protocol, second.claims) == (str(stricter), stricter, 2)
