"""A short form of ``make coverage-sim``: the corrected rate holds what it claims to hold."""

from __future__ import annotations

import pytest

from tests.coverage_sim import Cell, simulate

RUNS = 300
LEAST = 0.93 - 2 * (0.93 * 0.07 / RUNS) ** 0.5
"""93 % less two standard errors of the simulation."""


@pytest.mark.parametrize(("cell", "narrower"), [(Cell("claims", 60, 0.1), 0.9), (Cell("requests", 200, 0.02), 1.0)])
def test_the_rule_covers(cell: Cell, narrower: float) -> None:
    """In seeded windows the rule holds the rate as often as promised, at less width than the labels alone.

    The judge's own share with its Wilson interval holds it in none to few.
    """
    found = simulate(cell, RUNS)
    rule = found["THE RULE"]

    assert rule.given == 1.0
    assert rule.covered >= LEAST
    assert rule.process >= LEAST
    assert rule.width < narrower * found["human only"].width
    assert found["raw Wilson"].covered < 0.5
