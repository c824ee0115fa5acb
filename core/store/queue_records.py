"""Labelling queues as frozen records: which claims, drawn how, for whom, under which guideline."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from enum import StrEnum
from typing import NamedTuple

from pydantic import Field

from core.models import Label, Record
from core.store.records import ClaimFilter

EVERYTHING = "everything"
"""The id of the standing queue of every claim."""


class Design(StrEnum):
    """How the claims of a queue are drawn from those that its filter holds."""

    CENSUS = "census"
    """All of them, in an order that says nothing of the claim."""
    RANDOM = "random"
    """Simple random sample without replacement."""
    STRATIFIED = "stratified"
    """Simple random sample within each stratum."""
    UNCERTAINTY = "uncertainty"
    """More probably the less sure the judge was; every claim has a chance, which is kept."""
    ERROR_SEEKING = "error_seeking"
    """More probably where a judge finds fault or judges differ; every claim has a chance, which is kept."""


class Stratum(StrEnum):
    """What strata are made of."""

    VERDICT = "verdict"
    """Unsupported, supported or not judged, as the filter's protocol has it."""
    LABEL = "label"
    """The nine labels and none."""
    DISAGREEMENT = "disagreement"
    """Whether two protocols give different labels."""
    FLAG = "flag"
    """The first of the claim's flags, or none."""


class QueueSpec(Record):
    """How a queue was made; with the seed, the same claims make the same queue."""

    name: str = Field(min_length=1, max_length=80)
    filter: ClaimFilter | None = None
    """Which claims; none means every claim that is standing: material, or citing something."""
    design: Design = Design.CENSUS
    stratum: Stratum | None = None
    """With the design ``stratified`` only."""
    other_protocol: str | None = None
    """The second protocol, for strata or error-seeking by disagreement."""
    size: int | None = Field(default=None, ge=1)
    """Claims wanted; none with the design ``census`` only."""
    seed: int = 0
    overlap: int = Field(default=1, ge=1, le=9)
    """Labellers wanted for each claim."""
    double_share: float = Field(default=0.0, ge=0.0, le=1.0)
    """Share of the claims that get one labeller more, drawn at random: they show how far people agree."""
    guideline: str = "v1"
    labellers: tuple[str, ...] = ()
    """Who may label it; empty means everybody."""
    feeds_rates: bool = True
    """False for exploration only: its labels never become part of a rate."""
    blind: bool = True
    """Whether its labellers are not shown what judges said of its claims, anywhere, before they have labelled them."""
    checks: int = Field(default=0, ge=0)
    """Check items mixed in: claims whose gold is known already, to see how a labeller does. They feed no rate."""
    lease_minutes: int = Field(default=30, ge=1, le=24 * 60)
    """For how long a claim is kept for the labeller it was given to."""


class DrawnClaim(Record):
    """One claim of a queue."""

    claim_uid: str
    place: int
    """The order in which claims are given out, in [0, 2⁶⁴): says nothing of the claim, nor of its probability."""
    probability: float = Field(gt=0, le=1)
    """Of being drawn; without meaning for a check item."""
    stratum: str
    wanted: int
    """Labellers wanted; a check item is for all of them."""
    check_label: dict[str, Label] | None = None
    """Of a check item, the known label by cite, "" for a claim without citations; none for all others."""


class Draw(Record):
    """What a draw takes from which population."""

    items: tuple[DrawnClaim, ...]
    """The claims of the queue after it; those of earlier draws have the probability that they have now."""
    population: int
    """Claims that the filter holds."""
    newest: int
    """The highest number of a claim in the store; what comes later is drawn from on its own."""
    strata: dict[str, tuple[int, int]]
    """Per stratum, claims in it and claims drawn; check items are not among them."""
    remarks: tuple[str, ...] = ()
    """What a person should know of it, in sentences."""


class Candidate(NamedTuple):
    """One claim of a population, with what a design may look at."""

    claim_uid: str
    request_uid: str
    label: Label | None
    unsupported: bool
    """As strict rates count."""
    other_label: Label | None
    """Of the second protocol."""
    flags: tuple[str, ...]
    sureness: float | None
    """How sure the judge was of the span it was least sure of, in [0, 1]; read for the design ``uncertainty`` only."""
    wave: int
    """Draws of the queue that were made before it came."""


class Population(NamedTuple):
    """The claims that a filter holds."""

    candidates: Sequence[Candidate]
    newest: int
    """The highest number of a claim in the store."""


class Queue(Record):
    """A queue as it stands."""

    queue_id: str
    name: str
    """The latest one; ``spec.name`` is the first."""
    spec: QueueSpec
    closed: bool
    who: str
    made_at: datetime
    population: int
    """Claims that the filter held at the last draw."""
    claims: int
    """Claims in it."""


class EmptyQueue(StrEnum):
    """Why nothing is left for a labeller right now."""

    DONE = "done"
    LEASED = "leased"
    """Others have the rest at the moment."""
    WITHHELD = "withheld"
    """The rest cites sources that they may not read."""
    NOT_YOURS = "not_yours"
    CLOSED = "closed"
    NOTHING_DRAWN = "nothing_drawn"


class QueueState(Record):
    """How far a queue is, for all and for one labeller; completion counts labels only, never leases."""

    queue_id: str
    claims: int
    complete: int
    """Claims that as many people labelled as were wanted, on every span."""
    judgements_wanted: int
    """Claims times labellers wanted."""
    judgements: int
    spans: int
    """Spans that this labeller may still label or has labelled."""
    labelled: int
    """Of these, labelled by them; "not a claim" included."""
    skipped: int
    withheld: int = 0
    """Claims that want labels still, but not from this labeller, who may not read a source that they cite."""
    last_hour: int
    """Labels this person gave in the last sixty minutes, in any queue."""
    empty: EmptyQueue | None = None
    """Why nothing is left for them; none while something is."""
    free_at: datetime | None = None
    """With ``leased``: when the first of the leases of others ends."""


class Unread(Record):
    """Claims of a queue that want labels still and may not get them, for their sources are for some groups only."""

    nobody: int
    """Of these, none of its labellers may read what they cite."""
    too_few: int
    """Of these, some may, but fewer than labels are wanted still."""


class Pace(Record):
    """What one labeller did in a queue."""

    labeller: str
    claims: int
    """Claims that they labelled whole; check items are not among them."""
    last_hour: int
    """Claims of which they labelled a span in the last sixty minutes, in this queue."""


class CheckResult(Record):
    """How one labeller did on the check items of a queue."""

    labeller: str
    right: int
    wrong: int
    missed: tuple[tuple[str, Label, Label], ...]
    """Claim uid, known label, label given."""
