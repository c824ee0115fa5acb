"""Counts over time: what a rate is made of, per protocol and bucket of ``asked_at``; and how questions fared."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import UTC, date, datetime
from typing import Any, NamedTuple, cast
from zoneinfo import ZoneInfo

from core.calendar_days import Bucket, first_day, midnight, next_first_day, zone
from core.errors import InputError
from core.store import conditions, spread
from core.store.connection import Connection, Session
from core.store.records import ClaimFilter, QueryTrendRow, Split, TrendRow

BUCKETS = ("day", "week", "month")

_QUESTIONS = """
select asked_at, model, generator, served, total_s, cost, false as failed from query_log
union all
select asked_at, model, generator, false, total_s, cost, true from failed_questions
"""
_DONE = "not q.failed"
_CLAIM_GROUPS: Mapping[Split, str] = {
    Split.LABEL: f"coalesce(v.label, '{conditions.NO_LABEL}')",
    Split.SOURCE: "v.source",
    Split.FLAG: "v.flag",
}
_REQUEST_GROUPS: Mapping[Split, str] = {
    Split.GENERATOR: f"coalesce({conditions.GENERATOR}, '')",
    Split.CORPUS: "coalesce(q.corpus, '')",
}
_BY_FLAG = "(select *, unnest(flags) as flag from current_verdicts)"
_ASKED_HERE = "left join (select request_uid, min(corpus) as corpus from query_log group by 1) q using (request_uid)"


class _Border(NamedTuple):
    """Where a bucket that begins at a moment goes by its first day, and ends."""

    name: str
    end: datetime


class Trends:
    """The part of a store that trends are drawn from; see ``Store`` for what holds of all its methods."""

    def __init__(self, connection: Connection) -> None:
        """Read through this connection."""
        self._connection = connection

    def rows(
        self,
        protocols: Sequence[str],
        bucket: str,
        time_zone: str,
        wanted: ClaimFilter | None = None,
        split: Split | None = None,
    ) -> list[TrendRow]:
        """Count the claims of a filter by protocol, bucket and group, in time order, the undated ones last.

        Buckets are stretches between two midnights of the zone, told in UTC, so that a filter with the same two
        moments finds the same claims, also where clocks change. Those without claims are left out.

        Args:
            protocols: As printed; one that judged nothing gives no rows.
            bucket: ``day``, ``week`` (from Monday) or ``month``.
            time_zone: An IANA name.
            wanted: Which claims, for whose eyes; its own protocol is set aside.
            split: Count each group apart, the largest first.

        Raises:
            InputError: The bucket or the time zone does not exist.
        """
        of, names = _bucket(bucket), list(dict.fromkeys(protocols))
        with self._connection.read() as session:
            borders = _borders(session, "standing_requests", of, zone(time_zone))
            where, params = conditions.condition_under(session, names, wanted or ClaimFilter(protocol=""))
            found = session.all(_counts(where, split), [list(borders), *params])
        rows = [_row(borders, split, row) for row in found]
        sizes: dict[str | None, int] = {}
        for row in rows:
            sizes[row.group] = sizes.get(row.group, 0) + row.attempted
        last = datetime.max.replace(tzinfo=UTC)
        rows.sort(
            key=lambda row: (
                -sizes[row.group], row.group or "", names.index(row.protocol), row.start is None, row.start or last,
            )
        )  # fmt: skip
        return rows

    def corpora(self) -> list[str]:
        """The corpora that were asked and gave an answer, sorted."""
        with self._connection.read() as session:
            return [name for (name,) in session.all("select distinct corpus from query_log order by 1")]

    def queries(self, bucket: str, time_zone: str) -> list[QueryTrendRow]:
        """How long questions took and what they cost, by what wrote the answers, in time order; buckets as above.

        Questions without an answer are counted and timed apart.

        Raises:
            InputError: The bucket or the time zone does not exist.
        """
        with self._connection.read() as session:
            borders = _borders(session, f"({_QUESTIONS})", _bucket(bucket), zone(time_zone))
            found = session.all(
                "select coalesce(q.model, q.generator), b.start, "
                f"count(*) filter ({_DONE}), count(*) filter (q.served), "
                f"quantile_cont(q.total_s, 0.5) filter ({_DONE}), quantile_cont(q.total_s, 0.95) filter ({_DONE}), "
                "count(*) filter (q.failed), "
                "quantile_cont(q.total_s, 0.5) filter (q.failed), quantile_cont(q.total_s, 0.95) filter (q.failed), "
                "coalesce(sum(q.cost) filter (q.served), 0.0), count(*) filter (q.served and q.cost is null) "
                f"from ({_QUESTIONS}) q "
                "asof join (select unnest(?::timestamptz[]) as start) b on q.asked_at >= b.start "
                "group by 1, 2 order by 1, 2",
                [list(borders)],
            )
        names = list(QueryTrendRow.model_fields)
        rows = []
        for generator, start, *figures in found:
            at = start.astimezone(UTC)
            values = [generator, borders[at].name, at, borders[at].end, *figures]
            rows.append(QueryTrendRow(**dict(zip(names, values, strict=True))))
        return rows


def _counts(where: str, split: Split | None) -> str:
    """Counts per answer first, then per bucket: a date is looked up once an answer, and nothing is counted distinct."""
    verdicts = _BY_FLAG if split is Split.FLAG else "current_verdicts"
    of_claim = _CLAIM_GROUPS.get(split, "null") if split else "null"
    of_request = _REQUEST_GROUPS.get(split, "null") if split else "null"
    requests = "join requests r using (request_no)" if "r." in where else ""
    only, counted, sums = "", "answers", spread.sums("judged", "strict", "lenient")
    if split is Split.LABEL:  # a label's share is of all that was judged in its answers
        only, sums = " and v.attempted", spread.sums("whole", "judged", "judged")
        counted = "(select *, sum(judged) over (partition by protocol_no, request_no) as whole from answers)"
    return f"""
