"""How far one run is above another on the items that both scored; the interval draws whole requests."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from core.metrics import Measure, Undefined, bootstrap, undefined
from core.metrics.bootstrap import Sums

DIFFERENT_SETS = "different_item_sets"
"""The flag of a comparison in which some items were scored by one side only."""


class PairedDifference(Measure):
    """Second minus first in the unit of the scores; ``n`` counts the shared items."""

    shared: tuple[str, ...]
    """Items that both scored, in the order of the first."""
    only_first: int
    only_second: int
    """Items that one side alone scored; they are in no mean."""


def estimate(
    first: Mapping[str, float | None],
    second: Mapping[str, float | None],
    clusters: Mapping[str, str] | None = None,
    seed: int = 0,
) -> PairedDifference:
    """The mean of (second − first) over shared items; undefined when there are none.

    Args:
        first: Item → score; an item whose score is none (an error, an abstention) was not scored.
        second: The same of the other side.
        clusters: Item → request; an item that is not named is its own.
        seed: Of the bootstrap.
    """
    ours = {item: score for item, score in first.items() if score is not None}
    theirs = {item: score for item, score in second.items() if score is not None}
    shared = [item for item in ours if item in theirs]
    name = "paired difference"
    made = undefined(Undefined.NO_OVERLAP, 0, name)
    if shared:
        rows = [(theirs[item] - ours[item], 1.0) for item in shared]
        sums = bootstrap.by_cluster(rows, [(clusters or {}).get(item) for item in shared])
        found = bootstrap.interval(sums, _mean, len(shared), [seed])
        made = Measure(**found.model_dump() | {"method": f"{name}, {found.method}"})
    only = len(ours) - len(shared), len(theirs) - len(shared)
    said, flags = made.warnings, made.flags
    if any(only):
        flags = (DIFFERENT_SETS,)
        said = (*said, f"{only[0]} items of the first and {only[1]} of the second have no partner and are left out")
    fields = made.model_dump() | {"flags": flags, "warnings": said}
    return PairedDifference(**fields, shared=tuple(shared), only_first=only[0], only_second=only[1])


def _mean(sums: Sums) -> np.ndarray:
    return np.asarray(sums[..., 0] / sums[..., 1])
