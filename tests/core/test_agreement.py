"""Two quantities beside each other: the same, compatible, or not."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core import agreement, quantities
from core.quantities import Quantity


def only(text: str) -> Quantity:
    """The one quantity of a text."""
    (found,) = quantities.find(text)
    return found


@pytest.mark.parametrize(
    ("ours", "theirs", "expected"),
    [
        ("5 kg", "5 kg", True),
        ("12%", "12.3%", True),  # theirs rounds to ours
        ("12.3%", "12%", None),
        ("5 kg", "6 kg", False),
        ("at least 5 kg", "5 kg", True),
        ("more than 5 kg", "5 kg", None),
        ("5 kg", "at least 5 kg", None),
        ("at least 5 kg", "at most 5 kg", False),
        ("at least 5 kg", "at least 6 kg", False),  # another limit
        ("more than 5 kg", "more than 6 kg", None),  # follows
        ("more than 6 kg", "more than 5 kg", False),
        ("within 30 minutes", "within 15 minutes", False),
        ("more than 500 kg", "512 kg", True),
        ("more than 500 kg", "400 kg", False),
        ("about 500 kg", "540 kg", None),
        ("7 mg", "5–10 mg", None),
        ("500,000 kg", "512,340 kg", None),  # ours may be rounded
        ("500,000 kg", "570,000 kg", False),
        ("500 kg", "512 kg", False),
        ("two thirds of the land", "67%", True),
        ("two thirds of the land", "three quarters of the land", False),
    ],
)
def test_relation(ours: str, theirs: str, expected: bool | None) -> None:
    """Equal and rounded values, limits, estimates, ranges, shares."""
    assert agreement.relation(only(ours), only(theirs)) is expected


@pytest.mark.parametrize(
    ("ours", "theirs", "expected"),
    [
        ("5 km", "3.1 miles", True),
        ("5 km", "4 miles", False),
        ("100 miles", "161 km", True),
        ("90 minutes", "1.5 hours", True),
        ("6 months", "26 weeks", True),
        ("2 months", "8 weeks", True),  # rounded
        ("2 months", "6 weeks", None),
        ("5 mg per day", "35 mg per week", True),
        ("5 mg", "5 g", False),
        ("37.8 °C", "100 °F", True),
        ("15 g", "10 to 20 mg", False),
    ],
)
def test_converted(ours: str, theirs: str, expected: bool | None) -> None:
    """Within rounding, apart, and between."""
    assert agreement.converted(only(ours), only(theirs)) is expected


@given(st.integers(1, 10**6), st.sampled_from(["kg", "people", "%", "miles"]))
def test_every_value_is_the_same_as_itself(value: int, unit: str) -> None:
    """Whatever its unit."""
    one = only(f"exactly {value} {unit}")

    assert agreement.relation(one, one) is True


@given(
    st.integers(1, 10**4),
    st.integers(1, 10**4),
    st.sampled_from([("km", "miles"), ("kg", "pounds"), ("hours", "minutes"), ("litres", "ml")]),
)
def test_conversion_does_not_depend_on_the_side(one: int, other: int, pair: tuple[str, str]) -> None:
    """What is apart one way is not the same the other way."""
    ours, theirs = only(f"{one} {pair[0]}"), only(f"{other} {pair[1]}")
    found = {agreement.converted(ours, theirs), agreement.converted(theirs, ours)}

    assert found != {True, False}


def test_changes() -> None:
    """From one value to another, in two ways to say it."""
    for text in ("from 12% to 18%", "12% rose to 18%"):
        theirs = quantities.find(text)
        between = [text[one.end : two.start] for one, two in pairwise(theirs)]
        assert len(agreement.changes(theirs, between)) == 1
    assert agreement.changes(quantities.find("12% and 18%"), [" and "]) == []
