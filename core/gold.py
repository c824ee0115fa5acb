"""Gold labels: what people agree on or somebody adjudicated, for cited spans and for claims.

``core.polling`` has the rule. Only what was said under one guideline counts, and not what is said of a check item, or
after a judge's word was shown. No verdict of any judge is read here.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any

from core.models import Label, MergePolicy, Record, digest
from core.polling import Outcome, Poll, Provenance, State
from core.store import Store
from core.store.gold_records import GoldFacts, Vote
from core.store.label_records import LabelKind, LabelRow


class SpanGold(Record):
    """One cited span with its gold label."""

    claim_uid: str
    request_id: str
    claim_id: str
    query: str | None
    claim: str
    cite: str | None
    evidence: str | None
    """The cited text; none when the id means nothing, or two texts, in its request."""
    label: Label
    labellers: int
    """How many people's labels counted."""
    guideline: str
    seen_sha256: str
    """Over claim and cited text as they were shown."""
    provenance: Provenance
    stale: bool
    """Whether claim or cited text read otherwise by now."""
    guideline_old: bool
    """Whether there is a newer guideline."""
    queue_id: str | None
    """The queue that it was labelled in; of several the first that feeds rates."""
    design: str | None
    """How that queue's claims were drawn; none outside of any, which is no sample."""
    probability: float | None
    """Of the claim being drawn into that queue, in (0, 1]."""


class ClaimGold(Record):
    """One claim of which every span has gold."""

    claim_uid: str
    request_id: str
    claim_id: str
    query: str | None
    claim: str
    material: bool
    cites: tuple[str, ...]
    labels: tuple[Label, ...]
    """One a citation, in their order; one for a claim without citations."""
    label: Label
    """The labels of the spans, merged."""
    merge: MergePolicy
    guideline: str
    provenance: Provenance
    """Adjudicated when any span is."""
    stale: bool
    guideline_old: bool
    queue_id: str | None
    design: str | None
    probability: float | None


class PersonLabel(LabelRow):
    """One person's current decision, with how its claim was drawn and whether it speaks of the texts as they stand."""

    stale: bool
    design: str | None
    probability: float | None


class GoldCounts(Record):
    """What became gold, and why the rest did not."""

    guideline: str
    merge: MergePolicy
    decisions: int
    """Current labels and skips of all people; skipped, stale and other_guideline are among them."""
    skipped: int
    stale: int
    other_guideline: int
    spans: int
    """Cited spans with gold."""
    disagreements: int
    """Spans whose labellers do not agree, and that nobody adjudicated."""
    waiting: int
    """Spans that fewer people labelled than were wanted."""
    adjudicated: int
    """Spans with gold that somebody adjudicated."""
    claims: int
    """Claims with gold."""
    incomplete: int
    """Claims of which some span has gold and some other has not."""
    not_claims: int
    """What people call no claim: an error of the extraction, never gold."""


