"""The review list: claims under one protocol, filtered, counted, in order, a page at a time.

The list reads narrow columns only, and those of a filter twice: once for all counts, once for the page, for which only
the labels that it shows are put in order. The texts of a page's few claims are fetched once the page is known, and
evidence texts never.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from core.models import ClaimRow, Failure, Label
from core.reveal import HIDDEN
from core.store.conditions import FAILURE, GENERATOR, LABEL, NO_LABEL, WORST_FIRST, condition, tables
from core.store.connection import Connection, Session
from core.store.records import ClaimFilter, ClaimItem, ClaimPage, Sort

_AT_ONCE = 2000
_AS_IMPORTED = ("c.request_no", "c.position", "c.claim_no")
_ORDERS: Mapping[Sort, tuple[str, ...]] = {
    Sort.WORST_FIRST: (f"list_position([{', '.join(map(repr, WORST_FIRST))}], {LABEL})", *_AS_IMPORTED),
    Sort.NEWEST_FIRST: ("coalesce(-epoch_us(r.asked_at), 9223372036854775807)", *_AS_IMPORTED),
    Sort.AS_IMPORTED: _AS_IMPORTED,
}
"""What claims are ordered by, the smallest first; never null, so that places can be counted."""


class _Kind(NamedTuple):
    """Claims of a list that are alike in all that a chip chooses by."""

    label: str
    flags: frozenset[str]
    failure: str
    """Empty for claims with a label."""
    claims: int


def page(session: Session, wanted: ClaimFilter, limit: int, offset: int) -> ClaimPage:
    """Give one page with the counts of the filter chips, all from one state of the store; of 0 claims only these."""
    concealed = _concealed_count(session, wanted)
    if wanted.concealed:
        return _concealed_page(session, wanted, limit, offset, concealed)
    kinds = _kinds(session, wanted)
    shown = [str(label) if label else NO_LABEL for label in wanted.labels] or list(WORST_FIRST)
    failures = {str(kind) for kind in wanted.failures}
    flagged = [one for one in kinds if not wanted.flags or not one.flags.isdisjoint(wanted.flags)]
    labelled = [one for one in kinds if one.label in shown and (not failures or one.failure in failures)]
    found = _counted((one.label, one.claims) for one in flagged if not failures or one.failure in failures)
    labels = {label: found.get(label, 0) for label in WORST_FIRST}
    sizes = {label: count for label, count in labels.items() if label in shown}
    numbers = _page_numbers(session, wanted, sizes, limit, offset) if limit else []
    return ClaimPage(
        total=sum(sizes.values()),
        items=_items(session, numbers, wanted.protocol) if numbers else (),
        label_counts=labels,
        flag_counts=_counted((flag, one.claims) for one in labelled for flag in one.flags),
        failure_counts=_counted((one.failure, one.claims) for one in flagged if one.failure in set(Failure)),
        concealed=concealed,
    )


def _kinds(session: Session, wanted: ClaimFilter) -> list[_Kind]:
    """The claims of a filter without its chips, counted by what the chips choose by."""
    where, params = condition(session, wanted.model_copy(update={"labels": (), "flags": (), "failures": ()}))
    found = session.all(
        f"select {LABEL}, v.flags, if(v.label is null, {FAILURE}, ''), count(*) {tables(where)} where {where} "
        "group by all",
        params,
    )
    return [_Kind(label, frozenset(flags), failure, claims) for label, flags, failure, claims in found]


def _counted(claims: Iterable[tuple[str, int]]) -> dict[str, int]:
    found: Counter[str] = Counter()
    for name, count in claims:
        found[name] += count
    return dict(sorted(found.items()))


def _page_numbers(
    session: Session, wanted: ClaimFilter, sizes: Mapping[str, int], limit: int, offset: int
) -> list[int]:
    """The verdict numbers of one page.

    Args:
        session: A read.
        wanted: The filter.
        sizes: Claims of each label that it shows, worst first.
        limit: Claims of the page.
        offset: Claims before it.
    """
    if wanted.sort is Sort.WORST_FIRST:
        labels, offset = _within(sizes, limit, offset)
        wanted = wanted.model_copy(update={"labels": labels})
    where, params = condition(session, wanted)
    order = ", ".join(_ORDERS[wanted.sort])
    found = session.all(
        f"select v.verdict_no {tables(where, order)} where {where} order by {order} limit ? offset ?",
        [*params, limit, offset],
    )
    return [number for (number,) in found]


def _within(sizes: Mapping[str, int], limit: int, offset: int) -> tuple[tuple[Label | None, ...], int]:
    """The labels that a page has a part in, and how many of their claims stand before it."""
    labels: list[Label | None] = []
    first, place = 0, 0
    for name, size in sizes.items():
        if place < offset + limit and place + size > offset:
            first = first if labels else place
            labels.append(None if name == NO_LABEL else Label(name))
        place += size
    return (tuple(labels), offset - first) if labels else ((None, *Label), offset)


def _concealed_page(session: Session, wanted: ClaimFilter, limit: int, offset: int, total: int) -> ClaimPage:
    where, params = condition(session, wanted)
    order = ", ".join(_AS_IMPORTED)
    found = session.all(
        "select c.claim_uid, r.request_id, c.claim_id, c.text, r.query "
        f"{tables(where, 'r.')} where {where} order by {order} limit ? offset ?",
        [*params, limit, offset],
    )
    items = tuple(
        ClaimItem(
            claim_uid=uid,
            request_id=request_id,
            claim_id=claim_id,
            claim=claim,
            query=query,
            label=None,
            why=HIDDEN,
            concealed=True,
            source="",
            flags=(),
            protocol=wanted.protocol,
        )
        for uid, request_id, claim_id, claim, query in found
    )
    return ClaimPage(total=total, items=items, label_counts={}, flag_counts={}, concealed=total)


def _concealed_count(session: Session, wanted: ClaimFilter) -> int:
    where, params = condition(session, wanted.model_copy(update={"concealed": True}))
    return int(session.value(f"select count(*) {tables(where)} where {where}", params)) if wanted.reader else 0


def position(session: Session, wanted: ClaimFilter, claim_uid: str) -> int | None:
    """Where a claim stands in the list, from 0; none when the filter does not show it.

    Counts the claims before it; nothing is put in order.
    """
    number = session.value("select claim_no from claims where claim_uid = ?", [claim_uid])
    where, params = condition(session, wanted)
    order = _AS_IMPORTED if wanted.concealed else _ORDERS[wanted.sort]
    found = session.one(
        f"select {', '.join(order)} {tables(where, *order)} where {where} and v.claim_no = ?", [*params, number]
    )
    if found is None:
        return None
    before, values = "false", list[Any]()
    for key, value in reversed(list(zip(order, found, strict=True))):
        before, values = f"({key} < ? or ({key} = ? and {before}))", [value, value, *values]
    return int(session.value(f"select count(*) {tables(where, *order)} where {where} and {before}", [*params, *values]))


def rows(connection: Connection, wanted: ClaimFilter) -> Iterator[ClaimRow]:
    """Stream the full rows in the order of the list, as it was when the first one was asked for.

    Verdicts never change, so the numbers taken at the beginning stay good and no transaction waits for the reader.
    """
    for numbers in verdict_nos(connection, wanted, _AT_ONCE):
        with connection.read() as session:
            found = session.pairs("select verdict_no, row_json from claim_verdicts where verdict_no in ?", [numbers])
        yield from (read_row(found[number]) for number in numbers)


def verdict_nos(connection: Connection, wanted: ClaimFilter, at_once: int) -> Iterator[list[int]]:
    """The verdict numbers of the list, in its order as it was when the first were asked for, so many at a time.

    Of concealed claims nothing is streamed, for what is streamed is what judges said.
    """
    order = ", ".join(_ORDERS[wanted.sort])
    with connection.read() as session:
        where, params = condition(session, wanted.model_copy(update={"concealed": False}))
        shown = session.all(f"select v.verdict_no {tables(where, order)} where {where} order by {order}", params)
    for start in range(0, len(shown), at_once):
        yield [number for (number,) in shown[start : start + at_once]]


def read_row(row_json: str) -> ClaimRow:
    """Rebuild a claim row from its stored form."""
    return ClaimRow.model_validate(json.loads(row_json))


def generators(session: Session) -> list[str]:
    """The generators that wrote the stored answers, by model, or by name where there is no model; sorted."""
    found = session.all(
        f"select distinct {GENERATOR} as generator from standing_requests r where generator is not null"
    )
    return sorted(name for (name,) in found)


def request_ids(session: Session, prefix: str, limit: int) -> list[str]:
    """Request ids that begin with a text, sorted, at most ``limit``."""
    found = session.all(
        "select distinct request_id from standing_requests where starts_with(request_id, ?) "
        "order by request_id limit ?",
        [prefix, limit],
    )
    return [name for (name,) in found]


def _items(session: Session, verdict_nos: Sequence[int], protocol: str) -> tuple[ClaimItem, ...]:
    found = session.all(
        "select v.verdict_no, c.claim_uid, r.request_id, c.claim_id, c.text, r.query, v.label, v.why, v.source, "
        "v.flags from claim_verdicts v join claims c using (claim_no) join requests r using (request_no) "
        "where v.verdict_no in ?",
        [list(verdict_nos)],
    )
    items = {
        number: ClaimItem(
            claim_uid=uid,
            request_id=request_id,
            claim_id=claim_id,
            claim=claim,
            query=query,
            label=Label(label) if label else None,
            why=why,
            source=source,
            flags=tuple(flags),
            protocol=protocol,
        )
        for number, uid, request_id, claim_id, claim, query, label, why, source, flags in found
    }
    return tuple(items[number] for number in verdict_nos)
