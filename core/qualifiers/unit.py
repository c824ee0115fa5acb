"""Units: is the same number given in another unit?

"5 mg" is no "5 g", "6 percent" no "6 percentage points", "5 mg a day" not "5 mg a week". Values in units that convert
into each other agree when they are the same within their rounding (5 km and 3.1 miles). The amount is right and what it
is measured in differs, so a disagreement makes the scope wrong; another value is the business of ``number``.
"""

from __future__ import annotations

import re

from core import agreement, quantities, units
from core.models import Label, Qualifier
from core.numerals import Reading
from core.quantities import Quantity

VERSION = 1
LABEL = Label.WRONG_SCOPE

_WORD_BEFORE = re.compile(r"[^\W\d_]+\s$")


def compare(claim: str, evidence: str) -> list[Qualifier]:
    """Compare the units of every measured quantity of the claim that has no counterpart in its own unit, in order.

    The snippets are exact substrings of what was given; a claim whose units all stand in the evidence gives nothing.
    """
    ours = [quantity for quantity in quantities.find(claim) if _is_measured(quantity)]
    theirs = [quantity for quantity in quantities.find(evidence) if _is_measured(quantity)] if ours else []
    found: list[Qualifier] = []
    taken = {index for index, other in enumerate(theirs) if any(_settled(one, other) for one in ours)}
    for one in ours:
        if any(_settled(one, other) for other in theirs):
            continue
        for index, other in enumerate(theirs):
            agrees = None if index in taken else _agrees(one, other)
            if agrees is None or (agrees is False and not _stand_alike(claim, one, evidence, other)):
                continue
            taken.add(index)
            place = evidence[other.start : other.end]
            found.append(Qualifier(kind="unit", claim=claim[one.start : one.end], evidence=place, agrees=agrees))
            break
    return found


def _stand_alike(claim: str, ours: Quantity, evidence: str, theirs: Quantity) -> bool:
    """Whether two lengths of time answer the same question: "for 2 decades" is not held against "in 2 days"."""
    if "time" not in units.families(ours.unit):
        return True
    words = [
        _WORD_BEFORE.search(text[max(0, one.start - 40) : one.start])
        for text, one in ((claim, ours), (evidence, theirs))
    ]
    one, other = (match[0].strip().lower() if match else "" for match in words)
    return one == other


def _is_measured(quantity: Quantity) -> bool:
    return bool(units.families(quantity.unit))


def _settled(ours: Quantity, theirs: Quantity) -> bool:
    """Whether the evidence has the same amount in the same unit."""
    return agreement.same_measure(ours, theirs) and agreement.relation(ours, theirs) is not False


def _agrees(ours: Quantity, theirs: Quantity) -> bool | None:
    """True for the same amount in another unit, false for the same number in one, none for anything else."""
    if theirs.denied or not units.families(ours.unit) & units.families(theirs.unit):
        return None
    same_unit = ours.unit == theirs.unit
    if same_unit and not (ours.per and theirs.per and ours.per != theirs.per):
        return None
    convertible = units.convertible(ours.unit, theirs.unit)
    per = ours.per == theirs.per or units.convertible(ours.per, theirs.per)
    if convertible and per and agreement.converted(ours, theirs) is True:
        return True
    same_number = any(one.low == other.low and one.high == other.high for one, other in _readings(ours, theirs))
    return False if same_number and ours.role == theirs.role else None


def _readings(ours: Quantity, theirs: Quantity) -> list[tuple[Reading, Reading]]:
    return [(one, other) for one in ours.readings for other in theirs.readings]
