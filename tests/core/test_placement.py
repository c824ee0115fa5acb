"""Where a given claim stands in an answer."""

from __future__ import annotations

import pytest

from core.markers._all import find_all
from core.models import AnswerMatch
from core.placement import AnswerText

TEXT = "The police counted 191 cyclists in 2025 [C1], after 212 in 2024 [C2].\r\nMost injuries happened at junctions."


@pytest.fixture
def prose() -> AnswerText:
    """An answer with a claim interrupted by markers."""
    return AnswerText(TEXT, find_all(TEXT))


def test_word_for_word(prose: AnswerText) -> None:
    """A claim without markers in between is one fragment."""
    placed = prose.place("Most injuries happened at junctions.")

    assert (placed.match, placed.fragments) == (AnswerMatch.EXACT, ((71, 107),))
    assert TEXT[71:107] == "Most injuries happened at junctions."


def test_a_claim_split_by_markers_stands_in_fragments(prose: AnswerText) -> None:
    """Three pieces that read together are the claim."""
    claim = "The police counted 191 cyclists in 2025, after 212 in 2024."
    placed = prose.place(claim)

    assert placed.match is AnswerMatch.EXACT
    assert [TEXT[a:b] for a, b in placed.fragments] == [
        "The police counted 191 cyclists in 2025",
        ", after 212 in 2024",
        ".",
    ]
    assert prose.read(placed.fragments) == claim


def test_white_space_is_folded(prose: AnswerText) -> None:
    """A claim across a line end is still word for word."""
    placed = prose.place("2024. Most injuries")

    assert placed.match is AnswerMatch.EXACT
    assert [TEXT[a:b] for a, b in placed.fragments] == ["2024", ".\r\nMost injuries"]


def test_nearly_there(prose: AnswerText) -> None:
    """Another number leaves the claim without a place, and says so."""
    placed = prose.place("The police counted 181 cyclists in 2025")

    assert (placed.match, placed.fragments, placed.differs) == (AnswerMatch.NEAR, (), "another number")
    assert placed.near == (0, 39)


def test_not_there(prose: AnswerText) -> None:
    """Nothing alike, nothing to show."""
    assert prose.place("Helmets prevent most head injuries.").match is AnswerMatch.NONE
    assert AnswerText("", []).place("Anything").match is AnswerMatch.NONE


def test_equal_claims_take_successive_places() -> None:
    """The search begins where the last claim ended, and goes back only when nothing follows."""
    text = "Rinse twice. Rinse twice."
    prose = AnswerText(text, [])

    assert prose.place("Rinse twice.", 12).fragments == ((13, 25),)
    assert prose.place("Rinse twice.", 25).fragments == ((0, 12),)
