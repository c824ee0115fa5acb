"""Remainders of a claim: extractive, shorter, and only where less is said."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.clauses import MOST, remainders, said


def left(claim: str) -> list[str]:
    """The remainders as texts."""
    return [said(claim, spans) for spans in remainders(claim)]


@pytest.mark.parametrize(
    ("claim", "expected"),
    [
        ("The alert fired at 02:10 on host web-7.", ["The alert fired at 02:10.", "The alert fired."]),
        ("In 2019, the mill was sold.", ["the mill was sold."]),
        ("The mill was sold and the bridge was painted.", ["The mill was sold."]),
        ("Ada, a miller, sold the bridge.", ["Ada sold the bridge."]),
        ("The rule covers both buses and trams.", ["The rule covers buses.", "The rule covers trams."]),
    ],
)
def test_one_part_is_dropped_at_a_time(claim: str, expected: list[str]) -> None:
    """From the end, from the front, from between commas; the longest remainder first."""
    assert left(claim) == expected


@pytest.mark.parametrize(
    "claim",
    [
        "The alert fired.",
        "No alert fired at 02:10 on host web-7.",
        "The mill isn't old and was never sold.",
        "It is cheaper than the ferry in winter.",
        "The toll is paid if the bridge is open on Sundays.",
        "Nearly all mills were sold in 1850.",
        "The committee of the mill and the bridge",
        "",
    ],
)
def test_where_less_would_say_more_nothing_is_left(claim: str) -> None:
    """Denials, comparisons, conditions, quantifiers, and what has no verb."""
    assert left(claim) == []


PARTS = st.sampled_from(["a", "Mills", "was sold", " and ", ", ", " in ", "In May, ", ".", " ", "\n", "😀", " (x)"])


@given(st.lists(PARTS, max_size=14).map("".join))
def test_remainders_are_stretches_of_the_claim(claim: str) -> None:
    """In order, not overlapping, inside it, at most so many, and shorter."""
    found = remainders(claim)

    assert len(found) <= MOST
    for spans in found:
        borders = [at for span in spans for at in span]
        assert borders == sorted(borders)
        assert 0 <= borders[0] <= borders[-1] <= len(claim)
        assert len(said(claim, spans)) < len(claim)
