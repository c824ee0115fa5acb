"""Populations that a statement can hold for: words for kinds of people, animals and preparations, by axis.

Data more than code. Two groups of one axis exclude each other unless one lies within the other or they are listed as
overlapping. The words are those of reports and studies, not all words for people there are.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import NamedTuple


class Group(NamedTuple):
    """One population on one axis."""

    axis: str
    name: str


class Mention(NamedTuple):
    """Where a text names a group, in code points."""

    start: int
    end: int
    group: Group

    @property
    def span(self) -> tuple[int, int]:
        """Start and end."""
        return self.start, self.end


_HUMAN = (
    "people|persons|humans?|patients|participants|volunteers|men|women|children|adults|adolescents|teenagers|infants"
    "|babies|boys|girls|toddlers|individuals|pensioners|smokers|nonsmokers|non-smokers"
)

_WORDS: dict[str, dict[str, str]] = {
    "organism": {
        "humans": _HUMAN,
        "mice": "mice|mouse models?|murine",
        "rats": "rats",
        "rodents": "rodents",
        "rabbits": "rabbits",
        "dogs": "dogs|canine",
        "cats": "cats|feline",
        "pigs": "pigs|piglets|swine|porcine",
        "cattle": "cows|cattle|calves|bovine",
        "sheep": "sheep|lambs|ovine",
        "horses": "horses|equine",
        "primates": "monkeys|macaques|baboons|primates",
        "ferrets": "ferrets",
        "hamsters": "hamsters",
        "zebrafish": "zebrafish",
        "fruit flies": "fruit flies|drosophila",
        "nematodes": "nematodes|c. elegans",
        "yeast": "yeasts",
        "chickens": "chickens|broilers|hens",
        "animals": "animals|animal models?",
        "cells": "in vitro|cell lines?|cell cultures?|cultured cells|petri dish(?:es)?|test tubes?|ex vivo",
    },
    "age": {
        "infants": "infants|newborns|neonates|neonatal|babies|preterm infants",
        "children": "children|kids|toddlers|preschoolers|schoolchildren|p(?:a)?ediatric|boys|girls",
        "adolescents": "adolescents|teenagers|teens|teenage|young people|youths?",
        "young adults": "young adults",
        "adults": "adults|adult patients|grown-ups",
        "middle-aged adults": "middle-aged(?: adults| men| women| people)?",
        "older adults": "older adults?|older people|older persons|the elderly|elderly|pensioners|seniors|geriatric"
        "|(?:people|adults|those|persons) (?:aged )?(?:over|above) (?:6|7|8)\\d",
    },
    "growth": {"adult animals": "adult", "young animals": "young|juvenile|immature"},
    "sex": {"men": "men|males?|boys", "women": "women|females?|girls"},
    "pregnancy": {
        "pregnant women": "pregnant(?: women| patients)?|pregnancy|expectant mothers",
        "non-pregnant women": "non-?pregnant(?: women| patients)?",
        "breastfeeding women": "breast-?feeding(?: women| mothers)|lactating(?: women| mothers)?",
        "postmenopausal women": "post-?menopausal(?: women)?",
        "premenopausal women": "pre-?menopausal(?: women)?",
    },
    "smoking": {
        "smokers": "(?:current |heavy |regular )?smokers",
        "former smokers": "(?:former |ex-)smokers",
        "non-smokers": "non-?smokers|never-?smokers|never smokers|people who never smoked|people who do not smoke",
    },
    "setting of care": {"inpatients": "inpatients?|hospitali[sz]ed", "outpatients": "outpatients?|ambulatory patients"},
    "settlement": {
        "rural areas": "rural|countryside|in villages|remote areas",
        "urban areas": "urban|in cities|in towns|inner-city|metropolitan",
    },
    "health": {
        "patients": "patients|sufferers",
        "healthy people": "healthy (?:volunteers?|controls?|subjects?|individuals?|people|adults|participants?|donors?"
        "|men|women|children)",
    },
    "vaccination": {"vaccinated people": "vaccinated", "unvaccinated people": "unvaccinated|non-vaccinated"},
    "employment": {
        "employed people": "employed people|employed adults|people in work|those in work",
        "unemployed people": "unemployed|jobless|people out of work|those out of work",
    },
    "insurance": {"insured people": "insured", "uninsured people": "uninsured"},
    "schooling": {
        "primary pupils": "primary(?:-school| school)? (?:pupils|children|students)|primary schools?"
        "|elementary schools?",
        "secondary pupils": "secondary(?:-school| school)? (?:pupils|students)|secondary schools?|high schools?",
        "university students": "university students|undergraduates?|college students",
    },
    "sector": {"public sector": "public sector|public-sector", "private sector": "private sector|private-sector"},
    "company size": {
        "small firms": "small (?:firms|companies|businesses|enterprises)|start-?ups",
        "large firms": "large (?:firms|companies|businesses|enterprises|corporations)",
    },
    "diabetes": {"type 1 diabetes": "type[- ]1 diabet\\w+", "type 2 diabetes": "type[- ]2 diabet\\w+"},
}
"""Axis → group → alternatives of a regular expression, lower case."""

_ANIMALS = frozenset(_WORDS["organism"]) - {"humans", "cells", "animals", "yeast"}
_WITHIN: dict[str, frozenset[str]] = {
    **{animal: frozenset({"animals"}) for animal in _ANIMALS},
    "mice": frozenset({"animals", "rodents"}),
    "rats": frozenset({"animals", "rodents"}),
    "hamsters": frozenset({"animals", "rodents"}),
    "infants": frozenset({"children"}),
    "young adults": frozenset({"adults"}),
    "middle-aged adults": frozenset({"adults"}),
    "older adults": frozenset({"adults"}),
}
_OVERLAPPING = frozenset(
    frozenset(pair)
    for pair in [
        ("children", "adolescents"),
        ("adolescents", "young adults"),
        ("pregnant women", "premenopausal women"),
        ("breastfeeding women", "premenopausal women"),
        ("breastfeeding women", "non-pregnant women"),
        ("postmenopausal women", "non-pregnant women"),
        ("premenopausal women", "non-pregnant women"),
        ("former smokers", "non-smokers"),
        ("smokers", "former smokers"),
    ]
)

_ALL = [(Group(axis, name), words) for axis, groups in _WORDS.items() for name, words in groups.items()]
_ANY = re.compile(rf"(?<![\w-])(?:{'|'.join(words for _, words in _ALL)})(?![\w-])", re.IGNORECASE)
_OPENING = re.compile(r"(?:\A|[.!?:;]\s+)[\"“‘'(]?\Z")
_PATTERNS = {
    axis: re.compile(
        r"(?<![\w-])(?:"
        + "|".join(f"(?P<g{i}>{words})" for i, (group, words) in enumerate(_ALL) if group.axis == axis)
        + r")(?![\w-])",
        re.IGNORECASE,
    )
    for axis in _WORDS
}


def find(text: str, axes: Iterable[str] = tuple(_WORDS)) -> list[Mention]:
    """The groups of some axes that a text names, axis by axis, each axis in the order of the text.

    A word with a capital within a sentence is part of a name (*Beastie Boys*), no group.
    """
    if not _ANY.search(text):
        return []
    return [
        Mention(match.start(), match.end(), _ALL[int((match.lastgroup or "g0")[1:])][0])
        for axis in axes
        for match in _PATTERNS[axis].finditer(text)
        if not match[0][0].isupper() or _OPENING.search(text[max(0, match.start() - 4) : match.start()])
    ]


def exclude(one: Group, other: Group) -> bool:
    """Whether nobody is of both groups; groups of two axes never exclude each other."""
    if one.axis != other.axis or one == other:
        return False
    related = one.name in _WITHIN.get(other.name, ()) or other.name in _WITHIN.get(one.name, ())
    return not related and frozenset({one.name, other.name}) not in _OVERLAPPING


def within(part: Group, whole: Group) -> bool:
    """Whether everybody of the first group is of the second, and not the other way round."""
    return part.axis == whole.axis and whole.name in _WITHIN.get(part.name, ())
