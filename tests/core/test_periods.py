"""Times as stretches: what opens them, what they are of, and whether they frame a value."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core import periods


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("founded in 1898", [("1898", "point")]),
        ("It lasted from 1914 to 1918.", [("1914 to 1918", "range")]),
        ("between 2010 and 2015", [("2010 and 2015", "range")]),
        ("2016–17", [("2016–17", "range")]),
        ("from March to May 2020", [("May 2020", "point")]),
        ("from March 2020 to May 2021", [("March 2020 to May 2021", "range")]),
        ("since 2010", [("2010", "since")]),
        ("since its founding in 2010", [("2010", "since")]),
        ("from 2010 onwards", [("2010", "since")]),
        ("until May 2020", [("May 2020", "until")]),
        ("before the year 1531", [("1531", "before")]),
        ("after 1996", [("1996", "after")]),
        ("by 2030", [("2030", "by")]),
        ("around 1850", [("1850", "vague")]),
        ("in 2010 and 2015", [("2010", "point"), ("2015", "point")]),
    ],
)
def test_find(text: str, expected: list[tuple[str, str]]) -> None:
    """The stretch and what kind of time it is."""
    assert [(text[one.start : one.end], one.kind) for one in periods.find(text)] == expected


@pytest.mark.parametrize(
    ("text", "governors"),
    [
        ("Founded in 1898, it moved in 1950.", ["found", "mov"]),
        ("The 1954 film", ["film"]),
        ("In 2020 the mill closed.", ["mill"]),
        ("It was released by the label on 3 June 2003.", ["label"]),
        ("1990", [""]),
    ],
)
def test_what_a_date_belongs_to(text: str, governors: list[str]) -> None:
    """The stem of the nearest word before it, or of the one after it."""
    assert [one.governor for one in periods.find(text)] == governors


@pytest.mark.parametrize(
    ("text", "frames"),
    [
        ("12 percent agreed in 2019.", True),
        ("It lasted from 1914 to 1918.", True),
        ("It was founded in 1898.", False),
        ("It closed in 1950 after 30 years.", False),  # a length of time is no measured value
    ],
)
def test_frames(text: str, frames: bool) -> None:
    """A range, or a date beside a measured value."""
    (period,) = periods.find(text)

    assert periods.frames(text, period) is frames


@given(st.text(alphabet="0123456789 -–/,.frombetwndsiclu MayJune", max_size=50))
def test_places_are_in_order_and_apart(text: str) -> None:
    """No text raises, and no character belongs to two times."""
    found = periods.find(text)

    assert all(one.end <= two.start for one, two in pairwise(found))
