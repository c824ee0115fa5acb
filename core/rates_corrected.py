"""The unsupported rate of one judge over a window of claims, raw and corrected by what people labelled in it.

One gold set corrects one rate: sets were drawn apart, each with its own chances, so their labels are never pooled. Of
several the one with most labels in the window serves, one under the newest guideline first. What people cannot see
moves no rate: the figures are the same for every reader.
"""

from __future__ import annotations

from collections.abc import Sequence

from core.borrowed_calibration import Borrowed, Elsewhere
from core.errors import InputError
from core.gold_sets import GoldSet, made
from core.gold_window import GoldWindow
from core.metrics import Estimate, unsupported_rate
from core.metrics.corrected_rate import CorrectedRate as Corrected
from core.metrics.unsupported_rate import RateReport, Strictness
from core.models import Record
from core.protocol import ClaimProtocol
from core.store import Store
from core.store.judged_gold import Tally
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
    borrowed: Borrowed | None = None
    """Where nothing corrects it: the rate by the judge's errors on claims labelled elsewhere; never in its place."""
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
    elsewhere: Elsewhere | None = None,
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
        elsewhere: What is known of the judges' errors, where many windows are asked for.
    """
    window = _window(protocol, wanted)
    tally = store.judged_gold.tally(window)
    serving = [
        one
        for one in (made(store.gold.facts()) if sets is None else sets)
        if one.feeds_rates and (gold_ids is None or one.gold_id in gold_ids)
    ]
    candidates = [GoldWindow(store, window, strictness, one) for one in serving]
    best = max(candidates, key=lambda one: (bool(one.usable), not one.old, len(one.usable)), default=None)
    if best is None or not best.usable:
        without = _made(protocol, strictness, tally, None, _why_not(best, gold_ids))
        of = elsewhere or Elsewhere(store, strictness, serving)
        return without.model_copy(update={"borrowed": of.rate(protocol, tally)})
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


def _why_not(best: GoldWindow | None, gold_ids: Sequence[str] | None) -> str:
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
    protocol: str, strictness: Strictness, tally: Tally, best: GoldWindow | None, why_not: str, seed: int = 0
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
