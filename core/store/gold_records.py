"""What gold is made of, as the store gives it: what people said, how their claims were drawn, what was decided."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import NamedTuple

from core.models import Label, Record
from core.store.queue_records import Design

SAMPLE_LABELLER = "sample gold"
"""The name under which our hand labels of the sample are stored."""

NOT_SUPPORTED = "not_supported"
"""The coarse value of DESIGN §2: anything but supported or secondary_only; only ever gold of a whole claim."""


class Vote(NamedTuple):
    """One person's last word on one span, in one queue, from before they saw what a judge says of it."""

    claim_uid: str
    cite: str | None
    label: Label | None
    """None: there is nothing to check."""
    labeller: str
    guideline: str
    queue_id: str | None
    """None outside of any queue that this store knows."""
    stale: bool
    """Whether it speaks of other texts than those that stand under its claim and citation now."""


class Ruling(NamedTuple):
    """What stands of the adjudications of one span under one guideline."""

    claim_uid: str
    cite: str | None
    label: Label | None
    """None: there is nothing to check."""
    adjudicator: str
    guideline: str
    stale: bool


class Drawn(NamedTuple):
    """A claim's place in a queue."""

    probability: float
    """Of being drawn, under the design, in (0, 1]."""
    stratum: str
    wanted: int
    """Labellers."""
    is_check: bool
    """A check item: its labels say how a labeller does, and nothing of the claim."""


class ClaimFacts(NamedTuple):
    """A claim without its words."""

    request_uid: str
    cites: tuple[str, ...]


class QueueFacts(Record):
    """What must be known of a queue to read its gold."""

    queue_id: str
    name: str
    design: Design
    guideline: str
    feeds_rates: bool
    labellers: tuple[str, ...]
    """Whose labels count; empty means everybody's."""
    population: int
    """Claims that the filter held at the last draw."""


class ImportedLabel(Record):
    """What somebody elsewhere said of a whole claim."""

    event_id: str
    """The idempotency key: the same row of the same file, said to be drawn alike, is stored once."""
    claim_uid: str
    label: str
    """One of the nine labels, or ``not_supported``."""
    labeller: str
    guideline: str
    origin: str
    """The file's name."""
    origin_sha256: str
    probability: float | None
    """Of being drawn, in (0, 1]; none when nobody knows."""
    design: str
    """``census``, ``random``, or empty when nobody said."""
    seen_sha256: str
    """Over the claim's text and its cited texts as they stood when it was stored."""


class ImportedVote(NamedTuple):
    """The same as it stands now."""

    said: ImportedLabel
    stale: bool
    recorded_at: datetime


class GoldFacts(NamedTuple):
    """All of that in one consistent state of the store, without claims that were withdrawn."""

    votes: list[Vote]
    rulings: list[Ruling]
    claims: Mapping[str, ClaimFacts]
    """Every claim that is named anywhere in here."""
    queues: list[QueueFacts]
    drawn: Mapping[tuple[str, str], Drawn]
    """By queue and claim."""
    imported: list[ImportedVote]
    eligible: Mapping[str, int]
    """By request uid of imported labels, how many claims it has that are material or cite something."""
    guidelines: tuple[str, ...]
    """Those that the desk has, oldest first."""
