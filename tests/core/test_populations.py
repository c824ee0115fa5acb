"""Words for groups of people, animals and preparations; countries and regions."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core import countries, populations
from core.populations import Group


def names(text: str, axis: str) -> list[str]:
    """The groups of one axis, in order."""
    return [one.group.name for one in populations.find(text) if one.group.axis == axis]


@pytest.mark.parametrize(
    ("text", "axis", "expected"),
    [
        ("Mice and rats were fed.", "organism", ["mice", "rats"]),
        ("It was grown in vitro.", "organism", ["cells"]),
        ("Older adults and children came.", "age", ["older adults", "children"]),
        ("People aged over 65 came.", "age", ["older adults"]),
        ("Non-smokers and ex-smokers came.", "smoking", ["non-smokers", "former smokers"]),
        ("Patients had type 2 diabetes.", "diabetes", ["type 2 diabetes"]),
        ("We heard the Beastie Boys.", "sex", []),
        ("A dog saw a child.", "organism", []),
    ],
)
def test_find(text: str, axis: str, expected: list[str]) -> None:
    """Plurals and fixed phrases, longest first; no names, no single ones."""
    assert names(text, axis) == expected


def test_groups_that_exclude_each_other() -> None:
    """Unless one lies within the other, they overlap, or they are of two axes."""
    adults, children, infants = Group("age", "adults"), Group("age", "children"), Group("age", "infants")
    older, teens = Group("age", "older adults"), Group("age", "adolescents")

    assert populations.exclude(adults, children)
    assert not populations.exclude(children, infants)
    assert not populations.exclude(children, teens)
    assert not populations.exclude(adults, Group("sex", "men"))
    assert populations.within(older, adults)
    assert not populations.within(adults, older)


def test_countries_by_name_and_by_what_belongs_to_them() -> None:
    """Each with the name that is kept."""
    text = "Dutch ships left the U.S. for Great Britain."
    found = countries.find(text)

    assert [(text[one.start : one.end], one.place, one.by_name) for one in found] == [
        ("Dutch", "the Netherlands", False),
        ("U.S.", "the United States", True),
        ("Great Britain", "the United Kingdom", True),
    ]


@pytest.mark.parametrize(
    ("one", "other", "apart"),
    [
        ("France", "Spain", True),
        ("France", "Europe", False),
        ("Scotland", "the United Kingdom", False),
        ("Scotland", "Europe", False),
        ("Kenya", "Asia", True),
        ("Mexico", "Latin America", False),
        ("Mexico", "North America", False),
    ],
)
def test_places_apart(one: str, other: str, apart: bool) -> None:
    """Neither lies in the other, in whatever order they are given."""
    assert countries.apart(one, other) is apart
    assert countries.apart(other, one) is apart


@given(st.text(alphabet="in France, mice & adults. The U.S.", max_size=60))
def test_places_of_mentions(text: str) -> None:
    """Every mention lies in the text."""
    for group in populations.find(text):
        assert 0 <= group.start < group.end <= len(text)
    for country in countries.find(text):
        assert 0 <= country.start < country.end <= len(text)
