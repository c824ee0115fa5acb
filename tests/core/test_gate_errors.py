"""Both errors of the gate, counted by hand."""

from __future__ import annotations

import pytest

from core.gate import Level
from core.gate_errors import Decided, decided, measure
from core.metrics.wilson import interval
from core.models import Label
from tests.core.asked import checked, given

GOOD = given("The toll is 3 crowns.", "E1")
UNKNOWN = given("Dogs pay.", "E9")


@pytest.mark.parametrize(
    ("gold", "sound"),
    [
        ({"c1": Label.SUPPORTED, "c2": Label.SUPPORTED}, True),
        ({"c1": Label.PARTIAL, "c2": Label.SECONDARY_ONLY}, True),
        ({"c1": Label.SUPPORTED, "c2": Label.CONTRADICTED}, False),
        ({"c1": Label.SUPPORTED, "c2": Label.UNRESOLVABLE}, False),
        ({"c1": Label.SUPPORTED}, None),
        ({}, None),
    ],
)
def test_what_people_say_of_an_answer(gold: dict[str, Label], sound: bool | None) -> None:
    """All its claims; one without a label leaves it open."""
    found = decided(checked([GOOD, given("Dogs may cross for free.", "E2")]), gold, Level.QUOTES)

    assert found == Decided(claims=2, passed=True, sound=sound)


def test_what_the_gate_says_depends_on_its_level() -> None:
    """A judge that finds nothing stops only where it is asked."""
    gold = {"c1": Label.SUPPORTED}

    assert decided(checked([GOOD], {}), gold, Level.QUOTES).passed
    assert not decided(checked([GOOD], {}), gold, Level.SUPPORT).passed
    assert not decided(checked([UNKNOWN]), gold, Level.CITATIONS).passed


def test_both_errors_by_length() -> None:
    """Leaks among unsound answers, false blocks among sound ones; open and empty answers are in neither."""
    answers = [
        *[Decided(claims=1, passed=True, sound=True)] * 3,
        Decided(claims=1, passed=False, sound=True),
        Decided(claims=2, passed=True, sound=False),
        Decided(claims=3, passed=False, sound=False),
        Decided(claims=7, passed=False, sound=None),
        Decided(claims=0, passed=True, sound=None),
    ]
    every, one, two, many = measure(answers)

    assert [found.length for found in (every, one, two, many)] == ["all", "1 claim", "2 to 3 claims", "7 and more"]
    assert (every.answers, every.unlabelled, every.leaks, every.false_blocks) == (7, 1, 1, 1)
    assert every.leak_rate == interval(1, 2)
    assert every.false_block_rate == interval(1, 4)
    assert (one.leaks, one.false_blocks, one.leak_rate.estimate) == (0, 1, None)
    assert (two.leak_rate.estimate, two.false_block_rate.estimate) == (0.5, None)
    assert (many.unlabelled, many.leak_rate.n) == (1, 0)


def test_no_answers_give_no_share() -> None:
    """And say so."""
    (every,) = measure([])

    assert every.answers == 0
    assert every.leak_rate.estimate is every.false_block_rate.estimate is None
