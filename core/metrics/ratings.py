"""What several people, or people and a judge, said of the same items.

Only labels count: who skipped an item, or who adjudicates it, is left out before. Agreement needs items with two labels
or more; the others are in no count but the one that says how many there were.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from core.metrics import Estimate, Measure, Undefined, bootstrap, undefined
from core.metrics.bootstrap import Statistic, Sums


class Rated(NamedTuple):
    """The labels of one item, in any order; none where a rater gave no label."""

    labels: Sequence[str | None]
    cluster: str | None = None
    """Items of one cluster are drawn together; none for an item on its own."""


class Counts(NamedTuple):
    """How often each item got each label."""

    numbers: NDArray[np.float64]
    """One row an item, one column a label that occurs in them."""
    clusters: list[str | None]


class Agreement(Measure):
    """A figure of agreement; ``n`` counts the items with two labels or more."""

    pairs: int
    """Pairs of labels that were compared."""
    single: int
    """Items with fewer than two labels, which say nothing of agreement."""


def pairs(
    a: Mapping[str, str | None], b: Mapping[str, str | None], clusters: Mapping[str, str] | None = None
) -> list[tuple[str, Rated]]:
    """The items that two raters both labelled, in the order of the first."""
    group = clusters or {}
    both = [item for item, label in a.items() if label is not None and b.get(item) is not None]
    return [(item, Rated((a[item], b[item]), group.get(item))) for item in both]


def only(items: Sequence[Rated], labels: Collection[str]) -> list[Rated]:
    """The items with every other label taken for none: labels that a program finds flatter people's agreement."""
    return [one._replace(labels=[label if label in labels else None for label in one.labels]) for one in items]


def against_rest(items: Sequence[Rated], label: str) -> list[Rated]:
    """The items with every label that is not this one taken for one and the same other label."""
    both = {True: label, False: f"not {label}"}
    return [one._replace(labels=[said and both[said == label] for said in one.labels]) for one in items]


def counts(items: Sequence[Rated], least: int = 2) -> Counts:
    """Count the labels of each item that has ``least`` or more."""
    given = [[label for label in one.labels if label is not None] for one in items]
    kept = [at for at, labels in enumerate(given) if len(labels) >= least]
    places = {label: at for at, label in enumerate(sorted({label for at in kept for label in given[at]}))}
    numbers = np.zeros((len(kept), len(places)))
    for row, at in enumerate(kept):
        np.add.at(numbers[row], [places[label] for label in given[at]], 1)
    return Counts(numbers, [items[at].cluster for at in kept])


def agreement(
    items: Sequence[Rated], rows: Sums, found: Counts, statistic: Statistic, name: str, seed: int
) -> Agreement:
    """A statistic of sums over items, with its bootstrap interval over clusters; undefined without variation."""
    sizes = found.numbers.sum(axis=1)
    n = int((sizes > 1).sum())
    made: Estimate
    if not n:
        made = undefined(Undefined.NO_OVERLAP, 0, name)
    elif np.isnan(statistic(rows.sum(axis=0))):
        made = undefined(Undefined.NO_VARIATION, n, name)
    else:
        sums = bootstrap.by_cluster(rows, found.clusters)
        made = bootstrap.interval(sums, statistic, n, [seed])
    said = made.model_dump() | {"method": f"{name}, {made.method}" if made.estimate is not None else name}
    return Agreement(**said, pairs=int((sizes * (sizes - 1) / 2).sum()), single=len(items) - n)
