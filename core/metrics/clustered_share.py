"""A share over pairs of which some belong together: the Wilson interval at the effective number of pairs.

The effective number is n divided by the design effect, how much wider clusters make the variance of the share than
that many independent pairs would (never below 1). A share of 0 or 1 has no variance to compare: there every cluster
counts once. Source: E. L. Korn and B. I. Graubard, Survey Methodology 24 (1998) 193–201, with Wilson's interval in the
place of Clopper and Pearson's; N. Dean and M. Pagano, J. Surv. Stat. Methodol. 3 (2015) 484–503.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

from core.metrics import Bounded, Estimate, wilson

Hit = tuple[bool | None, str | None]
"""Whether a pair counts, none when it was not judged; and its cluster, none for a pair on its own."""


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
    n = len(judged)
    plain = wilson.interval(sum(counts for counts, _ in judged), n)
    clusters: dict[str | int, list[bool]] = defaultdict(list)
    for at, (counts, cluster) in enumerate(judged):
        clusters[at if cluster is None else cluster].append(counts)
    if len(clusters) == n or plain.estimate is None:
        return plain
    effective = n / _design_effect(plain.estimate, list(clusters.values()))
    low, high = wilson.bounds(plain.estimate, effective)
    method = f"Wilson 95%, {len(clusters)} clusters, effective n {effective:.0f}"
    return plain.model_copy(update={"low": low, "high": high, "method": method})


def _design_effect(share: float, clusters: Sequence[Sequence[bool]]) -> float:
    n, count = sum(map(len, clusters)), len(clusters)
    if share in (0, 1) or count == 1:
        return n / count
    spread = sum((sum(one) - share * len(one)) ** 2 for one in clusters) * count / (count - 1)
    return max(1.0, spread / (n * share * (1 - share)))
