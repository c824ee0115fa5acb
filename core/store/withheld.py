"""Which entries of stored registries come from sources that may not be shown any more."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Mapping, Sequence
from datetime import datetime

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


def any_hidden(session: Session, groups: Collection[str] | None, now: datetime) -> bool:
    """Whether anything is hidden from somebody in these groups; when not, nothing has to be looked up."""
    return session.one(_ANY_HIDDEN, [now, groups is None, sorted(groups or ())]) is not None


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
        "select c.claim_uid, e.cite, e.meta from claims c join registry_entries e using (request_no) "
        "where c.claim_uid in (select unnest(?::varchar[])) and contains(e.meta, 'chunk_id')",
        [list(claim_uids)],
    )
    of: dict[str, list[Evidence]] = {}
    for uid, cite, meta in found:
        of.setdefault(uid, []).append(Evidence(id=cite, text="", meta=json.loads(meta)))
    sources = _sources(session, (entry for group in of.values() for entry in group))
    hidden = {uid: withholding.hidden(group, sources, groups, now) for uid, group in of.items()}
    return {uid: labels for uid, labels in hidden.items() if labels}


def _sources(session: Session, entries: Iterable[Evidence]) -> dict[tuple[str, str], list[Source]]:
    wanted = withholding.origins(entries)
    places: dict[tuple[str, str], list[Source]] = {}
    for source in source_log.select(session, "doc_id in ?", [[doc_id for _, doc_id in wanted]]) if wanted else ():
        places.setdefault((source.corpus, source.doc_id), []).append(source)
    return places
