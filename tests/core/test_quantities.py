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
        ("a hundred and twenty clocks", [("a hundred and twenty clocks", "clock")]),
        ("two thirds of the votes", [("two thirds", "%")]),
        ("half an hour", [("half an hour", "hour")]),
        ("a population of 5,777", [("5,777", "population")]),
        ("The number of students is about 1,400.", [("1,400", "student")]),
        ("aged 65", [("65", "year")]),
        ("eight All-NBA teams", [("eight All-NBA teams", "team")]),
        ("a hazard ratio of 0.72", [("0.72", "hazard ratio")]),
        ("5 mg per day", [("5 mg per day", "mg")]),
        ("1 hour and 45 minutes", [("1 hour and 45 minutes", "minute")]),
        ("between 3°C and 4°C", [("3°C and 4°C", "°C")]),
        ("It fell from 18% to 12%.", [("18%", "%"), ("12%", "%")]),
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
        "the interval [0, 1]",
        "the point (2, 3)",
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
    ("text", "bound"),
    [
        ("about 5 kg", "about"),
        ("more than 5 kg", "least"),
        ("no more than 5 kg", "most"),
        ("at least 5 kg", "least"),
        ("up to 5 kg", "most"),
        ("≥5 kg", "least"),
        ("just 5 kg", "exact"),
        ("no fewer than 5 kg", "least"),
        ("does not exceed 5 kg", "most"),
        ("5 kg or more", "least"),
        ("a maximum of 5 kg", "most"),
    ],
)
def test_bounds(text: str, bound: str) -> None:
    """What the words before a number leave open."""
    assert [one.bound for one in quantities.find(text)] == [bound]


def test_a_number_says_how_it_stands() -> None:
    """A change, a level, the ends of a change, a denied value, a share and what an amount is for."""
    assert [one.role for one in quantities.find("It rose by 5%, from 20% to 25%, and stands at 25%.")] == [
        "change",
        "from",
        "to",
        "level",
    ]
    assert [one.denied for one in quantities.find("not 5 kg but 7 kg")] == [True, False]
    assert [(one.share, one.kind) for one in quantities.find("two thirds of voters")] == [(True, "voter")]
    assert [one.per for one in quantities.find("5 mg/d or 5 mg a week")] == ["day", "week"]
    assert [one.strict for one in quantities.find("more than 5 kg, at least 6 kg")] == [True, False]


def test_values_are_put_together() -> None:
    """Parts of one amount, rates, and a scale that stands once."""
    assert quantities.find("1 hour and 45 minutes")[0].readings[0].low == 105
    assert quantities.find("5 deaths per 1,000")[0].readings[0].low == Decimal("0.005")
    assert [one.readings[0].low for one in quantities.find("from 3 to 5 million euros")] == [3_000_000, 5_000_000]
    assert [one.readings[0].high for one in quantities.find("2–3 million people")] == [3_000_000]
    assert quantities.find("2–3 million people")[0].readings[0].low == 2_000_000


def test_what_is_counted_has_no_thousandths() -> None:
    """Runners have one reading ("2,500"), kilograms two."""
    assert [len(one.readings) for one in quantities.find("2,500 runners")] == [1]
    assert [len(one.readings) for one in quantities.find("2,500 kg")] == [2]


def test_a_range_has_two_ends_and_scales_and_signs_apply() -> None:
    """5–10 is one quantity; millions and minus signs belong to the value."""
    (span,) = quantities.find("5–10 mg")
    assert (int(span.readings[0].low), int(span.readings[0].high)) == (5, 10)
    assert quantities.find("1.2 million people")[0].readings[0].low == 1_200_000
    assert quantities.find("It fell to -5 °C")[0].readings[0].low == -5


@pytest.mark.parametrize("form", sorted(UNIT_OF))
def test_every_spelling_of_a_unit_is_read(form: str) -> None:
    """After a number and a blank."""
    blank = "" if form.startswith("-") else " "
    text = f"It is 7{blank}{form} now."
    expected = [(f"7{blank}{form}", UNIT_OF[form])]

    assert found(text) == expected


@given(st.text(alphabet="0123456789 .,-–%$€kgmo twofrandbel()[]:/", max_size=40))
def test_places_are_in_order_and_apart(text: str) -> None:
    """No text raises, and no character belongs to two quantities."""
    places = [(one.start, one.end) for one in quantities.find(text)]

    assert all(0 <= start < end <= len(text) for start, end in places)
    assert all(one[1] <= two[0] for one, two in pairwise(places))
