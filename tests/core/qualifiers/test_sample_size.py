"""Sample size: the same number of participants however it is written, and counts of something else."""

from __future__ import annotations

import pytest

from core.qualifiers.sample_size import compare


@pytest.mark.parametrize(
    ("claim", "evidence", "agrees"),
    [
        ("The trial had 120 participants.", "We enrolled 120 patients.", True),
        ("The trial had 120 participants.", "We enrolled 210 patients.", False),
        ("The trial had 120 participants.", "Adults living alone (n = 120) took part.", True),
        ("The trial had 120 participants.", "Adults living alone (n = 210) took part.", False),
        ("The trial had 120 participants.", "45 patients in the placebo group were followed.", None),  # an arm
        ("The trial had 120 participants.", "20 patients died.", None),  # an outcome
        ("The trial had 120 women.", "The trial had 110 men.", None),  # others
        ("The trial had 120 participants.", "It had 90 patients; 120 were planned.", None),  # ours stands there
        ("The trial had 120 participants.", "We enrolled 90 patients and 80 nurses.", None),  # which one is meant?
        ("The survey reached 500 people.", "The survey reached 512 people.", None),  # a rounded number
    ],
)
def test_compare(claim: str, evidence: str, agrees: bool | None) -> None:
    """One number of participants in the claim, one verdict."""
    (found,) = compare(claim, evidence)

    assert (found.kind, found.agrees) == ("sample_size", agrees)


@pytest.mark.parametrize(
    "claim", ["120 people live there.", "The trial was stopped.", "In the trial 20 patients died."]
)
def test_only_a_whole_of_a_study_is_compared(claim: str) -> None:
    """No study, no number, a part."""
    assert compare(claim, "We enrolled 210 patients.") == []
