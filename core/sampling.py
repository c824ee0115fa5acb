"""Drawing claims: which ones, with which probability, so that a draw can be repeated and enlarged without bias.

Every claim has a permanent random number, a hash of the queue's seed and the claim's uid (Ohlsson 1995). Claims of one
stratum that came at the same time are a *cell*. From a cell of which n are wanted, those with the smallest ranking
number are taken: Pareto πps sampling (Rosén 1997, "On sampling with probability proportional to size", J. Statist.
Plann. Inference 62), which for equal sizes is simple random sampling. A larger draw takes the same ones and more. What
comes later is a cell of its own, so that a growing store never changes how the claims of before were drawn.
"""

from __future__ import annotations

import hashlib
import math
from collections.abc import Collection, Iterable, Mapping, Sequence
from itertools import groupby
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

_Z95 = 1.959964
_WHOLE = 2**64

Floats = NDArray[np.float64]


class Unit(NamedTuple):
    """One claim of the population."""

    claim_uid: str
    stratum: str = ""
    size: float = 1.0
    """Probability of being drawn is proportional to this, as far as it stays under 1; positive."""
    wave: int = 0
    """How many draws were made before it came."""


def number(seed: int, claim_uid: str, purpose: str = "draw") -> int:
    """The permanent number of a claim, in [0, 2⁶⁴), another one for every purpose."""
    return int.from_bytes(hashlib.sha256(f"{purpose}\n{seed}\n{claim_uid}".encode()).digest()[:8])


def fraction(seed: int, claim_uid: str, purpose: str = "draw") -> float:
    """The same as a number in [0, 1)."""
    return (number(seed, claim_uid, purpose) >> 11) / 2.0**53


def draw(
    population: Sequence[Unit],
    wanted: int,
    seed: int,
    *,
    drawn: Collection[str] = (),
    equal_strata: bool = False,
) -> dict[str, float]:
    """Draw from a population; gives the probability of every claim drawn, by uid.

    Args:
        population: Each claim once.
        wanted: Claims wanted in all; more are taken where every cell has to have one, fewer where there are no more.
        seed: Of the queue.
        drawn: Claims of earlier draws; those that are still in the population are taken again.
        equal_strata: Whether each stratum gets the same number, as far as it has so many; else each its share.
    """
    cells = _cells(population, seed)
    taken = [sum(unit.claim_uid in drawn for unit in cell) for cell in cells]
    strata = [list(group) for _, group in groupby(range(len(cells)), key=lambda at: cells[at][0].stratum)]
    weights = [sum(unit.size for unit in cell) for cell in cells]
    if equal_strata:
        for stratum in strata:
            whole = sum(weights[at] for at in stratum)
            for at in stratum:
                weights[at] /= whole
    sizes = allocate(wanted, weights, [max(1, one) for one in taken], [len(cell) for cell in cells])
    found: dict[str, float] = {}
    for cell, size in zip(cells, sizes, strict=True):
        found |= _from_cell(cell, size, seed, drawn)
    return found


def allocate(wanted: int, weights: Sequence[float], lower: Sequence[int], upper: Sequence[int]) -> list[int]:
    """Share a number out in proportion to weights, each part within its bounds.

    The parts add up to ``wanted`` where the bounds allow it; what rounding leaves goes to the largest remainders.
    """
    exact = _fill(float(wanted), np.array(weights, float), np.array(lower, float), np.array(upper, float))
    parts = np.floor(exact + 1e-9)
    left = min(wanted, sum(upper)) - int(parts.sum())
    for at in sorted(range(len(parts)), key=lambda at: (parts[at] - exact[at], at)):
        if left > 0 and parts[at] < upper[at]:
            parts[at] += 1
            left -= 1
    return [int(part) for part in parts]


def place(seed: int, claim_uid: str) -> int:
    """Where a claim stands in its queue."""
    return number(seed, claim_uid, "place")


def is_double(seed: int, claim_uid: str, share: float) -> bool:
    """Whether a claim is among the share that gets one labeller more."""
    return fraction(seed, claim_uid, "double") < share


def strata_of(population: Iterable[Unit], drawn: Collection[str]) -> dict[str, tuple[int, int]]:
    """Per stratum, claims in it and claims drawn; by name."""
    counts: dict[str, tuple[int, int]] = {}
    for unit in population:
        there, taken = counts.get(unit.stratum, (0, 0))
        counts[unit.stratum] = there + 1, taken + (unit.claim_uid in drawn)
    return dict(sorted(counts.items()))


def margin(probabilities: Sequence[float], population: int) -> float | None:
    """Half the width of the 95 % interval that a share of one half would get, in [0, 1]; none without claims.

    From Hájek's variance of a share under order sampling, Σ (1 − π) / π² · ¼ / N²; for a simple random sample that is
    the usual one with its finite population correction.
    """
    if not probabilities or not population:
        return None
    drawn = np.array(probabilities)
    variance = float(((1 - drawn) / drawn**2).sum()) / 4 / population**2
    return min(1.0, _Z95 * math.sqrt(variance))


def _cells(population: Sequence[Unit], seed: int) -> list[list[Unit]]:
    """The units of each stratum and wave, in an order that does not depend on that of the population."""
    by_cell: dict[tuple[str, int], list[Unit]] = {}
    for unit in sorted(population, key=lambda unit: unit.claim_uid):
        by_cell.setdefault((unit.stratum, unit.wave), []).append(unit)
    return [by_cell[key] for key in sorted(by_cell)]


def _from_cell(cell: Sequence[Unit], size: int, seed: int, drawn: Collection[str]) -> Mapping[str, float]:
    ones = np.ones(len(cell))
    chance = _fill(float(size), np.array([unit.size for unit in cell]), 0 * ones, ones)
    uniform = np.array([fraction(seed, unit.claim_uid) for unit in cell])
    with np.errstate(divide="ignore"):  # a chance of 1 ranks first
        ranking = np.where(chance >= 1, -1.0, uniform / (1 - uniform) * (1 - chance) / chance)
    first = set(np.argsort(ranking, kind="stable")[:size].tolist())
    # With unequal sizes a larger draw may rank one of before behind its end; it stays, with the chance it has now.
    return {unit.claim_uid: float(chance[at]) for at, unit in enumerate(cell) if at in first or unit.claim_uid in drawn}


def _fill(total: float, weights: Floats, lower: Floats, upper: Floats) -> Floats:
    """The parts c·weight, held within bounds, with the one c for which they add up to ``total``, or come nearest."""
    if total >= upper.sum():
        return upper
    if total <= lower.sum():
        return lower
    # The sum is a broken line over c; its corners are where some part leaves its lower or meets its upper bound.
    corners = np.concatenate((lower / weights, upper / weights))
    order = np.argsort(corners, kind="stable")
    slopes = np.cumsum(np.concatenate((weights, -weights))[order])
    corners = corners[order]
    sums = lower.sum() + np.concatenate(([0.0], np.cumsum(slopes[:-1] * np.diff(corners))))
    at = int(np.searchsorted(sums, total)) - 1
    parts: Floats = np.clip((corners[at] + (total - sums[at]) / slopes[at]) * weights, lower, upper)
    return parts
