"""Labels in a file: out and in again is the same view, twice is once, and a bad line costs only itself."""

from __future__ import annotations

import json
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest

from core import label_files
from core.models import Label
from core.store import Store, open_store
from core.store.label_records import LabelEvent, LabelKind
from tests.core.store import build

ONE = build.checked(build.answer("r1"), [Label.SUPPORTED, Label.PARTIAL])
C1, C2 = (build.uid(ONE.answer, claim) for claim in ONE.claims)


def events() -> list[LabelEvent]:
    """A morning of two people: labels, a changed mind, a skip, one taken back."""
    first = build.event("e1", C1, note="„sure“ \u2028 👩‍👧")
    return [
        first,
        build.event("e2", C1, labeller="bob", label=Label.PARTIAL),
        build.event("e3", C2, kind=LabelKind.SKIP, label=None, reason="Later"),
        build.undo("e4", first),
        build.event("e5", C1, label=Label.CONTRADICTED),
        build.event("e6", C1, label=Label.IRRELEVANT),
    ]


def filled(path: Path) -> Store:
    """A store with the answer."""
    store = open_store(path)
    store.record(build.batch(ONE))
    return store


def lines(path: Path) -> list[dict[str, Any]]:
    """The lines of a file of events."""
    return [json.loads(line) for line in path.read_text("utf-8").split("\n") if line]


def put(path: Path, *values: object) -> Path:
    """A file of these lines; texts go in as they are."""
    texts = (value if isinstance(value, str) else json.dumps(value) for value in values)
    path.write_text("".join(f"{text}\n" for text in texts), "utf-8")
    return path


def test_out_and_in_again_is_the_same_view(tmp_path: Path) -> None:
    """Current labels, history and times are equal in another store that holds the same answers."""
    out = tmp_path / "labels.jsonl"
    with filled(tmp_path / "a.duckdb") as here, filled(tmp_path / "b.duckdb") as there:
        here.labels.add(events())

        assert label_files.write(here.labels.events(), out) == 6
        assert label_files.take(there, out).events_new == 6
        assert list(there.labels.events()) == list(here.labels.events())
        assert list(there.labels.rows()) == list(here.labels.rows())
        assert there.labels.current() == here.labels.current()


def test_twice_is_once(tmp_path: Path) -> None:
    """The second time everything was there already; the counts add up."""
    out = tmp_path / "labels.jsonl"
    with filled(tmp_path / "a.duckdb") as store:
        store.labels.add(events())
        label_files.write(store.labels.events(), out)
        put(out, *lines(out), *lines(out))
        report = label_files.take(store, out)

        assert (report.events_read, report.events_new, report.events_known) == (12, 0, 12)
        assert report.bad_lines == ()
        assert store.summary().label_events == 6


def test_bad_lines_are_named_and_the_others_go_in(tmp_path: Path) -> None:
    """One sentence a line: what is no event, names no claim, contradicts the store, or takes back nothing."""
    good = build.event("e1", C1).model_dump(mode="json") | {"recorded_at": "2026-11-30T09:00:00Z"}
    file = put(
        tmp_path / "labels.jsonl",
        good,
        "{broken",
        good | {"event_id": "e2", "label": "splendid"},
        good | {"event_id": "e3", "claim_uid": "f" * 16},
        good | {"label": "partial"},
        good | {"event_id": "e5", "kind": "undo", "label": None, "undoes": "e99"},
        good | {"event_id": "e6", "recorded_at": None},
        good | {"event_id": "e7", "recorded_at": "2026-11-30T09:00:00"},
        good | {"event_id": "e8", "labeller": "ann\nbob"},
        good | {"event_id": "e9", "surprise": 1},
        good | {"event_id": "e10", "cite": "C7"},
        good | {"event_id": "e11", "labeller": "bob"},
    )
    with filled(tmp_path / "a.duckdb") as store:
        report = label_files.take(store, file)

        assert [stored.event.event_id for stored in store.labels.events()] == ["e1", "e11"]
    assert (report.events_read, report.events_new, report.events_known) == (12, 2, 0)
    assert [(bad.line, bad.field) for bad in report.bad_lines] == [
        (2, None),
        (3, "label"),
        (4, None),
        (5, None),
        (6, None),
        (7, "recorded_at"),
        (8, "recorded_at"),
        (9, "labeller"),
        (10, "surprise"),
        (11, None),
    ]
    assert all(len(str(bad).splitlines()) == 1 for bad in report.bad_lines)


@pytest.mark.parametrize("moment", ["2026-11-30T09:00:00Z", "2026-11-30T10:00:00+01:00"])
def test_an_event_keeps_its_time(moment: str, tmp_path: Path) -> None:
    """When a label was given does not depend on when its file was read."""
    good = build.event("e1", C1).model_dump(mode="json") | {"recorded_at": moment}
    with filled(tmp_path / "a.duckdb") as store:
        label_files.take(store, put(tmp_path / "labels.jsonl", good))
        (stored,) = store.labels.events()

        assert stored.recorded_at == datetime.fromisoformat("2026-11-30T09:00:00+00:00")


def test_many_events_go_in_whatever_one_of_them_says(tmp_path: Path) -> None:
    """More than one transaction's worth, with one bad line among them."""
    good = build.event("e", C1).model_dump(mode="json") | {"recorded_at": "2026-11-30T09:00:00Z"}
    many = [good | {"event_id": f"e{number}"} for number in range(label_files.AT_ONCE + 20)]
    many[7] = many[7] | {"claim_uid": "0" * 16}
    with filled(tmp_path / "a.duckdb") as store:
        report = label_files.take(store, put(tmp_path / "labels.jsonl", *many))

        assert store.summary().label_events == len(many) - 1
    assert (report.events_new, [bad.line for bad in report.bad_lines]) == (len(many) - 1, [8])


def test_labels_of_a_withdrawn_import_stay_at_home(tmp_path: Path) -> None:
    """They are out of sight while it is withdrawn, in a file too, and are all there when it stands again."""
    batch = build.batch(ONE)
    run = batch.run.model_copy(update={"source_sha256": "a" * 64, "format": "citedesk"})
    with open_store(tmp_path / "a.duckdb") as store:
        store.record(batch.model_copy(update={"run": run}))
        store.labels.add(events())
        (brought,) = store.imports()
        store.withdraw_import(brought.import_id, "ann")
        gone = list(store.labels.events())
        store.restore_import(brought.import_id, "ann")

        assert gone == []
        assert len(list(store.labels.events())) == 6
