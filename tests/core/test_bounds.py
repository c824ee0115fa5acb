"""What the words beside a number leave open."""

from __future__ import annotations

import pytest

from core import bounds
from core.bounds import Frame


@pytest.mark.parametrize(
    ("before", "after", "expected"),
    [
        ("It weighs ", "", Frame()),
        ("at least ", "", Frame(bound="least")),
        ("more than ", "", Frame(bound="least", strict=True)),
        ("no more than ", "", Frame(bound="most")),
        ("less than ", "", Frame(bound="most", strict=True)),
        ("does not exceed ", "", Frame(bound="most")),
        ("It exceeds ", "", Frame(bound="least", strict=True)),
        ("as much as ", "", Frame(bound="most")),
        ("about ", "", Frame(bound="about")),
        ("", " or more", Frame(bound="least")),
        ("", " or less", Frame(bound="most")),
        ("It rose by ", ".", Frame(role="change")),
        ("It fell by about ", ".", Frame(bound="about", role="change")),
        ("a drop of ", "", Frame(role="change")),
        ("", " higher", Frame(role="change")),
        ("used by ", " of farmers", Frame()),
        ("from ", " to", Frame(role="from")),
        ("to ", "", Frame(role="to")),
        ("up to ", "", Frame(bound="most")),
        ("not ", " but", Frame(denied=True)),
    ],
)
def test_frame(before: str, after: str, expected: Frame) -> None:
    """Limits, estimates, changes, ends of changes and denials."""
    assert bounds.frame(before, after, measured=True) == expected


def test_a_count_is_no_change() -> None:
    """Nothing grows "by 5 people" who saw it."""
    assert bounds.frame("It was seen by ", "", measured=False).role == "level"


def test_the_words_that_set_a_limit_are_left_out() -> None:
    """So that what stands before them is seen."""
    assert bounds.without("a population of more than ") == "a population of "
