"""Days of a zone as stretches of UTC."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core import calendar_days
from core.calendar_days import Bucket, counts, window, zone
from core.errors import InputError

ZONES = ["UTC", "Asia/Kolkata", "America/New_York", "Asia/Kathmandu", "Australia/Lord_Howe", "Pacific/Apia"]


def _utc(text: str) -> datetime:
    return datetime.fromisoformat(text)


@pytest.mark.parametrize(
    ("name", "first", "last", "start", "end"),
    [
        ("Asia/Kolkata", "2026-03-10", "2026-03-12", "2026-03-09T18:30Z", "2026-03-12T18:30Z"),
        ("America/New_York", "2026-03-08", "2026-03-08", "2026-03-08T05:00Z", "2026-03-09T04:00Z"),
        ("Europe/Berlin", "2026-10-25", "2026-10-25", "2026-10-24T22:00Z", "2026-10-25T23:00Z"),
        ("Asia/Kathmandu", "2026-01-01", "2026-01-01", "2025-12-31T18:15Z", "2026-01-01T18:15Z"),
        ("Asia/Beirut", "2024-03-31", "2024-03-31", "2024-03-30T22:00Z", "2024-03-31T21:00Z"),
        ("America/Havana", "2025-11-02", "2025-11-02", "2025-11-02T04:00Z", "2025-11-03T05:00Z"),
    ],
)
def test_windows(name: str, first: str, last: str, start: str, end: str) -> None:
    """Half-hour and quarter zones; days of 23 and 25 hours; midnight that clocks skip, or pass twice."""
    found = window(date.fromisoformat(first), date.fromisoformat(last), zone(name))

    assert found == (_utc(start), _utc(end))
    assert found.start in found
    assert found.end not in found


def test_weeks_and_months() -> None:
    """Weeks begin on Monday; empty buckets are absent, not zero; late evening belongs to the zone's day."""
    moments = [_utc("2026-03-01T12:00Z"), _utc("2026-03-02T03:00Z"), _utc("2026-04-01T03:00Z")]
    new_york = zone("America/New_York")

    assert counts(moments, new_york, "week") == {date(2026, 2, 23): 2, date(2026, 3, 30): 1}
    assert counts(moments, new_york, "month") == {date(2026, 3, 1): 3}
    assert counts(moments, zone("UTC"), "month") == {date(2026, 3, 1): 2, date(2026, 4, 1): 1}


def test_the_calendar_ends_where_it_does() -> None:
    """Its first and last day are days of every zone; a half-open filter may reach from end to end."""
    for name in ZONES:
        found = window(date.min, date.max, zone(name))
        assert found == (_utc("0001-01-01T00:00Z"), datetime.max.replace(tzinfo=UTC))


def test_bad_input_is_refused() -> None:
    """A zone that is none, days in the wrong order, a moment of nowhere."""
    for name in ("Mars/Olympus", "/etc/passwd", "America"):
        with pytest.raises(InputError, match="time zone"):
            zone(name)
    with pytest.raises(InputError, match="before"):
        window(date(2026, 1, 2), date(2026, 1, 1), zone("UTC"))
    with pytest.raises(ValueError, match="zone"):
        counts([datetime(2026, 1, 1)], zone("UTC"))  # noqa: DTZ001 # what is refused


@given(
    st.integers(631_152_000, 2_051_222_400).map(lambda seconds: datetime.fromtimestamp(seconds, UTC)),
    st.sampled_from(ZONES),
    st.sampled_from(["day", "week", "month"]),
)
def test_a_bucket_is_the_window_of_its_days(moment: datetime, name: str, bucket: Bucket) -> None:
    """A filter over the days of a bucket finds what the bucket counts, whatever the zone does with its clocks."""
    of = zone(name)
    ((first, count),) = counts([moment], of, bucket).items()
    last = first
    while calendar_days.first_day(last + timedelta(days=1), bucket) == first:
        last += timedelta(days=1)

    assert count == 1
    assert moment in window(first, last, of)
