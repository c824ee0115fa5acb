"""How judged and unsupported claims lie in answers: counted per answer, then summed, in one look at narrow columns."""

from __future__ import annotations

from collections.abc import Sequence

from core.metrics.clustered_share import Spread
from core.store.conditions import JUDGED

PER_ANSWER = f"""count(*) filter (v.attempted) as attempted,
    count(*) filter ({JUDGED}) as judged,
    count(*) filter (v.attempted and v.label = 'inaccessible') as inaccessible,
    count(*) filter (v.attempted and v.label is null) as unjudged,
    count(*) filter (v.unsupported_strict) as strict,
    count(*) filter (v.unsupported_lenient) as lenient"""
"""Columns of a query that groups claims by answer."""

COUNTS = ("attempted", "judged", "inaccessible", "unjudged", "strict", "lenient")


def totals() -> str:
    """The sums of those columns over answers, in the order of ``COUNTS``."""
    return ", ".join(f"coalesce(sum({name}), 0)::bigint" for name in COUNTS)


def sums(pairs: str, *hits: str) -> str:
    """Sums over answers, for ``read``: of the pairs of each, and of one or more kinds of hits among them."""
    products = [(pairs, pairs), *((one, other) for one in hits for other in (pairs, one))]
    squares = ", ".join(f"coalesce(sum({one} * {other}), 0)::bigint" for one, other in products)
    return f"count(*) filter ({pairs} > 0), {squares}"


def read(found: Sequence[int]) -> list[Spread]:
    """The spread of each kind of hits, from those sums."""
    clusters, pairs, *products = found
    return [
        Spread(clusters=clusters, pairs_squared=pairs, hits_pairs=both, hits_squared=own)
        for both, own in zip(products[::2], products[1::2], strict=True)
    ]
