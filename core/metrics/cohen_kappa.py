"""Cohen's kappa of two raters: agreement beyond what their own habits would give by chance.

κ = (p_o − p_e) / (1 − p_e) over the items that both labelled, and only over these: p_e = Σ share of label c with the
first rater × its share with the second. Source: J. Cohen, Educ. Psychol. Meas. 20 (1960) 37–46.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from core.metrics import ratings
from core.metrics.bootstrap import Sums
from core.metrics.ratings import Agreement, Rated

_NAME = "Cohen's kappa"


class Kappa(Agreement):
    """Kappa with the items it speaks of; ``constant_rater:a`` flags a rater who gave them all one label."""

    items: tuple[str, ...]
    """Items that both labelled, in the order of the first rater."""


def estimate(
    a: Mapping[str, str | None],
    b: Mapping[str, str | None],
    clusters: Mapping[str, str] | None = None,
    seed: int = 0,
) -> Kappa:
    """Kappa in [-1, 1] with an interval over clusters of items.

    Undefined when no item has both labels, or when both raters gave every item the same one label (0 / 0).

    Args:
        a: Item → label of the first rater; an item without a label does not count.
        b: The same of the second.
        clusters: Item → cluster that is drawn as a whole; an item that is not named is its own.
        seed: Of the bootstrap.
    """
    both = ratings.pairs(a, b, clusters)
    items = [one for _, one in both]
    found = ratings.agreement(items, _rows(items), ratings.counts(items), _kappa, _NAME, seed)
    flags = [f"constant_rater:{name}" for at, name in enumerate("ab") if len({one.labels[at] for one in items}) == 1]
    return Kappa(**found.model_dump() | {"flags": tuple(flags)}, items=tuple(item for item, _ in both))


def _rows(items: Sequence[Rated]) -> Sums:
    """One row an item: whether the two agree, then an indicator of each label of the first and of the second."""
    names = sorted({label for one in items for label in one.labels if label is not None})
    place = {name: at for at, name in enumerate(names)}
    rows = np.zeros((len(items), 1 + 2 * len(names)))
    for row, one in zip(rows, items, strict=True):
        first, second = (place[label] for label in one.labels if label is not None)
        row[[0, 1 + first, 1 + len(names) + second]] = first == second, 1, 1
    return rows


def _kappa(sums: Sums) -> NDArray[np.float64]:
    kinds = (sums.shape[-1] - 1) // 2
    first, second = sums[..., 1 : 1 + kinds], sums[..., 1 + kinds :]
    total = first.sum(axis=-1)
    chance = (first * second).sum(axis=-1)
    with np.errstate(invalid="ignore", divide="ignore"):
        value = (sums[..., 0] * total - chance) / (total**2 - chance)
    return np.asarray(np.where(np.isfinite(value), value, np.nan))
