"""Population and scope: does the cited text speak of other people, animals, preparations or countries?

A group of the claim is held against the text only when the text names groups of the same kind, all of which exclude it,
and repeats most of what the claim says besides. A text that names both groups, or a group that lies within the other,
settles nothing, but for age: what was found in the elderly alone may not be claimed of adults.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from core import countries, populations, wording
from core.models import Label, Qualifier
from core.populations import Mention
from core.text import Span
from core.wording import Token

VERSION = 2
LABEL = Label.WRONG_SCOPE

_OVERLAP = 0.5
"""Least share of the claim's other words that one sentence of the text repeats."""
_FEWEST = 2
"""A claim with fewer other words is too thin to say that both speak of the same matter."""
_BROADENED = frozenset({"age"})
"""Axes on which a claim of the whole does not follow from the part."""
_SCOPE = re.compile(r"\b(?:in|across|throughout|within|among|for)\s(?:(?:all|both|most|many)\s(?:of\s)?)?(?:the\s)?\Z")
_LOCATES = re.compile(
    r"\b(?:born|died|locat\w+|based|situated|lies|lie|lay|headquartered|lived|lives|resides?|raised|buried|set|held|filmed"
    r"|shot|built|founded|is a \w+|village|town|city|county|district|river|station)\s(?:\w+\s)?in\s(?:the\s)?\Z",
    re.IGNORECASE,
)
"""What makes *in France* a place where something is, not the scope of a finding."""
_LISTED = re.compile(r",?\s(?:and\s|or\s)?(?:in\s)?(?:the\s)?")
_PEOPLE = re.compile(
    r"\s(?:\w+\s)?(?:adults?|men|women|children|people|patients|voters|workers|students|pupils|households|consumers"
    r"|hospitals|schools|farmers|firms|companies|citizens|teenagers|respondents|teachers|doctors|nurses|mothers)\b"
)
_WITH = re.compile(
    r"\b(?:patients|people|adults|women|men|children|those|individuals|persons|participants)\swith\s"
    r"(?P<what>[^\W_][\w-]*(?:\s(?!(?:who|and|or|in|on|at|to|for|were|was|is|are|had|has|have|did|does|do|can|may|should"
    r"|by|than|but|that|receiving|received|taking|took|treated|as|from|of|will|would|could|aged|after|before|during"
    r"|under|compared)\b)[\w-]+){0,3})"
)


def compare(claim: str, evidence: str) -> list[Qualifier]:
    """Compare each group that the claim names, one qualifier for each axis; the snippets are exact substrings."""
    if not wording.comparable(claim, evidence):
        return []
    ours, theirs = wording.read(claim), wording.read(evidence)
    found = list(_groups(claim, evidence, ours, theirs))
    for one in (_places(claim, evidence, ours, theirs), _conditions(claim, evidence, ours, theirs)):
        if one is not None:
            found.append(one)
    return found


def _groups(claim: str, evidence: str, ours: Sequence[Token], theirs: Sequence[Token]) -> Iterator[Qualifier]:
    mentions = populations.find(claim)
    axes = tuple(dict.fromkeys(one.group.axis for one in mentions))
    others = populations.find(evidence, axes) if axes else []
    for axis in axes:
        mine = [one for one in mentions if one.group.axis == axis]
        yours = [one for one in others if one.group.axis == axis]
        if not yours:
            yield _qualifier(claim, evidence, mine[0].span, None, None)
            continue
        equal = next(((a, b) for a in mine for b in yours if a.group == b.group), None)
        if equal:
            yield _qualifier(claim, evidence, equal[0].span, equal[1].span, True)
            continue
        differs = all(_differ(a, b, claim, evidence) for a in mine for b in yours)
        same_matter = differs and _same_matter(ours, theirs, [one.span for one in mine])
        yield _qualifier(claim, evidence, mine[0].span, yours[0].span, False if same_matter else None)


def _differ(one: Mention, other: Mention, claim: str, evidence: str) -> bool:
    if one.group.axis == "growth" and _head(claim, one) != _head(evidence, other):
        return False
    if one.group.axis in _BROADENED and populations.within(other.group, one.group):
        return bool(_SCOPE.search(claim[: one.start]))
    return populations.exclude(one.group, other.group)


def _head(text: str, mention: Mention) -> str:
    following = re.match(r"\s(\w+)", text[mention.end :])
    return wording.stem(following[1].casefold()) if following else ""


def _places(claim: str, evidence: str, ours: Sequence[Token], theirs: Sequence[Token]) -> Qualifier | None:
    mine: list[countries.Mention] = []
    for one in countries.find(claim):
        if _is_scope(claim, one) or (mine and _LISTED.fullmatch(claim, mine[-1].end, one.start)):
            mine.append(one)
    if not mine:
        return None
    yours = countries.find(evidence)
    scopes = [one for one in yours if _is_scope(evidence, one)]
    equal = next(((a, b) for a in mine for b in yours if a.place == b.place), None)
    if equal:
        return _qualifier(claim, evidence, equal[0][:2], equal[1][:2], True)
    if not scopes or not all(countries.apart(a.place, b.place) for a in mine for b in yours):
        return _qualifier(claim, evidence, mine[0][:2], None, None)
    agrees = False if _same_matter(ours, theirs, [one[:2] for one in mine]) else None
    return _qualifier(claim, evidence, mine[0][:2], scopes[0][:2], agrees)


def _is_scope(text: str, mention: countries.Mention) -> bool:
    before = text[max(0, mention.start - 40) : mention.start]
    if mention.by_name:
        return bool(_SCOPE.search(before)) and not _LOCATES.search(before)
    return bool(_PEOPLE.match(text, mention.end))


def _conditions(claim: str, evidence: str, ours: Sequence[Token], theirs: Sequence[Token]) -> Qualifier | None:
    """*Patients with asthma* beside *patients with epilepsy*: one word of the condition replaced by another."""
    one, other = _WITH.search(claim), _WITH.search(evidence)
    if not one or not other:
        return None
    a, b = one["what"].casefold().split(), other["what"].casefold().split()
    if a == b:
        return _qualifier(claim, evidence, one.span(), other.span(), True)
    changed = [(x, y) for x, y in zip(a, b, strict=False) if wording.stem(x) != wording.stem(y)]
    replaced = len(a) == len(b) and len(changed) == 1
    known = bool(changed) and (changed[0][0] in evidence.casefold() or changed[0][1] in claim.casefold())
    settled = replaced and not known and _same_matter(ours, theirs, [one.span()])
    return _qualifier(claim, evidence, one.span(), other.span(), False if settled else None)


def _same_matter(ours: Sequence[Token], theirs: Sequence[Token], without: Sequence[Span]) -> bool:
    rest = [one for one in ours if not any(start <= one.start < end for start, end in without)]
    return len(wording.stems(rest)) >= _FEWEST and wording.best_sentence(rest, theirs)[1] >= _OVERLAP


def _qualifier(claim: str, evidence: str, one: Span, other: Span | None, agrees: bool | None) -> Qualifier:
    return Qualifier(
        kind="population",
        claim=claim[slice(*one)],
        evidence=None if other is None else evidence[slice(*other)],
        agrees=agrees,
    )
