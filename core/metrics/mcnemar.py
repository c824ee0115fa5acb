"""McNemar's test, exact, with the mid-p: is one judge right where the other is wrong more often than the reverse?

Under no difference each discordant pair falls to either side like a coin. p = 2 · (P(X < b) + ½ P(X = b)) with b the
smaller side. The mid-p keeps its level without the exact test's caution. Source: M. W. Fagerland, S. Lydersen and P.
Laake, BMC Med. Res. Methodol. 13 (2013) 91.
"""

from __future__ import annotations

from collections.abc import Iterable
from math import exp, fsum, lgamma, log

from core.metrics.paired_test import PairedTest


def test(pairs: Iterable[tuple[bool, bool]]) -> PairedTest:
    """Test pairs of (the first judge is right, the second is right)."""
    seen = list(pairs)
    first = sum(one and not other for one, other in seen)
    second = sum(other and not one for one, other in seen)
    return from_counts(first, second, len(seen))


def from_counts(first: int, second: int, n: int) -> PairedTest:
    """Test ``n`` pairs of which ``first`` have only the first judge right, and ``second`` only the second.

    Raises:
        ValueError: A count is negative, or more pairs differ than there are.
    """
    if min(first, second) < 0 or first + second > n:
        raise ValueError(f"{first} and {second} of {n} pairs cannot differ")
    differing = first + second
    warnings = ("no pair differs, so there is nothing to test",) if not differing else ()
    return PairedTest(
        p=_mid_p(min(first, second), differing) if first != second else 1.0,
        statistic=None,
        degrees=None,
        n=n,
        differing=differing,
        method="McNemar, exact mid-p",
        warnings=warnings,
    )


def _mid_p(least: int, coins: int) -> float:
    each = [exp(lgamma(coins + 1) - lgamma(k + 1) - lgamma(coins - k + 1) - coins * log(2)) for k in range(least + 1)]
    return min(1.0, 2 * fsum(each) - each[-1])
