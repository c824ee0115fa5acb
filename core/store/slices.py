"""What failures are counted by: reasons, slices, words, and the change between two protocols; counted by DuckDB."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from core.errors import InputError
from core.metrics.clustered_share import Spread
from core.models import Label
from core.store.conditions import CITES, GENERATOR, JUDGED, REASON, age_of, condition, tables, terms_of
from core.store.connection import Connection, Session
from core.store.records import ClaimFilter
from core.store.spread import read, sums

_OF_CLAIMS = {
    "flag": "unnest(v.flags)",
    "source": "nullif(v.source, '')",
    "cites": CITES,
    "age": age_of("d.asked_on - v.source_date"),
}
_OF_REQUESTS = {
    "generator": f"select request_no, {GENERATOR} as value from requests r",
    "corpus": "select request_no, min(q.corpus) as value from query_log q join requests using (request_uid) group by 1",
    "topic": "select request_no, word as value from question_words",
}
DIMENSIONS = ("flag", "generator", "source", "age", "cites", "topic", "corpus")
"""What claims can be sliced by."""


class Totals(NamedTuple):
    """All claims of a filter that count."""

    attempted: int
    judged: int
    failed: int
    spread: Spread
    """How failures lie in requests."""


class ReasonCount(NamedTuple):
    """One reason."""

    code: str
    attempted: int
    judged: int
    failed: int


class Sliced(NamedTuple):
    """One value of a dimension."""

    value: str
    failed: int
    judged: int


class ClaimWords(NamedTuple):
    """One claim's words, folded, in their order."""

    claim_uid: str
    words: list[str]


class Change(NamedTuple):
    """Claims that went from one label to another."""

    before: Label | None
    after: Label | None
    claims: int


class Slices:
    """The part of a store that failures are read from; see ``Store`` for what holds of all its methods."""

    def __init__(self, connection: Connection) -> None:
        """Read through this connection."""
        self._connection = connection

    def totals(self, wanted: ClaimFilter, strictness: str) -> Totals:
        """All claims of a filter that count, as ``counts`` gives them."""
        with self._connection.read() as session:
            return _by_request(session, wanted, _failed(strictness), (), 0)[0]

    def reasons(self, wanted: ClaimFilter, strictness: str) -> list[ReasonCount]:
        """Count the claims of a filter that count by reason, most failures first; one look at narrow columns only."""
        failed = _failed(strictness)
        with self._connection.read() as session:
            where, params = condition(session, wanted.model_copy(update={"attempted_only": True}))
            found = session.all(
                f"select {REASON} as reason, count(*), count(*) filter ({JUDGED}), "
                f"count(*) filter ({JUDGED} and {failed}) as failed "
                f"{tables(where)} where {where} group by 1 order by failed desc, reason",
                params,
            )
        return [ReasonCount(*row) for row in found]

    def counts(
        self, wanted: ClaimFilter, strictness: str, dimensions: Sequence[str], most: int
    ) -> tuple[Totals, dict[str, list[Sliced]]]:
        """All claims of a filter that count, and failures among the judged ones per value of some dimensions.

        What is true of a whole request is counted once for each, not for every claim; every column of claims is read
        on its own, and no text.

        Args:
            wanted: Which claims.
            strictness: ``strict`` or ``lenient``.
            dimensions: Some of ``DIMENSIONS``.
            most: Values of a dimension, those with most judged claims.

        Raises:
            InputError: There is no such dimension.
        """
        if unknown := [one for one in dimensions if one not in DIMENSIONS]:
            raise InputError(f"There is nothing called {unknown[0]!r} to slice by", f"choose {', '.join(DIMENSIONS)}")
        failed = _failed(strictness)
        with self._connection.read() as session:
            of_requests = [one for one in dimensions if one in _OF_REQUESTS]
            totals, found = _by_request(session, wanted, failed, of_requests, most)
            where, params = condition(session, wanted.model_copy(update={"judged_only": True}))
            for one in dimensions:
                if one in _OF_CLAIMS:
                    rows = session.all(_by_claim(_OF_CLAIMS[one], failed, where), [*params, most])
                    found[one] = [Sliced(*row) for row in rows]
        return totals, found

    def sample_words(self, wanted: ClaimFilter, most: int) -> list[ClaimWords]:
        """The words of the claims of a filter, of at most so many: the same ones always, whatever they say."""
        with self._connection.read() as session:
            where, params = condition(session, wanted)
            found = session.all(
                f"select c.claim_uid, {terms_of('c.text')} from claims c where c.claim_no in (select v.claim_no "
                f"{tables(where, 'c.')} where {where} order by c.queue_order, c.claim_no limit ?) "
                "order by c.queue_order, c.claim_no",
                [*params, most],
            )
        return [ClaimWords(*row) for row in found]

    def with_words(self, wanted: ClaimFilter, groups: Sequence[Sequence[str]]) -> list[int]:
        """How many claims of a filter hold all words of each group."""
        if not groups:
            return []
        with self._connection.read() as session:
            where, params = condition(session, wanted)
            columns = ", ".join("count(*) filter (list_has_all(words, ?::varchar[]))" for _ in groups)
            row = session.one(
                f"select {columns} from (select {terms_of('c.text')} as words {tables(where, 'c.')} where {where})",
                [*map(list, groups), *params],
            )
        assert row is not None, "a count has one row"
        return [int(n) for n in row]

    def changes(self, wanted: ClaimFilter, before: str) -> list[Change]:
        """How the labels of a filter's claims differ from those of another protocol that judged them, most first."""
        with self._connection.read() as session:
            where, params = condition(session, wanted)
            found = session.all(
                f"select w.label, v.label, count(*) as n {tables(where)} "
                "join current_verdicts w on w.claim_no = v.claim_no "
                "and w.protocol_no = (select protocol_no from protocols where name = ?) "
                f"where {where} group by 1, 2 order by n desc, 1, 2",
                [before, *params],
            )
        return [Change(one and Label(one), two and Label(two), n) for one, two, n in found]

    def data_sha256(self, wanted: ClaimFilter) -> str:
        """Over the claims of a filter and all that was said of them: 64 hex that name the data of a report."""
        with self._connection.read() as session:
            where, params = condition(session, wanted)
            return str(
                session.value(
                    "select sha256(coalesce(string_agg(concat(v.claim_no, v.row_sha256), ',' order by v.claim_no), ''))"
                    " "
                    f"{tables(where)} where {where}",
                    params,
                )
            )


