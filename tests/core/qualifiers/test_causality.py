"""Causality: a claim that is causally stronger than its evidence."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.qualifiers.causality import compare


@pytest.mark.parametrize(
    ("claim", "evidence", "ours", "theirs"),
    [
        ("Noise causes poor sleep.", "Noise is associated with poor sleep.", "causes", "associated"),
        ("Walking lowers stress.", "Walking was linked to lower stress.", "lowers", "linked to"),
        ("Night shifts increase mortality.", "Night shifts predicted mortality.", "increase", "predicted"),
        ("Because of the ban, crashes fell.", "The ban and fewer crashes were correlated.", "Because of", "correlated"),
        ("Poverty causes crime.", "Poverty and crime are related to one another.", "causes", "related to"),
        (
            "Using the tool makes pupils learn faster.",
            "Pupils who used the tool more often also learned faster; the survey was descriptive.",
            "makes",
            "who used the tool more often also",
        ),
    ],
)
def test_a_stronger_claim(claim: str, evidence: str, ours: str, theirs: str) -> None:
    """An association is stated as a cause."""
    (found,) = compare(claim, evidence)

    assert (found.kind, found.claim, found.evidence, found.agrees) == ("causality", ours, theirs, False)


@pytest.mark.parametrize(
    ("claim", "evidence"),
    [
        ("Noise causes poor sleep.", "Noise leads to poor sleep."),
        ("Noise is associated with poor sleep.", "Noise causes poor sleep."),  # the claim is the weaker
        ("Noise is linked to poor sleep.", "Noise is associated with poor sleep."),
        ("The flood was caused by rain.", "The flood was due to rain."),
    ],
)
def test_agreement(claim: str, evidence: str) -> None:
    """The claim says no more than the text."""
    assert [one.agrees for one in compare(claim, evidence)] == [True]


@pytest.mark.parametrize(
    ("claim", "evidence"),
    [
        ("Sales increased in May.", "Sales are related to the weather in May."),  # names no cause
        ("Noise does not cause poor sleep.", "Noise is associated with poor sleep."),
        ("Shift work leads to lower pay.", "Shift work is linked with diabetes."),  # another effect
        ("Women are at increased risk.", "Women are more likely to be at increased risk."),  # an adjective
        ("Noise causes poor sleep.", "Traffic is counted every week."),
    ],
)
def test_nothing_to_compare(claim: str, evidence: str) -> None:
    """No cause is claimed, or no association of the same things is found."""
    assert compare(claim, evidence) == []


def test_a_cause_that_the_text_does_not_assert() -> None:
    """Not to have shown a cause is no cause."""
    evidence = "Poverty and crime are correlated, but it was not shown that poverty causes crime."
    (found,) = compare("Poverty causes crime.", evidence)

    assert (found.evidence, found.agrees) == ("correlated", False)


@given(st.text(alphabet="noise causes linked to sleep, associated. not", max_size=60))
def test_snippets_are_exact(text: str) -> None:
    """Whatever the letters, each snippet stands in its text."""
    claim = "Noise causes poor sleep."

    for one in compare(claim, text):
        assert one.claim in claim
        assert one.evidence is not None
        assert one.evidence in text
