"""Rates in words: exact counts, whole per cent, and no number where nothing was judged."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from core.metrics.clustered_share import Spread
from core.metrics.unsupported_rate import report
from core.protocol import ClaimProtocol, VerifierProtocol
from core.store.records import ClaimFilter, TrendRow
from core.trends import TrendPoint
from dashboard.widgets import rates

MONDAY = datetime(2026, 11, 16, tzinfo=UTC)


def point(
    unsupported: int, judged: int, inaccessible: int = 0, unjudged: int = 0, start: datetime | None = MONDAY
) -> TrendPoint:
    """A week of one judge; every claim is an answer of its own."""
    alone = Spread.of([(at < unsupported, 1) for at in range(judged)])
    attempted = judged + inaccessible + unjudged
    row = TrendRow(
        protocol="lexical@1+3f2a9c10",
        bucket=start and start.date().isoformat(),
        start=start,
        end=start and start + timedelta(days=7),
        attempted=attempted,
        judged=judged,
        inaccessible=inaccessible,
        unjudged=unjudged,
        unsupported_strict=unsupported,
        unsupported_lenient=unsupported,
        secondary_only=0,
        requests=judged,
        spread_strict=alone,
        spread_lenient=alone,
    )
    rate = report(attempted, inaccessible, unjudged, unsupported)
    return TrendPoint(row=row, rate=rate, wanted=ClaimFilter(protocol=row.protocol))


def test_a_point_is_said_in_one_sentence() -> None:
    """74 of 412 are 18 %; the Wilson interval at 95 % runs from 14.6 to 22.0."""
    assert rates.sentence(point(74, 412, 11, 7), "UTC") == (
        "lexical@1+3f2a9c10: between 15 and 22 of 100 claims are unsupported, 412 of 430 judged, "
        "in the week of 16 November 2026."
    )


def test_a_point_is_said_in_lines_too() -> None:
    """2 of 8 judged and 2 excluded: between 2 and 4 of 10."""
    assert rates.lines(point(2, 8, 1, 1), "UTC") == [
        "the week of 16 November 2026",
        "lexical@1+3f2a9c10",
        "25 % (7–59) unsupported",
        "8 of 10 judged",
        "20–40 % whatever the 2 excluded are",
    ]
    assert rates.lines(point(0, 0), "UTC")[2:] == ["nothing judged", "0 of 0 judged"]


def test_nothing_judged_is_a_sentence_and_never_a_rate() -> None:
    """No 0 % stands where there is no share."""
    silent = rates.sentence(point(0, 0, 3, 2), "UTC")
    assert silent == ("lexical@1+3f2a9c10: no claim was judged in the week of 16 November 2026; all 5 were excluded.")
    assert "there was none that counts" in rates.sentence(point(0, 0), "UTC")
    assert rates.share(point(0, 0).rate) == "nothing judged"


def test_undated_answers_are_named_as_such() -> None:
    """They belong to no week."""
    assert rates.sentence(point(1, 2, start=None), "UTC").endswith("in answers without a date.")


@pytest.mark.parametrize(
    ("share", "words"),
    [(0.0, "0 %"), (0.004, "under 1 %"), (0.006, "1 %"), (0.18, "18 %"), (0.996, "over 99 %"), (1.0, "100 %")],
)
def test_percent(share: float, words: str) -> None:
    """What is not nothing is not printed as 0 %, and what is not all not as 100 %."""
    assert rates.percent(share) == words


def test_bounds_say_what_the_excluded_could_change() -> None:
    """2 of 8 judged and 2 excluded: between 2 and 4 of 10."""
    assert rates.bounds(point(2, 8, 1, 1).rate) == "20–40 %"
    assert rates.bounds(point(2, 8).rate) == ""


@pytest.mark.parametrize(
    ("start", "end", "zone", "words"),
    [
        ("2026-11-16T00:00+00:00", "2026-11-17T00:00+00:00", "UTC", "16 November 2026"),
        ("2026-11-15T23:00+00:00", "2026-11-22T23:00+00:00", "Europe/Berlin", "the week of 16 November 2026"),
        ("2026-02-01T00:00+00:00", "2026-03-01T00:00+00:00", "UTC", "February 2026"),
        ("2026-10-24T22:00+00:00", "2026-10-25T23:00+00:00", "Europe/Berlin", "25 October 2026"),
        ("2026-11-16T00:00+00:00", "2026-11-19T00:00+00:00", "UTC", "16 November to 18 November 2026"),
    ],
)
def test_stretches_of_time(start: str, end: str, zone: str, words: str) -> None:
    """Days are those of the time zone, also a day of 25 hours."""
    assert rates.bucket_words(datetime.fromisoformat(start), datetime.fromisoformat(end), zone) == words


def test_the_table_has_a_line_a_point() -> None:
    """Counts are counts; the excluded are split by why."""
    table = rates.table([point(2, 8, 1, 1), point(0, 0, 3)], "UTC")

    assert list(table["Judged"]) == [8, 0]
    assert list(table["Unsupported"]) == ["25 % (7–59)", "nothing judged"]
    assert list(table["Source closed"]) == [1, 3]
    assert list(table["No verdict"]) == [1, 0]
    assert list(table["If all excluded were fine or bad"]) == ["20–40 %", "0–100 %"]


def test_what_was_not_judged_is_a_share_with_its_reasons() -> None:
    """16 of 519 are 3 %; what has no reason on record is said to have none."""
    assert rates.not_judged(519, 11, 5, {"overloaded": 3}) == (
        "Not judged: 16 of 519 claims (3 %): 11 because the source is closed, 3 because the model was overloaded, "
        "2 without a reason on record."
    )
    assert rates.not_judged(9, 0, 0, {}) == "None of the 9 claims that count was left without a verdict."
    assert rates.not_judged(0, 0, 0, {}) == ""


def test_judges_are_described_once_a_verifier() -> None:
    """Each protocol says what its labels need."""

    def protocol(threshold: float) -> ClaimProtocol:
        verifier = VerifierProtocol(verifier="cosine", version=1, thresholds={"supported": threshold}, windowing="w")
        return ClaimProtocol(verifier=verifier, splitter="s@1", materiality="m@1")

    one, other = protocol(0.5), protocol(0.75)
    assert rates.judges([one, other]) == [
        "cosine is a baseline on this machine that compares subjects; it overlooks negations and other values. "
        f"{one}: supported from 0.5; {other}: supported from 0.75."
    ]
