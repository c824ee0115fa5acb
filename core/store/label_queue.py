"""The labelling queue. It names no table of verdicts: what a judge said cannot reach a labeller through here."""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping, Sequence
from datetime import timedelta
from typing import Any

from core import withholding
from core.models import Evidence, digest, utc_now
from core.registry import Registry
from core.store import access, withheld
from core.store.answers import cited, registries
from core.store.connection import Session
from core.store.label_records import Place, QueueProgress, SpanToLabel
from core.store.places import Places
from core.withholding import EVERYONE, Readers

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
select s.span_no, s.cite, c.claim_no, c.claim_uid, c.request_no, c.splitter, c.claim_id, c.text, c.flags, c.quotes,
  c.position, c.first_char, c.end_char, r.request_id, r.query, r.answer
from spans s join claims c using (claim_no) join requests r using (request_no)
where s.span_no in ?
"""
# Asked by number, each finds its few rows without reading the column through; as parts of the question above they do.
_CITES = """
select claim_no, list(cite order by position) from spans where claim_no in ? and cite is not null group by 1
"""
_CLAIMS = "select request_no, splitter, count(*) from claims where request_no in ? group by 1, 2"


def to_label(
    session: Session, labeller: str, guideline: str, limit: int, exclude: Collection[tuple[str, str | None]]
) -> list[SpanToLabel]:
    """What a labeller has not labelled under a guideline, next first; see ``Store.spans_to_label``."""
    found = session.all(_NEXT, [labeller, guideline, guideline, limit + len(exclude)])
    numbers = [span_no for span_no, uid, cite in found if (uid, cite) not in exclude]
    return spans(session, numbers[:limit])


def one(session: Session, place: Place, places: Places) -> SpanToLabel | None:
    """One span as a labeller sees it; none when there is no such claim, or it is withdrawn, or lacks that citation."""
    found = places.numbers(session, [place]).get(place)
    if found is None or session.value("select 1 from withdrawn_claims where claim_no = ?", [found.claim_no]):
        return None
    return spans(session, [found.span_no])[0]


def progress(session: Session, labeller: str, guideline: str | None) -> QueueProgress:
    """How far a labeller is; see ``Store.progress``."""
    row = session.one(_PROGRESS, [utc_now() - _HOUR, labeller, guideline, guideline])
    total, labelled, skipped, last_hour = row or (0, 0, 0, 0)
    return QueueProgress(
        total=total, labelled=labelled, skipped=skipped, remaining=total - labelled, last_hour=last_hour
    )


def spans(session: Session, span_nos: Sequence[int]) -> list[SpanToLabel]:
    """Spans as a labeller sees them, in the order of their numbers."""
    if not span_nos:
        return []
    found = {row[0]: row[1:] for row in session.all(_SPANS, [list(span_nos)])}
    claims, requests = (sorted({row[at] for row in found.values()}) for at in (1, 3))
    cites = session.pairs(_CITES, [claims])
    many = {row[:2]: row[2] for row in session.all(_CLAIMS, [requests])}
    entries = _as_may_be_shown(session, registries(session, requests))
    readers, around = access.readers(session, claims), access.of_answers(session, claims)

    def made(cite: str | None, claim_no: int, uid: str, request_no: int, splitter: str, *rest: Any) -> SpanToLabel:
        counted = many[request_no, splitter]
        span = _span(cite, uid, rest, cites.get(claim_no) or (), counted, entries.get(request_no, ()))
        who, of_answer = _sorted(readers.get(claim_no, EVERYONE)), _sorted(around.get(request_no, EVERYONE))
        return span.model_copy(update={"readers": who, "answer_readers": of_answer}) if of_answer else span

    return [made(*found[number]) for number in span_nos]


def _sorted(readers: Readers) -> tuple[tuple[str, ...], ...]:
    return tuple(sorted(tuple(sorted(groups)) for groups in readers))


def _as_may_be_shown(session: Session, entries: Mapping[int, list[Evidence]]) -> Mapping[int, list[Evidence]]:
    """The registries as a labeller may read them; a source that is hidden counts as one that cannot be read."""
    hidden = withheld.hidden_in(session, entries, None, utc_now())
    unread = {"accessible": False}
    return {
        number: [
            withholding.entry(entry, hidden[number]).model_copy(update=unread) if entry.id in hidden[number] else entry
            for entry in group
        ]
        for number, group in entries.items()
    }


def _span(
    cite: str | None, uid: str, row: Sequence[Any], cites: Sequence[str], many: int, entries: Sequence[Evidence]
) -> SpanToLabel:
    claim_id, claim, flags, quotes, position, start, end, request_id, query, answer = row
    evidence = cited(entries, cite)
    return SpanToLabel(
        claim_uid=uid,
        cite=cite,
        request_id=request_id,
        claim_id=claim_id,
        claim=claim,
        query=query,
        flags=tuple(flags),
        cites=tuple(cites),
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
