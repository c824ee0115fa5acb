"""The desk: import, judge again, the sample, and what may be chosen."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from core import sample
from core.desk import Desk
from core.errors import InputError, VerifierUnavailable
from core.models import Label
from core.settings import Settings, data_path
from core.store.records import ClaimFilter


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[Desk]:
    """A desk on an empty store."""
    desk = Desk.open(Settings(store=tmp_path / "desk.duckdb"))
    yield desk
    desk.close()


def test_the_sample_is_judged_under_two_protocols(desk: Desk) -> None:
    """Every answer is there once, every claim twice judged, under two names."""
    reports = desk.load_sample()
    protocols = desk.store.protocols()
    summary = desk.store.summary()

    assert [report.bad_lines for report in reports] == [(), ()]
    assert summary.requests == 30
    assert len({info.name for info in protocols}) == 2
    assert {info.claims for info in protocols} == {summary.claims}


def test_the_sample_shows_every_label_by_hand(desk: Desk) -> None:
    """Our hand labels hold each of the nine, stored under a name of their own."""
    desk.load_sample()
    labels = [one.event for one in desk.store.labels.current()]

    assert {event.label for event in labels} == set(Label)
    assert {event.labeller for event in labels} == {sample.LABELLER}
    gold = data_path("samples", "gold.jsonl").read_text("utf-8").splitlines()
    assert len(labels) == len(gold)


def test_loading_the_sample_twice_adds_nothing(desk: Desk) -> None:
    """Answers, verdicts and hand labels are known the second time."""
    desk.load_sample()
    before = desk.store.summary()
    again = desk.load_sample()
    after = desk.store.summary()

    assert [(one.answers_new, one.claims_new, one.verdicts_new) for one in again] == [(0, 0, 0), (0, 0, 0)]
    assert (after.requests, after.claims, after.label_events) == (before.requests, before.claims, before.label_events)


def test_broken_lines_are_reported_and_the_rest_goes_in(desk: Desk) -> None:
    """The counts add up: eight lines, each taken or refused."""
    report = desk.import_file(data_path("samples", "broken.jsonl"))

    assert [bad.line for bad in report.bad_lines] == [2, 3, 4, 7]
    assert report.answers_read == 4
    assert report.answers_new + len(report.bad_lines) == 8


def test_judging_again_leaves_old_verdicts_alone(desk: Desk) -> None:
    """Another threshold is another protocol; the rows of the first stay byte by byte."""
    desk.import_file(sample.answers_path())
    (first,) = desk.store.protocols()
    before = [row.model_dump_json() for row in desk.store.rows(ClaimFilter(protocol=first.name))]
    report = desk.verify_stored(desk.settings.model_copy(update={"thresholds": {"supported": 0.95}}))

    assert report.answers_new == 0
    assert report.verdicts_new == len(before)
    assert [row.model_dump_json() for row in desk.store.rows(ClaimFilter(protocol=first.name))] == before


def test_an_unknown_verifier_stores_nothing(desk: Desk) -> None:
    """The desk refuses before it reads."""
    desk.settings = desk.settings.model_copy(update={"verifier": "oracle"})
    with pytest.raises(VerifierUnavailable, match="oracle"):
        desk.import_file(sample.answers_path())

    assert desk.store.summary().requests == 0


def test_one_protocol_is_chosen_never_mixed(desk: Desk) -> None:
    """None in the store, several, or an unknown one: a sentence that says what to do."""
    with pytest.raises(InputError, match="import answers first"):
        desk.one_protocol(None)
    desk.load_sample()
    names = [info.name for info in desk.store.protocols()]

    with pytest.raises(InputError, match="Several protocols"):
        desk.one_protocol(None)
    with pytest.raises(InputError, match="No protocol 'nli@1'"):
        desk.one_protocol("nli@1")
    assert desk.one_protocol(names[1]) == names[1]


def test_a_trend_point_opens_exactly_its_claims(desk: Desk) -> None:
    """The unsupported count of every point equals the review list under the same filter."""
    desk.load_sample()
    names = [info.name for info in desk.store.protocols()]
    points = desk.trend(names, "week", "Europe/Berlin")

    assert {point.row.protocol for point in points} == set(names)
    assert len({point.row.bucket for point in points if point.row.bucket}) >= 10
    for point in points:
        row = point.row
        window = (row.start, row.end) if row.start and row.end else None
        wanted = ClaimFilter(
            protocol=row.protocol, bucket=window, undated=window is None, attempted_only=True, unsupported="strict"
        )
        assert desk.store.claim_page(wanted, 1000, 0).total == row.unsupported_strict
        assert point.rate.judged == row.attempted - row.inaccessible - row.unjudged


def test_the_later_release_of_the_sample_is_better(desk: Desk) -> None:
    """The sample has a story: fewer unsupported claims after the release, by each judge."""
    desk.load_sample()
    for info in desk.store.protocols():
        rates = {}
        for release in ("release-2026.8", "release-2026.10"):
            points = desk.trend([info.name], "month", "UTC", generator=release)
            rates[release] = sum(p.row.unsupported_strict for p in points) / sum(p.rate.judged for p in points)
        assert rates["release-2026.10"] < rates["release-2026.8"]


def test_every_sample_outcome_is_shown(desk: Desk) -> None:
    """Structure and resolution go wrong in every way there is."""
    desk.load_sample()
    name = desk.store.protocols()[0].name
    rows = list(desk.store.rows(ClaimFilter(protocol=name)))

    assert {row.structural for row in rows} == {"ok", "uncited", "malformed", "leaked_marker"}
    assert {row.resolve for row in rows} >= set(
        ["ok", "not_in_registry", "not_retrieved", "not_in_context", "inactive", "duplicate_id", "inaccessible"]
    )
    assert {row.quote for row in rows} == {"verbatim", "near_miss", "not_found", "not_given"}
    assert json.loads(rows[0].model_dump_json())["protocol"] == name
