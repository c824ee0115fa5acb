"""Units of measure and money: how they are written in prose, which can be converted, and into what.

Conversion is pint's (https://pint.readthedocs.io); it is imported when a first conversion is asked for, as it takes a
third of a second.
"""

from __future__ import annotations

from decimal import Decimal
from functools import lru_cache
from typing import Any

_UNITS = {
    "%": "% percent pct per_cent",
    "percentage point": "percentage_points percentage_point percent_points pp",
    "basis point": "basis_points basis_point bps",
    "time": "-fold fold times",
    "second": "seconds second secs sec",
    "minute": "minutes minute mins min",
    "hour": "hours hour hrs hr h",
    "day": "days day",
    "week": "weeks week wks wk",
    "month": "months month",
    "year": "years year yrs yr",
    "decade": "decades decade",
    "century": "centuries century",
    "ms": "ms milliseconds millisecond",
    "nm": "nm nanometres nanometers",
    "µm": "µm μm micrometres micrometers microns",
    "mm": "mm millimetres millimetre millimeters millimeter",
    "cm": "cm centimetres centimetre centimeters centimeter",
    "m": "m metres metre meters meter",
    "km": "km kilometres kilometre kilometers kilometer",
    "inch": "inches inch",
    "foot": "feet foot ft",
    "yard": "yards yard",
    "mile": "miles mile",
    "µg": "µg μg mcg micrograms microgram",
    "mg": "mg milligrams milligram",
    "g": "g grams gram grammes gramme",
    "kg": "kg kilograms kilogram kilos kilo",
    "tonne": "t tonnes tonne tons ton",
    "ounce": "oz ounces ounce",
    "stone": "stone",
    "pound": "£ GBP pounds pound",
    "lb": "lbs lb",
    "ml": "ml mL millilitres millilitre milliliters milliliter",
    "cl": "cl centilitres centiliters",
    "l": "l L litres litre liters liter",
    "pint": "pints pint",
    "gallon": "gallons gallon",
    "m³": "m³ m3 cubic_metres cubic_meters",
    "hectare": "ha hectares hectare",
    "acre": "acres acre",
    "square foot": "sq_ft square_feet square_foot",
    "square mile": "sq_mi square_miles square_mile",
    "m²": "m² m2 sq_m square_metres square_meters",
    "km²": "km² km2 sq_km square_kilometres square_kilometers",
    "Hz": "Hz",
    "kHz": "kHz",
    "MHz": "MHz",
    "GHz": "GHz",
    "kW": "kW kilowatts kilowatt",
    "MW": "MW megawatts megawatt",
    "GW": "GW gigawatts gigawatt",
    "TW": "TW terawatts terawatt",
    "kWh": "kWh kilowatt-hours kilowatt_hours",
    "MWh": "MWh megawatt-hours megawatt_hours",
    "GWh": "GWh gigawatt-hours gigawatt_hours",
    "TWh": "TWh terawatt-hours terawatt_hours",
    "volt": "V volts volt",
    "watt": "W watts watt",
    "kJ": "kJ kilojoules",
    "MJ": "MJ megajoules",
    "kcal": "kcal kilocalories",
    "bar": "bar bars",
    "kPa": "kPa",
    "hPa": "hPa",
    "psi": "psi",
    "mmHg": "mmHg",
    "°C": "°C ℃ degrees_Celsius degree_Celsius degrees_C",
    "°F": "°F ℉ degrees_Fahrenheit degree_Fahrenheit degrees_F",
    "degree": "° degrees degree",
    "mmol": "mmol",
    "µmol": "µmol μmol",
    "kB": "kB KB kilobytes kilobyte",
    "MB": "MB megabytes megabyte",
    "GB": "GB gigabytes gigabyte",
    "TB": "TB terabytes terabyte",
    "ppm": "ppm",
    "ppb": "ppb",
    "mph": "mph",
    "knot": "knots knot",
    "km/h": "km/h kph kmh",
    "dollar": "US$ $ USD dollars dollar",
    "cent": "cents cent",
    "Australian dollar": "A$ AUD",
    "Canadian dollar": "C$ CAD",
    "euro": "€ EUR euros euro",
    "yen": "¥ JPY yen",
    "rupee": "₹ INR rupees rupee",
    "franc": "CHF francs franc",
    "crown": "crowns crown SEK NOK DKK CZK",
}
"""Units and how they are written; ``_`` stands for a blank."""

