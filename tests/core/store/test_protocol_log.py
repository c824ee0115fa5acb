"""Every protocol that the store was used under."""

from __future__ import annotations

from datetime import timedelta

from core.models import Label
from core.store import Store
from core.store.records import RunHeader
from tests.core.store import build


def test_an_empty_store_has_none(store: Store) -> None:
    """Nothing judged, nothing listed."""
    assert store.protocol_uses() == []


def test_uses_are_counted(store: Store) -> None:
    """Runs, claims that stand, rows ever recorded, first and last use; in the order of their coming."""
    one = build.checked(build.answer("r1"), [Label.SUPPORTED, Label.PARTIAL])
    changed = build.checked(build.answer("r1"), [Label.SUPPORTED, None])
    stricter = build.protocol(0.9)
    store.record(build.batch(one))
    store.record(build.batch(one, under=stricter))
    later = build.batch(changed)
    run: RunHeader = later.run.model_copy(update={"started_at": build.STARTED + timedelta(days=3)})
    store.record(later.model_copy(update={"run": run}))
    first, second = store.protocol_uses()

    assert (first.name, first.protocol, first.runs, first.claims, first.verdicts) == (
        str(build.PROTOCOL),
        build.PROTOCOL,
        2,
        2,
        3,
    )
    assert (first.first_used, first.last_used) == (build.STARTED, build.STARTED + timedelta(days=3))
    assert (second.name, second.runs, second.claims, second.verdicts) == (str(stricter), 1, 2, 2)
