"""Where gold is read from, in one consistent state of the store, and labels of whole claims from elsewhere."""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from typing import Any

from core.errors import StoreConflict
from core.models import Label, digest, utc_now
from core.store import audit
from core.store.answers import texts_of
from core.store.connection import Connection, Session
from core.store.encoding import in_utc
from core.store.gold_records import (
    ClaimFacts,
    Drawn,
    GoldFacts,
    ImportedLabel,
    ImportedVote,
    QueueFacts,
    Ruling,
    Vote,
)

# The last word from before a judge's was seen: what somebody says after it would measure the judge twice.
_VOTES = """
select c.claim_uid, s.cite, e.label, e.labeller, e.guideline, q.queue_id, e.seen_sha256, e.span_no
from (
  select * from standing_labels
  where kind in ('label', 'not_a_claim', 'skip') and not after_reveal
  qualify row_number() over (partition by span_no, labeller, guideline, queue_id order by event_no desc) = 1
) e join spans s using (span_no) join claims c using (claim_no) left join queues q on q.queue_id = e.queue_id
where e.kind <> 'skip' and (? is null or e.guideline = ?) and (not ? or s.claim_no in (
  select claim_no from standing_labels join spans using (span_no) group by 1 having count(distinct labeller) > 1
))
order by e.event_no
"""
_RULINGS = """
select c.claim_uid, s.cite, a.label, a.adjudicator, a.guideline, a.seen_sha256, a.span_no
from standing_adjudications a join spans s using (span_no) join standing_claims c using (claim_no)
where ? is null or a.guideline = ?
order by a.adjudication_no
"""
_DRAWN = """
select q.queue_id, c.claim_uid, i.probability, i.stratum, i.wanted, i.check_label is not null
from current_queue_items i join queues q using (queue_no) join standing_claims c using (claim_no)
"""
_QUEUES = """
select q.queue_id, coalesce(n.name, q.name), q.spec, q.guideline, q.feeds_rates, coalesce(d.population, 0)
from queues q
left join (
  select queue_no, arg_max(value, event_no) as name from queue_events where kind = 'renamed' group by 1
) n using (queue_no)
left join (select queue_no, arg_max(population, draw_no) as population from queue_draws group by 1) d using (queue_no)
order by q.queue_no
"""
_SPAN_NOW = """
select s.span_no, c.text, min(t.text_no) filter (t.text_no is not null), count(distinct t.text_no)
from spans s join claims c using (claim_no)
left join registry_entries t on t.request_no = c.request_no and t.cite = s.cite
where s.span_no in (select unnest(?::integer[]))
group by s.span_no, c.text
"""
_IMPORTED = tuple(ImportedLabel.model_fields)
_AT_ONCE = 2000


