"""A gold set in a window of claims: which of its labels speak of it, and the judge's counts over what it stands for."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from typing import NamedTuple

from core.gold_sets import GoldClaim, GoldSet
from core.metrics import corrected_rate, labelled
from core.metrics.corrected_rate import CorrectedRate as Corrected
from core.metrics.labelled import Population
from core.metrics.unsupported_rate import Strictness
from core.store import Store
from core.store.judged_gold import Frame, Tally
from core.store.records import ClaimFilter


class LabelledClaim(NamedTuple):
    """One claim of the window with gold."""

    gold: GoldClaim
    bad: bool | None
    """Whether people make it unsupported; none when they could not read it."""
    said: bool | None
    """Whether the judge does; none without a conclusion."""


class GoldWindow:
    """A gold set in a window of one judge's claims.

    Args:
        store: Where verdicts and gold are.
        window: The claims, under the judge's protocol.
        strictness: Which rule makes a claim unsupported.
        gold: The set.
    """

    def __init__(self, store: Store, window: ClaimFilter, strictness: Strictness, gold: GoldSet) -> None:
        """Find its labels in the window."""
        self.gold = gold
        self.old = any(one.guideline_old for one in gold.claims)
        self.coarse = strictness == "lenient" and not gold.nine_labels
        self.strictness = strictness
        self.frame = frame_of(store, gold)
        fresh = [one for one in gold.claims if not one.stale]
        self.stale = len(gold.claims) - len(fresh)
        at = strictness == "lenient"
        sides = store.judged_gold.sides(window, self.frame, [one.claim_uid for one in fresh])
        self.inside = [
            LabelledClaim(one, (one.unsupported_strict, one.unsupported_lenient)[at], sides[one.claim_uid][at])
            for one in fresh
            if one.claim_uid in sides
        ]
        self.usable = [] if self.coarse else [one for one in self.inside if one.bad is not None]
        self._store, self._window = store, window

    @cached_property
    def tally(self) -> Tally:
        """The judge's counts over what the set was drawn from."""
        return self._store.judged_gold.tally(self._window, self.frame)

    def estimate(self, seed: int) -> Corrected:
        """The rate from the labels and these counts."""
        labels = labelled.of(
            [bool(one.bad) for one in self.usable],
            [one.said for one in self.usable],
            [one.gold.probability for one in self.usable],
            [one.gold.request_uid for one in self.usable],
        )
        unsupported = self.tally.unsupported(self.strictness)
        population = Population(unsupported, self.tally.judged - unsupported, self.tally.attempted - self.tally.judged)
        return corrected_rate.estimate(labels, population, seed)

    def notes(self, attempted: int) -> Iterator[str]:
        """What must be said beside it."""
        yield f"Corrected with the gold set “{self.gold.title}”."
        if self.tally.attempted < attempted:
            yield (
                f"{attempted - self.tally.attempted:,} of {attempted:,} claims are not among those that the gold was "
                "drawn from; the corrected rate does not speak of them."
            )
        if not self.gold.complete:
            yield "Not every claim that was drawn has gold yet; those that have stand for the others."
        if gone := len(self.inside) - len(self.usable):
            yield f"{gone:,} claims that people could not read are left out."
        if self.stale:
            yield f"{self.stale:,} labels about texts that have changed since are left out."
        if self.old:
            yield "There is a newer guideline than the one of these labels."


def frame_of(store: Store, gold: GoldSet) -> Frame:
    """The claims that a gold set was drawn from.

    Of a census in a file the requests it speaks of; of a random sample in a file all claims of the store, for the file
    does not say from which it was drawn.
    """
    if gold.source == "queue":
        return store.judged_gold.frame(gold.gold_id.split(":")[1])
    if gold.census:
        return Frame(request_uids=tuple(sorted({one.request_uid for one in gold.claims})))
    return Frame()
