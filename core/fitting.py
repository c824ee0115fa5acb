"""Fit one global threshold of a score to labelled pairs: every data set weighs the same, none gets its own."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from core.errors import InputError
from core.gold_pairs import Gold
from core.metrics.confusion import is_supported
from core.models import Record
from core.verifiers import Verifier

AT_ONCE = 512

STEPS = np.round(np.arange(1, 100) / 100, 2)
"""The thresholds that are tried."""


class Fitted(Record):
    """The threshold with the highest mean balanced accuracy, from a score alone, no other rule of the verifier's."""

    score: str
    threshold: float
    """The middle one where several are as good."""
    mean_balanced_accuracy: float
    """Over the sets it was fitted on, so higher than on others."""
    sets: int
    """Data sets with pairs on both sides; others cannot be fitted on."""
    pairs: int
    unscored: int
    """Pairs without that score."""
    sha256: tuple[str, ...]
    """Of the files, in their order."""


def fit(gold: Gold, verifier: Verifier, score: str, progress: Callable[[int, int], None]) -> Fitted:
    """Try every threshold of ``STEPS`` on the scores that a verifier without qualifiers gives.

    Raises:
        InputError: No data set has scored pairs on both sides.
    """
    total = sum(len(one.pairs) for one in gold.sets)
    curves, pairs, done = [], 0, 0
    for data in gold.sets:
        values: list[float] = []
        sides: list[bool] = []
        for start in range(0, len(data.pairs), AT_ONCE):
            group = data.pairs[start : start + AT_ONCE]
            for one, said in zip(group, verifier.judge([one.pair for one in group]), strict=True):
                if score in said.scores:
                    values.append(said.scores[score])
                    sides.append(is_supported(one.label))
            done += len(group)
            progress(done, total)
        pairs += len(values)
        if len(set(sides)) == 2:
            curves.append(_curve(np.array(values), np.array(sides)))
    if not curves:
        raise InputError(f"No data set has pairs with a score {score!r} on both sides", "name a score of the verifier")
    mean = np.mean(curves, axis=0)
    best = np.flatnonzero(np.isclose(mean, mean.max()))
    return Fitted(
        score=score,
        threshold=float(STEPS[best[len(best) // 2]]),
        mean_balanced_accuracy=float(mean.max()),
        sets=len(curves),
        pairs=pairs,
        unscored=total - pairs,
        sha256=tuple(one.sha256 for one in gold.files),
    )


def _curve(scores: NDArray[np.float64], sides: NDArray[np.bool_]) -> NDArray[np.float64]:
    """Balanced accuracy of one set at every threshold."""
    said = scores[None, :] >= STEPS[:, None]
    shares: NDArray[np.float64] = (said[:, sides].mean(axis=1) + (~said[:, ~sides]).mean(axis=1)) / 2
    return shares
