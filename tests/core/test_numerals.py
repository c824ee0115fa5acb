"""Numbers as they are written: digits, words, shares, ratios."""

from __future__ import annotations

from decimal import Decimal
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core import numerals
from core.words import NUMBER_WORDS

_WORD_OF = {value: word for word, value in NUMBER_WORDS.items()}


def in_words(number: int) -> str:
    """A number below a million in English words."""
    thousands, rest = divmod(number, 1000)
    hundreds, small = divmod(rest, 100)
    parts = [f"{in_words(thousands)} thousand"] if thousands else []
    if hundreds:
        parts.append(f"{_WORD_OF[hundreds]} hundred")
    if small or not parts:
        parts.append(_WORD_OF[small] if not parts or not hundreds else f"and {_WORD_OF[small]}")
    return " ".join(parts)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("two hundred and fifty thousand people", [("two hundred and fifty thousand", "250000")]),
        ("a hundred", [("a hundred", "100")]),
        ("forty eight", [("forty eight", "48")]),
        ("three dozen eggs", [("three dozen", "36")]),
        ("two and a half hours", [("two and a half", "2.5")]),
        ("2½ cups", [("2½", "2.5")]),
        ("one in four adults", [("one in four", "25")]),
        ("nine out of ten", [("nine out of ten", "90")]),
        ("a quarter of them", [("a quarter", "25")]),
        ("half of them", [("half", "50")]),
        ("a ratio of 3 to 1", [("3 to 1", "3")]),
        ("the ratio of sand to lime was 3:1", [("3:1", "3")]),
        ("it doubled", [("doubled", "2")]),
        ("cases halved", [("halved", "0.5")]),
        ("threefold", [("three", "3")]),
        ("a third attempt", []),
        ("won 5 in 3 games", [("5", "5"), ("3", "3")]),  # five in three is no share
        ("2 in 10 minutes", [("2", "2"), ("10", "10")]),
        ("someone often", []),
    ],
)
def test_find(text: str, expected: list[tuple[str, str]]) -> None:
    """The stretch and the value of its first reading."""
    found = [(text[one.start : one.end], one.readings[0].low) for one in numerals.find(text)]

    assert found == [(snippet, Decimal(value)) for snippet, value in expected]


@pytest.mark.parametrize(
    ("digits", "values"),
    [
        ("12", ["12"]),
        ("1,874", ["1874", "1.874"]),
        ("1.874", ["1.874", "1874"]),
        ("2,318.70", ["2318.70"]),
        ("2.318,70", ["2318.70"]),
        ("1,234,567", ["1234567"]),
        ("1,00,000", ["100000"]),
        ("615 000", ["615000"]),
        ("1'000", ["1000"]),
        ("1·3", ["1.3"]),
        ("0,5", ["0.5"]),
        ("0.123", ["0.123"]),
        ("2.3.1", []),
    ],
)
def test_readings(digits: str, values: list[str]) -> None:
    """Both customs of grouping; two readings where the digits allow two."""
    assert [reading.low for reading in numerals.readings(digits)] == [Decimal(value) for value in values]


@given(st.integers(min_value=0, max_value=999_999))
def test_words_and_digits_are_the_same(number: int) -> None:
    """Every number below a million is read from its words."""
    text = in_words(number)
    (found,) = numerals.find(f"exactly {text}.")

    assert found.readings[0].low == number


@given(st.integers(min_value=0, max_value=10**12))
def test_grouping_changes_nothing(number: int) -> None:
    """Commas and thin blanks between thousands."""
    for grouped in (f"{number:,}", f"{number:,}".replace(",", "\u202f")):
        assert numerals.readings(grouped)[0].low == number


@given(st.text(alphabet="0123456789 .,-½:/ onetwfurhdaqli", max_size=60))
def test_places_are_in_order_and_apart(text: str) -> None:
    """No text raises, and no character belongs to two numbers."""
    places = [(one.start, one.end) for one in numerals.find(text)]

    assert all(0 <= start < end <= len(text) for start, end in places)
    assert all(one[1] <= two[0] for one, two in pairwise(places))


def test_endless_numbers_are_left_alone() -> None:
    """A megabyte of digits, or of "hundred", has no reading and takes no time."""
    for text in ("1" * 1_000_000, "two" + " hundred" * 100_000, f"a ratio of {'9' * 1_000_000} to 1"):
        assert all(not one.readings for one in numerals.find(text) if one.end - one.start > 1)
