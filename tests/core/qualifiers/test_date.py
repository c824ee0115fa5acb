"""Dates: another date of the same form, where only one is in question."""

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
        ("It opened in 2019.", "It opened on 7 March 2020.", None),  # another form
        ("It closed in 1979.", "Founded in 1898, it moved in 1950.", None),  # which one is meant?
        ("The last visit was on 7 March 2020.", "Visits: 17/6/2020, 3/7/2020.", None),
        ("It came out after the year 1996.", "It came out in 1997.", None),
        ("It was built before 1531.", "It was enlarged in 1837.", None),
    ],
)
def test_compare(claim: str, evidence: str, agrees: bool | None) -> None:
    """One date in the claim, one verdict."""
    (found,) = compare(claim, evidence)

    assert found.agrees is agrees
    assert found.kind == "date"


def test_a_claim_with_two_dates_is_only_confirmed() -> None:
    """The evidence gives the beginning; the end is missing, not wrong."""
    found = compare("It lasted from 1914 to 1918.", "It began in 1914.")

    assert [one.agrees for one in found] == [True, None]
