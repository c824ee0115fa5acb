"""Which entries of stored registries come from sources that may not be shown any more."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Mapping, Sequence
from datetime import datetime
from typing import Any

from core import withholding
from core.models import Evidence
from core.sources import Source
from core.store import source_log
from core.store.connection import Session
from core.withholding import Hidden

_ANY_HIDDEN = (
    "select 1 from current_sources where deactivated or retain_until <= ? "
    "or (not ? and len(groups) > 0 and not list_has_any(groups, ?::varchar[])) limit 1"
)
"""What ``core.sources.HIDING`` says, for all sources at once."""

GROUPED = "select exists (select 1 from registry_entries where groups <> '[]')"
"""Whether any log names groups; the column is nearly always the same all through, so this reads next to nothing."""

_CHANGED = """
select 1 from source_events e join sources s using (source_no)
where kind in ('deactivated', 'retained', 'allowed') and s.added_at <= $1 and e.recorded_at > $1 and e.recorded_at <= $2
union all
select 1 from current_sources where retain_until > $1 and retain_until <= $2
limit 1
"""
"""Of sources that were there before: what came later was not told of then."""

_OF_HIDDEN = """
select c.claim_no from claims c join registry_entries e using (request_no) left join (
  select corpus, doc_id, bool_and(
    deactivated or coalesce(retain_until <= ?, false)
    or (not ? and len(groups) > 0 and not list_has_any(groups, ?::varchar[]))
  ) as hidden
  from current_sources group by 1, 2
) d on d.corpus = json_extract_string(e.meta, '$.corpus')
  and d.doc_id = split_part(json_extract_string(e.meta, '$.chunk_id'), ':', 1)
where (e.groups <> '[]' or contains(e.meta, 'chunk_id'))
  and coalesce(
    d.hidden, e.groups <> '[]' and not ? and not list_has_any(from_json(e.groups, '["VARCHAR"]'), ?::varchar[])
  )
"""


def any_hidden(session: Session, groups: Collection[str] | None, now: datetime) -> bool:
    """Whether anything is hidden from somebody in these groups; when not, nothing has to be looked up."""
    if session.one(_ANY_HIDDEN, [now, groups is None, sorted(groups or ())]) is not None:
        return True
    return groups is not None and bool(session.value(GROUPED))


def changed_between(session: Session, since: datetime, now: datetime) -> bool:
    """Whether somebody withheld a source between two moments, or one came to the end of its time."""
    return session.one(_CHANGED, [since, now]) is not None


def ended(session: Session, now: datetime) -> int:
    """How many sources are past their time: a number that changes when another one is."""
    return int(session.value("select count(*) from current_sources where retain_until <= ?", [now]))


def claims_of_hidden(groups: Collection[str] | None, now: datetime) -> tuple[str, list[Any]]:
    """A query, with its parameters, for the numbers of the claims whose request holds a source hidden from a caller.

    It says of whole stores what ``hidden_of_claims`` says of some claims.
    """
    sees_all, own = groups is None, sorted(groups or ())
    return _OF_HIDDEN, [now, sees_all, own, sees_all, own]


def hidden_in(
    session: Session, registries: Mapping[int, Sequence[Evidence]], groups: Collection[str] | None, now: datetime
) -> dict[int, Hidden]:
    """By request, the entries of some registries that are hidden; see ``withholding.hidden``."""
    sources = _sources(session, (entry for group in registries.values() for entry in group))
    return {number: withholding.hidden(group, sources, groups, now) for number, group in registries.items()}


def hidden_of_claims(
    session: Session, claim_uids: Collection[str], groups: Collection[str] | None, now: datetime
) -> dict[str, Hidden]:
    """By claim, the entries of its request that are hidden; claims of requests that have none are left out."""
    found = session.all(
        "select c.claim_uid, e.cite, e.groups, e.meta from claims c join registry_entries e using (request_no) "
        "where c.claim_uid in (select unnest(?::varchar[])) and (contains(e.meta, 'chunk_id') or e.groups <> '[]')",
        [list(claim_uids)],
    )
    of: dict[str, list[Evidence]] = {}
    for uid, cite, named, meta in found:
        entry = Evidence(id=cite, text="", groups=tuple(json.loads(named)), meta=json.loads(meta))
        of.setdefault(uid, []).append(entry)
    sources = _sources(session, (entry for group in of.values() for entry in group))
    hidden = {uid: withholding.hidden(group, sources, groups, now) for uid, group in of.items()}
    return {uid: labels for uid, labels in hidden.items() if labels}


def _sources(session: Session, entries: Iterable[Evidence]) -> dict[tuple[str, str], list[Source]]:
    wanted = withholding.origins(entries)
    places: dict[tuple[str, str], list[Source]] = {}
    for source in source_log.select(session, "doc_id in ?", [[doc_id for _, doc_id in wanted]]) if wanted else ():
        places.setdefault((source.corpus, source.doc_id), []).append(source)
    return places
