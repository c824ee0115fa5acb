"""How often the intervals of an unsupported rate hold the rate, and how wide they are: ``make coverage-sim``.

Every run makes a window of 4,000 claims in requests of 1 to 9, which fail together (intra-request correlation 0.1), and
a judge that finds 75 % of the failures and passes 90 % of the rest, in some requests better than in others. People
label about n claims, drawn in one of three ways. An interval covers when it holds the window's own rate; "process"
says how often it holds θ, from which the windows are drawn.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ProcessPoolExecutor
from itertools import product
from typing import NamedTuple

import numpy as np

from core.metrics import (
    Estimate,
    corrected_rate,
    human_only,
    prediction_powered,
    rogan_gladen,
    stratified_beta,
    wilson,
)
from core.metrics.clustered_share import Counted
from core.metrics.labelled import Labelled, Population

CLAIMS = 4000
SENSITIVITY, SPECIFICITY = 0.75, 0.9
TOGETHER = 0.1
"""How alike claims of one request are: the correlation of two of them."""
SIZES, RATES = (60, 200, 1000), (0.02, 0.1, 0.3)
DESIGNS = ("claims", "verdicts", "requests")
"""Claims at random; half of the labels on flagged claims; whole requests at random."""


class Cell(NamedTuple):
    """What is simulated."""

    design: str
    labels: int
    rate: float


class Window(NamedTuple):
    """Claims of a window, one place each in every array."""

    human: np.ndarray
    verdict: np.ndarray
    request: np.ndarray


class Tally(NamedTuple):
    """What a method did in a cell."""

    covered: float
    process: float
    width: float
    given: float
    """Share of the runs in which there was an interval."""


def window(generator: np.random.Generator, rate: float) -> Window:
    """Draw a window and a judge's verdicts on it."""
    sizes = 1 + generator.binomial(8, 3 / 8, CLAIMS)
    request = np.repeat(np.arange(CLAIMS), sizes)[:CLAIMS]

    def each(mean: float) -> np.ndarray:
        concentration = 1 / TOGETHER - 1
        shares = generator.beta(mean * concentration, (1 - mean) * concentration, int(request[-1]) + 1)
        return np.asarray(shares[request])

    human = generator.random(CLAIMS) < each(rate)
    flagged = np.where(human, each(SENSITIVITY), each(1 - SPECIFICITY))
    return Window(human.astype(float), (generator.random(CLAIMS) < flagged).astype(float), request)


def draw(generator: np.random.Generator, of: Window, design: str, n: int) -> Labelled:
    """Draw about n claims and label them."""
    if design == "requests":
        count = int(of.request[-1]) + 1
        some = min(count, max(2, round(n * count / CLAIMS)))
        chosen = np.isin(of.request, generator.choice(count, some, replace=False))
        places, probability = np.flatnonzero(chosen), np.full(chosen.sum(), some / count)
    else:
        groups = [np.arange(CLAIMS)]
        numbers = [n]
        if design == "verdicts":
            groups = [np.flatnonzero(of.verdict == 1), np.flatnonzero(of.verdict == 0)]
            flagged = min(n // 2, len(groups[0]))
            numbers = [flagged, n - flagged]
        pairs = list(zip(groups, numbers, strict=True))
        places = np.concatenate([generator.choice(group, number, replace=False) for group, number in pairs])
        probability = np.concatenate([np.full(number, number / len(group)) for group, number in pairs])
    _, cluster = np.unique(of.request[places], return_inverse=True)
    return Labelled(of.human[places], of.verdict[places], 1 / probability, cluster)


def _borrowed(generator: np.random.Generator, cell: Cell, flagged: int) -> Estimate:
    """Calibration from as many labels of another window with the same judge."""
    bad = int(generator.binomial(cell.labels, cell.rate))
    caught, good = int(generator.binomial(bad, SENSITIVITY)), cell.labels - bad
    return rogan_gladen.estimate(
        Counted(flagged, CLAIMS), Counted(caught, bad), Counted(int(generator.binomial(good, SPECIFICITY)), good)
    )


def run(generator: np.random.Generator, cell: Cell) -> tuple[float, dict[str, Estimate]]:
    """One window: its rate, and what each method says of it."""
    of = window(generator, cell.rate)
    labels, flagged = draw(generator, of, cell.design, cell.labels), int(of.verdict.sum())
    population, seed = Population(flagged, CLAIMS - flagged), int(generator.integers(2**32))
    return float(of.human.mean()), {
        "raw Wilson": wilson.interval(flagged, CLAIMS),
        "human only": human_only.estimate(labels),
        "strat. Beta": stratified_beta.estimate(labels, population, seed),
        "PPI++": prediction_powered.estimate(labels, population),
        "Rogan-Gladen": _borrowed(generator, cell, flagged),
        "THE RULE": corrected_rate.estimate(labels, population, seed),
    }


def simulate(cell: Cell, runs: int, seed: int = 0) -> dict[str, Tally]:
    """Simulate a cell; the same seed gives the same figures."""
    generator = np.random.default_rng([seed, DESIGNS.index(cell.design), cell.labels, round(1000 * cell.rate)])
    seen = [run(generator, cell) for _ in range(runs)]
    return {name: _tally([(rate, found[name]) for rate, found in seen], cell.rate) for name in seen[0][1]}


def _tally(seen: Sequence[tuple[float, Estimate]], process: float) -> Tally:
    bounds = [(rate, one.low, one.high) for rate, one in seen if one.low is not None and one.high is not None]
    return Tally(
        covered=_share(low <= rate <= high for rate, low, high in bounds),
        process=_share(low <= process <= high for _, low, high in bounds),
        width=float(np.mean([high - low for _, low, high in bounds])) if bounds else float("nan"),
        given=len(bounds) / len(seen),
    )


def _share(hits: Iterable[bool]) -> float:
    found = list(hits)
    return sum(found) / len(found) if found else float("nan")


def table(runs: int, say: Callable[[str], None]) -> float:
    """Print every cell; gives the least coverage of the rule."""
    cells = [Cell(*one) for one in product(DESIGNS, SIZES, RATES)]
    least = 1.0
    with ProcessPoolExecutor(2) as pool:
        for cell, found in zip(cells, pool.map(simulate, cells, [runs] * len(cells)), strict=True):
            if cell == cells[0]:
                say(f"{'drawn':9}{'n':>5}{'θ':>6}  " + "".join(f"{name:>16}" for name in found) + "  rule, process")
            shown = "".join(f"{100 * one.covered:8.1f} {one.width:6.3f} " for one in found.values())
            say(f"{cell.design:9}{cell.labels:5}{cell.rate:6.2f}  {shown}{100 * found['THE RULE'].process:10.1f}")
            least = min(least, found["THE RULE"].covered)
    return least


def main() -> int:
    """Print coverage in per cent and mean width of each method; 1 when the rule falls under 93 %."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=2000)
    runs = parser.parse_args().runs
    say: Callable[[str], None] = print
    say(f"coverage in per cent and mean width of 95 % intervals, {runs:,} runs a cell, {CLAIMS:,} claims a window")
    least = table(runs, say)
    say(f"the rule covers at least {100 * least:.1f} % in every cell")
    return int(least < 0.93)


if __name__ == "__main__":
    raise SystemExit(main())
