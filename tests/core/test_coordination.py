"""Two facts in one sentence: only where each holds alone."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.coordination import facts_in


def facts(claim: str) -> list[str]:
    """The facts as they read."""
    return ["".join(claim[start:end] for start, end in fact) for fact in facts_in(claim)]


@pytest.mark.parametrize(
    ("claim", "expected"),
    [
        ("The rule covers both buses and trams.", ["The rule covers buses.", "The rule covers trams."]),
        ("It causes both chicken pox and shingles", ["It causes chicken pox", "It causes shingles"]),
        ("She met both the mayor and his deputy.", ["She met the mayor.", "She met his deputy."]),
    ],
)
def test_both_is_two_facts(claim: str, expected: list[str]) -> None:
    """Each keeps its subject and its full stop."""
    assert expected == facts(claim)


@pytest.mark.parametrize(
    "claim",
    [
        "The rule covers buses and trams.",
        "The rule does not cover both buses and trams.",
        "It detects both rising and falling edges.",
        "It is a mixture of both sand and clay.",
        "The rule covers both buses and trams in Oslo.",
        "Both buses and trams are covered.",
        "It rises only if both heat and water are there.",
        "It covers both the effects of heat and cold.",
        "He said “it covers both buses and trams”.",
    ],
)
def test_what_stays_whole(claim: str) -> None:
    """Denials, conditions, mixtures, shared nouns, quotations, and what goes on after the coordination."""
    assert facts_in(claim) == ()


@given(
    st.lists(st.sampled_from(["It ", "covers ", "both ", "buses ", "and ", "trams", ".", "é ", "\n"]), max_size=15).map(
        "".join
    )
)
def test_facts_lie_in_the_claim(claim: str) -> None:
    """Stretches in order, inside the claim, none empty."""
    for fact in facts_in(claim):
        at = 0
        for start, end in fact:
            assert at <= start < end <= len(claim)
            at = end