class ClaimGold:
    """The part of a store that gold is made from; like the store safe to use from many threads."""

    def __init__(self, connection: Connection, wrote: Callable[[], None]) -> None:
        """Read and write through this connection, and say when something was written."""
        self._connection = connection
        self._wrote = wrote
        self._now: dict[int, str] = {}  # a claim's words and its registry never change, so neither does this

    def facts(self, guideline: str | None = None, several: bool = False) -> GoldFacts:
        """All that gold is made of, under one guideline or under every one.

        Args:
            guideline: Under which one; none means every one.
            several: Only votes on claims that several people labelled, and how these were drawn.
        """
        with self._connection.read() as session:
            votes = session.all(_VOTES, [guideline, guideline, several])
            rulings = session.all(_RULINGS, [guideline, guideline])
            now = self._seen_now(session, {row[-1] for row in (*votes, *rulings)})
            imported = _imported(session, guideline)
            uids = {row[0] for row in (*votes, *rulings)}
            drawn = {
                (queue_id, uid): Drawn(*rest)
                for queue_id, uid, *rest in session.all(_DRAWN)
                if not several or uid in uids
            }
            uids |= {uid for _, uid in drawn}
            uids |= {one.said.claim_uid for one in imported}
            claims = claim_facts(session, uids)
            return GoldFacts(
                votes=[
                    Vote(uid, cite, label and Label(label), who, under, queue_id, seen != now[span_no])
                    for uid, cite, label, who, under, queue_id, seen, span_no in votes
                ],
                rulings=[
                    Ruling(uid, cite, label and Label(label), who, under, seen != now[span_no])
                    for uid, cite, label, who, under, seen, span_no in rulings
                ],
                claims=claims,
                queues=[_queue(row) for row in session.all(_QUEUES)],
                drawn=drawn,
                imported=imported,
                eligible=_eligible(session, {claims[one.said.claim_uid].request_uid for one in imported}),
                guidelines=tuple(
                    name
                    for (name,) in session.all("select guideline from guidelines group by 1 order by min(recorded_at)")
                ),
            )

    def drawn(self) -> dict[tuple[str, str], tuple[str, float]]:
        """By queue and claim: the queue's design, and the probability of the claim being drawn into it."""
        with self._connection.read() as session:
            designs = {one.queue_id: str(one.design) for one in map(_queue, session.all(_QUEUES))}
            return {(queue_id, uid): (designs[queue_id], rest[0]) for queue_id, uid, *rest in session.all(_DRAWN)}

    def claims_named(self, names: Collection[tuple[str, str]]) -> dict[tuple[str, str], list[str]]:
        """The uids of the standing claims under each pair of request id and claim id; names of none are left out."""
        found: dict[tuple[str, str], list[str]] = {}
        with self._connection.read() as session:
            for request_id, claim_id, uid in session.all(
                "select r.request_id, c.claim_id, c.claim_uid "
                "from standing_claims c join requests r using (request_no) "
                "where r.request_id in (select unnest(?::varchar[])) order by c.claim_no",
                [sorted({request_id for request_id, _ in names})],
            ):
                if (request_id, claim_id) in names:
                    found.setdefault((request_id, claim_id), []).append(uid)
        return found

    def claims_reading(self, texts: Collection[str]) -> dict[str, list[str]]:
        """The uids of the standing claims that read exactly so, by text."""
        found: dict[str, list[str]] = {}
        with self._connection.read() as session:
            for text, uid in session.all(
                "select text, claim_uid from standing_claims where text in (select unnest(?::varchar[])) "
                "order by claim_no",
                [sorted(texts)],
            ):
                found.setdefault(text, []).append(uid)
        return found

    def claims(self, uids: Collection[str]) -> dict[str, ClaimFacts]:
        """Claims without their words, by uid."""
        with self._connection.read() as session:
            return claim_facts(session, uids)

    def add(self, labels: Sequence[ImportedLabel], who: str) -> int:
        """Store labels of whole claims in one transaction; gives how many were not there before.

        Raises:
            StoreConflict: One of them is stored with another label, or names no claim; nothing was written.
        """
        with self._connection.write() as session:
            new = _add(session, labels, who)
        if new:
            self._wrote()
        return new

    def seen_now(self, claim_uids: Collection[str]) -> dict[str, str]:
        """For claims, the sha256 over their words and all their cited texts: what an imported label is bound to."""
        with self._connection.read() as session:
            return _claims_now(session, claim_uids)

    def _seen_now(self, session: Session, span_nos: Collection[int]) -> Mapping[int, str]:
        """For spans, the sha256 that a label given now would be bound to."""
        missing = [number for number in span_nos if number not in self._now]
        for start in range(0, len(missing), _AT_ONCE):
            found = session.all(_SPAN_NOW, [missing[start : start + _AT_ONCE]])
            texts = texts_of(session, sorted({text_no for _, _, text_no, many in found if many == 1}))
            self._now |= {
                number: digest([claim, texts[text_no] if many == 1 else None]) for number, claim, text_no, many in found
            }
        return self._now


def claim_facts(session: Session, uids: Collection[str]) -> dict[str, ClaimFacts]:
    """Claims without their words, by uid."""
    return {
        uid: ClaimFacts(request_uid, tuple(cites or ()))
        for uid, request_uid, cites in session.all(
            "select c.claim_uid, r.request_uid, list(s.cite order by s.position) filter (s.cite is not null) "
            "from claims c join requests r using (request_no) join spans s using (claim_no) "
            "where c.claim_uid in (select unnest(?::varchar[])) group by all",
            [list(uids)],
        )
    }