with dated as (
  select r.request_no, b.start, {of_request} as part
  from requests r {_ASKED_HERE if split is Split.CORPUS else ""}
  asof left join (select unnest(?::timestamptz[]) as start) b on r.asked_at >= b.start
), answers as (
  select v.protocol_no, c.request_no, {of_claim} as part,
    {spread.PER_ANSWER},
    count(*) filter (v.attempted and v.label = 'secondary_only') as secondary
  from {verdicts} v join claims c using (claim_no) {requests}
  where {where}{only}
  group by all
)
select p.name, coalesce(a.part, d.part), d.start, {spread.totals()}, sum(secondary)::bigint,
  count(*), {sums}
from {counted} a join dated d using (request_no) join protocols p using (protocol_no)
group by all
"""


def _row(borders: Mapping[datetime, _Border], split: Split | None, row: Sequence[Any]) -> TrendRow:
    protocol, group, start, attempted, judged, inaccessible, unjudged, strict, lenient, secondary, requests, *sums = row
    spread_strict, spread_lenient = spread.read(sums)
    start = start and start.astimezone(UTC)
    border = borders[start] if start else None
    return TrendRow(
        protocol=protocol,
        group=group if split else None,
        bucket=border and border.name,
        start=start,
        end=border and border.end,
        attempted=attempted,
        judged=judged,
        inaccessible=inaccessible,
        unjudged=unjudged,
        unsupported_strict=strict,
        unsupported_lenient=lenient,
        secondary_only=secondary,
        requests=requests,
        spread_strict=spread_strict,
        spread_lenient=spread_lenient,
    )


def _bucket(bucket: str) -> Bucket:
    if bucket not in BUCKETS:
        raise InputError(f"There is no bucket {bucket!r}", f"choose one of: {', '.join(BUCKETS)}")
    return cast("Bucket", bucket)


def _borders(session: Session, table: str, bucket: Bucket, of: ZoneInfo) -> dict[datetime, _Border]:
    """Every bucket that a row of a table may fall into, by its first moment, in time order."""
    days = session.all(f"select distinct asked_at::date from {table} where asked_at is not null")
    near = {first_day(touched, bucket) for (day,) in days for touched in _touching(day)}
    return {
        midnight(first, of): _Border(first.isoformat(), midnight(next_first_day(first, bucket), of))
        for first in sorted(near)
    }


def _touching(day: date) -> list[date]:
    """The days of a zone that a UTC day can touch, within the years that a date can hold."""
    around = (day.toordinal() + by for by in (-1, 0, 1))
    return [date.fromordinal(min(max(number, date.min.toordinal()), date.max.toordinal())) for number in around]
