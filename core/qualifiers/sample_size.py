"""Sample size: did another number take part in the study than the claim says?

"n = 120", "a sample of 120" and "120 patients" are the same statement; counts of an arm, of an outcome or of another
group are not. Another number of participants is another value for the same quantity: it contradicts.
"""

from __future__ import annotations

import re

from core import cohorts, quantities
from core.cohorts import Size
from core.models import Label, Qualifier

VERSION = 1
LABEL = Label.CONTRADICTED

_STUDY = re.compile(
    r"\b(?:n\s?=|sampled?|cohorts?|enrol\w*|recruit\w*|randomi[sz]\w*|participa\w+|subjects?|trials?|stud(?:y|ies|ied)"
    r"|survey\w*|poll\w*|questionnaires?|interview\w*|respondents?|experiment\w*|volunteers?|analy[sz]ed|follow-up"
    r"|followed)\b",
    re.IGNORECASE,
)
_ROUNDED = 100
"""A claim that ends in two zeros may be a rounded number."""


def compare(claim: str, evidence: str) -> list[Qualifier]:
    """Compare the number of participants, where the claim speaks of a study; snippets are exact substrings.

    It is called wrong only where claim and evidence give one number of participants each and ours stands nowhere in the
    evidence.
    """
    ours = cohorts.sizes(claim) if _STUDY.search(claim) else []
    theirs = cohorts.sizes(evidence) if ours else []
    found: list[Qualifier] = []
    taken: set[int] = set()
    for one in ours:
        equal = [i for i, other in enumerate(theirs) if i not in taken and _alike(one, other) and _same(one, other)]
        if equal:
            taken.add(equal[0])
            other = theirs[equal[0]]
            found.append(_qualifier(claim, evidence, one, other, True))
        elif len(ours) == 1 and len({other.value for other in theirs}) == 1 and _differs(one, theirs[0], evidence):
            found.append(_qualifier(claim, evidence, one, theirs[0], False))
        else:
            found.append(Qualifier(kind="sample_size", claim=claim[one.start : one.end], evidence=None, agrees=None))
    return found


def _alike(ours: Size, theirs: Size) -> bool:
    """Whether both may speak of the same people: one noun is general, or they are the same."""
    general = cohorts.GENERIC | {""}
    return ours.noun in general or theirs.noun in general or ours.noun == theirs.noun


def _same(ours: Size, theirs: Size) -> bool:
    rounded = ours.value % _ROUNDED == 0 and abs(ours.value - theirs.value) <= _ROUNDED / 2
    return ours.value == theirs.value or (not ours.exact and rounded)


def _differs(ours: Size, theirs: Size, evidence: str) -> bool:
    if not (ours.exact and theirs.exact and _alike(ours, theirs)) or ours.value == theirs.value:
        return False
    if ours.value % _ROUNDED == 0 and abs(ours.value - theirs.value) <= _ROUNDED / 2:
        return False
    return all(one.low != ours.value for other in quantities.find(evidence) for one in other.readings)


def _qualifier(claim: str, evidence: str, ours: Size, theirs: Size, agrees: bool) -> Qualifier:
    return Qualifier(
        kind="sample_size",
        claim=claim[ours.start : ours.end],
        evidence=evidence[theirs.start : theirs.end],
        agrees=agrees,
    )
