"""Macro-F1: F1 of each label that the gold of a set uses, and their mean, every label weighing the same.

A set whose gold uses the coarse ``not_supported`` anywhere is measured in two classes, supported (with secondary_only)
and not. A label that a judge says and the gold never uses is a miss for the gold label and has no F1 of its own.
Intervals: ``core.metrics.bootstrap``; a label that a draw has nowhere is left out of that draw's mean.
"""

from __future__ import annotations

import warnings
from collections.abc import Container, Sequence

import numpy as np
from numpy.typing import NDArray

from core.metrics import Bounded, bootstrap
from core.metrics.bootstrap import Sums
from core.metrics.confusion import NOT_SUPPORTED, Outcome, in_order, is_supported
from core.models import Label


def classes(outcomes: Sequence[Outcome]) -> list[str]:
    """The classes that F1 is averaged over, in the order of the labels."""
    used = {one.gold for one in outcomes}
    return in_order({_coarse(gold) for gold in used} if is_binary(used) else used)


def is_binary(golds: Container[str]) -> bool:
    """Whether gold with these labels is measured in two classes."""
    return NOT_SUPPORTED in golds


def estimate(outcomes: Sequence[Outcome], seed: int = 0) -> Bounded:
    """Macro-F1 in [0, 1] over the judged pairs.

    ``worst`` counts every unjudged pair as a miss of its own class and a false alarm of every other; with more than two
    classes no single set of labels is as bad as that.
    """
    names = classes(outcomes)
    judged = [one for one in outcomes if one.said is not None]
    unjudged = [one for one in outcomes if one.said is None]
    rows = [_row(one, names) for one in judged]
    sums = bootstrap.by_cluster(rows, [one.cluster for one in judged])
    found = bootstrap.interval(sums, _macro, len(judged), [seed])
    worst = [*rows, *(_missed(one, names) for one in unjudged)]
    best = [*rows, *(_row(one._replace(said=one.gold), names) for one in unjudged)]
    return Bounded(**found.model_dump(), unjudged=len(unjudged), worst=_value(worst), best=_value(best))


def by_label(outcomes: Sequence[Outcome]) -> dict[str, float | None]:
    """F1 of each class over the judged pairs; none where neither gold nor judge has it."""
    names = classes(outcomes)
    rows = [_row(one, names) for one in outcomes if one.said is not None]
    if not rows:
        return dict.fromkeys(names)
    values = _each(np.asarray(rows, dtype=np.float64).sum(axis=0))
    return {name: None if np.isnan(value) else float(value) for name, value in zip(names, values, strict=True)}


def _coarse(label: str) -> str:
    return Label.SUPPORTED.value if is_supported(label) else NOT_SUPPORTED


def _row(outcome: Outcome, names: Sequence[str]) -> list[int]:
    """Three columns a class: both, the judge, people."""
    gold, said = outcome.gold, outcome.said or ""
    if NOT_SUPPORTED in names:
        gold, said = _coarse(gold), _coarse(said)
    return [count for name in names for count in (name == gold == said, name == said, name == gold)]


def _missed(outcome: Outcome, names: Sequence[str]) -> list[int]:
    gold = _coarse(outcome.gold) if NOT_SUPPORTED in names else outcome.gold
    return [count for name in names for count in (0, name != gold, name == gold)]


def _each(sums: Sums) -> NDArray[np.float64]:
    with np.errstate(invalid="ignore"):
        values: NDArray[np.float64] = 2 * sums[..., 0::3] / (sums[..., 1::3] + sums[..., 2::3])
    return values


def _macro(sums: Sums) -> NDArray[np.float64]:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RuntimeWarning)  # a draw without any class has no mean, which is nan
        return np.asarray(np.nanmean(_each(sums), axis=-1))


def _value(rows: Sequence[Sequence[int]]) -> float | None:
    return float(_macro(np.asarray(rows, dtype=np.float64).sum(axis=0))) if rows else None
