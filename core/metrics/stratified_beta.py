"""The unsupported rate from labels within what the judge said: flagged, passed and not judged claims apart.

Rate = Σ W_h p_h: W_h is the share of the window with this verdict, p_h the share of its labels that people call
unsupported (weighted by 1 / inclusion probability). The interval lies between the 2.5 and 97.5 per cent quantiles of
Σ W_h · Beta(k_h + ½, n_h − k_h + ½), the W_h drawn too, so that it also covers the process behind the window. All
counts are divided by the design effect, how much wider requests and unequal weights make the variance (never under 1).
It stays in [0, 1], and with a binary verdict no control variate does better (shared idea of A. Fisch et al.,
Stratified prediction-powered inference, arXiv 2406.04291); Beta: H. Jeffreys' prior, as in L. D. Brown, T. T. Cai and
A. DasGupta, Statist. Sci. 16 (2001) 101–133.
"""

from __future__ import annotations

import numpy as np

from core.metrics import Measure, Undefined, labelled, undefined
from core.metrics.labelled import Floats, Labelled, Population

METHOD = "labels within the judge's verdicts"
DRAWS = 5_000
"""Draws that the quantiles are read from; their own error is about one hundredth of the width."""
_NAMES = ("flagged", "passed", "not judged")


def estimate(labels: Labelled, population: Population, seed: int = 0) -> Measure:
    """The rate in [0, 1] with its 95 % interval.

    A verdict that the window has and no label does goes with the most frequent labelled one, and a warning says so.
    """
    n = len(labels.human)
    if not n or not population.total:
        reason = Undefined.NO_PROBABILITY if labels.left_out and not n else Undefined.NO_DATA
        return undefined(reason, n, METHOD)
    stratum, sizes, merged = _strata(labels, population)
    totals = np.bincount(stratum, labels.weight, len(sizes))
    numbers = np.bincount(stratum, minlength=len(sizes)).astype(np.float64)
    shares = np.bincount(stratum, labels.weight * labels.human, len(sizes)) / totals
    value = float(np.clip(sizes / sizes.sum() @ shares, 0, 1))
    influence = (sizes / sizes.sum() / totals)[stratum] * labels.weight
    effect = _design_effect(labels, influence, stratum, shares, sizes / sizes.sum())
    low, high = _quantiles(shares, numbers / effect, sizes / effect, seed)
    return Measure(
        estimate=value,
        low=min(low, value),
        high=max(high, value),
        n=n,
        method=f"{METHOD}, Beta 95%, {labels.clusters} clusters, design effect {effect:.2f}",
        warnings=(*labelled.warnings(labels), *merged),
    )


def _strata(labels: Labelled, population: Population) -> tuple[np.ndarray, Floats, list[str]]:
    """Each label's stratum, the strata's sizes in the window, and what had to be put together."""
    place = np.where(np.isnan(labels.verdict), 2, 1 - np.nan_to_num(labels.verdict)).astype(np.intp)
    sizes = np.array(population, dtype=np.float64)
    numbers = np.bincount(place, minlength=3)
    if any(sizes[numbers > 0] == 0):
        raise ValueError(
            "a label has a verdict that no claim of the window has: the counts must include what is labelled"
        )
    said = []
    into = int(np.argmax(np.where(numbers > 0, sizes, -1)))
    for at in range(3):
        if sizes[at] and not numbers[at]:
            said.append(f"no label among the {sizes[at]:.0f} {_NAMES[at]} claims: they are taken to be like the others")
            sizes[into] += sizes[at]
    used = np.flatnonzero(numbers)
    return np.searchsorted(used, place), sizes[used], said


def _design_effect(labels: Labelled, influence: Floats, stratum: np.ndarray, shares: Floats, mix: Floats) -> float:
    numbers = np.bincount(stratum, minlength=len(shares))
    plain = float(np.sum(mix**2 * shares * (1 - shares) / numbers))
    spread = labelled.variance(influence * (labels.human - shares[stratum]), labels)
    if plain > 0 and spread > 0:
        return max(1.0, spread / plain) * labelled.few_clusters(labels)
    return max(1.0, len(labels.human) / labelled.effective_clusters(influence, labels))


def _quantiles(shares: Floats, numbers: Floats, sizes: Floats, seed: int) -> tuple[float, float]:
    generator = np.random.default_rng(seed)
    successes = shares * numbers
    drawn = generator.beta(successes + 0.5, numbers - successes + 0.5, (DRAWS, len(shares)))
    mix = generator.dirichlet(sizes, DRAWS)
    low, high = np.quantile((mix * drawn).sum(axis=1), [0.025, 0.975])
    return float(low), float(high)
