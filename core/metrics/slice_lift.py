"""How much more often claims of one slice fail than all the others, slice by slice.

Lift = rate in the slice / rate outside it, with the interval of the logarithm of a ratio (D. Katz et al., Biometrics 34
(1978) 469–474, half a failure added as in S. D. Walter, Biometrics 31 (1975) 371–374). The p-value is that of the
chi-squared test with N − 1 (I. Campbell, Statist. Med. 26 (2007) 3661–3675), only where at least one failure is
expected on each side; flags are corrected over the slices (``benjamini_hochberg``).
"""

from __future__ import annotations

from collections.abc import Mapping
from math import erfc, exp, log, sqrt
from statistics import NormalDist
from typing import NamedTuple

from core.metrics import Estimate, Measure, Undefined, benjamini_hochberg, undefined, wilson
from core.models import Record

_Z = NormalDist().inv_cdf(0.975)
FALSE_DISCOVERIES = 0.05
"""The share of flagged slices that may be flagged by chance."""


class Count(NamedTuple):
    """Failures among judged claims."""

    failed: int
    judged: int


class SliceLift(Record):
    """One slice against the rest."""

    name: str
    rate: Estimate
    """Share of its judged claims that fail."""
    rest: Estimate
    """The same of all other claims."""
    lift: Measure
    """How many times as often; 1 is no difference."""
    excess: float
    """Failures more than the slice would have at the rate of the rest (negative: fewer)."""
    p: float | None
    """Of no difference; none where too few failures are expected to test."""
    q: float | None
    """The same corrected for the number of slices tested."""
    stands_out: bool
    """Whether the slice differs, at most one in twenty of such flags being chance."""


def rank(slices: Mapping[str, Count], total: Count, design_effect: float = 1.0) -> list[SliceLift]:
    """Compare each slice with the rest of ``total``, most excess failures first.

    Args:
        slices: Name → counts; slices may overlap, each lies within the total.
        total: All claims.
        design_effect: By how much requests that fail together widen a variance; counts are divided by it in intervals
            and tests.

    Raises:
        ValueError: A slice has more claims or failures than there are, or the design effect is below 1.
    """
    if design_effect < 1:
        raise ValueError("a design effect is 1 or more")
    tests = [_p(one, _rest(one, total), design_effect) for one in slices.values()]
    made = [
        _made(name, one, _rest(one, total), p, q, design_effect)
        for (name, one), p, q in zip(slices.items(), tests, benjamini_hochberg.adjust(tests), strict=True)
    ]
    return sorted(made, key=lambda one: (-one.excess, one.name))


def _rest(one: Count, total: Count) -> Count:
    rest = Count(total.failed - one.failed, total.judged - one.judged)
    if not 0 <= rest.failed <= rest.judged:
        raise ValueError("a slice lies within all claims")
    return rest


def _made(name: str, one: Count, rest: Count, p: float | None, q: float | None, effect: float) -> SliceLift:
    rate, others = _rate(one, effect), _rate(rest, effect)
    excess = one.failed - one.judged * others.estimate if others.estimate is not None else 0.0
    return SliceLift(
        name=name,
        rate=rate,
        rest=others,
        lift=_lift(one, rest, effect),
        excess=excess,
        p=p,
        q=q,
        stands_out=q is not None and q <= FALSE_DISCOVERIES,
    )


def _rate(one: Count, effect: float) -> Estimate:
    plain = wilson.interval(one.failed, one.judged)
    if plain.estimate is None or effect == 1:
        return plain
    low, high = wilson.bounds(plain.estimate, one.judged / effect)
    return plain.model_copy(update={"low": low, "high": high, "method": f"{plain.method}, design effect {effect:.2f}"})


def _lift(one: Count, rest: Count, effect: float) -> Measure:
    method = "ratio of rates, Katz 95%"
    if not one.judged or not rest.judged:
        return undefined(Undefined.NO_DATA, one.judged, method)
    if not rest.failed:
        return undefined(Undefined.NO_FAILURE_ELSEWHERE, one.judged, method)
    value = (one.failed / one.judged) / (rest.failed / rest.judged)
    added = 0.0 if one.failed and one.failed < one.judged and rest.failed < rest.judged else 0.5
    parts = [(failed / effect + added, judged / effect + added) for failed, judged in (one, rest)]
    centre = log(parts[0][0] / parts[0][1]) - log(parts[1][0] / parts[1][1])
    half = _Z * sqrt(sum(1 / failed - 1 / judged for failed, judged in parts))
    low, high = exp(centre - half), exp(centre + half)
    return Measure(
        estimate=value,
        low=0.0 if not one.failed else min(low, value),
        high=max(high, value),
        n=one.judged,
        method=method,
    )


def _p(one: Count, rest: Count, effect: float) -> float | None:
    (a, n), (b, m) = ((failed / effect, judged / effect) for failed, judged in (one, rest))
    total = n + m
    share = (a + b) / total if total else 0.0
    if min(n, m) * min(share, 1 - share) < 1:
        return None
    squared = (a / n - b / m) ** 2 / (share * (1 - share) * (1 / n + 1 / m)) * (total - 1) / total
    return erfc(sqrt(squared / 2))