def _by_request(
    session: Session, wanted: ClaimFilter, failed: str, dimensions: Sequence[str], most: int
) -> tuple[Totals, dict[str, list[Sliced]]]:
    """The totals, and what requests are sliced by, from one count of their claims."""
    where, params = condition(session, wanted)
    slices = "".join(
        f" union all (select '{one}', value, sum(failed)::bigint as failed, sum(judged)::bigint as judged, null, null, "
        f"null, null, null from counted join ({_OF_REQUESTS[one]}) using (request_no) "
        "where value is not null and judged > 0 group by value order by judged desc, value limit ?)"
        for one in dimensions
    )
    rows = session.all(
        "with counted as materialized (select c.request_no, count(*) filter (v.attempted) as attempted, "
        f"count(*) filter ({JUDGED}) as judged, count(*) filter ({JUDGED} and {failed}) as failed "
        f"{tables(where, 'c.')} where {where} group by 1), "
        "select null, null, coalesce(sum(failed), 0)::bigint, coalesce(sum(judged), 0)::bigint, "
        f"coalesce(sum(attempted), 0)::bigint, {sums('judged', 'failed')} from counted{slices}",
        [*params, *[most] * len(dimensions)],
    )
    found: dict[str, list[Sliced]] = {one: [] for one in dimensions}
    for dimension, value, bad, judged, attempted, *rest in rows:
        if dimension is None:
            (spread,) = read(rest)
            totals = Totals(attempted, judged, bad, spread)
        else:
            found[dimension].append(Sliced(value, bad, judged))
    return totals, found


def _by_claim(value: str, failed: str, where: str) -> str:
    dates = " join (select request_no, asked_at::date as asked_on from requests) d using (request_no)"
    read = f"{tables(where, 'c.')}{dates}" if "d." in value else tables(where, value)
    return (
        f"select value::varchar, count(*) filter (failed), count(*) as judged from (select {value} as value, "
        f"{failed} as failed {read} where {where}) where value is not null group by 1 order by judged desc, 1 limit ?"
    )


def _failed(strictness: str) -> str:
    return "v.unsupported_lenient" if strictness == "lenient" else "v.unsupported_strict"