UNIT_OF = {form.replace("_", " "): unit for unit, forms in _UNITS.items() for form in forms.split()}
SIGNS = ("US$", "A$", "C$", "$", "€", "£", "¥", "₹", "USD", "EUR", "GBP", "CHF", "JPY", "INR", "AUD", "CAD")
"""What may stand before an amount of money."""
SHORT_SCALES = {"k": 10**3, "m": 10**6, "mn": 10**6, "bn": 10**9, "b": 10**9, "tn": 10**12}
"""Scales that follow an amount of money only: "$5m"."""

_FAMILIES = {
    "time": "ms second minute hour day week month year decade century",
    "length": "nm µm mm cm m km inch foot yard mile",
    "mass": "µg mg g kg tonne ounce stone pound lb",
    "volume": "ml cl l pint gallon m³",
    "area": "hectare acre square_foot square_mile m² km²",
    "frequency": "Hz kHz MHz GHz",
    "power": "watt kW MW GW TW",
    "energy": "kWh MWh GWh TWh kJ MJ kcal",
    "pressure": "bar kPa hPa psi mmHg",
    "temperature": "°C °F",
    "amount": "mmol µmol",
    "data": "kB MB GB TB",
    "points": "percentage_point basis_point",
    "concentration": "ppm ppb",
    "speed": "mph knot km/h",
    "money": "dollar cent Australian_dollar Canadian_dollar euro yen rupee franc crown pound",
    "percent": "% percentage_point basis_point",
}
_FAMILY_OF: dict[str, frozenset[str]] = {}
for _family, _members in _FAMILIES.items():
    for _member in _members.split():
        _name = _member.replace("_", " ")
        _FAMILY_OF[_name] = _FAMILY_OF.get(_name, frozenset()) | {_family}
_NOT_CONVERTED = frozenset({"money", "percent"})
_PINT = {
    "foot": "foot",
    "decade": "10 * year",
    "tonne": "metric_ton",
    "pound": "lb",
    "µg": "microgram",
    "µm": "micrometer",
    "µmol": "micromole",
    "m³": "m**3",
    "square foot": "foot**2",
    "square mile": "mile**2",
    "m²": "m**2",
    "km²": "km**2",
    "psi": "psi",
    "kB": "kilobyte",
    "MB": "megabyte",
    "GB": "gigabyte",
    "TB": "terabyte",
    "km/h": "km/hour",
    "knot": "knot",
    "°C": "delta_degC",
    "°F": "delta_degF",
}
"""Pint's names where ours differ; temperatures are differences here, their offsets apart."""
_OWN_FACTORS = {("percentage point", "basis point"): Decimal(100), ("ppm", "ppb"): Decimal(1000)}
_OFFSETS = {("°C", "°F"): Decimal(32)}


def families(unit: str) -> frozenset[str]:
    """The kinds of thing that a unit measures ("a pound" is money or mass); empty for what is counted."""
    return _FAMILY_OF.get(unit, frozenset())


def convertible(one: str, other: str) -> bool:
    """Whether one unit can be converted into the other, both of the names that ``UNIT_OF`` gives."""
    return bool((families(one) & families(other)) - _NOT_CONVERTED)


def convert(value: Decimal, unit: str, into: str, change: bool = False) -> Decimal:
    """Convert a value; ``change`` says that a temperature is a difference, whose zero is zero.

    Raises:
        ValueError: The units cannot be converted.
    """
    if not convertible(unit, into):
        raise ValueError(f"{unit} cannot be converted into {into}")
    if unit == into:
        return value
    if not change and (unit, into) in _OFFSETS:
        return value * factor(unit, into) + _OFFSETS[unit, into]
    if not change and (into, unit) in _OFFSETS:
        return (value - _OFFSETS[into, unit]) * factor(unit, into)
    return value * factor(unit, into)


@lru_cache(maxsize=512)
def factor(unit: str, into: str) -> Decimal:
    """How many of ``into`` one ``unit`` is, to nine digits; for temperatures, of their differences."""
    if (unit, into) in _OWN_FACTORS:
        return _OWN_FACTORS[unit, into]
    if (into, unit) in _OWN_FACTORS:
        return 1 / _OWN_FACTORS[into, unit]
    one, other = (_registry().parse_expression(f"1 * {_PINT.get(name, name)}") for name in (unit, into))
    return Decimal(f"{(one / other).to('dimensionless').magnitude:.9g}")


@lru_cache(maxsize=1)
def _registry() -> Any:
    import pint  # a third of a second: only when units differ

    return pint.UnitRegistry(cache_folder=None)
