"""The unsupported rate of one judge over a window of claims, raw and corrected by what people labelled in it.

One gold set corrects one rate: sets were drawn apart, each with its own chances, so their labels are never pooled. Of
several the one with most labels in the window serves, one under the newest guideline first. What people cannot see
moves no rate: the figures are the same for every reader.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import NamedTuple

from core.errors import InputError
from core.gold_sets import GoldClaim, GoldSet, made
from core.metrics import Estimate, corrected_rate, labelled, unsupported_rate
from core.metrics.corrected_rate import CorrectedRate as Corrected
from core.metrics.labelled import Population
from core.metrics.unsupported_rate import RateReport, Strictness
from core.models import Record
from core.protocol import ClaimProtocol
from core.store import Store
from core.store.judged_gold import Frame, Tally
from core.store.records import ClaimFilter


class CorrectedRate(Record):
    """One judge's rate over one window, as it says itself and as people would see it."""

    protocol: str
    strictness: str
    raw: RateReport
    """The judge's own share over the whole window, with its bounds; its errors are in it."""
    corrected: Corrected | None
    """None where no gold serves; ``why_not`` then says so."""
    why_not: str
    gold_id: str | None
    gold_sha256: str | None
    covered: int
    """Claims of the window that the gold set was drawn from: the corrected rate speaks of these."""
    notes: tuple[str, ...] = ()
    sentence: str
    """What it means, for a reader who knows no statistics."""


def corrected(
    store: Store,
    protocol: str,
    wanted: ClaimFilter | None = None,
    strictness: Strictness = "strict",
    gold_ids: Sequence[str] | None = None,
    seed: int = 0,
    sets: Sequence[GoldSet] | None = None,
) -> CorrectedRate:
    """The rate over the claims of a filter.

    Args:
        store: Where verdicts and gold are.
        protocol: The judge, as printed.
        wanted: The window; its protocol and its reader are set aside. None means every claim.
        strictness: ``strict`` or ``lenient``.
        gold_ids: Gold sets that may serve; none means every one.
        seed: Of the draws that an interval is read from.
        sets: The store's gold sets, where they are at hand: reading them takes as long as all the rest.
    """
    window = _window(protocol, wanted)
    tally = store.judged_gold.tally(window)
    candidates = [
        _Candidate(store, window, strictness, one)
        for one in (made(store.gold.facts()) if sets is None else sets)
        if one.feeds_rates and (gold_ids is None or one.gold_id in gold_ids)
    ]
    best = max(candidates, key=lambda one: (bool(one.usable), not one.old, len(one.usable)), default=None)
    if best is None or not best.usable:
        return _made(protocol, strictness, tally, None, _why_not(best, gold_ids))
    return _made(protocol, strictness, tally, best, "", seed)


def raw(tally: Tally, strictness: Strictness) -> RateReport:
    """The judge's own rate from its counts."""
    return unsupported_rate.report(
        tally.attempted,
        tally.inaccessible,
        tally.unjudged,
        tally.unsupported(strictness),
        tally.spread(strictness),
    )


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


def sentence(protocol: str, found: Corrected | None, share: Estimate) -> str:
    """The corrected rate in words, or the raw one, named raw."""
    if found is not None and found.estimate is not None and found.low is not None and found.high is not None:
        labels = f"{found.n:,} labels, judge {protocol}"
        return f"{between(found.low, found.high)} of 100 claims are unsupported ({labels})."
    if share.estimate is None or share.low is None or share.high is None:
        return f"The judge {protocol} concluded on no claim, so there is no rate."
    return (
        f"The judge {protocol} itself calls {between(share.low, share.high).lower()} of 100 claims unsupported; this "
        "raw share holds the judge's errors."
    )


def between(low: float, high: float) -> str:
    """Two shares as "Between 6 and 11", rounded outwards never more than to a whole claim of 100."""
    first, last = round(100 * low), round(100 * high)
    return f"Between {first} and {last}" if first != last else f"About {first}"


class _Labelled(NamedTuple):
    """One claim of the window with gold."""

    gold: GoldClaim
    bad: bool | None
    """Whether people make it unsupported; none when they could not read it."""
    said: bool | None
    """Whether the judge does; none without a conclusion."""


class _Candidate:
    """A gold set in the window."""

    def __init__(self, store: Store, window: ClaimFilter, strictness: Strictness, gold: GoldSet) -> None:
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
            _Labelled(one, (one.unsupported_strict, one.unsupported_lenient)[at], sides[one.claim_uid][at])
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


def _window(protocol: str, wanted: ClaimFilter | None) -> ClaimFilter:
    given = wanted or ClaimFilter(protocol=protocol)
    return given.model_copy(update={"protocol": protocol, "reader": None, "concealed": False, "attempted_only": True})


def protocol_of(store: Store, name: str) -> ClaimProtocol:
    """The full protocol behind a printed name.

    Raises:
        InputError: No claim was judged under it.
    """
    known = {one.name: one.protocol for one in store.protocols()}
    if name not in known:
        there = ", ".join(known) or "none yet: import answers first"
        raise InputError(f"No claim was judged under {name!r} in this store", f"choose one of: {there}")
    return known[name]


def _why_not(best: _Candidate | None, gold_ids: Sequence[str] | None) -> str:
    if best is None:
        which = "None of the gold sets chosen" if gold_ids else "No gold set"
        return f"{which} was drawn with known chances, so nobody can say which claims its labels stand for."
    if best.coarse:
        return (
            "The gold set tells only supported from not supported, which the lenient rate cannot be corrected with: "
            "some of it may be partial."
        )
    return "No claim of this window has a label yet."


def _made(
    protocol: str, strictness: Strictness, tally: Tally, best: _Candidate | None, why_not: str, seed: int = 0
) -> CorrectedRate:
    own = raw(tally, strictness)
    found = best.estimate(seed) if best else None
    return CorrectedRate(
        protocol=protocol,
        strictness=strictness,
        raw=own,
        corrected=found,
        why_not=why_not,
        gold_id=best.gold.gold_id if best else None,
        gold_sha256=best.gold.sha256 if best else None,
        covered=best.tally.attempted if best else 0,
        notes=tuple(best.notes(tally.attempted)) if best else (),
        sentence=sentence(protocol, found, own.estimate),
    )
