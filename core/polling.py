"""What people's votes on a claim come to: gold, not yet, a disagreement, or nothing to check; the rule, and no data.

A span is gold when somebody adjudicated it, or when everybody who labelled it, at least as many as were wanted, gave it
the same label. A claim is gold when every span of it is. Who adjudicates a span is no rater of it. One person's "not a
claim" on any span speaks of the whole claim. Where people spoke of the texts as they stand, only they count.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from enum import StrEnum
from typing import NamedTuple

from core.merge import merge
from core.models import Label, MergePolicy
from core.store.gold_records import Ruling, Vote

Place = tuple[str, str | None]
"""Claim uid and cite: one cited span; the cite is none for a claim without citations."""


class Provenance(StrEnum):
    """Where a gold label comes from."""

    AGREED = "agreed"
    ADJUDICATED = "adjudicated"
    IMPORTED = "imported"
    """Somebody elsewhere said it of the whole claim."""


class State(StrEnum):
    """How far people are with a span or a claim."""

    GOLD = "gold"
    WAITING = "waiting"
    """Fewer have labelled it than were wanted, or nobody has."""
    DISAGREEMENT = "disagreement"
    NOT_A_CLAIM = "not_a_claim"
    """There is nothing to check: an error of the extraction, never gold."""


class Outcome(NamedTuple):
    """What the votes on a span or a claim come to."""

    state: State
    label: Label | None = None
    """With the state gold only."""
    provenance: Provenance = Provenance.AGREED
    labellers: tuple[str, ...] = ()
    """Whose votes count, sorted; of a claim everybody's who labelled any of its spans."""
    stale: bool = False
    """Whether it speaks of other texts than those that stand there now."""


class Poll:
    """The votes on some claims.

    Args:
        votes: Under one guideline, oldest first; of several by one person on one span the last counts.
        rulings: What stands of the adjudications under that guideline.
        cites: By claim uid, its citations in order.
        wanted: By claim uid, how many labellers were wanted; one where it is not named.
        policy: How the labels of spans become a claim's; ``joint`` cannot be known from labels of single spans.
    """

    def __init__(
        self,
        votes: Iterable[Vote],
        rulings: Iterable[Ruling],
        cites: Mapping[str, tuple[str, ...]],
        wanted: Mapping[str, int],
        policy: MergePolicy = MergePolicy.ALL,
    ) -> None:
        """Count the votes."""
        self._cites = cites
        self._wanted = wanted
        self._policy = policy
        self._votes: dict[str, dict[str | None, dict[str, Vote]]] = {}
        self._rulings: dict[str, dict[str | None, Ruling]] = {}
        for vote in votes:
            self._votes.setdefault(vote.claim_uid, {}).setdefault(vote.cite, {})[vote.labeller] = vote
        for ruling in rulings:
            self._rulings.setdefault(ruling.claim_uid, {})[ruling.cite] = ruling

    def claims(self) -> Iterator[str]:
        """The uid of every claim about which anything was said, in the order of the first vote."""
        yield from dict.fromkeys([*self._votes, *self._rulings])

    def places(self) -> Iterator[Place]:
        """Every span about which anything was said, in that order."""
        for uid in self.claims():
            for cite in dict.fromkeys([*self._votes.get(uid, ()), *self._rulings.get(uid, ())]):
                yield uid, cite

    def votes(self, uid: str, cite: str | None) -> dict[str, Vote]:
        """By person, who votes on a span: their own vote, or their "not a claim" on another span of the claim."""
        ruling = self._rulings.get(uid, {}).get(cite)
        of = self._votes.get(uid, {})
        nothing = {who: vote for each in of.values() for who, vote in each.items() if vote.label is None}
        found = of.get(cite, {}) | nothing
        return {who: vote for who, vote in found.items() if ruling is None or who != ruling.adjudicator}

    def span(self, uid: str, cite: str | None) -> Outcome:
        """What the votes on one span come to."""
        rulings = self._rulings.get(uid, {})
        votes = self.votes(uid, cite)
        ruling = next((one for one in rulings.values() if one.label is None), rulings.get(cite))
        if ruling is not None:
            state = State.GOLD if ruling.label else State.NOT_A_CLAIM
            return Outcome(state, ruling.label, Provenance.ADJUDICATED, tuple(sorted(votes)), ruling.stale)
        fresh = {who: vote for who, vote in votes.items() if not vote.stale}
        counted = fresh or votes
        labels = {vote.label for vote in counted.values()}
        people, stale = tuple(sorted(counted)), bool(votes) and not fresh
        if len(labels) > 1:
            return Outcome(State.DISAGREEMENT, labellers=people, stale=stale)
        if len(counted) < max(1, self._wanted.get(uid, 1)):
            return Outcome(State.WAITING, labellers=people, stale=stale)
        label = labels.pop()
        return Outcome(State.GOLD if label else State.NOT_A_CLAIM, label, labellers=people, stale=stale)

    def spans(self, uid: str) -> list[Outcome]:
        """What the votes on each span of a claim come to, in the order of its citations."""
        return [self.span(uid, cite) for cite in self._cites[uid] or (None,)]

    def claim(self, uid: str) -> Outcome:
        """What the votes on a claim come to; "uncited" beside other labels, which no rule merges, is a disagreement."""
        spans = self.spans(uid)
        people = tuple(sorted({who for one in spans for who in one.labellers}))
        stale = any(one.stale for one in spans)
        decided = any(one.provenance is Provenance.ADJUDICATED for one in spans)
        provenance = Provenance.ADJUDICATED if decided else Provenance.AGREED
        for state in (State.NOT_A_CLAIM, State.DISAGREEMENT, State.WAITING):
            if any(one.state is state for one in spans):
                return Outcome(state, None, provenance, people, stale)
        label = self._merged([one.label for one in spans])
        return Outcome(State.GOLD if label else State.DISAGREEMENT, label, provenance, people, stale)

    def _merged(self, labels: list[Label | None]) -> Label | None:
        if len(set(labels)) == 1:
            return labels[0]
        return None if Label.UNCITED in labels else merge(labels, self._policy)
