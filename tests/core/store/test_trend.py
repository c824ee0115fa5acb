"""Counts over time: right buckets in any zone, and the same claims behind every point."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from core.errors import InputError
from core.metrics.clustered_share import Spread
from core.models import Label, QuoteState
from core.store import Store
from core.store.queries import FailedQuestion, QueryRow
from core.store.records import ClaimFilter, Split, TrendRow
from tests.core.store import build

NAME, OTHER = str(build.PROTOCOL), str(build.protocol(0.9))
ZONES = ["UTC", "Europe/Berlin", "America/St_Johns", "Asia/Kathmandu", "Pacific/Apia", "Africa/Cairo"]


def at(text: str) -> datetime:
    """A moment in UTC."""
    return datetime.fromisoformat(text).replace(tzinfo=UTC)


def asked(store: Store, *moments: str) -> None:
    """Record one contradicted claim per moment."""
    ones = [build.answer(f"r{n}", asked_at=at(moment)) for n, moment in enumerate(moments)]
    store.record(build.batch(*(build.checked(one, [Label.CONTRADICTED]) for one in ones)))


def buckets(rows: list[TrendRow]) -> list[tuple[str | None, int]]:
    """First day and number of claims."""
    return [(row.bucket, row.attempted) for row in rows]


def test_every_count_by_hand(store: Store) -> None:
    """Eleven claims of two answers, one of them not attempted, counted by DESIGN §2."""
    labels = [*Label, None, Label.SUPPORTED]
    claims = [build.claim(n) for n in range(1, 11)] + [build.claim(11, material=False, cites=())]
    one = build.checked(build.answer("r1"), labels, claims)
    lost = build.checked(build.answer("r2"), [Label.SUPPORTED], quote=QuoteState.NOT_FOUND)
    store.record(build.batch(one, lost))

    assert store.trend([NAME], "month", "UTC") == [
        TrendRow(
            protocol=NAME,
            bucket="2026-11-01",
            start=at("2026-11-01"),
            end=at("2026-12-01"),
            attempted=11,
            judged=9,
            inaccessible=1,
            unjudged=1,
            unsupported_strict=7,
            unsupported_lenient=6,
            secondary_only=1,
            requests=2,
            spread_strict=Spread(clusters=2, pairs_squared=65, hits_pairs=49, hits_squared=37),
            spread_lenient=Spread(clusters=2, pairs_squared=65, hits_pairs=41, hits_squared=26),
        )
    ]


def test_weeks_begin_on_monday_at_midnight_of_the_zone(store: Store) -> None:
    """Sunday 23:30 and Monday 00:30 in Berlin are an hour and a week apart, on both sides of the change of clocks."""
    asked(store, "2026-10-18T21:30", "2026-10-18T22:30", "2026-10-25T22:30", "2026-10-25T23:30")

    rows = store.trend([NAME], "week", "Europe/Berlin")

    assert buckets(rows) == [("2026-10-12", 1), ("2026-10-19", 2), ("2026-10-26", 1)]
    assert (rows[1].start, rows[1].end) == (at("2026-10-18T22:00"), at("2026-10-25T23:00"))
    assert buckets(store.trend([NAME], "week", "UTC")) == [("2026-10-12", 2), ("2026-10-19", 2)]


def test_days_and_months(store: Store) -> None:
    """A moment belongs to the day and month of the zone, not of UTC."""
    asked(store, "2026-12-31T18:20", "2026-12-31T18:10")

    assert buckets(store.trend([NAME], "day", "Asia/Kathmandu")) == [("2026-12-31", 1), ("2027-01-01", 1)]
    assert buckets(store.trend([NAME], "month", "Asia/Kathmandu")) == [("2026-12-01", 1), ("2027-01-01", 1)]
    assert buckets(store.trend([NAME], "month", "UTC")) == [("2026-12-01", 2)]


def test_midnights_that_do_not_exist(store: Store) -> None:
    """Where clocks skip midnight the day begins at the skip; where a day was skipped it has no bucket."""
    asked(store, "2024-04-25T21:59", "2024-04-25T22:00", "2011-12-30T09:59", "2011-12-30T10:00")

    cairo = store.trend([NAME], "day", "Africa/Cairo")
    apia = store.trend([NAME], "day", "Pacific/Apia")

    assert buckets(cairo)[-2:] == [("2024-04-25", 1), ("2024-04-26", 1)]
    assert cairo[-1].start == at("2024-04-25T22:00")
    assert buckets(apia)[:2] == [("2011-12-29", 1), ("2011-12-31", 1)]


def test_undated_stand_apart_and_last(store: Store) -> None:
    """Undated answers have a row of their own without bucket, start and end; protocols are never joined."""
    dated, undated = build.answer("r1"), build.answer("r2", asked_at=None)
    store.record(build.batch(build.checked(dated, [Label.SUPPORTED]), build.checked(undated, [None, Label.PARTIAL])))
    store.record(build.batch(build.checked(dated, [Label.PARTIAL]), under=build.protocol(0.9)))

    rows = store.trend([OTHER, NAME, OTHER, "lexical@1+00000000"], "day", "UTC")

    assert [(row.protocol, row.bucket, row.attempted, row.unsupported_strict) for row in rows] == [
        (OTHER, "2026-11-02", 1, 1),
        (NAME, "2026-11-02", 1, 0),
        (NAME, None, 2, 1),
    ]
    assert (rows[2].start, rows[2].end, rows[2].unjudged) == (None, None, 1)


def test_one_generator(store: Store) -> None:
    """A generator goes by its model, or by its name when it has none."""
    ones = [
        build.answer("r1", generator={"name": "desk", "model": "m-1"}),
        build.answer("r2", generator={"name": "desk"}),
        build.answer("r3", generator={"name": "desk"}, asked_at=None),
    ]
    store.record(build.batch(*(build.checked(one, [Label.SUPPORTED]) for one in ones)))

    assert buckets(store.trend([NAME], "month", "UTC", "m-1")) == [("2026-11-01", 1)]
    assert buckets(store.trend([NAME], "month", "UTC", "desk")) == [("2026-11-01", 1), (None, 1)]
    assert store.trend([NAME], "month", "UTC", "nobody") == []


def test_the_first_and_last_years(store: Store) -> None:
    """Moments at the ends of the calendar are counted, not an error."""
    asked(store, "0001-01-01T00:00", "9999-12-31T23:00")

    for zone in ("UTC", "Asia/Kathmandu", "America/St_Johns"):
        assert sum(row.attempted for row in store.trend([NAME], "week", zone)) == 2


@pytest.mark.parametrize(
    ("bucket", "zone", "says"),
    [
        ("year", "UTC", "no bucket 'year'"),
        ("day", "Mars/Base", "no time zone 'Mars/Base'"),
        ("day", "", "no time zone"),
        ("day", "../../etc/passwd", "no time zone"),
        ("day", "Europe", "no time zone"),
    ],
)
def test_unknown_words(store: Store, bucket: str, zone: str, says: str) -> None:
    """A bucket or zone that does not exist is one sentence."""
    with pytest.raises(InputError, match=says):
        store.trend([NAME], bucket, zone)


@pytest.mark.parametrize("bucket", ["day", "week", "month"])
@pytest.mark.parametrize("zone", ZONES)
def test_every_point_opens_its_claims(shared: Store, bucket: str, zone: str) -> None:
    """A filter with a point's two moments shows exactly the claims that the point counted."""
    rows = shared.trend([NAME, OTHER], bucket, zone)

    for name in (NAME, OTHER):
        everything = shared.claim_page(ClaimFilter(protocol=name, attempted_only=True)).total
        assert sum(row.attempted for row in rows if row.protocol == name) == everything
    for row in rows[:: 1 + len(rows) // 12]:
        place = {"bucket": (row.start, row.end)} if row.start else {"undated": True}
        wanted = ClaimFilter.model_validate({"protocol": row.protocol, "attempted_only": True, **place})
        strict = wanted.model_copy(update={"unsupported": "strict"})
        lenient = wanted.model_copy(update={"unsupported": "lenient"})
        found = [shared.claim_page(one, limit=0).total for one in (wanted, strict, lenient)]
        assert found == [row.attempted, row.unsupported_strict, row.unsupported_lenient]
        assert row.attempted == row.judged + row.inaccessible + row.unjudged


def test_what_was_withdrawn_or_replaced_is_not_counted(store: Store) -> None:
    """A claim that is judged again counts once, with its last label."""
    one = build.answer("r1")
    store.record(build.batch(build.checked(one, [Label.CONTRADICTED])))
    store.record(build.batch(build.checked(one, [Label.SUPPORTED])))

    (row,) = store.trend([NAME], "month", "UTC")

    assert (row.attempted, row.unsupported_strict, row.requests) == (1, 0, 1)


@pytest.mark.parametrize("split", list(Split))
def test_groups_hold_every_claim_that_has_one(shared: Store, split: Split) -> None:
    """The groups of a split add up to the whole, but for flags, of which a claim has none or several."""
    whole = sum(row.attempted for row in shared.trend([NAME, OTHER], "week", "Europe/Berlin"))
    rows = shared.trends.rows([NAME, OTHER], "week", "Europe/Berlin", split=split)
    sizes = [sum(row.attempted for row in rows if row.group == group) for group in dict.fromkeys(r.group for r in rows)]

    assert sizes == sorted(sizes, reverse=True)
    if split is Split.FLAG:
        page = shared.claim_page(ClaimFilter(protocol=NAME, attempted_only=True))
        of_one = shared.trends.rows([NAME], "week", "Europe/Berlin", split=split)
        found = {flag: sum(row.attempted for row in of_one if row.group == flag) for flag in page.flag_counts}
        assert found == page.flag_counts
    else:
        assert sum(sizes) == whole


def test_questions_by_hand(store: Store) -> None:
    """Of three served ones the cost of two is known; an abstention costs no served answer; weeks are of the zone."""
    asked = [("2026-11-02T08:00", 1.0, 0.02, True), ("2026-11-03T08:00", 3.0, None, True)]
    asked += [("2026-11-04T08:00", 2.0, 0.04, True), ("2026-11-05T08:00", 9.0, 0.5, False)]
    asked += [("2026-11-08T23:30", 5.0, None, True)]
    for number, (moment, seconds, cost, served) in enumerate(asked):
        store.queries.add(query(f"q-{number}", at(moment), seconds, cost, served))

    first, second = store.trends.queries("week", "Europe/Berlin")

    assert (first.bucket, first.generator, first.asked, first.served, first.unknown) == ("2026-11-02", "m-1", 4, 3, 1)
    assert [first.median_s, first.p95_s] == pytest.approx([2.5, 8.1])
    assert first.per_served == pytest.approx(0.03)
    assert (second.bucket, second.per_served, second.unknown) == ("2026-11-09", None, 1)
    assert store.trends.corpora() == ["rules"]
    assert len(store.trends.queries("week", "UTC")) == 1


def test_questions_without_an_answer_are_timed_apart(store: Store) -> None:
    """They move neither the seconds nor the count of those that got one, and stand alone where there was none."""
    store.queries.add(query("q-1", at("2026-11-02T08:00"), 1.0, 0.02, True))
    for number, (moment, seconds) in enumerate([("2026-11-02", 8.0), ("2026-11-03", 10.0), ("2026-11-10", 4.0)]):
        done = query(f"q-f{number}", at(moment), seconds, None, False)
        values = {name: getattr(done, name) for name in FailedQuestion.model_fields if name != "status"}
        store.queries.add_failed(FailedQuestion(**values | {"outcome": "blocked", "status": 422}))

    first, second = store.trends.queries("week", "UTC")

    assert (first.asked, first.served, first.median_s, first.per_served) == (1, 1, 1.0, 0.02)
    assert (first.failed, first.failed_median_s) == (2, 9.0)
    assert first.failed_p95_s == pytest.approx(9.9)
    assert (second.asked, second.median_s, second.p95_s, second.failed, second.failed_median_s) == (0, None, None, 1, 4)


def query(request_id: str, asked_at: datetime, seconds: float, cost: float | None, served: bool) -> QueryRow:
    """A question to the corpus "rules"."""
    return QueryRow(
        request_id=request_id,
        request_uid=request_id,
        asked_at=asked_at,
        principal="ann",
        corpus="rules",
        query="What?",
        outcome="answered" if served else "abstained_by_model",
        served=served,
        gate="quotes",
        generator="desk",
        model="m-1",
        protocol=NAME,
        registry_sha256="0" * 64,
        claims=1,
        attempts=1,
        first_event_s=None,
        first_content_s=None,
        validation_s=0.1,
        total_s=seconds,
        calls=1,
        input_tokens=1,
        output_tokens=1,
        cache_read_tokens=0,
        cache_write_tokens=0,
        cost=cost,
    )
