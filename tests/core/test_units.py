"""Units: which convert, and into what."""

from __future__ import annotations

import subprocess
import sys
from decimal import Decimal
from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core import units

PAIRS = [
    (one, other) for one, other in permutations(sorted(set(units.UNIT_OF.values())), 2) if units.convertible(one, other)
]


@pytest.mark.parametrize(
    ("value", "unit", "into", "expected"),
    [
        ("5", "km", "mile", "3.10685596"),
        ("1000", "mg", "g", "1"),
        ("100", "°C", "°F", "212"),
        ("-40", "°F", "°C", "-40"),
        ("1", "lb", "kg", "0.45359237"),
        ("1", "percentage point", "basis point", "100"),
        ("2", "decade", "year", "20"),
        ("1", "hectare", "m²", "10000"),
        ("1", "kWh", "MJ", "3.6"),
        ("36", "km/h", "knot", "19.438"),
    ],
)
def test_convert(value: str, unit: str, into: str, expected: str) -> None:
    """Worked by hand or from the definitions of the units."""
    assert float(units.convert(Decimal(value), unit, into)) == pytest.approx(float(expected), rel=1e-4)


def test_a_difference_of_temperature_has_no_offset() -> None:
    """It warmed by 10 °C, which is 18 °F, not 50."""
    assert float(units.convert(Decimal(10), "°C", "°F", change=True)) == pytest.approx(18)
    assert float(units.convert(Decimal(10), "°C", "°F")) == pytest.approx(50)


@given(st.sampled_from(PAIRS), st.decimals(min_value=1, max_value=10**6, places=2))
def test_there_and_back(pair: tuple[str, str], value: Decimal) -> None:
    """Converting into another unit and back gives the same value; every unit that says it converts does."""
    one, other = pair
    back = units.convert(units.convert(value, one, other), other, one)

    assert float(back) == pytest.approx(float(value), rel=1e-6)


@pytest.mark.parametrize(
    ("unit", "into"), [("kg", "km"), ("euro", "dollar"), ("%", "percentage point"), ("patient", "kg")]
)
def test_what_cannot_be_converted_is_refused(unit: str, into: str) -> None:
    """Other dimensions, currencies, percent and points."""
    assert not units.convertible(unit, into)
    with pytest.raises(ValueError, match="cannot be converted"):
        units.convert(Decimal(1), unit, into)


def test_pint_waits_until_it_is_needed() -> None:
    """Importing the module, and comparing equal units, does not pay for it."""
    code = (
        "import sys\nfrom core.qualifiers import number\n"
        "number.compare('It is 5 kg.', 'It is 6 kg.')\nassert 'pint' not in sys.modules"
    )
    subprocess.run([sys.executable, "-c", code], check=True, timeout=60)
