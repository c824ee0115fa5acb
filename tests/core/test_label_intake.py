"""Labels of another tool: every row is stored, known or refused, under the claim it means and no other."""

from __future__ import annotations

import csv as tables
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from pathlib import Path

import pytest

from core import label_intake
from core.errors import InputError
from core.label_copies import suspicious
from core.label_files import LabelReport
from core.label_importers import GivenLabel, csv
from core.models import Label
from core.store import Store, open_store
from core.store.label_records import LabelKind
from tests.core.store import build

CLAIMS = [build.claim(1), build.claim(2, cites=("C1", "C2"))]
ANSWER = build.answer("r1")
CHECKED = build.checked(ANSWER, [Label.SUPPORTED, Label.SUPPORTED], CLAIMS)
WORDS = {"Yes": "supported", "Not checkable": "not_a_claim"}
COLUMNS = ("item", "request_id", "claim_id", "cite", "claim", "evidence", "label", "annotator", "comment", "time")
GOOD = {"item": "1", "request_id": "r1", "claim_id": "c1", "label": "Yes", "annotator": "ann"}


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    """One answer with two claims; the second cites two things, of which one is unknown."""
    with open_store(tmp_path / "desk.duckdb") as opened:
        opened.record(build.batch(CHECKED))
        yield opened


def take(store: Store, *rows: Mapping[str, str], words: Mapping[str, str] = WORDS) -> LabelReport:
    """Import a CSV of these rows."""
    file = store.path.with_name("labels.csv")
    with file.open("w", encoding="utf-8", newline="") as opened:
        writer = tables.DictWriter(opened, COLUMNS)
        writer.writeheader()
        writer.writerows(rows)
    return label_intake.take(store, file, csv, words, "elsewhere")


def test_a_label_keeps_its_person_and_time(store: Store) -> None:
    """It is bound to the texts as they stand, and twice is once."""
    row = GOOD | {"time": "2026-11-03T11:00:00+01:00", "comment": "clear"}
    reports = [take(store, row), take(store, row)]
    (stored,) = store.labels.events()
    (labelled,) = store.labels.rows()

    assert [(one.events_new, one.events_known) for one in reports] == [(1, 0), (0, 1)]
    assert stored.recorded_at == datetime(2026, 11, 3, 10, tzinfo=UTC)
    assert (stored.event.labeller, stored.event.label, stored.event.note, stored.event.guideline) == (
        "ann",
        Label.SUPPORTED,
        "clear",
        "elsewhere",
    )
    assert (stored.event.queue_id, stored.event.identity) == (None, "imported")
    span = store.labels.span(labelled.claim_uid, "C1")
    assert span is not None
    assert labelled.seen_sha256 == span.seen_sha256


def test_a_changed_decision_is_a_second_event(store: Store) -> None:
    """What was decided last counts, the history stays."""
    take(store, GOOD | {"time": "2026-11-03T10:00:00Z"})
    take(store, GOOD | {"label": "partial", "time": "2026-11-03T12:00:00Z"})

    assert [row.label for row in store.labels.rows()] == [Label.PARTIAL]
    assert len(list(store.labels.events())) == 2


@pytest.mark.parametrize(
    ("changes", "field", "reason"),
    [
        ({"label": "Maybe"}, "label", "'Maybe' is no label, and no --map says what it means"),
        ({"claim_id": "c7"}, None, "no claim 'c7' of a request 'r1' is in the store"),
        (
            {"claim_id": "c2"},
            None,
            "2 cited passages fit the claim 'c2' of a request 'r1'; name request_id, claim_id and cite",
        ),
        ({"claim_id": "c2", "cite": "C9"}, "evidence", "the claim 'c2' of a request 'r1' cites no such passage"),
        (
            {"request_id": "", "claim_id": ""},
            "claim",
            "names no claim: request_id and claim_id are missing, and its text too",
        ),
        ({"request_id": "", "claim": "Unheard of."}, None, "no claim with these words is in the store"),
    ],
)
def test_what_cannot_be_used_is_refused(store: Store, changes: dict[str, str], field: str | None, reason: str) -> None:
    """With file, line, field and reason; the row beside it goes in."""
    report = take(store, GOOD | changes, GOOD | {"item": "2", "annotator": "bob"})

    assert [(bad.file, bad.line, bad.field, bad.reason) for bad in report.bad_lines] == [
        ("labels.csv", 2, field, reason)
    ]
    assert (report.events_read, report.events_new, report.events_known) == (2, 1, 0)


