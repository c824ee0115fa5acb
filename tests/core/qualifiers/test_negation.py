"""Negation: the polarity of the same predicate, not of the sentence anywhere."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.qualifiers.negation import compare


@pytest.mark.parametrize(
    ("claim", "evidence"),
    [
        ("The ferry sails at night.", "The ferry does not sail at night."),
        ("The ferry does not sail at night.", "The ferry sails at night."),
        ("The crew failed to seal the hatch.", "The crew sealed the hatch."),
        ("The spire was built without scaffolding.", "The spire was built with scaffolding."),
        ("The judge found evidence of fraud.", "The judge found no evidence of fraud."),
        ("The treatment is effective.", "The treatment is ineffective."),
        ("The wall is made of clay.", "The wall is not made of clay but of lime."),
        ("The donor had surgery before.", "Previous surgery: No"),
        # texts that say the same word twice, so that only the inserted cue tells them apart
        ("The New Theatre is not a New York playhouse.", "The New Theatre is a New York playhouse."),
    ],
)
def test_unlike_polarity(claim: str, evidence: str) -> None:
    """One text denies what the other affirms."""
    assert [one.agrees for one in compare(claim, evidence) if one.agrees is not True] == [False]


@pytest.mark.parametrize(
    ("claim", "evidence"),
    [
        ("Frost is common.", "Frost is not uncommon."),  # two cues cancel
        ("The ferry never sails at night.", "The ferry does not sail at night."),
        ("No fewer than 40 ships came.", "40 ships came."),
        ("The paint is cheap and durable.", "The paint is not only cheap but also durable."),
        ("The park opened in May.", "The park did not open until May."),
        ("The shop sells tea.", "The shop sells tea and does not sell coffee."),  # another object
        ("The test was positive for type B.", "The test was positive for type B, however the repeat was delayed."),
        ("The site is dangerous.", "The site is not necessarily dangerous."),  # a part only
        ("The door is closed.", "The door is not open."),  # opposite words
        ("The mayor denied that the bridge was unsafe.", "The bridge was safe."),  # a denial that is not weighed
        ("The pilot landed.", "Rain did not fall."),
        ("The ferry sails at night.", "The ferry sails at night."),
    ],
)
def test_nothing_to_hold_against_the_claim(claim: str, evidence: str) -> None:
    """Equal polarity, a cue that denies nothing, or a denial of something else."""
    assert not any(one.agrees is False for one in compare(claim, evidence))


def test_snippets_run_from_the_cue_to_the_word_denied() -> None:
    """A reviewer sees both as written."""
    (found,) = compare("The bridge never reopened.", "The bridge did not reopen, as planned.")

    assert (found.kind, found.claim, found.evidence, found.agrees) == (
        "negation",
        "never reopened",
        "not reopen",
        True,
    )


def test_a_denial_without_counterpart_is_reported_open() -> None:
    """Nothing is held against it, nothing confirms it."""
    (found,) = compare("The bridge never reopened.", "The toll is 3 crowns.")

    assert (found.claim, found.evidence, found.agrees) == ("never reopened", None, None)


def test_a_text_too_long_to_be_compared_is_left_alone() -> None:
    """A stretch of evidence is a few sentences; megabytes are not taken apart."""
    assert compare("The bridge never reopened.", "The bridge reopened. " * 5000) == []


WORDS = "the bridge not never no without reopened safe unsafe denied failed to until , . but of traffic common uncommon"


@given(st.lists(st.sampled_from(WORDS.split()), max_size=14), st.lists(st.sampled_from(WORDS.split()), max_size=14))
def test_snippets_are_exact(claim: list[str], evidence: list[str]) -> None:
    """Whatever the words, each snippet stands in its text, and a text never contradicts itself."""
    ours, theirs = " ".join(claim), " ".join(evidence)

    for one in compare(ours, theirs):
        assert one.claim in ours
        assert one.evidence is None or one.evidence in theirs
    assert not any(one.agrees is False for one in compare(ours, ours))
