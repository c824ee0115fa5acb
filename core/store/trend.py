"""Counts over time: what a rate is made of, per protocol and bucket of ``asked_at``."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, date, datetime, time
from typing import Any
from zoneinfo import ZoneInfo

from core.errors import InputError
from core.store.connection import Session
from core.store.records import TrendRow
from core.store.review import GENERATOR

BUCKETS = ("day", "week", "month")

_COUNTS = """
  count(*) filter (v.attempted),
  count(*) filter (v.attempted and v.label is not null and v.label <> 'inaccessible'),
  count(*) filter (v.attempted and v.label = 'inaccessible'),
  count(*) filter (v.attempted and v.label is null),
  count(*) filter (v.unsupported_strict),
  count(*) filter (v.unsupported_lenient),
  count(*) filter (v.attempted and v.label = 'secondary_only'),
  count(distinct c.request_no)
"""
_FROM = "from current_verdicts v join claims c using (claim_no) join requests r using (request_no)"
_WHERE = f"where v.protocol_no = (select protocol_no from protocols where name = ?) and (? is null or {GENERATOR} = ?)"


def rows(
    session: Session, protocols: Sequence[str], bucket: str, time_zone: str, generator: str | None
) -> list[TrendRow]:
    """Count each protocol's claims by bucket, in time order, its undated answers last.

    Buckets are stretches between two midnights of the zone, told in UTC, so that a filter with the same two moments
    finds the same claims, also where clocks change.

    Raises:
        InputError: The bucket or the time zone does not exist.
    """
    if bucket not in BUCKETS:
        raise InputError(f"There is no bucket {bucket!r}", f"choose one of: {', '.join(BUCKETS)}")
    borders = _borders(session, bucket, _zone(time_zone))
    starts = list(borders)
    found: list[TrendRow] = []
    for protocol in dict.fromkeys(protocols):
        params = [protocol, generator, generator]
        counted = session.all(
            f"select b.start, {_COUNTS} {_FROM} asof join (select unnest(?::timestamptz[]) as start) b "
            f"on r.asked_at >= b.start {_WHERE} group by 1 order by 1",
            [starts, *params],
        )
        undated = session.all(f"select null, {_COUNTS} {_FROM} {_WHERE} and r.asked_at is null", params)
        found += [_row(protocol, borders, row) for row in [*counted, *undated] if row[-1]]
    return found


def _row(protocol: str, borders: dict[datetime, tuple[str, datetime]], row: Sequence[Any]) -> TrendRow:
    start, attempted, judged, inaccessible, unjudged, strict, lenient, secondary, requests = row
    start = start and start.astimezone(UTC)
    name, end = borders[start] if start else (None, None)
    return TrendRow(
        protocol=protocol,
        bucket=name,
        start=start,
        end=end,
        attempted=attempted,
        judged=judged,
        inaccessible=inaccessible,
        unjudged=unjudged,
        unsupported_strict=strict,
        unsupported_lenient=lenient,
        secondary_only=secondary,
        requests=requests,
    )


def _borders(session: Session, bucket: str, zone: ZoneInfo) -> dict[datetime, tuple[str, datetime]]:
    """Every bucket that a stored answer may fall into: its first moment → its first day and its end."""
    days = session.all("select distinct asked_at::date from standing_requests where asked_at is not null")
    # A UTC day touches at most three days of a zone.
    near = {_first_day(_shift(day, by), bucket) for (day,) in days for by in (-1, 0, 1)}
    return {
        _midnight(first, zone): (first.isoformat(), _midnight(_next_day(first, bucket), zone)) for first in sorted(near)
    }


def _first_day(day: date, bucket: str) -> date:
    if bucket == "month":
        return day.replace(day=1)
    return _shift(day, -day.weekday()) if bucket == "week" else day


def _next_day(first: date, bucket: str) -> date | None:
    """The first day of the next bucket; none at the end of the calendar."""
    days = {"day": 1, "week": 7, "month": 31}[bucket]
    if first.toordinal() + days > date.max.toordinal():
        return None
    return _first_day(_shift(first, days), bucket)


def _shift(day: date, by: int) -> date:
    """Move a day within the years that a date can hold."""
    return date.fromordinal(min(max(day.toordinal() + by, date.min.toordinal()), date.max.toordinal()))


def _midnight(day: date | None, zone: ZoneInfo) -> datetime:
    """The first moment of a day in a zone; where clocks skip midnight, the moment of the skip.

    The first day of the calendar begins where it does, and after the last one comes the last moment there is.
    """
    if day is None or day == date.min:
        return datetime.max.replace(tzinfo=UTC) if day is None else datetime.min.replace(tzinfo=UTC)
    return datetime.combine(day, time.min, zone).astimezone(UTC)


def _zone(name: str) -> ZoneInfo:
    try:
        return ZoneInfo(name)
    except (ValueError, OSError, LookupError) as error:  # an absolute path, a directory of zones, an unknown name
        raise InputError(f"There is no time zone {name!r}", "use an IANA name such as Europe/Berlin") from error
