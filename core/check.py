"""A verdict on answers for a build: PASS, FAIL or INCONCLUSIVE, from a limit on the unsupported rate and a baseline.

FAIL asks for more than PASS: its bound is that of a 99 % interval, so that what is exactly at the limit fails in one
run of two hundred. PASS needs the whole 95 % interval at or under the limit. Everything between is INCONCLUSIVE, which
more labels or more answers settle. Without labels the raw rate is judged by its bounds: what was not judged counts as
unsupported for PASS, as supported for FAIL.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from enum import StrEnum
from statistics import NormalDist
from typing import NamedTuple

from core.metrics import Estimate, Measure, clustered_share, paired_difference
from core.metrics.corrected_rate import CorrectedRate
from core.models import Record

_STRETCH = NormalDist().inv_cdf(0.995) / NormalDist().inv_cdf(0.975)
"""How much wider a normal 99 % interval is than one of 95 %."""


class Outcome(StrEnum):
    """What a check comes to."""

    PASS = "PASS"
    FAIL = "FAIL"
    INCONCLUSIVE = "INCONCLUSIVE"


class Checked(NamedTuple):
    """One claim that counts, as far as a check needs it."""

    key: str
    """Names the claim, here and in the baseline."""
    cluster: str
    """Its request."""
    unsupported: bool | None
    """None where the judge did not conclude."""


class CheckFigure(Record):
    """One number that was held against something."""

    name: str
    """``corrected unsupported rate``, ``raw unsupported rate``, ``difference from the baseline``."""
    estimate: float | None
    low: float | None
    high: float | None
    """95 %; of the raw rate the low end takes what was not judged as supported, the high end as unsupported."""
    n: int
    method: str
    limit: float
    outcome: Outcome
    sentence: str


class CheckOutcome(Record):
    """What a check found."""

    outcome: Outcome
    protocol: str
    strictness: str
    attempted: int
    judged: int
    figures: tuple[CheckFigure, ...]
    sentences: tuple[str, ...]
    """What it means, the outcome first."""


def check(
    claims: Sequence[Checked],
    protocol: str,
    limit: float,
    corrected: CorrectedRate | None = None,
    baseline: Mapping[str, bool | None] | None = None,
    baseline_name: str = "the baseline",
    margin: float = 0.0,
    unread: int = 0,
    strictness: str = "strict",
    seed: int = 0,
) -> CheckOutcome:
    """Hold answers against a limit, and against a baseline on the same claims.

    Args:
        claims: Every claim that counts.
        protocol: Who judged them, as printed.
        limit: The highest unsupported rate that passes, in [0, 1].
        corrected: The rate corrected by labels; none where there are no labels.
        baseline: By key what the baseline says of claims; none without one.
        baseline_name: What it is called.
        margin: By how much, as a share, the rate may lie above the baseline's.
        unread: Lines that could not be read; with any of them nothing passes.
        strictness: Which rule makes a claim unsupported.
        seed: Of the bootstrap.

    Raises:
        ValueError: Limit or margin is outside [0, 1].
    """
    if not (0 <= limit <= 1 and 0 <= margin <= 1):
        raise ValueError("a limit and a margin lie between 0 and 1: 0.05 is 5 of 100 claims")
    rate = _raw(claims, protocol, limit) if corrected is None else _corrected(corrected, protocol, limit)
    figures = [rate]
    if baseline is not None:
        figures.append(_difference(claims, baseline, baseline_name, protocol, margin, seed))
    outcome = _worst([one.outcome for one in figures])
    said = [one.sentence for one in figures]
    if unread:
        outcome = _worst([outcome, Outcome.INCONCLUSIVE])
        said.append(f"{unread:,} lines could not be read, so nothing can pass.")
    judged = sum(one.unsupported is not None for one in claims)
    return CheckOutcome(
        outcome=outcome,
        protocol=protocol,
        strictness=strictness,
        attempted=len(claims),
        judged=judged,
        figures=tuple(figures),
        sentences=(f"{outcome}: {len(claims):,} claims, {judged:,} judged by {protocol}.", *said),
    )


def _corrected(rate: CorrectedRate, protocol: str, limit: float) -> CheckFigure:
    name = "corrected unsupported rate"
    outcome = _against(rate, limit)
    if rate.estimate is None or rate.low is None or rate.high is None:
        sentence = f"There is no corrected rate: {rate.because}."
    else:
        sentence = (
            f"Between {_points(rate.low)} and {_points(rate.high)} of 100 claims are unsupported as people see it "
            f"({rate.n:,} labels, judge {protocol}); the limit is {_points(limit)}."
        )
    return _figure(name, rate, limit, outcome, sentence)


def _raw(claims: Sequence[Checked], protocol: str, limit: float) -> CheckFigure:
    """Both ends at once: the low end with nothing of what was not judged unsupported, the high end with all of it."""
    best = clustered_share.interval([(bool(one.unsupported), one.cluster) for one in claims])
    worst = clustered_share.interval([(one.unsupported is not False, one.cluster) for one in claims])
    own = clustered_share.interval([(one.unsupported, one.cluster) for one in claims if one.unsupported is not None])
    shown = own.model_copy(update={"low": best.low, "high": worst.high})
    outcome = Outcome.INCONCLUSIVE
    if _sure_above(best, limit):
        outcome = Outcome.FAIL
    elif own.estimate is not None and worst.high is not None and worst.high <= limit:
        outcome = Outcome.PASS
    if shown.estimate is None or shown.low is None or shown.high is None:
        sentence = "The judge concluded on no claim, so there is no rate."
    else:
        silent = len(claims) - own.n
        bounds = f", whatever the {silent:,} claims are that were not judged" if silent else ""
        sentence = (
            f"The judge {protocol} itself calls {_points(shown.low)} to {_points(shown.high)} of 100 claims "
            f"unsupported{bounds}; this raw rate holds the judge's errors. The limit is {_points(limit)}."
        )
    return _figure("raw unsupported rate", shown, limit, outcome, sentence)


def _difference(
    claims: Sequence[Checked],
    baseline: Mapping[str, bool | None],
    name: str,
    protocol: str,
    margin: float,
    seed: int,
) -> CheckFigure:
    now = {one.key: _share(one.unsupported) for one in claims}
    before = {key: _share(value) for key, value in baseline.items()}
    clusters = {one.key: one.cluster for one in claims}
    found = paired_difference.estimate(before, now, clusters, seed)
    outcome = _against(found, margin)
    if found.estimate is None or found.low is None or found.high is None:
        sentence = f"No claim was judged both by {name} and by {protocol}, so nothing can be compared."
    else:
        sentence = (
            f"On the {found.n:,} claims that both judged, {_beside(found.low, found.high)} unsupported "
            f"{'as' if found.low == found.high == 0 else 'than'} with {name}; {_points(margin)} more are allowed."
        )
    return _figure("difference from the baseline", found, margin, outcome, sentence)


def _against(found: Estimate | Measure, limit: float) -> Outcome:
    if found.estimate is None or found.high is None:
        return Outcome.INCONCLUSIVE
    if _sure_above(found, limit):
        return Outcome.FAIL
    return Outcome.PASS if found.high <= limit else Outcome.INCONCLUSIVE


def _sure_above(found: Estimate, limit: float) -> bool:
    """Whether the lower end of a 99 % interval is above the limit; its distance is the 95 % one's, stretched."""
    if found.estimate is None or found.low is None:
        return False
    return found.estimate - _STRETCH * (found.estimate - found.low) > limit


def _worst(outcomes: Sequence[Outcome]) -> Outcome:
    for one in (Outcome.FAIL, Outcome.INCONCLUSIVE):
        if one in outcomes:
            return one
    return Outcome.PASS


def _figure(name: str, found: Estimate, limit: float, outcome: Outcome, sentence: str) -> CheckFigure:
    shown = found.model_dump(include={"estimate", "low", "high", "n", "method"})
    return CheckFigure(name=name, limit=limit, outcome=outcome, sentence=sentence, **shown)


def _share(unsupported: bool | None) -> float | None:
    return None if unsupported is None else float(unsupported)


def _points(share: float) -> str:
    return f"{100 * share:.1f}".removesuffix(".0")


def _beside(low: float, high: float) -> str:
    """A difference of two shares as a person says it: ``20 to 27.9 of 100 fewer are``."""
    if low == high == 0:
        return "just as many are"
    if low < 0 < high:
        return f"between {_points(-low)} of 100 fewer and {_points(high)} of 100 more are"
    few, many = sorted((_points(abs(low)), _points(abs(high))), key=float)
    return f"{many if few == many else f'{few} to {many}'} of 100 {'fewer' if low < 0 else 'more'} are"