def _queue(row: Sequence[Any]) -> QueueFacts:
    queue_id, name, spec, guideline, feeds_rates, population = row
    how = json.loads(spec)
    return QueueFacts(
        queue_id=queue_id,
        name=name,
        design=how["design"],
        labellers=how["labellers"],
        guideline=guideline,
        feeds_rates=feeds_rates,
        population=population,
    )


def _imported(session: Session, guideline: str | None) -> list[ImportedVote]:
    """Of each row of a file the last statement, where its claim stands."""
    names = ", ".join(f"c.{name}" if name == "claim_uid" else f"g.{name}" for name in _IMPORTED)
    found = session.all(
        f"select {names}, g.recorded_at from claim_gold g join standing_claims c using (claim_no) "
        "where ? is null or g.guideline = ? "
        "qualify row_number() over (partition by g.claim_no, g.labeller, g.guideline, g.origin_sha256 "
        "order by g.gold_no desc) = 1 order by g.gold_no",
        [guideline, guideline],
    )
    said = [(ImportedLabel(**dict(zip(_IMPORTED, row[:-1], strict=True))), row[-1]) for row in found]
    now = _claims_now(session, {one.claim_uid for one, _ in said})
    return [ImportedVote(one, one.seen_sha256 != now[one.claim_uid], in_utc(at) or at) for one, at in said]


def _claims_now(session: Session, uids: Collection[str]) -> dict[str, str]:
    found: dict[str, str] = {}
    wanted = sorted(uids)
    for start in range(0, len(wanted), _AT_ONCE):
        rows = session.all(
            "select c.claim_uid, c.text, s.cite, t.text from claims c join spans s using (claim_no) "
            "left join registry_entries e on e.request_no = c.request_no and e.cite = s.cite "
            "left join texts t using (text_no) where c.claim_uid in (select unnest(?::varchar[])) "
            "order by c.claim_no, s.position, e.position",
            [wanted[start : start + _AT_ONCE]],
        )
        words: dict[str, list[Any]] = {}
        for uid, claim, cite, text in rows:
            words.setdefault(uid, [claim]).append([cite, text])
        found |= {uid: digest(parts) for uid, parts in words.items()}
    return found


def _eligible(session: Session, request_uids: Iterable[str]) -> dict[str, int]:
    return session.pairs(
        "select r.request_uid, count(*) from standing_claims c join requests r using (request_no) "
        "where r.request_uid in (select unnest(?::varchar[])) and (c.material or exists "
        "(select 1 from spans s where s.claim_no = c.claim_no and s.cite is not null)) group by 1",
        [sorted(request_uids)],
    )


def _add(session: Session, labels: Sequence[ImportedLabel], who: str) -> int:
    known = session.pairs(
        "select event_id, label from claim_gold where event_id in (select unnest(?::varchar[]))",
        [[one.event_id for one in labels]],
    )
    numbers = session.pairs(
        "select claim_uid, claim_no from standing_claims where claim_uid in (select unnest(?::varchar[]))",
        [sorted({one.claim_uid for one in labels})],
    )
    new: list[ImportedLabel] = []
    for one in labels:
        if one.event_id not in known:
            known[one.event_id] = one.label
            new.append(one)
        elif known[one.event_id] != one.label:
            raise StoreConflict(f"{one.labeller} has said {known[one.event_id]} of this claim", "say one thing a claim")
        if one.claim_uid not in numbers:
            raise StoreConflict(f"Claim {one.claim_uid} is not in the store", "import its answer first")
    first, now = session.next_number("claim_gold", "gold_no"), utc_now()
    rows = [
        one.model_dump(exclude={"claim_uid"})
        | {"gold_no": number, "claim_no": numbers[one.claim_uid], "recorded_at": now}
        for number, one in enumerate(new, first)
    ]
    session.append("claim_gold", rows)
    act = audit.Act.IMPORTED_LABELS
    audit.note(session, [audit.Entry(who, act, f"claim_gold {row['event_id']}", audit.of_row(row)) for row in rows])
    return len(new)
