"""Limits: does the claim turn a limit, or one end of a range, into the amount itself?

"No more than 38 g" is no "38 g", and "5 to 10 days" no "10 days". An estimate that became a plain value ("about 500")
is left alone: people round; and so is a value that was merely exceeded ("more than 500"). The number is right and a
hedge is gone, so a disagreement makes the claim partial.
"""

from __future__ import annotations

from core import agreement, quantities
from core.models import Label, Qualifier
from core.quantities import Quantity

VERSION = 1
LABEL = Label.PARTIAL

_LIMITS = ("least", "most")


def compare(claim: str, evidence: str) -> list[Qualifier]:
    """Compare the limits of every quantity that claim and evidence share, in the order of the claim.

    Only where one side has a limit or a range there is something to say; the snippets are exact substrings of what was
    given, without the words that set the limit.
    """
    ours = [quantity for quantity in quantities.find(claim) if quantity.unit]
    theirs = [quantity for quantity in quantities.find(evidence) if quantity.unit] if ours else []
    found: list[Qualifier] = []
    taken: set[int] = set()
    for one in ours:
        same = [index for index, other in enumerate(theirs) if index not in taken and _shares_value(one, other)]
        agreeing = [index for index in same if _agrees(one, theirs[index])]
        if not same or (one.bound not in _LIMITS and not any(_is_limited(theirs[index]) for index in same)):
            continue
        index = (agreeing or same)[0]
        taken.add(index)
        other = theirs[index]
        found.append(
            Qualifier(
                kind="bound",
                claim=claim[one.start : one.end],
                evidence=evidence[other.start : other.end],
                agrees=_agrees(one, other),
            )
        )
    return found


def _shares_value(ours: Quantity, theirs: Quantity) -> bool:
    """Whether the same number stands on both sides, for the claim also as an end of a range."""
    if not agreement.same_measure(ours, theirs) or theirs.denied or ours.share or theirs.share:
        return False
    one, other = ours.readings[0], theirs.readings[0]
    return one.low == one.high and one.low in (other.low, other.high)


def _is_limited(quantity: Quantity) -> bool:
    return quantity.bound in _LIMITS or quantity.readings[0].low != quantity.readings[0].high


def _agrees(ours: Quantity, theirs: Quantity) -> bool | None:
    """True for the same limit, false for a plain value where the evidence has a limit, none for anything between."""
    spread = theirs.readings[0].low != theirs.readings[0].high
    if ours.bound in _LIMITS:
        return True if ours.bound == theirs.bound else None
    if not _is_limited(theirs):
        return True
    exceeded = theirs.bound == "least" and theirs.strict
    return None if ours.bound == "about" or exceeded or (spread and theirs.bound == "about") else False
