"""Quantifiers: stronger, weaker, in percent, and of other things."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.qualifiers.quantifier import compare

STRENGTH = ["Some", "Many", "Most", "All"]


@pytest.mark.parametrize(
    ("claim", "evidence", "agrees"),
    [
        ("All owls hunt.", "Some owls hunt.", False),
        ("Some owls hunt.", "All owls hunt.", True),
        ("Every owl hunts.", "All owls hunt.", True),
        ("No owls hunt.", "Few owls hunt.", False),
        ("Most of the large owls hunt.", "The majority of owls hunt.", True),
        ("All owls hunt.", "Not all owls hunt.", False),
        ("All owls hunt.", "Some mice hide.", None),
        ("All owls hunt.", "Owls hunt.", None),
        ("All owls hunt.", "Nearly all owls hunt.", None),  # people use one for the other
        ("Most voters agreed.", "41% of voters agreed.", False),
        ("Most voters agreed.", "62% of voters agreed.", True),
        ("Most voters agreed.", "More than 40% of voters agreed.", None),
        ("All voters agreed.", "97% of voters agreed.", False),
        ("Half of voters agreed.", "49% of voters agreed.", True),
        ("It always rains.", "It usually rains.", False),
        ("It usually rains.", "It often rains.", None),
        ("It always rains.", "It usually snows.", None),  # another verb
        ("It works only in women.", "It works in women.", False),
        ("It works only in women.", "It works in women alone.", None),
        ("It works only in women.", "It works only in women.", True),
    ],
)
def test_compare(claim: str, evidence: str, agrees: bool | None) -> None:
    """One quantifier in the claim, one verdict."""
    (found,) = compare(claim, evidence)

    assert (found.kind, found.agrees) == ("quantifier", agrees)


@pytest.mark.parametrize("claim", ["At most 5 people came.", "All three doors shut.", "Only two left.", "Owls hunt."])
def test_numbers_are_no_quantifiers(claim: str) -> None:
    """Those are for the numbers."""
    assert compare(claim, "Some people came, some doors shut.") == []


@given(st.sampled_from(STRENGTH), st.sampled_from(STRENGTH))
def test_the_weaker_follows_from_the_stronger(ours: str, theirs: str) -> None:
    """Never false downwards, never true upwards."""
    (found,) = compare(f"{ours} wolves howl.", f"{theirs} wolves howl.")
    weaker = STRENGTH.index(ours) <= STRENGTH.index(theirs)

    assert found.agrees is True if weaker else found.agrees is not True
