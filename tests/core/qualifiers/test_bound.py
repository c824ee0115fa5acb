"""Limits: kept, added, and turned into the amount."""

from __future__ import annotations

import pytest

from core.qualifiers.bound import compare


@pytest.mark.parametrize(
    ("claim", "evidence", "agrees"),
    [
        ("It weighs up to 20 kg.", "It weighs at most 20 kg.", True),
        ("It weighs 20 kg.", "It weighs up to 20 kg.", False),
        ("It costs 20 euros.", "It costs at least 20 euros.", False),
        ("It takes 10 days.", "It takes 5 to 10 days.", False),
        ("It takes about 10 days.", "It takes 5 to 10 days.", None),
        ("20 people came.", "More than 20 people came.", None),  # merely exceeded
        ("It weighs up to 20 kg.", "It weighs 20 kg.", None),  # weaker
        ("It weighs less than 20 kg.", "It weighs more than 20 kg.", None),  # the numbers say that
    ],
)
def test_compare(claim: str, evidence: str, agrees: bool | None) -> None:
    """One shared number, one verdict."""
    (found,) = compare(claim, evidence)

    assert (found.kind, found.agrees) == ("bound", agrees)


@pytest.mark.parametrize(
    ("claim", "evidence"),
    [
        ("It weighs 20 kg.", "It weighs 20 kg."),
        ("It weighs 20 kg.", "It weighs about 20 kg."),  # people round
        ("It weighs 20 kg.", "It weighs up to 30 kg."),  # another number
        ("It takes 5–10 days.", "It takes 5 to 10 days."),
    ],
)
def test_without_a_limit_there_is_nothing_to_say(claim: str, evidence: str) -> None:
    """Plain values, estimates, and numbers that differ."""
    assert compare(claim, evidence) == []


def test_snippets_leave_out_the_words_of_the_limit() -> None:
    """A reviewer sees the number on both sides."""
    (found,) = compare("It takes 30 days.", "It takes up to 30 days.")

    assert (found.claim, found.evidence) == ("30 days", "30 days")
