"""Dates in a text: full ones, months, years, and what only looks like one."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.dates import find


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("It opened on 7 March 2020.", [("7 March 2020", (2020, 3, 7))]),
        ("It opened on March 7th, 2020.", [("March 7th, 2020", (2020, 3, 7))]),
        ("Opened 2020-03-07.", [("2020-03-07", (2020, 3, 7))]),
        ("It opened in Sept. 2019 or later.", [("Sept. 2019", (2019, 9, None))]),
        ("Closed on 4 June.", [("4 June", (None, 6, 4))]),
        ("It opened in 1987.", [("1987", (1987, None, None))]),
        ("In 1904 there were two models.", [("1904", (1904, None, None))]),
        ("From 1914 to 1918.", [("1914", (1914, None, None)), ("1918", (1918, None, None))]),
        ("the 2016–17 season", [("2016", (2016, None, None)), ("17", (2017, None, None))]),
        ("She was born in 1898 and died in 1980.", [("1898", (1898, None, None)), ("1980", (1980, None, None))]),
        ("The 1990s and the 1980's.", [("1990s", (1990, None, None)), ("1980's", (1980, None, None))]),
        ("the 19th century", [("19th century", (1801, None, None))]),
        ("in Q3 2020", [("Q3 2020", (2020, 7, None))]),
        ("the third quarter of 2019", [("the third quarter of 2019", (2019, 7, None))]),
        ("The 1954 film", [("1954", (1954, None, None))]),  # a year that names a thing
        ("the 2000 people there", []),
        ("mentioned in 1262.", [("1262", (1262, None, None))]),
        ("approximately 1400.", []),
        ("am 3.7.2020", [("3.7.2020", (2020, 7, 3))]),  # points: the day first
        ("It sold 2000 copies.", []),  # a count
        ("Blade Runner 2049 opened.", []),  # a name
        ("Fox 2000 Pictures", []),
        ("Visits: 17/6/2020, 3/7/2020.", [("17/6/2020", (2020, 6, 17)), ("3/7/2020", (2020, 7, 3))]),
        ("Visits: 6/17/2020, 3/7/2020.", [("6/17/2020", (2020, 6, 17)), ("3/7/2020", (2020, 3, 7))]),
        ("on 3/7/2020", [("3/7/2020", (2020, None, None))]),  # whose order cannot be known
        ("It may 7 be.", []),
        ("$1999 and 2019% and #2010", []),
        ("ratio 3:2019, id a-2019", []),
    ],
)
def test_find(text: str, expected: list[tuple[str, tuple[int | None, int | None, int | None]]]) -> None:
    """Each with the stretch it stands in."""
    assert [(text[date.start : date.end], date.value) for date in find(text)] == expected


@pytest.mark.parametrize(
    ("text", "first", "last"),
    [
        ("the 1990s", (1990, 1, 1), (1999, 12, 31)),
        ("the 1600s", (1600, 1, 1), (1699, 12, 31)),
        ("the 19th century", (1801, 1, 1), (1900, 12, 31)),
        ("Q2 2021", (2021, 4, 1), (2021, 6, 31)),
        ("in 1987", (1987, 1, 1), (1987, 12, 31)),
        ("in May 1987", (1987, 5, 1), (1987, 5, 31)),
    ],
)
def test_bounds(text: str, first: tuple[int, int, int], last: tuple[int, int, int]) -> None:
    """The first and the last day; a month is given 31 days, which only comparisons see."""
    (found,) = find(text)

    assert found.bounds == (first, last)


@given(st.text(alphabet="0123456789 -–/,.:MarchMayJune in of s", max_size=40))
def test_places_are_in_order_and_apart(text: str) -> None:
    """No text raises, and no character belongs to two dates."""
    found = find(text)

    assert all(one.end <= two.start for one, two in pairwise(found))
    assert all(0 <= date.start < date.end <= len(text) for date in found)
