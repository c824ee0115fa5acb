"""Whom a pronoun means: one name, or nothing."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.antecedents import hints, links
from core.sentences import sentences


def linked(text: str) -> dict[str, str]:
    """What the words of the later sentences stand for."""
    return {
        text[link.start : link.end]: text[slice(*link.stands_for)]
        for before, claim in pairwise(sentences(text))
        for link in links(text, before, claim)
    }


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            "Lena rents a bench at Mill Market every week. She paid 8 euros there on Tuesday.",
            {"She": "Lena", "there": "Mill Market"},
        ),
        ("Dr. Lena Ek’s team won. Her bench is new.", {"Her": "Dr. Lena Ek"}),
        ("Lena Ek wrote it. Her bench is new.", {"Her": "Lena Ek"}),
    ],
)
def test_one_name_is_linked(text: str, expected: dict[str, str]) -> None:
    """The subject of the sentence before, and the one place that it names."""
    assert expected == linked(text)


@pytest.mark.parametrize(
    "text",
    [
        "Lena met Jonas Ek. She paid 8 euros.",
        "The bench was sold. She paid 8 euros.",
        "Lena rents a bench. Ida Ro said she paid 8 euros.",
        "It rained in Oslo. There are 40 boats.",
        "It rained in Oslo, Bergen and Moss. He stayed there.",
        "NASA launched it. His wife left.",
        "However it rained. She paid.",
    ],
)
def test_what_stays_open(text: str) -> None:
    """Two names, none, a name in between, *there are*, a list of places, an acronym."""
    assert linked(text) == {}


def test_hints_are_words() -> None:
    """A reviewer reads them as a possibility."""
    text = "Lena left. She paid."

    assert hints(text, (0, 10), (11, 20)) == ("“She” may be “Lena” of the sentence before",)


@given(
    st.lists(st.sampled_from(["Lena ", "She ", "in Oslo ", "there ", "is ", "Dr. ", ". ", "é"]), max_size=20).map(
        "".join
    )
)
def test_links_lie_where_they_are_said_to(text: str) -> None:
    """Words lie in the claim, names before it."""
    for before, claim in pairwise(sentences(text)):
        for link in links(text, before, claim):
            assert claim[0] <= link.start < link.end <= claim[1]
            assert before[0] <= link.stands_for[0] < link.stands_for[1] <= before[1]
