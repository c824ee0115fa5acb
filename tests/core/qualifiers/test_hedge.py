"""Hedges: dropped, kept, added, or about something else."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.qualifiers.hedge import compare


@pytest.mark.parametrize(
    ("claim", "evidence", "hedge"),
    [
        ("The virus spreads through water.", "The virus may spread through water.", "may"),
        ("The comet broke apart.", "The comet appears to have broken apart.", "appears to"),
        ("The vase is a forgery.", "The vase is probably a forgery.", "probably"),
        ("Moths navigate by the moon.", "Preliminary data show that moths navigate by the moon.", "Preliminary data"),
        ("The king was poisoned.", "The king is thought to have been poisoned.", "is thought to"),
        ("Stress triggers the rash.", "Whether stress triggers the rash remains unclear.", "Whether"),
        ("The dam caused the slide.", "It is possible that the dam caused the slide.", "It is possible that"),
    ],
)
def test_a_dropped_hedge(claim: str, evidence: str, hedge: str) -> None:
    """The claim states as a fact what the text holds possible."""
    (found,) = compare(claim, evidence)

    assert (found.kind, found.evidence, found.agrees) == ("hedge", hedge, False)
    assert found.claim in claim


@pytest.mark.parametrize(
    ("claim", "evidence"),
    [
        ("The virus spreads through water.", "The virus spreads through water."),
        ("The virus might spread through water.", "The virus spreads through water."),  # adding one is fine
        ("The vase is a forgery.", "The vase is a forgery, and its seller probably knew."),  # another clause
        ("The fair opened in May.", "The fair opened in May 2016."),  # the month
        ("The engine uses less fuel.", "Although it might be louder, the engine uses less fuel."),
        ("The virus spreads through water.", "The virus spreads through water. It may mutate."),
        ("The virus spreads through water.", "Officials may close the bridge."),  # another matter
        ("Those who dive earn more.", "Those who could dive earn more."),  # an ability
    ],
)
def test_no_dropped_hedge(claim: str, evidence: str) -> None:
    """Nothing was dropped, or nothing was hedged that the claim says."""
    assert not any(one.agrees is False for one in compare(claim, evidence))


def test_a_hedge_in_both_agrees() -> None:
    """In whatever words."""
    (found,) = compare("The virus might spread through water.", "The virus may spread through water.")

    assert (found.claim, found.evidence, found.agrees) == ("might", "may", True)


@given(st.text(alphabet="may it rain likely, suggests that. whether", max_size=60))
def test_snippets_are_exact(text: str) -> None:
    """Whatever the letters, each snippet stands in its text."""
    claim = "It rains in the valley."

    for one in compare(claim, text):
        assert one.claim in claim
        assert one.evidence is not None
        assert one.evidence in text