class Gold:
    """What is gold under one guideline; the rows are read anew for every output, so that no text is kept.

    Args:
        rows: Gives everybody's current decisions from the beginning, each time it is called.
        facts: What people said, and how their claims were drawn.
        guideline: Only labels given under this version count.
        policy: How the labels of spans become a claim's; ``joint`` cannot be known from labels of single spans.
        with_stale: Whether gold whose texts changed since is given too, marked.
        names: Gives the name under which a person's decisions are written; none for their own.
    """

    def __init__(
        self,
        rows: Callable[[], Iterable[LabelRow]],
        facts: GoldFacts,
        guideline: str,
        policy: MergePolicy,
        with_stale: bool = False,
        names: Callable[[str], str] | None = None,
    ) -> None:
        """Count the votes, and read the rows once."""
        self._rows = rows
        self._facts = facts
        self.guideline = guideline
        self.policy = policy
        self._with_stale = with_stale
        self._names = names or str
        self._queues = {one.queue_id: one for one in facts.queues}
        self._old = is_old(guideline, facts.guidelines)
        votes = self._votes()
        rulings = [one for one in facts.rulings if one.guideline == guideline]
        self._poll = Poll(
            votes, rulings, {uid: one.cites for uid, one in facts.claims.items()}, wanted(facts, votes), policy
        )
        self._home = self._homes(votes)
        self.counts = self._counted()

    def spans(self) -> Iterator[SpanGold]:
        """Every span with gold once, in the order in which they were first labelled."""
        seen: set[tuple[str, str | None]] = set()
        for row in self._under():
            outcome = self._poll.span(row.claim_uid, row.cite)
            if (row.claim_uid, row.cite) not in seen and self._given(outcome):
                seen.add((row.claim_uid, row.cite))
                fields = self._fields(SpanGold, row, outcome) | {"labellers": len(outcome.labellers)}
                bound = row.seen_sha256 if outcome.stale else digest([row.claim, row.evidence])
                yield SpanGold(**fields | {"seen_sha256": bound})

    def claims(self) -> Iterator[ClaimGold]:
        """Every claim with gold once, in the order in which they were first labelled."""
        seen: set[str] = set()
        for row in self._under():
            if row.claim_uid in seen:
                continue
            seen.add(row.claim_uid)
            outcome = self._poll.claim(row.claim_uid)
            if self._given(outcome):
                labels = tuple(one.label for one in self._poll.spans(row.claim_uid))
                yield ClaimGold(**self._fields(ClaimGold, row, outcome) | {"labels": labels, "merge": self.policy})

    def people(self) -> Iterator[PersonLabel]:
        """Everybody's current decisions, also those that make no gold, oldest first."""
        for row in self._rows():
            said = row.model_dump() | {"labeller": self._names(row.labeller), "stale": is_stale(row)}
            yield PersonLabel(**said | self._drawn(row.queue_id, row.claim_uid))

    def _votes(self) -> list[Vote]:
        """What counts: labels given in queues and, on claims without any of these, those given outside of queues."""
        under = [one for one in self._facts.votes if one.guideline == self.guideline]
        queued = {one.claim_uid for one in under if one.queue_id is not None}
        return [
            one
            for one in under
            if not is_check(self._facts, one) and (one.queue_id is not None or one.claim_uid not in queued)
        ]

    def _under(self) -> Iterator[LabelRow]:
        return (row for row in self._rows() if row.guideline == self.guideline)

    def _given(self, outcome: Outcome) -> bool:
        return outcome.state is State.GOLD and (self._with_stale or not outcome.stale)

    def _fields(self, record: type[Record], row: LabelRow, outcome: Outcome) -> dict[str, Any]:
        home = self._home.get(row.claim_uid)
        said = {"label": outcome.label, "provenance": outcome.provenance, "stale": outcome.stale}
        more = {"guideline_old": self._old, "queue_id": home, **self._drawn(home, row.claim_uid)}
        return row.model_dump(include=set(record.model_fields) & set(LabelRow.model_fields)) | said | more

    def _drawn(self, queue_id: str | None, uid: str) -> dict[str, Any]:
        drawn = self._facts.drawn.get((queue_id or "", uid))
        if queue_id is None or drawn is None:
            return {"design": None, "probability": None}
        return {"design": self._queues[queue_id].design, "probability": drawn.probability}

    def _homes(self, votes: Iterable[Vote]) -> dict[str, str | None]:
        homes: dict[str, str | None] = {}
        for vote in votes:
            feeds = vote.queue_id is not None and self._queues[vote.queue_id].feeds_rates
            known = homes.setdefault(vote.claim_uid, vote.queue_id)
            if feeds and (known is None or not self._queues[known].feeds_rates):
                homes[vote.claim_uid] = vote.queue_id
        return homes

    def _counted(self) -> GoldCounts:
        rows = [
            (
                row.label is None and row.kind is not LabelKind.NOT_A_CLAIM,
                is_stale(row),
                row.guideline != self.guideline,
            )
            for row in self._rows()
        ]
        spans = {place: self._poll.span(*place) for place in self._poll.places()}
        claims = {uid: self._poll.claim(uid) for uid in self._poll.claims()}
        with_gold = {uid for (uid, _), one in spans.items() if self._given(one)}
        states = [one.state for one in spans.values()]
        return GoldCounts(
            guideline=self.guideline,
            merge=self.policy,
            decisions=len(rows),
            skipped=sum(skipped for skipped, _, _ in rows),
            stale=sum(stale for _, stale, _ in rows),
            other_guideline=sum(other for _, _, other in rows),
            spans=sum(map(self._given, spans.values())),
            disagreements=states.count(State.DISAGREEMENT),
            waiting=states.count(State.WAITING),
            adjudicated=sum(self._given(one) and one.provenance is Provenance.ADJUDICATED for one in spans.values()),
            claims=sum(map(self._given, claims.values())),
            incomplete=sum(not self._given(claims[uid]) for uid in with_gold),
            not_claims=sum(one.state is State.NOT_A_CLAIM for one in claims.values()),
        )


def of(
    store: Store,
    guideline: str,
    policy: MergePolicy = MergePolicy.ALL,
    with_stale: bool = False,
    names: Callable[[str], str] | None = None,
) -> Gold:
    """The gold of a store under one guideline, whichever queue its labels were given in; see ``Gold``."""
    return Gold(store.labels.rows, store.gold.facts(), guideline, policy, with_stale, names)


def wanted(facts: GoldFacts, votes: Iterable[Vote]) -> dict[str, int]:
    """By claim uid, the most labellers that any queue wants of it in which it was labelled."""
    found: dict[str, int] = {}
    for vote in votes:
        drawn = facts.drawn.get((vote.queue_id or "", vote.claim_uid))
        if drawn is not None:
            found[vote.claim_uid] = max(found.get(vote.claim_uid, 1), drawn.wanted)
    return found


def is_check(facts: GoldFacts, vote: Vote) -> bool:
    """Whether a vote was given on a check item of its queue."""
    drawn = facts.drawn.get((vote.queue_id or "", vote.claim_uid))
    return drawn is not None and drawn.is_check


def is_old(guideline: str, known: tuple[str, ...]) -> bool:
    """Whether the desk has a newer guideline than this one; of one that it does not know nobody can say."""
    return guideline in known[:-1]


def is_stale(row: LabelRow) -> bool:
    """Whether a decision was made about other texts than those that stand under its claim and citation now."""
    return digest([row.claim, row.evidence]) != row.seen_sha256
