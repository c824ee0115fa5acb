"""Quantities in a text: values, units, ranges, and the numbers that are none."""

from __future__ import annotations

from decimal import Decimal
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core import quantities
from core.units import UNIT_OF


def found(text: str) -> list[tuple[str, str]]:
    """Snippets and units."""
    return [(text[one.start : one.end], one.unit) for one in quantities.find(text)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("The acid is 62 per cent pure.", [("62 per cent", "%")]),
        ("It rose 6 percentage points.", [("6 percentage points", "percentage point")]),
        ("It cost $5 million.", [("$5 million", "dollar")]),
        ("It cost US$5.2m.", [("US$5.2m", "dollar")]),
        ("It cost 5 euros, or €5.", [("5 euros", "euro"), ("€5", "euro")]),
        ("It is 30 °C or 86°F.", [("30 °C", "°C"), ("86°F", "°F")]),
        ("5kg, 10 mg and 12km/h", [("5kg", "kg"), ("10 mg", "mg"), ("12km/h", "km/h")]),
        ("a 5-year-old boy", [("5-year", "year")]),
        ("The flat has two rooms.", [("two rooms", "room")]),
        ("48 adult patients", [("48 adult patients", "patient")]),
        ("forty-eight people", [("forty-eight people", "people")]),
        ("3 of the towns", [("3", "")]),  # a stop word ends what may be counted
        ("615 000 t in the 2016–17 season", [("615 000 t", "tonne")]),  # a season is no quantity
        ("Plots got 3 and 7 kg of lime.", [("3", "kg"), ("7 kg", "kg")]),
        ("between 5 and 10 mg", [("5 and 10 mg", "mg")]),
        ("5–10 mg", [("5–10 mg", "mg")]),
        ("from 12% to 18%", [("12%", "%"), ("18%", "%")]),  # a change, not a range
        ("1.80 (95% CI 1.44–2.24)", [("1.80", "")]),  # the name of an interval
        ("[19%]", [("19%", "%")]),
    ],
)
def test_find(text: str, expected: list[tuple[str, str]]) -> None:
    """Number and unit as written, under one name for each unit."""
    assert found(text) == expected


@pytest.mark.parametrize(
    "text",
    [
        "Route 5 runs",
        "COVID-19 cases",
        "see [3] and [4]",
        "at 17:00",
        "version 2.3.1",
        "the 3rd floor",
        "1/2 of it",
        "B12 levels",
        "call 555-0134",
        "§5 and #7",
        "on 7 March 2020",
        "one of them",
    ],
)
def test_numbers_that_are_no_quantity(text: str) -> None:
    """Names, markers, times, versions, ordinals, fractions, dates."""
    assert found(text) == []


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
    assert [reading.low for reading in quantities.readings(digits)] == [Decimal(value) for value in values]


@pytest.mark.parametrize(
    ("text", "bound"),
    [
        ("about 5 kg", "about"),
        ("more than 5 kg", "least"),
        ("no more than 5 kg", "most"),
        ("at least 5 kg", "least"),
        ("up to 5 kg", "most"),
        ("≥5 kg", "least"),
        ("just 5 kg", "exact"),
    ],
)
def test_bounds(text: str, bound: str) -> None:
    """What the words before a number leave open."""
    assert [one.bound for one in quantities.find(text)] == [bound]


def test_a_range_has_two_ends_and_scales_and_signs_apply() -> None:
    """5–10 is one quantity; millions and minus signs belong to the value."""
    (span,) = quantities.find("5–10 mg")
    assert (int(span.readings[0].low), int(span.readings[0].high)) == (5, 10)
    assert quantities.find("1.2 million people")[0].readings[0].low == 1_200_000
    assert quantities.find("It fell to -5 °C")[0].readings[0].low == -5


@pytest.mark.parametrize("form", sorted(UNIT_OF))
def test_every_spelling_of_a_unit_is_read(form: str) -> None:
    """After a number and a blank."""
    text = f"It is 7 {form} now."
    expected = [(f"7 {form}", UNIT_OF[form])]

    assert found(text) == expected


@given(st.text(alphabet="0123456789 .,-–%$€kgmo twofrandbel()[]:/", max_size=40))
def test_places_are_in_order_and_apart(text: str) -> None:
    """No text raises, and no character belongs to two quantities."""
    places = [(one.start, one.end) for one in quantities.find(text)]

    assert all(0 <= start < end <= len(text) for start, end in places)
    assert all(one[1] <= two[0] for one, two in pairwise(places))
