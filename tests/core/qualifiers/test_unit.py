"""Units: the same amount in another one, and the same number in another one."""

from __future__ import annotations

import pytest

from core.qualifiers.unit import compare


@pytest.mark.parametrize(
    ("claim", "evidence", "agrees"),
    [
        ("It is 3.1 miles long.", "It is 5 km long.", True),
        ("It is 5 miles long.", "It is 5 km long.", False),
        ("It holds 5 mg.", "It holds 5 g.", False),
        ("It rose by 6 percent.", "It rose by 6 percentage points.", False),
        ("It rose by 50 basis points.", "It rose by 0.5 percentage points.", True),
        ("It costs 5 dollars.", "It costs 5 euros.", False),
        ("They take 5 mg per day.", "They take 5 mg per week.", False),
        ("They take 35 mg per week.", "They take 5 mg per day.", True),
        ("It weighs 2 pounds.", "It weighs 0.9 kg.", True),
        ("It warmed by 18 °F.", "It warmed by 10 °C.", True),
    ],
)
def test_compare(claim: str, evidence: str, agrees: bool) -> None:
    """One measured quantity in the claim, one verdict."""
    (found,) = compare(claim, evidence)

    assert (found.kind, found.agrees) == ("unit", agrees)


@pytest.mark.parametrize(
    ("claim", "evidence"),
    [
        ("It is 5 km long.", "It is 5 km long."),
        ("It is 4 miles long.", "It is 5 km long."),  # another value: the numbers say that
        ("It is 5 km long.", "It weighs 5 kg."),  # another dimension
        ("It costs 5 dollars.", "It costs 6 euros."),
        ("It was open for 2 decades.", "It was built in 2 days."),  # another question
        ("It has 5 rooms.", "It has 5 doors."),  # nothing measured
        ("It is 5 mg or 5 g.", "It is 5 g."),  # the value that stands there is spoken for
    ],
)
def test_nothing_to_say(claim: str, evidence: str) -> None:
    """Equal units, other values, other dimensions."""
    assert compare(claim, evidence) == []
