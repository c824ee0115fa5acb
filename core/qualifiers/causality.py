"""Causality: does the claim make a cause of what the cited text only found together?

"Associated with", "linked to", "correlated", "predicts" and a study that calls itself observational stand against
"causes", "leads to", "reduces", "prevents", "because of". A text that itself speaks of a cause, and a claim that is
weaker than its text, settle nothing or agree.
"""

from __future__ import annotations

import re

from core import wording
from core.models import Label, Qualifier

VERSION = 1
LABEL = Label.WRONG_SCOPE

_OBJECT = r"(?!\s*(?:in|by|from|to|during|of|over|between|since|after|at|with|among|as|until|and|or|[.,;:)]|\Z))"
"""What follows a verb that can stand without an object must be one: *sales increased in May* names no cause."""

_CAUSAL = re.compile(
    rf"""\b(?:caus(?:es?|ed|ing)|(?:leads?|led|leading)\sto|results?\sin|resulted\sin|brings?\sabout|brought\sabout
    |because\sof|due\sto|owing\sto|thanks\sto|responsible\sfor|trigger(?:s|ed)?|induce[sd]?|provoke[sd]?|prevent(?:s|ed)?
    |produce[sd]?|protect(?:s|ed)?|contribut(?:es?|ed)\sto|helps?|makes?(?=\s\w+\s\w+)|made(?=\s(?:\w+\s){{1,2}}\w+er\b)
    |drives?|drove|boost(?:s|ed)?|cures?|cured|harm(?:s|ed)?|damage[sd]?|cuts?{_OBJECT}|allows?|enable[sd]?|affect(?:s|ed)?
    |(?:reduc|increas|improv|rais|decreas|elevat|accelerat|alleviat)(?:es?|ed){_OBJECT}|(?:lead|result)\s(?:to|in)
    |(?:lower|worsen|shorten|prolong|slow|delay|lengthen|weaken|strengthen|suppress|heighten)(?:s|ed)?{_OBJECT}
    |(?:can|will|may|might|could|to|does|do|did)\s(?:reduce|increase|improve|raise|decrease|lower|worsen|slow|delay)
    |(?:reduc|increas|improv|rais|decreas|lower|worsen|prolong|slow|delay)ed\sby(?!\s(?:about\s)?\d)
    |the\seffects?\sof|as\sa\sresult\sof)\b""",
    re.IGNORECASE | re.VERBOSE,
)
_ASSOCIATION = re.compile(
    r"""\b(?:associat(?:ed|es|ions?)|(?:linked|tied|related)\s(?:to|with)|links?\s(?:between|with)|linking
    |relationships?\s(?:between|with)|(?:inversely\s|positively\s|negatively\s|strongly\s)?correlat(?:ed|es?|ions?)
    |predict(?:s|ed|ors?|ive)|risk\s(?:factors?|markers?)|markers?\sfor|(?:more|less)\s(?:likely|common|frequent|prevalent)
    |co-?occur(?:s|red)?|coincid(?:es?|ed)|hand\sin\shand|tend(?:s|ed)?\sto|who\s[^.;]{3,80}\salso)\b""",
    re.IGNORECASE | re.VERBOSE,
)
_DESIGN = re.compile(
    r"""\b(?:observational|cross-sectional|descriptive|correlational|case-control|(?:no|not|cannot|could\snot)\s
    (?:\w+\s){0,2}(?:caus\w+))\b""",
    re.IGNORECASE | re.VERBOSE,
)
"""What a study says of itself when it can name no cause."""
_UNCLAIMED = re.compile(
    r"""(?:whether|n['’]t|\b(?:not|cannot|never|no)\b|unclear|unknown|associat\w+|linked|correlat\w+|related|prone|likely
    |risk\sof|links?|relationship)\s(?:[\w,-]+\s){0,6}\Z""",
    re.IGNORECASE | re.VERBOSE,
)
"""Before a causal word, what keeps it from being asserted: *not shown to cause*, *associated with reduced*."""
_ADJECTIVE = re.compile(
    r"\b(?:at|an?|the|of|with|for|and|more|less|significantly|markedly|its|their|had|has|have|was|were|is|are|much|far|slightly|showed)\s\Z",
    re.IGNORECASE,
)
_ADJECTIVAL = re.compile(
    r"\w+ed|increase|decrease|raise|lower|slow|causes?|damage|harm|delays?|cuts?|helps?|affects?", re.IGNORECASE
)
"""What is an adjective or a noun after such words: *at increased risk*, *an increase*."""
_DENIED = re.compile(r"n['’]t\b|\b(?:not|never|no|cannot|whether|if)\b", re.IGNORECASE)

_OVERLAP = 0.5
"""Least share of what the claim says on either side of its cause that one sentence repeats."""


def compare(claim: str, evidence: str) -> list[Qualifier]:
    """Compare the strength of the link that both state; at most one qualifier, with exact snippets.

    ``agrees`` is true when both name a cause or the claim is the weaker, false when the claim alone names one.
    """
    if not wording.comparable(claim, evidence):
        return []
    weak = _ASSOCIATION.search(claim)
    strong = None if weak else _asserted(claim)
    if weak is None and strong is None:
        return []
    theirs = _ASSOCIATION.search(evidence) or _DESIGN.search(evidence)
    cause = _asserted(evidence)
    if weak is not None:
        other = theirs or cause
        return [_qualifier(weak[0], other[0], True)] if other else []
    assert strong is not None
    if cause:
        return [_qualifier(strong[0], cause[0], True)]
    if not theirs or _DENIED.search(claim):
        return []
    ours = wording.read(claim)
    sides = [one for one in ours if one.end <= strong.start()], [one for one in ours if one.start >= strong.end()]
    sentence, _ = wording.best_sentence((*sides[0], *sides[1]), wording.read(evidence))
    stems = wording.stems(sentence)
    if any(wording.coverage(wording.stems(side), stems) < _OVERLAP for side in sides) or not sentence:
        return []
    start, end = sentence[0].start, sentence[-1].end
    here = _ASSOCIATION.search(evidence, start, end)
    other = here or _DESIGN.search(evidence)
    return [_qualifier(strong[0], other[0], False)] if other else []


def _asserted(text: str) -> re.Match[str] | None:
    """The first causal word that the text asserts."""
    for match in _CAUSAL.finditer(text):
        before = text[max(0, match.start() - 80) : match.start()]
        adjective = _ADJECTIVAL.fullmatch(match[0]) and _ADJECTIVE.search(before)
        if _UNCLAIMED.search(before) or (adjective and not text.startswith(" by ", match.end())):
            continue
        return match
    return None


def _qualifier(claim: str, evidence: str, agrees: bool) -> Qualifier:
    return Qualifier(kind="causality", claim=claim, evidence=evidence, agrees=agrees)