def test_words_that_nobody_explains_are_counted(store: Store) -> None:
    """By word, so that one --map after the other can be given."""
    report = take(store, *(GOOD | {"item": str(at), "label": word} for at, word in enumerate(("Maybe", "Maybe", "No"))))

    assert report.unmapped == {"Maybe": 2, "No": 1}


def test_a_claim_is_found_by_its_exact_words(store: Store) -> None:
    """With the passage; of a claim with two citations the passage tells which."""
    words = {"request_id": "", "claim_id": "", "evidence": "The gate is open."}
    report = take(
        store,
        GOOD | words | {"claim": CLAIMS[0].text},
        GOOD | words | {"claim": CLAIMS[1].text, "item": "2"},
        GOOD | words | {"claim": CLAIMS[1].text.upper(), "item": "3"},
    )

    assert [(row.claim_id, row.cite) for row in store.labels.rows()] == [("c1", "C1"), ("c2", "C1")]
    assert [bad.line for bad in report.bad_lines] == [4]


def test_the_same_words_in_two_requests_are_not_guessed_at(store: Store) -> None:
    """Both would fit."""
    store.record(build.batch(build.checked(build.answer("r2"), [Label.SUPPORTED])))
    report = take(store, GOOD | {"request_id": "", "claim": CLAIMS[0].text, "evidence": "The gate is open."})

    assert [bad.reason for bad in report.bad_lines] == [
        "2 cited passages fit the claim with these words; name request_id, claim_id and cite"
    ]


def test_a_label_on_other_words_is_stale(store: Store) -> None:
    """It is kept, and makes no gold."""
    take(store, GOOD | {"claim": "The gate was open."})
    (vote,) = store.gold.facts().votes

    assert vote.stale


def test_not_a_claim(store: Store) -> None:
    """A word may mean that there is nothing to check."""
    take(store, GOOD | {"label": "Not checkable"})

    assert [(row.kind, row.label) for row in store.labels.rows()] == [(LabelKind.NOT_A_CLAIM, None)]


def test_copies_are_taken_in_and_named(store: Store) -> None:
    """Two items with the same people, labels, comments and times."""
    same = {"comment": "fits", "time": "2026-11-03T10:00:00Z"}
    report = take(store, GOOD | same, GOOD | same | {"item": "2", "claim_id": "c2", "cite": "C1"}, GOOD | {"item": "3"})

    assert (report.flags, report.suspicious) == (("possible_copied_annotations",), ("1", "2"))
    assert report.events_new == 3


def test_labels_alike_without_comment_or_time_are_no_copies() -> None:
    """Many items are labelled alike in good faith."""
    at = datetime(2026, 11, 3, tzinfo=UTC)
    given = [GivenLabel(at_, str(at_), "ann", "Yes", comment="", at=at) for at_ in range(3)]
    given += [GivenLabel(at_, str(at_), "ann", "Yes", comment="fits") for at_ in range(3, 6)]

    assert suspicious(given) == []


def test_meanings_are_read_from_the_last_equals_sign() -> None:
    """Their words may hold one."""
    assert label_intake.meanings(["a=b=partial", "Yes=supported"]) == {"a=b": "partial", "Yes": "supported"}
    for bad in ("Yes", "=partial", "Yes=splendid"):
        with pytest.raises(InputError, match="--map"):
            label_intake.meanings([bad])
