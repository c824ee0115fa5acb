"""Gold labels: what people agree on, for cited spans and, where every span of a claim has one, for the claim.

Only labels under one guideline count, given to the texts as they stand. Two people who disagree make no gold: that is
for adjudication. No verdict of any judge is read here.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from core.merge import merge
from core.models import Label, MergePolicy, Record, digest
from core.store.records import LabelRow

Place = tuple[str, str | None]
"""Claim uid and cite: one cited span; the cite is none for a claim without citations."""


class SpanGold(Record):
    """One cited span with the label that everybody gave it."""

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
    """How many people gave it."""
    guideline: str
    seen_sha256: str
    """Over claim and cited text."""


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


class PersonLabel(LabelRow):
    """One person's current decision, with whether it still speaks of the texts as they stand."""

    stale: bool


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
    """Spans whose labellers do not agree."""
    claims: int
    """Claims with gold."""
    incomplete: int
    """Claims of which some span has gold and some other has not."""


class Gold:
    """Who agrees on what; the rows are read anew for every output, so that no text is kept.

    Args:
        rows: Gives everybody's current decisions from the beginning, each time it is called.
        guideline: Only labels given under this version count.
        policy: How the labels of spans become a claim's; ``joint`` cannot be known from labels of single spans.
    """

    def __init__(self, rows: Callable[[], Iterable[LabelRow]], guideline: str, policy: MergePolicy) -> None:
        """Read the rows once."""
        self._rows = rows
        self.guideline = guideline
        self.policy = policy
        self._votes: dict[Place, list[Label]] = {}
        self._cites: dict[str, tuple[str, ...]] = {}
        decisions = skipped = stale = other = 0
        for row in rows():
            decisions += 1
            skipped += row.label is None
            stale += is_stale(row)
            other += row.guideline != guideline
            if self._counts(row) and row.label is not None:
                self._votes.setdefault((row.claim_uid, row.cite), []).append(row.label)
                self._cites[row.claim_uid] = row.cites
        labels = [self._label(place) for place in self._votes]
        claims = [self._merged(uid) for uid in self._cites]
        some = {uid for uid, cite in self._votes if self._label((uid, cite)) is not None}
        self.counts = GoldCounts(
            guideline=guideline,
            merge=policy,
            decisions=decisions,
            skipped=skipped,
            stale=stale,
            other_guideline=other,
            spans=len(labels) - labels.count(None),
            disagreements=labels.count(None),
            claims=len(claims) - claims.count(None),
            incomplete=len(some) - (len(claims) - claims.count(None)),
        )

    def spans(self) -> Iterator[SpanGold]:
        """Every span with gold once, in the order in which they were first labelled."""
        for row, label in self._firsts():
            place = (row.claim_uid, row.cite)
            fields = row.model_dump(include=set(SpanGold.model_fields) - {"label", "labellers"})
            yield SpanGold(label=label, labellers=len(self._votes[place]), **fields)

    def claims(self) -> Iterator[ClaimGold]:
        """Every claim with gold once, in the order in which they were first labelled."""
        given: set[str] = set()
        for row, _ in self._firsts():
            label = self._merged(row.claim_uid)
            if label is None or row.claim_uid in given:
                continue
            given.add(row.claim_uid)
            fields = row.model_dump(include=set(ClaimGold.model_fields) - {"label", "labels", "merge"})
            yield ClaimGold(label=label, labels=tuple(self._span_labels(row.claim_uid)), merge=self.policy, **fields)

    def people(self) -> Iterator[PersonLabel]:
        """Everybody's current decisions, also those that make no gold, oldest first."""
        for row in self._rows():
            yield PersonLabel(stale=is_stale(row), **row.model_dump())

    def _firsts(self) -> Iterator[tuple[LabelRow, Label]]:
        """The first row of every span with gold."""
        seen: set[Place] = set()
        for row in self._rows():
            place = (row.claim_uid, row.cite)
            label = self._label(place)
            if label is not None and place not in seen and self._counts(row):
                seen.add(place)
                yield row, label

    def _counts(self, row: LabelRow) -> bool:
        return row.label is not None and row.guideline == self.guideline and not is_stale(row)

    def _label(self, place: Place) -> Label | None:
        votes = set(self._votes.get(place, ()))
        return votes.pop() if len(votes) == 1 else None

    def _span_labels(self, claim_uid: str) -> list[Label]:
        """The gold of a claim's spans, in their order; those without are left out."""
        places = [(claim_uid, cite) for cite in self._cites[claim_uid] or (None,)]
        return [label for place in places if (label := self._label(place)) is not None]

    def _merged(self, claim_uid: str) -> Label | None:
        labels = self._span_labels(claim_uid)
        if len(labels) < max(1, len(self._cites[claim_uid])):
            return None
        if len(set(labels)) == 1:
            return labels[0]
        return None if Label.UNCITED in labels else merge(labels, self.policy)  # no rule merges "uncited" with others


def is_stale(row: LabelRow) -> bool:
    """Whether a decision was made about other texts than those that stand under its claim and citation now."""
    return digest([row.claim, row.evidence]) != row.seen_sha256
