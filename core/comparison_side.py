"""One judge of a comparison: its rate on the claims that are compared, what it cost and how long it took."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

from core.metrics import unsupported_rate
from core.metrics.clustered_share import Spread
from core.metrics.unsupported_rate import RateReport, Strictness
from core.models import Label, Record
from core.store import Store
from core.store.comparisons import Said, SameClaim, Spent, Took

NOT_RECORDED = "not recorded"


class Side(Record):
    """One judge of a comparison."""

    protocol: str
    rate: RateReport
    """Its own share, raw, on these claims."""
    cost: float | None
    """US dollars, of the calls whose cost is known; none where nothing is recorded."""
    calls: int
    cost_said: str
    seconds_a_span: float | None
    """By the clock, of all spans that it judged in this store; none where none was timed."""
    spans_timed: int
    spans_cached: int
    """Spans whose judgement came from the cache, and took no time."""
    latency_said: str


def side(store: Store, protocol: str, claims: Sequence[SameClaim], at: int, strictness: Strictness) -> Side:
    """The figures of one judge.

    Args:
        store: Where its verdicts, costs and times are.
        protocol: As printed.
        claims: Those that are compared.
        at: Its place among what was said of each.
        strictness: Which rule makes a claim unsupported.
    """
    spent, took = store.comparisons.spent(protocol), store.comparisons.took(protocol)
    return Side(
        protocol=protocol,
        rate=rate(claims, at, strictness),
        cost=spent.cost if spent else None,
        calls=spent.calls if spent else 0,
        cost_said=_cost(spent),
        seconds_a_span=took.seconds / took.judged if took and took.judged else None,
        spans_timed=took.judged if took else 0,
        spans_cached=took.cached if took else 0,
        latency_said=_latency(took),
    )


def rate(claims: Sequence[SameClaim], at: int, strictness: Strictness) -> RateReport:
    """One judge's own rate on claims that several judged; claims of one answer belong together."""
    answers: dict[str, list[int]] = defaultdict(lambda: [0, 0])
    for one in claims:
        scored = score(one.said[at], strictness)
        answers[one.request_uid][0] += scored == 1
        answers[one.request_uid][1] += scored is not None
    said = [one.said[at] for one in claims]
    return unsupported_rate.report(
        attempted=len(said),
        inaccessible=sum(one.label is Label.INACCESSIBLE for one in said),
        unjudged=sum(one.label is None for one in said),
        unsupported=sum(bad for bad, _ in answers.values()),
        spread=Spread.of((bad, judged) for bad, judged in answers.values()),
    )


def _cost(spent: Spent | None) -> str:
    if spent is None:
        return NOT_RECORDED
    unknown = f", not known for {spent.unknown:,}" if spent.unknown else ""
    return f"${spent.cost:.4f} for {spent.calls:,} calls{unknown}"


def _latency(took: Took | None) -> str:
    if took is None:
        return NOT_RECORDED
    if not took.judged:
        return f"from the cache ({took.cached:,} spans)"
    kept = f", {took.cached:,} more from the cache" if took.cached else ""
    seconds = took.seconds / took.judged
    shown = (
        f"{seconds:.1f} s"
        if seconds >= 1
        else f"{1000 * seconds:.1f} ms"
        if seconds < 0.01
        else f"{1000 * seconds:.0f} ms"
    )
    return f"{shown} a span ({took.judged:,} spans{kept})"


def score(said: Said, strictness: Strictness) -> float | None:
    """1 for a claim that it makes unsupported, 0 for any other that it concluded on, else none."""
    value = said.strict if strictness == "strict" else said.lenient
    return None if value is None else float(value)
