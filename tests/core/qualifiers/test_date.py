"""Dates: another date for the same event, and everything that is no such thing."""

from __future__ import annotations

import pytest

from core.qualifiers.date import compare


@pytest.mark.parametrize(
    ("claim", "evidence", "agrees"),
    [
        ("It was founded in 1987.", "It was founded in 1990.", False),
        ("He died on 3 May 1990.", "He died May 4, 1990 at home.", False),
        ("It was founded in 1990.", "It was founded in 1990.", True),
        ("It opened in 2020.", "It opened on 7 March 2020.", True),
        ("It opened on 7 March 2020.", "It opened in 2020.", None),  # ours is fuller
        ("It opened in 2019.", "It opened on 7 March 2020.", False),  # the same word governs both
        ("In 2019 there was a fire.", "The gate was painted on 7 March 2020.", None),  # another form, another event
        ("It closed in 1979.", "Founded in 1898, it moved in 1950.", None),  # which one is meant?
        ("It moved in 1898.", "Founded in 1898, it moved in 1950.", False),  # that is the other event
        ("It was built in the 19th century.", "It was built in 1874.", True),
        ("It was built in 1874.", "It was built in the 19th century.", None),
        ("It was built in the 1880s.", "It was built in 1874.", False),
        ("It closed in Q2 2019.", "It closed in the third quarter of 2019.", False),
        ("The last visit was on 7 March 2020.", "Visits: 17/6/2020, 3/7/2020.", False),  # the list puts the day first
        ("The first visit was on 17 June 2020.", "Visits: 17/6/2020, 3/7/2020.", True),
        ("A visit was on 7 March 2020.", "Visits: 17/6/2020, 3/7/2020.", None),
        ("It fell on 3 April 2019.", "It fell on 3/4/2019.", None),  # the order is open
        ("The novel came out in 1939.", "The 1936 novel made her famous.", False),
        ("He lived there in 1919.", "According to a 1956 letter he was lonely.", None),  # the letter's year
        ("It was built in 1837.", "It was built before 1531.", None),
    ],
)
def test_compare(claim: str, evidence: str, agrees: bool | None) -> None:
    """One date in the claim, one verdict."""
    (found,) = compare(claim, evidence)

    assert found.agrees is agrees
    assert found.kind == "date"


def test_a_date_speaks_for_one_of_the_claim() -> None:
    """The evidence gives the beginning; the end is missing, not wrong."""
    found = compare("It opened in 1914 and closed in 1918.", "It opened in 1914.")

    assert [one.agrees for one in found] == [True, None]


@pytest.mark.parametrize(
    "claim", ["It lasted from 1914 to 1918.", "It came out after the year 1996.", "12 percent agreed in 2019."]
)
def test_frames_are_left_to_the_periods(claim: str) -> None:
    """Ranges, open times, and the date of a measured value."""
    assert compare(claim, "It came out in 1997.") == []
