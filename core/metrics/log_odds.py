"""Which words stand out in some texts against others?

Weighted log-odds ratio with an informative Dirichlet prior: B. L. Monroe, M. P. Colaresi and K. M. Quinn, Political
Analysis 16 (2008) 372–403, equations 15, 16 and 22, the prior being the words of both sides together.
"""

from __future__ import annotations

from collections.abc import Mapping
from math import log, sqrt
from typing import NamedTuple

PRIOR = 100.0
"""Words that the prior weighs as much as: a word seen once or twice stays near no difference."""


class Odds(NamedTuple):
    """One word."""

    word: str
    log_odds: float
    """Of the first side against the second; 0 is no difference."""
    z: float
    """The same in standard errors."""


def rank(first: Mapping[str, int], second: Mapping[str, int]) -> list[Odds]:
    """Every word of either side, the most typical of the first one leading; equal ones by the alphabet.

    Args:
        first: Word → how often it stands there, above 0.
        second: The same of the other side.
    """
    of_first, of_second = sum(first.values()), sum(second.values())
    both = of_first + of_second
    found = []
    for word in first.keys() | second.keys():
        here, there = first.get(word, 0), second.get(word, 0)
        prior = PRIOR * (here + there) / both
        one, two = here + prior, there + prior
        delta = _log_odds(one, of_first + PRIOR) - _log_odds(two, of_second + PRIOR)
        found.append(Odds(word, delta, delta / sqrt(1 / one + 1 / two)))
    return sorted(found, key=lambda one: (-one.z, one.word))


def _log_odds(count: float, total: float) -> float:
    """With half a word added to the rest, for a side that knows a single word only."""
    return log(count / (total - count + 0.5))
