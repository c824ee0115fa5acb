"""Days of a calendar in a time zone as stretches of UTC: windows of a filter, buckets of a chart.

A day lasts from its first moment to the first moment of the next, 23 to 25 hours where clocks change, and begins at a
quarter or half past a UTC hour in some zones. Moments are UTC inside and belong to a day only by the zone.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from datetime import UTC, date, datetime, time, timedelta
from typing import Literal, NamedTuple
from zoneinfo import ZoneInfo

from core.errors import InputError

Bucket = Literal["day", "week", "month"]


class Window(NamedTuple):
    """A half-open stretch of time, in UTC."""

    start: datetime
    end: datetime
    """The first moment that is no longer in it."""

    def __contains__(self, moment: object) -> bool:
        """Whether a moment with a zone lies in it."""
        return isinstance(moment, datetime) and self.start <= moment < self.end


def zone(name: str) -> ZoneInfo:
    """The zone of an IANA name.

    Raises:
        InputError: There is none of this name.
    """
    try:
        return ZoneInfo(name)
    except (ValueError, OSError, LookupError) as error:  # an absolute path, a directory of zones, an unknown name
        raise InputError(f"There is no time zone {name!r}", "use an IANA name such as Europe/Berlin") from error


def window(first: date, last: date, of: ZoneInfo) -> Window:
    """From the first moment of one day to the end of another, both whole.

    Raises:
        InputError: The last day is before the first.
    """
    if last < first:
        raise InputError(f"{last} is before {first}", "give the first day first; both days are included whole")
    return Window(midnight(first, of), midnight(last + timedelta(days=1) if last < date.max else None, of))


def midnight(day: date | None, of: ZoneInfo) -> datetime:
    """The first moment of a day, in UTC; where clocks skip midnight, the moment of the skip.

    The first day of the calendar begins where it does, and after the last one (none) comes the last moment there is.
    """
    if day is None or day == date.min:
        return datetime.max.replace(tzinfo=UTC) if day is None else datetime.min.replace(tzinfo=UTC)
    return datetime.combine(day, time.min, of).astimezone(UTC)


def first_day(day: date, bucket: Bucket) -> date:
    """The first day of the bucket that a day is in; weeks begin on Monday."""
    if bucket == "month":
        return day.replace(day=1)
    return day - timedelta(days=day.weekday()) if bucket == "week" else day


def next_first_day(first: date, bucket: Bucket) -> date | None:
    """The first day of the bucket after the one that begins on a day; none at the end of the calendar."""
    days = {"day": 1, "week": 7, "month": 31}[bucket]
    if first.toordinal() + days > date.max.toordinal():
        return None
    return first_day(first + timedelta(days=days), bucket)


def counts(moments: Iterable[datetime], of: ZoneInfo, bucket: Bucket = "day") -> dict[date, int]:
    """How many moments fall into each bucket, by its first day, in time order; empty buckets are absent.

    Raises:
        ValueError: A moment has no zone.
    """
    seen = list(moments)
    if any(moment.tzinfo is None for moment in seen):
        raise ValueError("a moment without a zone belongs to no day")
    found = Counter(first_day(moment.astimezone(of).date(), bucket) for moment in seen)
    return dict(sorted(found.items()))
