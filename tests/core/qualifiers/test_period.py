"""Periods: another time frame, and what may stand for the same."""

from __future__ import annotations

import pytest

from core.qualifiers.period import compare


@pytest.mark.parametrize(
    ("claim", "evidence", "agrees"),
    [
        ("It lasted from 1914 to 1918.", "It lasted 1914–1918.", True),
        ("It lasted from 1914 to 1919.", "It lasted from 1914 to 1918.", False),
        ("It lasted from 1914 to 1918.", "It began in 1914.", None),  # the beginning alone
        ("It has run since 2010.", "It has run since 2010.", True),
        ("It has run since 2010.", "It ran until 2010.", False),
        ("It has run since 2010.", "It ran in 2010.", False),
        ("It has run since 2010.", "It has run from 2010.", None),
        ("It came out after the year 1996.", "It came out in 1997.", None),
        ("It was built before 1531.", "It was enlarged in 1837.", None),
        ("It was built before 1531.", "It was built after 1531.", False),
        ("12 percent agreed in 2019.", "12 percent agreed in 2019.", True),
        ("12 percent agreed in 2019.", "12 percent agreed in 2014.", False),
        ("12 percent agreed in 2019.", "12 percent agreed in May 2019.", True),  # finer
        ("12 percent agreed in 2019.", "12 percent agreed between 2015 and 2020.", None),  # inside
        ("12 percent agreed in 2019.", "12 percent agreed between 2010 and 2015.", False),
        ("It came out after the year 1977.", "It came out after the year 1996; then came 1998.", False),  # same words
        ("Late in the year 2019 some 12 percent agreed.", "Late in the year 2014 few agreed; in 2010 none.", False),
        ("12 percent agreed in 2019.", "In 2014 and in 2015 some agreed.", None),  # which one is meant?
    ],
)
def test_compare(claim: str, evidence: str, agrees: bool | None) -> None:
    """One frame in the claim, one verdict."""
    (found,) = compare(claim, evidence)

    assert (found.kind, found.agrees) == ("period", agrees)


def test_the_date_of_an_event_is_no_frame() -> None:
    """That is for the dates."""
    assert compare("It was founded in 1987.", "It was founded in 1990.") == []
