"""Who has been shown what judges said of a claim, and from whom it is concealed; the rule is ``core.reveal``'s."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from core.models import Label, Record, utc_now
from core.people import Person, Role
from core.reveal import BlindQueue, OwnLabel, Standing
from core.store import audit
from core.store.connection import Connection, Session
from core.store.queue_records import QueueSpec

Condition = tuple[str, list[Any]]
"""SQL with its parameters that is true of some claims."""

_OWN = """
select s.claim_no, e.guideline
from current_labels e join spans s using (span_no)
where e.labeller = ? and e.kind in ('label', 'not_a_claim')
group by 1, 2
having bool_or(e.kind = 'not_a_claim') or count(*) = (select count(*) from spans o where o.claim_no = s.claim_no)
"""
"""Claim and guideline of what a person has labelled whole."""


_MINDS = """
with judged as (
  select s.span_no, coalesce(any_value(g.outcome), any_value(v.label)) as label
  from spans s
  join current_verdicts v using (claim_no)
  left join stage_verdicts g on g.verdict_no = v.verdict_no and g.stage = 'support' and g.status = 'judged'
    and g.cite = s.cite
  where v.protocol_no = (select protocol_no from protocols where name = ?)
  and (g.outcome is not null or s.cite is null)
  group by 1
), blind as (
  select labeller, span_no, guideline, arg_max(label, event_no) as label
  from label_events e
  anti join withdrawn_spans using (span_no)
  where kind = 'label' and not after_reveal
  and event_id not in (select undoes from label_events where undoes is not null and not after_reveal)
  group by 1, 2, 3
), later as (
  select labeller, span_no, guideline, arg_max(label, event_no) as label
  from standing_labels where kind = 'label' and after_reveal group by 1, 2, 3
)
select b.label, coalesce(l.label, b.label), j.label
from blind b
join spans s using (span_no)
semi join reveals r on r.person = b.labeller and r.claim_no = s.claim_no
join judged j using (span_no)
left join later l on l.labeller = b.labeller and l.span_no = b.span_no and l.guideline = b.guideline
where j.label is not null
"""
"""Per person and span: the last label before the judge's word was shown, the last one at all, and that word."""


class Mind(Record):
    """What one person thought of a span before and after they were shown a judge's word on its claim."""

    before: Label
    now: Label
    judge: Label


class Reveals:
    """The part of a store that knows who saw which verdict; see ``Store`` for what holds of all its methods."""

    def __init__(self, connection: Connection) -> None:
        """Read and write through this connection."""
        self._connection = connection

    def standing(self, person: str, claim_uid: str) -> Standing:
        """How a person stands to a claim; one that is not in the store has no spans."""
        with self._connection.read() as session:
            return standing(session, person, claim_uid)

    def note(self, person: str, claim_uids: Collection[str], place: str) -> int:
        """Keep that a person is shown what judges said of some claims, before they are; once per person and claim.

        Args:
            person: By name.
            claim_uids: Unknown ones are passed over.
            place: Where: ``label page``, ``review``, …

        Returns:
            How many were new to the person.
        """
        if not claim_uids:
            return 0
        with self._connection.read() as session:
            if not _unseen(session, person, claim_uids):
                return 0
        with self._connection.write() as session:
            new = _unseen(session, person, claim_uids)
            first, moment = session.next_number("reveals", "reveal_no"), utc_now()
            rows = [
                {"reveal_no": number, "claim_no": claim_no, "person": person, "place": place, "recorded_at": moment}
                for number, claim_no in enumerate(new, first)
            ]
            session.append("reveals", rows)
            audit.note(session, [_entry(row) for row in rows])
        return len(new)

    def seen(self, person: str) -> set[str]:
        """The claims of which a person was shown what a judge said."""
        with self._connection.read() as session:
            found = session.all(
                "select c.claim_uid from reveals join claims c using (claim_no) where person = ?", [person]
            )
        return {uid for (uid,) in found}

    def minds(self, protocol: str) -> list[Mind]:
        """What people said blind, and what they say since they were shown what a protocol said of the same spans."""
        with self._connection.read() as session:
            found = session.all(_MINDS, [protocol])
        return [Mind(before=Label(before), now=Label(now), judge=Label(judge)) for before, now, judge in found]

    def concealed(self, person: Person) -> set[str]:
        """The claims of which a person may not be shown what judges said."""
        with self._connection.read() as session:
            condition, params = concealed(session, person, "c.claim_no")
            found = session.all(f"select c.claim_uid from claims c where {condition}", params)
        return {uid for (uid,) in found}


