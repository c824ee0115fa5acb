"""Counts of those who take part, and of parts of them."""

from __future__ import annotations

import pytest

from core import cohorts, quantities


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("We enrolled 120 patients.", [("120 patients", 120, "patient")]),
        ("adults (n = 86)", [("n = 86", 86, "")]),
        ("a sample of 1,040 households", [("1,040 households", 1040, "household")]),
        ("a sample size of 77", [("sample size of 77", 77, "")]),
        ("All 52 volunteers left.", [("52 volunteers", 52, "volunteer")]),
        ("45 patients in the placebo group", []),  # an arm
        ("20 patients died.", []),  # an outcome
        ("48 of 60 people", [("60 people", 60, "people")]),
        ("30 patients of 60 were men", []),
        ("60 children, of whom 12 children had asthma", [("60 children", 60, "children")]),
        ("12 trials", []),
    ],
)
def test_sizes(text: str, expected: list[tuple[str, int, str]]) -> None:
    """The whole, not its parts."""
    assert [(text[one.start : one.end], int(one.value), one.noun) for one in cohorts.sizes(text)] == expected


@pytest.mark.parametrize(
    ("text", "outcome"),
    [
        ("20 patients died.", "died"),
        ("20 patients who survived", "surviv"),
        ("20 patients", ""),
        ("20 rooms burned", ""),
    ],
)
def test_outcome(text: str, outcome: str) -> None:
    """What happened to those who are counted."""
    (found,) = quantities.find(text)

    assert cohorts.outcome(text, found) == outcome
