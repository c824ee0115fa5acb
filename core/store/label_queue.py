"""The labelling queue. It names no table of verdicts: what a judge said cannot reach a labeller through here."""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping, Sequence
from datetime import timedelta
from typing import Any

from core.models import Evidence, digest, utc_now
from core.registry import Registry
from core.sources import Source, hiding, origin_of
from core.store import source_log
from core.store.answers import cited, registries
from core.store.connection import Session
from core.store.records import QueueProgress, SpanToLabel

_HOUR = timedelta(hours=1)
_QUEUED = "(s.cite is not null or c.material)"
_MINE = """
  select span_no, arg_max(kind, event_no) as kind, max(event_no) as event_no, max(recorded_at) as recorded_at
  from current_labels
  where labeller = ? and (? is null or guideline = ?)
  group by span_no
"""
# What was skipped comes after all the rest, the longest ago first; the rest in an order that says nothing of the claim.
_NEXT = f"""
select s.span_no, c.claim_uid, s.cite
from spans s join standing_claims c using (claim_no) left join ({_MINE}) m using (span_no)
where {_QUEUED} and (m.kind is null or m.kind = 'skip')
order by coalesce(m.event_no, 0), c.queue_order, c.claim_uid, s.position
limit ?
"""
_PROGRESS = f"""
select count(*), count(*) filter (m.kind = 'label'), count(*) filter (m.kind = 'skip'),
  count(*) filter (m.kind = 'label' and m.recorded_at >= ?)
from spans s join standing_claims c using (claim_no) left join ({_MINE}) m using (span_no)
where {_QUEUED}
"""
_SPANS = """
select s.span_no, s.cite, c.claim_uid, c.request_no, c.claim_id, c.text, c.flags, c.quotes, c.position, c.first_char,
  c.end_char, r.request_id, r.query, r.answer,
  (select list(o.cite order by o.position) from spans o where o.claim_no = c.claim_no and o.cite is not null),
  (select count(*) from claims o where o.request_no = c.request_no and o.splitter = c.splitter)
from spans s join claims c using (claim_no) join requests r using (request_no)
where s.span_no in ?
"""


def to_label(
    session: Session, labeller: str, guideline: str, limit: int, exclude: Collection[tuple[str, str | None]]
) -> list[SpanToLabel]:
    """What a labeller has not labelled under a guideline, next first; see ``Store.spans_to_label``."""
    found = session.all(_NEXT, [labeller, guideline, guideline, limit + len(exclude)])
    numbers = [span_no for span_no, uid, cite in found if (uid, cite) not in exclude]
    return _spans(session, numbers[:limit])


def one(session: Session, claim_uid: str, cite: str | None) -> SpanToLabel | None:
    """One span as a labeller sees it; none when there is no such claim or it does not have that citation."""
    number = session.value(
        "select s.span_no from spans s join standing_claims c using (claim_no) "
        "where c.claim_uid = ? and s.cite is not distinct from ?",
        [claim_uid, cite],
    )
    return None if number is None else _spans(session, [number])[0]


def progress(session: Session, labeller: str, guideline: str | None) -> QueueProgress:
    """How far a labeller is; see ``Store.progress``."""
    row = session.one(_PROGRESS, [utc_now() - _HOUR, labeller, guideline, guideline])
    total, labelled, skipped, last_hour = row or (0, 0, 0, 0)
    return QueueProgress(
        total=total, labelled=labelled, skipped=skipped, remaining=total - labelled, last_hour=last_hour
    )


def _spans(session: Session, span_nos: Sequence[int]) -> list[SpanToLabel]:
    found = {row[0]: row for row in session.all(_SPANS, [list(span_nos)])}
    entries = _as_may_be_shown(session, registries(session, sorted({row[3] for row in found.values()})))
    return [_span(found[number], entries.get(found[number][3], ())) for number in span_nos]


def _as_may_be_shown(session: Session, entries: Mapping[int, list[Evidence]]) -> Mapping[int, list[Evidence]]:
    """The registries without the texts of sources that were taken out of use or are past their retention since."""
    origins = {origin for group in entries.values() for entry in group if (origin := origin_of(entry))}
    if not origins:
        return entries
    places: dict[tuple[str, str], list[Source]] = {}
    for source in source_log.select(session, "doc_id in ?", [[doc_id for _, doc_id in origins]]):
        places.setdefault((source.corpus, source.doc_id), []).append(source)
    now = utc_now()
    hidden = {origin for origin in origins if hiding(places.get(origin, ()), None, now)}
    nothing = {"text": "", "title": None, "locator": None, "accessible": False}
    return {
        number: [entry.model_copy(update=nothing) if origin_of(entry) in hidden else entry for entry in group]
        for number, group in entries.items()
    }


def _span(row: tuple[Any, ...], entries: Sequence[Evidence]) -> SpanToLabel:
    _, cite, uid, _, claim_id, claim, flags, quotes, position, start, end, request_id, query, answer, cites, many = row
    evidence = cited(entries, cite)
    return SpanToLabel(
        claim_uid=uid,
        cite=cite,
        request_id=request_id,
        claim_id=claim_id,
        claim=claim,
        query=query,
        flags=tuple(flags),
        cites=tuple(cites or ()),
        quotes=tuple(json.loads(quotes)),
        position=position,
        claims_in_answer=many,
        answer=answer,
        start=start,
        end=end,
        evidence=evidence and evidence.text,
        title=evidence and evidence.title,
        locator=evidence and evidence.locator,
        source_version=evidence and evidence.source_version,
        uri=evidence and evidence.uri,
        accessible=evidence.accessible if evidence else True,
        seen_sha256=digest([claim, evidence and evidence.text]),
        unusable="" if cite is None else Registry.build(entries).resolve(cite).reason,
        titles=tuple(meant and meant.title for meant in (cited(entries, other) for other in cites or ())),
    )
