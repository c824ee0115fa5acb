"""The review list: claims under one protocol, filtered, counted, in order, a page at a time.

The list reads narrow columns only; the texts of a page's few claims are fetched once the page is known, and evidence
texts never.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from typing import Any

from core.models import ClaimRow, Failure, Label
from core.store.connection import Connection, Session
from core.store.encoding import in_utc
from core.store.records import ClaimFilter, ClaimItem, ClaimPage, Sort

NO_LABEL = "none"
WORST_FIRST = (
    "contradicted",
    "unresolvable",
    "wrong_scope",
    "uncited",
    "irrelevant",
    "partial",
    "inaccessible",
    NO_LABEL,
    "secondary_only",
    "supported",
)
"""Labels in the order of the review list."""

_AT_ONCE = 2000
_ALIAS = re.compile(r"\b([cr])\.")
_LABEL = f"coalesce(v.label, '{NO_LABEL}')"
_FAILURE = "split_part(v.why, ': ', 1)"
"""The kind of failure, for claims without a label: their reason begins with it."""
_AS_IMPORTED = "r.request_no, c.position, c.claim_no"
_ORDERS = {
    Sort.WORST_FIRST: f"list_position([{', '.join(map(repr, WORST_FIRST))}], {_LABEL}), {_AS_IMPORTED}",
    Sort.NEWEST_FIRST: f"r.asked_at desc nulls last, {_AS_IMPORTED}",
    Sort.AS_IMPORTED: _AS_IMPORTED,
}
GENERATOR = "coalesce(r.generator_model, r.generator_name)"
"""The one name of a generator, over ``requests r``."""

Where = tuple[str, list[Any]]


def page(session: Session, wanted: ClaimFilter, limit: int, offset: int) -> ClaimPage:
    """Give one page with the counts of the filter chips, all from one state of the store."""
    labels = _label_counts(session, wanted)
    chosen = [str(label) if label else NO_LABEL for label in wanted.labels] or WORST_FIRST
    where, params = _where(wanted)
    order = _ORDERS[wanted.sort]
    numbers = session.all(
        f"select v.verdict_no {_from(where, order)} where {where} order by {order} limit ? offset ?",
        [*params, limit, offset],
    )
    return ClaimPage(
        total=sum(count for label, count in labels.items() if label in chosen),
        items=_items(session, [number for (number,) in numbers], wanted.protocol),
        label_counts=labels,
        flag_counts=_flag_counts(session, wanted),
        failure_counts=_failure_counts(session, wanted) if labels[NO_LABEL] or wanted.failures else {},
    )


def position(session: Session, wanted: ClaimFilter, claim_uid: str) -> int | None:
    """Where a claim stands in the list, from 0; none when the filter does not show it."""
    where, params = _where(wanted)
    order = _ORDERS[wanted.sort]
    found = session.value(
        f"select place from (select c.claim_uid, row_number() over (order by {order}) - 1 as place "
        f"{_from(where, order)} where {where}) where claim_uid = ?",
        [*params, claim_uid],
    )
    return None if found is None else int(found)


def rows(connection: Connection, wanted: ClaimFilter) -> Iterator[ClaimRow]:
    """Stream the full rows in the order of the list, as it was when the first one was asked for.

    Verdicts never change, so the numbers taken at the beginning stay good and no transaction waits for the reader.
    """
    for numbers in verdict_nos(connection, wanted, _AT_ONCE):
        with connection.read() as session:
            found = session.pairs("select verdict_no, row_json from claim_verdicts where verdict_no in ?", [numbers])
        yield from (read_row(found[number]) for number in numbers)


def verdict_nos(connection: Connection, wanted: ClaimFilter, at_once: int) -> Iterator[list[int]]:
    """The verdict numbers of the list, in its order as it was when the first were asked for, so many at a time."""
    where, params = _where(wanted)
    order = _ORDERS[wanted.sort]
    with connection.read() as session:
        shown = session.all(f"select v.verdict_no {_from(where, order)} where {where} order by {order}", params)
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


def _label_counts(session: Session, wanted: ClaimFilter) -> dict[str, int]:
    where, params = _where(wanted.model_copy(update={"labels": ()}))
    found = session.pairs(f"select {_LABEL} as label, count(*) {_from(where)} where {where} group by 1", params)
    return {label: found.get(label, 0) for label in WORST_FIRST}


def _flag_counts(session: Session, wanted: ClaimFilter) -> dict[str, int]:
    where, params = _where(wanted.model_copy(update={"flags": ()}))
    return session.pairs(
        f"select flag, count(*) from (select unnest(v.flags) as flag {_from(where)} where {where}) "
        "group by 1 order by 1",
        params,
    )


def _failure_counts(session: Session, wanted: ClaimFilter) -> dict[str, int]:
    """Reads the reasons of claims without a label only, which are few."""
    where, params = _where(wanted.model_copy(update={"labels": (), "failures": tuple(Failure)}))
    return session.pairs(f"select {_FAILURE} as kind, count(*) {_from(where)} where {where} group by 1", params)


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


def _from(*said: str) -> str:
    """The tables that conditions and orders speak of, no more: at 100,000 claims the joins are half of the time."""
    aliases = set(_ALIAS.findall(" ".join(said)))
    claims = " join claims c using (claim_no)" if aliases & {"c", "r"} else ""
    requests = " join requests r using (request_no)" if "r" in aliases else ""
    return f"from current_verdicts v{claims}{requests}"


def _where(wanted: ClaimFilter) -> Where:
    """The condition of a filter, with its parameters in order."""
    parts: list[Where] = [("v.protocol_no = (select protocol_no from protocols where name = ?)", [wanted.protocol])]
    if wanted.labels:
        parts.append((f"{_LABEL} in ?", [[str(label) if label else NO_LABEL for label in wanted.labels]]))
    if wanted.request_id is not None:
        parts.append(("r.request_id = ?", [wanted.request_id]))
    if wanted.flags:
        parts.append(("list_has_any(v.flags, ?::varchar[])", [list(wanted.flags)]))
    if wanted.structural:
        parts.append(("v.structural in ?", [[str(word) for word in wanted.structural]]))
    for word in wanted.text.split():
        # contains() takes the word as it is: % and _ are nothing special
        some = " or ".join(f"contains(lower({column}), lower(?))" for column in ("c.text", "r.query", "r.request_id"))
        parts.append((f"({some})", [word] * 3))
    if wanted.bucket is not None:
        parts.append(("r.asked_at >= ? and r.asked_at < ?", [in_utc(moment) for moment in wanted.bucket]))
    if wanted.undated:
        parts.append(("r.asked_at is null", []))
    if wanted.attempted_only:
        parts.append(("v.attempted", []))
    if wanted.unsupported is not None:
        parts.append(("v.unsupported_lenient" if wanted.unsupported == "lenient" else "v.unsupported_strict", []))
    if wanted.generator is not None:
        parts.append((f"{GENERATOR} = ?", [wanted.generator]))
    if wanted.failures:
        parts.append((f"v.label is null and {_FAILURE} in ?", [[str(kind) for kind in wanted.failures]]))
    return " and ".join(text for text, _ in parts), [value for _, values in parts for value in values]
