"""A share over pairs of which some belong together: the Wilson interval at the effective number of pairs.

The effective number is n divided by the design effect, how much wider clusters make the variance of the share than
that many independent pairs would (never below 1). A share of 0 or 1 has no variance to compare: there every cluster
counts once. Source: E. L. Korn and B. I. Graubard, Survey Methodology 24 (1998) 193–201, with Wilson's interval in the
place of Clopper and Pearson's; N. Dean and M. Pagano, J. Surv. Stat. Methodol. 3 (2015) 484–503.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from core.metrics import Bounded, Estimate, wilson
from core.models import Record

Hit = tuple[bool | None, str | None]
"""Whether a pair counts, none when it was not judged; and its cluster, none for a pair on its own."""


class Spread(Record):
    """How judged pairs and the hits among them lie in clusters: sums over the clusters that hold a judged pair."""

    clusters: int
    pairs_squared: int
    """Of the squared number of pairs of each."""
    hits_pairs: int
    """Of hits times pairs of each."""
    hits_squared: int

    @classmethod
    def of(cls, clusters: Iterable[tuple[int, int]]) -> Spread:
        """From the hits and the pairs of each cluster."""
        held = [(hits, pairs) for hits, pairs in clusters if pairs]
        return cls(
            clusters=len(held),
            pairs_squared=sum(pairs * pairs for _, pairs in held),
            hits_pairs=sum(hits * pairs for hits, pairs in held),
            hits_squared=sum(hits * hits for hits, _ in held),
        )


class Counted(NamedTuple):
    """Hits among pairs that were all judged."""

    hits: int
    pairs: int
    spread: Spread | None = None
    """How they lie in clusters; none where each pair stands alone."""

    @property
    def effective(self) -> float:
        """As many independent pairs as tell as much; at most ``pairs``."""
        if self.spread is None or not self.pairs:
            return float(self.pairs)
        return self.pairs / design_effect(self.hits, self.pairs, self.spread)


def estimate(hits: Sequence[Hit]) -> Bounded:
    """The share of the judged pairs that count, in [0, 1]; ``worst`` if all unjudged counted, ``best`` if none did."""
    judged = [(counts, cluster) for counts, cluster in hits if counts is not None]
    k, n = sum(counts for counts, _ in judged), len(hits)
    unjudged = n - len(judged)
    return Bounded(
        **interval(judged).model_dump(),
        unjudged=unjudged,
        worst=(k + unjudged) / n if n else None,
        best=k / n if n else None,
    )


def interval(judged: Sequence[tuple[bool, str | None]]) -> Estimate:
    """The share of pairs that were all judged."""
    clusters: dict[str | int, list[bool]] = defaultdict(list)
    for at, (counts, cluster) in enumerate(judged):
        clusters[at if cluster is None else cluster].append(counts)
    spread = Spread.of((sum(one), len(one)) for one in clusters.values())
    return of_sums(sum(counts for counts, _ in judged), len(judged), spread)


def of_sums(k: int, n: int, spread: Spread | None) -> Estimate:
    """The share of ``k`` of ``n`` judged pairs that lie in clusters so; without clusters each pair is on its own.

    Raises:
        ValueError: ``k`` is not within 0…``n``.
    """
    plain = wilson.interval(k, n)
    if spread is None or spread.clusters == n or plain.estimate is None:
        return plain
    effective = Counted(k, n, spread).effective
    low, high = wilson.bounds(plain.estimate, effective)
    method = f"Wilson 95%, {spread.clusters} cluster{'s' * (spread.clusters != 1)}, effective n {effective:.0f}"
    return plain.model_copy(update={"low": low, "high": high, "method": method})


def design_effect(k: int, n: int, spread: Spread) -> float:
    """How much wider clusters make the variance of the share of ``k`` of ``n`` > 0 than ``n`` independent pairs would.

    Never below 1. Where the share is 0 or 1, or there is one cluster, each cluster counts once.
    """
    share, count = k / n, spread.clusters
    if k in (0, n) or count == 1:
        return n / count
    squares = spread.hits_squared - 2 * share * spread.hits_pairs + share * share * spread.pairs_squared
    return max(1.0, squares * count / (count - 1) / (n * share * (1 - share)))
