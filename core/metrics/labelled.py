"""Claims that people labelled, as arrays: what people said, what a judge said, how likely the claim was to be drawn."""

from __future__ import annotations

from collections.abc import Sequence
from statistics import NormalDist
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
_Z = NormalDist().inv_cdf(0.975)


class Population(NamedTuple):
    """What a judge said of all claims of a window, the labelled ones included."""

    unsupported: int
    supported: int
    unjudged: int = 0
    """Claims that the judge gave no conclusion; people may have labelled some."""

    @property
    def total(self) -> int:
        """All claims."""
        return self.unsupported + self.supported + self.unjudged


class Labelled(NamedTuple):
    """Labelled claims, one place each in every array."""

    human: Floats
    """1 where people call the claim unsupported, else 0."""
    verdict: Floats
    """1 where the judge does, 0 where it does not, nan where it did not judge."""
    weight: Floats
    """1 / inclusion probability: for how many claims of the window this one stands."""
    cluster: NDArray[np.intp]
    """Number of the claim's cluster (its request), from 0 without gaps."""
    left_out: int = 0
    """Labels without an inclusion probability, which are in no array."""

    @property
    def clusters(self) -> int:
        """How many clusters there are."""
        return int(self.cluster.max()) + 1 if len(self.cluster) else 0


def of(
    human: Sequence[bool | int],
    verdict: Sequence[bool | int | None],
    probability: Sequence[float | None],
    cluster: Sequence[str | None] | None = None,
) -> Labelled:
    """Make the arrays; labels without a probability are left out and counted, a claim without cluster is its own.

    Raises:
        ValueError: The sequences differ in length, a label is neither 0 nor 1, or a probability is outside (0, 1].
    """
    names = cluster if cluster is not None else [None] * len(human)
    rows = list(zip(human, verdict, probability, names, strict=True))
    kept = [(said, judged, drawn, name) for said, judged, drawn, name in rows if drawn is not None]
    if any(not 0 < drawn <= 1 for _, _, drawn, _ in kept):
        raise ValueError("an inclusion probability lies above 0 and is at most 1")
    if any(said not in (0, 1) or judged not in (0, 1, None) for said, judged, _, _ in kept):
        raise ValueError("people and judge call a claim unsupported (1) or not (0)")
    places: dict[str | int, int] = {}
    index = [places.setdefault(at if row[3] is None else row[3], len(places)) for at, row in enumerate(kept)]
    return Labelled(
        human=np.array([said for said, _, _, _ in kept], dtype=np.float64),
        verdict=np.array([np.nan if judged is None else judged for _, judged, _, _ in kept], dtype=np.float64),
        weight=np.array([1 / drawn for _, _, drawn, _ in kept], dtype=np.float64),
        cluster=np.array(index, dtype=np.intp),
        left_out=len(rows) - len(kept),
    )


def variance(parts: Floats, labels: Labelled) -> float:
    """The variance of a sum of linearised parts, one a label, whole clusters being drawn; nan with one cluster.

    Source: C.-E. Särndal, B. Swensson, J. Wretman, Model Assisted Survey Sampling (1992), sections 5.5 and 5.7, with
    the first stage taken as drawn with replacement.
    """
    count = labels.clusters
    if count < 2:
        return float("nan")
    sums = np.bincount(labels.cluster, parts, count)
    return float((sums @ sums) * count / (count - 1))


def few_clusters(labels: Labelled) -> float:
    """By how much a variance known from so few clusters must be raised: (t of clusters − 1 / t of labels − 1)².

    Korn and Graubard's factor; t by the first term of its expansion (Abramowitz and Stegun 26.7.5). 1 when every claim
    is its own cluster.
    """

    def stretch(count: int) -> float:
        return 1 + (_Z**2 + 1) / (4 * (count - 1))

    return (stretch(labels.clusters) / stretch(len(labels.human))) ** 2 if labels.clusters > 1 else 1.0


def effective_clusters(influence: Floats, labels: Labelled) -> float:
    """How many equal clusters would weigh like these (Kish), where no label varies; ``influence`` sums to 1."""
    sums = np.bincount(labels.cluster, influence, labels.clusters)
    return float(1 / (sums @ sums))


def warnings(labels: Labelled) -> tuple[str, ...]:
    """What must be said of a sample wherever a rate is made of it."""
    said = []
    if labels.left_out:
        said.append(f"{labels.left_out} labels without an inclusion probability are left out")
    if 0 < labels.clusters < 20:
        said.append(f"only {labels.clusters} clusters")
    return tuple(said)
