"""What a threshold of the support score costs: bad claims that pass, and good ones that are stripped.

At each threshold a claim is called supported when its score reaches it and nothing else holds it back; a claim that was
decided without a score keeps its verdict. At the judge's own threshold the figures are those of its verdicts.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from core.judged_gold import JudgedItem
from core.metrics import Estimate, clustered_share
from core.models import Record

STEPS = tuple(float(value) for value in np.round(np.arange(1, 100) / 100, 2))
"""The thresholds that are tried, beside the judge's own."""

FOLDS = 5


class ThresholdPoint(Record):
    """One threshold, over the claims with gold that the judge concluded on."""

    threshold: float
    own: bool
    """Whether this is the judge's own."""
    false_pass: Estimate
    """Of the claims that people call unsupported, the share that would pass."""
    false_strip: Estimate
    """Of the claims that people call supported, the share that would not."""
    flagged: float | None
    """Of all, the share that would be called unsupported."""

    def cost(self, weight: float) -> float | None:
        """``weight`` · false pass + false strip; none when people are all on one side."""
        if self.false_pass.estimate is None or self.false_strip.estimate is None:
            return None
        return weight * self.false_pass.estimate + self.false_strip.estimate


class ThresholdChoice(Record):
    """The cheapest threshold, with what it costs on claims that it was not chosen on."""

    threshold: float
    """The cheapest on all claims, the middle one of several; this is what can be adopted."""
    weight: float
    """How many false strips one false pass is worth."""
    in_sample: float
    """Its cost on the claims that it was chosen on: too good, for it was chosen to be."""
    cross_validated: float
    """The cost of choosing so: each fold judged by the threshold that the other folds chose."""
    false_pass: Estimate
    """Cross-validated."""
    false_strip: Estimate
    """Cross-validated."""
    own: float | None
    """The cost at the judge's own threshold."""
    folds: int
    chosen: tuple[float, ...]
    """The threshold that each fold was judged by; far apart, there are too few labels to choose."""
    n: int

    @property
    def sentence(self) -> str:
        """What it means, for a reader who knows no statistics."""
        own = "" if self.own is None else f" The judge's own threshold costs {self.own:.2f}."
        strips = "one false strip" if self.weight == 1 else f"{self.weight:g} false strips"
        return (
            f"A threshold of {self.threshold:g} is cheapest when one false pass counts as {strips}:"
            f" cost {self.cross_validated:.2f} on claims that it was not chosen on ({self.folds}-fold cross-validation,"
            f" {self.n:,} claims; {self.in_sample:.2f} on those that it was chosen on).{own}"
        )


class _Table(NamedTuple):
    """Claims × thresholds: whether the claim would be called unsupported."""

    thresholds: tuple[float, ...]
    flagged: NDArray[np.bool_]
    bad: NDArray[np.bool_]
    """Whether people call the claim unsupported."""
    clusters: list[str]


def points(items: Sequence[JudgedItem], own: float | None) -> list[ThresholdPoint]:
    """The figures at every threshold, lowest first; empty when the judge gave no scores or has no threshold."""
    table = _table(items, own)
    if table is None:
        return []
    return [_point(table, at, own) for at in range(len(table.thresholds))]


def best(items: Sequence[JudgedItem], own: float | None, weight: float = 1.0, seed: int = 0) -> ThresholdChoice | None:
    """The cheapest threshold; none when there are no scores, or all claims of fewer than two requests are on one side.

    Raises:
        ValueError: The weight is not above 0.
    """
    if weight <= 0:
        raise ValueError("a false pass must be worth more than nothing")
    table = _table(items, own)
    if table is None or table.bad.all() or not table.bad.any():
        return None
    fold = _folds(table.clusters, seed)
    chosen, flagged = [], np.zeros(len(table.bad), dtype=bool)
    for number in range(fold.max() + 1):
        rest, here = fold != number, fold == number
        if table.bad[rest].all() or not table.bad[rest].any():
            return None
        at = _cheapest(_costs(table, weight, rest))
        chosen.append(table.thresholds[at])
        flagged[here] = table.flagged[here, at]
    if len(chosen) < 2:
        return None
    costs = _costs(table, weight, np.ones(len(table.bad), dtype=bool))
    at = _cheapest(costs)
    passed, stripped = _shares(table, flagged)
    assert passed.estimate is not None
    assert stripped.estimate is not None
    return ThresholdChoice(
        threshold=table.thresholds[at],
        weight=weight,
        in_sample=float(costs[at]),
        cross_validated=weight * passed.estimate + stripped.estimate,
        false_pass=passed,
        false_strip=stripped,
        own=None if own is None else float(costs[table.thresholds.index(own)]),
        folds=len(chosen),
        chosen=tuple(chosen),
        n=len(table.bad),
    )


def _table(items: Sequence[JudgedItem], own: float | None) -> _Table | None:
    kept = [one for one in items if one.gold_strict is not None and one.said_strict is not None]
    if own is None or all(one.score is None for one in kept):
        return None
    steps = tuple(sorted({*STEPS, own}))
    scores = np.array([np.nan if one.score is None else one.score for one in kept])
    scored = ~np.isnan(scores)
    held = np.array([one.held for one in kept])
    said = np.array([bool(one.said_strict) for one in kept])
    with np.errstate(invalid="ignore"):
        below = scores[:, None] < np.array(steps)[None, :]
    flagged = np.where(scored[:, None], below | held[:, None], said[:, None])
    bad = np.array([bool(one.gold_strict) for one in kept])
    return _Table(steps, flagged, bad, [one.request_uid for one in kept])


def _point(table: _Table, at: int, own: float | None) -> ThresholdPoint:
    flagged = table.flagged[:, at]
    passed, stripped = _shares(table, flagged)
    return ThresholdPoint(
        threshold=table.thresholds[at],
        own=table.thresholds[at] == own,
        false_pass=passed,
        false_strip=stripped,
        flagged=float(flagged.mean()) if len(flagged) else None,
    )


def _shares(table: _Table, flagged: NDArray[np.bool_]) -> tuple[Estimate, Estimate]:
    rows = list(zip(flagged.tolist(), table.bad.tolist(), table.clusters, strict=True))
    return (
        clustered_share.interval([(not said, name) for said, bad, name in rows if bad]),
        clustered_share.interval([(said, name) for said, bad, name in rows if not bad]),
    )


def _costs(table: _Table, weight: float, rows: NDArray[np.bool_]) -> NDArray[np.float64]:
    flagged, bad = table.flagged[rows], table.bad[rows]
    costs: NDArray[np.float64] = weight * (~flagged[bad]).mean(axis=0) + flagged[~bad].mean(axis=0)
    return costs


def _cheapest(costs: NDArray[np.float64]) -> int:
    least = np.flatnonzero(np.isclose(costs, costs.min()))
    return int(least[len(least) // 2])


def _folds(clusters: Sequence[str], seed: int) -> NDArray[np.intp]:
    """Each claim's fold; claims of one request are never on both sides."""
    names = sorted(set(clusters))
    order = np.random.default_rng(seed).permutation(len(names))
    of = {name: int(place) % min(FOLDS, len(names)) for name, place in zip(names, order, strict=True)}
    return np.array([of[name] for name in clusters], dtype=np.intp)
