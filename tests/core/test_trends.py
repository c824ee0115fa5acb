"""Rates over time: each point's own claims and no others, whatever they are told apart by; corrected where gold is."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

import pytest

from core import trends
from core.metrics import clustered_share
from core.metrics.unsupported_rate import Strictness, counts
from core.models import Label
from core.rates_corrected import corrected
from core.store import Store, open_store
from core.store.records import ClaimFilter, Split
from tests.core.gold_store import C, Case, S, made
from tests.core.store import build
from tests.core.store.test_trend import query

NAME, OTHER = str(build.PROTOCOL), str(build.protocol(0.9))
LABELS: list[list[Label | None]] = [
    [Label.SUPPORTED, Label.CONTRADICTED, Label.PARTIAL],
    [Label.SUPPORTED, None, Label.INACCESSIBLE],
    [Label.SUPPORTED, Label.SUPPORTED, Label.PARTIAL],
]


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Store]:
    """Three answers in two weeks and one without a date, by two generators and none, one of them asked here."""
    generators: list[dict[str, str]] = [{"name": "desk", "model": "m-1"}, {"name": "desk"}, {}]
    flags = [("number",), ("number", "date"), ()]
    answers = []
    for number, (labels, generator) in enumerate(zip(LABELS, generators, strict=True)):
        asked = build.STARTED + timedelta(days=7 * number) if number < 2 else None
        about = [build.claim(at, flags=own) for at, own in enumerate(flags, 1)]
        answers.append(build.checked(build.answer(f"r{number}", asked_at=asked, generator=generator), labels, about))
    with open_store(tmp_path_factory.mktemp("trends") / "desk.duckdb") as opened:
        opened.record(build.batch(*answers))
        opened.record(build.batch(answers[0], under=build.protocol(0.9)))
        asked_here = query("q-1", build.STARTED, 2.0, None, True)
        opened.queries.add(asked_here.model_copy(update={"request_uid": answers[0].answer.uid}))
        yield opened


def test_a_rate_by_hand(store: Store) -> None:
    """Two of three, then none of the one that was judged, then the undated; the other judge apart."""
    found = trends.points(store, [NAME, OTHER], "week", "UTC")

    assert [(one.row.protocol, one.row.bucket, one.rate.judged, one.rate.estimate.estimate) for one in found] == [
        (NAME, "2026-11-02", 3, 2 / 3),
        (NAME, "2026-11-09", 1, 0.0),
        (NAME, None, 3, 1 / 3),
        (OTHER, "2026-11-02", 3, 2 / 3),
    ]
    lenient = trends.points(store, [NAME], "week", "UTC", "lenient")
    assert [one.rate.estimate.estimate for one in lenient] == [1 / 3, 0.0, 0.0]


@pytest.mark.parametrize("split", [None, *Split])
@pytest.mark.parametrize("strictness", ["strict", "lenient"])
def test_every_point_opens_as_many_claims_as_it_counts(store: Store, split: Split | None, strictness: str) -> None:
    """The drilled count is the clicked number, and the unsupported among them are those of the rate."""
    found = trends.points(store, [NAME, OTHER], "week", "Asia/Tokyo", strictness, split=split)

    assert found
    for one in found:
        assert store.claim_page(one.wanted).total == one.row.attempted
        unsupported = one.wanted.model_copy(update={"unsupported": strictness})
        if split is not Split.LABEL and one.rate.estimate.estimate is not None:
            share = store.claim_page(unsupported).total / one.rate.judged
            assert one.rate.estimate.estimate == share


@pytest.mark.parametrize("split", [None, *Split])
@pytest.mark.parametrize("strictness", ["strict", "lenient"])
def test_an_interval_is_by_answer(store: Store, split: Split | None, strictness: Strictness) -> None:
    """In one window of all answers each rate has the interval of its claims, those of one answer in one cluster."""
    found = trends.points(store, [NAME], "month", "UTC", strictness, split=split)
    for one in found:
        claims = list(store.rows(one.wanted))
        if split is Split.LABEL:
            whole = one.wanted.model_copy(update={"labels": ()})
            judged = [row for row in store.rows(whole) if row.label not in (None, Label.INACCESSIBLE)]
            hits = [(row.label == one.row.group, row.request_id) for row in judged]
        else:
            judged = [row for row in claims if row.label not in (None, Label.INACCESSIBLE)]
            hits = [(counts(row.label, row.quote, strictness), row.request_id) for row in judged]
        assert one.rate.estimate == clustered_share.interval(hits)
        assert "cluster" in one.rate.estimate.method or len({cluster for _, cluster in hits}) == len(hits)


def test_the_groups_of_every_split(store: Store) -> None:
    """By name, with the claims that count of one judge; what has no generator or corpus is a group, too."""
    groups = {}
    for split in Split:
        sizes: dict[str, int] = {}
        for one in trends.points(store, [NAME], "month", "UTC", split=split):
            sizes[one.row.group or ""] = sizes.get(one.row.group or "", 0) + one.row.attempted
        groups[split] = sizes

    assert groups[Split.GENERATOR] == {"m-1": 3, "desk": 3, "": 3}
    assert groups[Split.CORPUS] == {"": 6, "rules": 3}
    assert groups[Split.FLAG] == {"number": 6, "date": 3}
    assert groups[Split.SOURCE] == {"Gate rules": 9}
    assert groups[Split.LABEL] == {"supported": 4, "partial": 2, "contradicted": 1}


def test_the_share_of_a_label_is_of_everything_judged(store: Store) -> None:
    """One of three is contradicted; without a label and inaccessible are excluded, not labels of the judge."""
    found = trends.points(store, [NAME], "week", "UTC", split=Split.LABEL)
    shares = {(one.row.bucket, one.row.group): (one.rate.estimate.estimate, one.rate.excluded) for one in found}

    assert shares["2026-11-02", "contradicted"] == (1 / 3, 0)
    assert shares["2026-11-09", "supported"] == (1.0, 2)


def test_a_filter_narrows_every_point(store: Store) -> None:
    """Only dates; and the filter of the drill-down still says so."""
    wanted = ClaimFilter(protocol="", flags=("date",))
    found = trends.points(store, [NAME], "week", "UTC", wanted=wanted)

    assert [one.row.attempted for one in found] == [1, 1, 1]
    assert [store.claim_page(one.wanted).total for one in found] == [1, 1, 1]


def test_panels_are_the_largest_and_say_how_many_more(store: Store) -> None:
    """Of three labels two are drawn."""
    found = trends.panels(trends.points(store, [NAME], "week", "UTC", split=Split.LABEL), most=2)

    assert list(found.shown) == ["supported", "partial"]
    assert found.more == 1


def test_the_corrected_rate_is_the_one_of_that_window(tmp_path: Path) -> None:
    """The same as asking for the claims of the point itself, and as people labelled them: two of five."""
    with made(
        tmp_path / "desk.duckdb", [Case("supported", S)] * 3 + [Case("contradicted", S), Case("partial", C)]
    ) as one:
        points = trends.points(one, [NAME], "month", "UTC")
        (found,) = trends.corrected(one, points, "strict")

        assert found == corrected(one, NAME, points[0].wanted, "strict")
        assert found.corrected is not None
        assert found.corrected.estimate == pytest.approx(0.4)
    assert trends.corrected(one, [], "strict") == []