def concealed(session: Session, person: Person | None, claim_no: str) -> Condition:
    """What is true of the claims that are concealed from a person; nothing is from nobody in particular.

    Says of every claim what ``core.reveal.may_reveal`` says of it.

    Args:
        session: Where the queues are read; most often there is none that matters, and the condition costs nothing.
        person: Whose eyes.
        claim_no: The column to speak of.
    """
    if person is None:
        return "false", []
    parts: list[Condition] = []
    for number, queue in _blind_queues(session):
        if queue.is_open_to(person.name):
            labelled = f"select claim_no from ({_OWN}) where guideline = ?"
            held = f"select claim_no from queue_items where queue_no = ? except {labelled}"
            parts.append((f"{claim_no} in ({held})", [number, person.name, queue.guideline]))
    if not person.may(Role.REVIEWER):
        parts.append((f"{claim_no} not in (select claim_no from ({_OWN}))", [person.name]))
    condition = " or ".join(text for text, _ in parts)
    return f"({condition or 'false'})", [value for _, values in parts for value in values]


def standing(session: Session, person: str, claim_uid: str) -> Standing:
    """How a person stands to one claim."""
    of_claim = "join spans s using (claim_no) where c.claim_uid = ?"
    cites = session.all(f"select s.cite from claims c {of_claim}", [claim_uid])
    labels = session.all(
        "select s.cite, e.guideline, e.kind = 'not_a_claim' from current_labels e join spans s using (span_no) "
        "join claims c using (claim_no) "
        "where c.claim_uid = ? and e.labeller = ? and e.kind in ('label', 'not_a_claim')",
        [claim_uid, person],
    )
    blind = dict(_blind_queues(session))
    held = session.all(
        "select distinct queue_no from queue_items join claims c using (claim_no) where c.claim_uid = ?", [claim_uid]
    )
    return Standing(
        cites=tuple(cite for (cite,) in cites),
        queues=tuple(blind[number] for (number,) in sorted(held) if number in blind),
        labels=tuple(
            OwnLabel(cite=cite, guideline=guideline, not_a_claim=settles) for cite, guideline, settles in labels
        ),
    )


def _blind_queues(session: Session) -> list[tuple[int, BlindQueue]]:
    closed = session.pairs(
        "select queue_no, arg_max(kind, event_no) = 'closed' from queue_events where kind in ('closed', 'opened') "
        "group by 1"
    )
    found: list[tuple[int, BlindQueue]] = []
    for number, spec_json, guideline in session.all("select queue_no, spec, guideline from queues order by queue_no"):
        spec = QueueSpec.model_validate_json(spec_json)
        if spec.blind:
            queue = BlindQueue(guideline=guideline, labellers=spec.labellers, closed=closed.get(number, False))
            found.append((number, queue))
    return found


def _unseen(session: Session, person: str, claim_uids: Collection[str]) -> list[int]:
    """The numbers of those of some claims that were not revealed to a person yet, in the order of their coming."""
    found = session.all(
        "select claim_no from claims where claim_uid in ? "
        "and claim_no not in (select claim_no from reveals where person = ?) order by claim_no",
        [list(claim_uids), person],
    )
    return [claim_no for (claim_no,) in found]


def _entry(row: dict[str, Any]) -> audit.Entry:
    subject = f"reveal {row['reveal_no']}"
    return audit.Entry(row["person"], audit.Act.WAS_SHOWN_VERDICT, subject, audit.of_row(row))
