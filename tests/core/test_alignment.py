"""Numbers in the same words."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.alignment import differences


def snippets(claim: str, evidence: str) -> list[tuple[str, str]]:
    """What differs, as written."""
    return [(claim[one[0] : one[1]], evidence[two[0] : two[1]]) for one, two in differences(claim, evidence)]


@pytest.mark.parametrize(
    ("claim", "evidence", "expected"),
    [
        (
            "They appear in the episode 74 of the series.",
            "They appear in the episode 24 of the series.",
            [("74", "24")],
        ),
        ("The 826 was for display only.", "The 326 was for display only.", [("826", "326")]),
        ("They were married there in 1350.", "They were married there in 1530.", [("1350", "1530")]),
        ("He wore the number seven in goal.", "He wore the number 9 in goal.", [("seven", "9")]),
        ("He wore the number nine in goal.", "He wore the number 9 in goal.", []),
        ("The share was 12% in the north.", "The share was 12.3% in the north.", []),  # theirs rounds to ours
        ("The share was 12.3% in the north.", "The share was 12% in the north.", []),  # ours is finer
        ("The sum was 1,874 in the book.", "The sum was 1.874 in the book.", []),  # two customs of grouping
        ("On page 7 of the book stands 9.", "On page 9 of the book stands 7.", []),  # both stand there
        ("They came second in the season of 84.", "They came second in the season of 1984.", []),  # shortened
        ("Room 7 is empty.", "Room 9 burnt down.", []),  # other words
        ("The result is 5.", "The result is 7.", []),  # too few words
        ("No number.", "Number 7.", []),
    ],
)
def test_differences(claim: str, evidence: str, expected: list[tuple[str, str]]) -> None:
    """Four words in the same order beside the number, and another value."""
    assert snippets(claim, evidence) == expected


@given(st.text(max_size=80))
def test_a_text_never_differs_from_itself(text: str) -> None:
    """Whatever it holds."""
    assert differences(text, text) == []
