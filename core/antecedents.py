"""Whom *she* and where *there* means: words of the sentence before that a claim leans on.

A hint for a reader, never part of a claim: only a person's pronoun and *there* are linked, and only where one person is
the subject of the sentence before and the only one it names, or it names exactly one place. Everything else stays open.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from core.text import Span
from core.words import STOP_WORDS

_PRONOUN = re.compile(r"\b(?:(?P<person>he|she|him|his|her|hers|himself|herself)|(?P<place>there))\b", re.I)
_EXISTS = re.compile(
    r"\s+(?:(?:is|are|was|were|has|have|had|will|may|might|can|could|would|exists?|remains?|seems?|been|be)\b|\w+n['’]t\b)|['’]s\b",
    re.I,
)
_EXISTED = re.compile(r"\b(?:is|are|was|were|has|have|had|be)\s\Z", re.I)
_WORD = r"[^\W\d_a-zß-öø-ÿ][^\W\d_'’-]+(?:[-'’][^\W\d_]+)*"
_NAME = re.compile(rf"(?P<title>\b(?:Dr|Prof|Mr|Mrs|Ms|St)\.\s)?\b{_WORD}(?:\s{_WORD}){{0,3}}")
_BEFORE_PLACE = re.compile(r"\b(?:in|at|near|outside|inside)\s(?:the\s)?\Z", re.I)
_BEFORE_NONE = re.compile(r"\b(?:of|the|an?|by|for|with|as)\s\Z", re.I)
_NOT_A_PERSON = re.compile(
    r"\b(?:Inc|Ltd|Corp|Company|University|Institute|Agency|Committee|Court|Act|Council|Museum|Bridge|Party|Church|Bank"
    r"|Market|Street|Park|Hospital|School|College|Society|Association|Union|January|February|March|April|May|June|July"
    r"|August|September|October|November|December|Monday|Tuesday|Wednesday|Thursday|Friday|Saturday|Sunday)\b"
)
_VERB_AFTER = re.compile(
    r"\s(?:is|was|has|had|did|does|can|could|will|would|may|might|must|\w{2,}(?:ed|s)|met|won|wrote|made|took|went|gave"
    r"|held|led|left|said|found|built|became|began|came|grew|sold|spent|taught|told|thought|ran|saw|kept|bought)\b"
)


_NO_NAME = STOP_WORDS | frozenset(
    "although unlike despite january february march april may june july august september october november december "
    "monday tuesday wednesday thursday friday saturday sunday mass".split()
)
_POSSESSIVE = re.compile(r"['’]s\Z")


class Link(NamedTuple):
    """A word of a claim and the words before it that it stands for, in code points of the answer."""

    start: int
    end: int
    stands_for: Span


def links(text: str, before: Span, claim: Span) -> list[Link]:
    """Link the pronouns of a claim to the one name of the sentence before it that each can mean.

    Args:
        text: The answer.
        before: The sentence that the claim follows.
        claim: The sentence of the claim.
    """
    if not _PRONOUN.match(text, *claim) and "there" not in text[slice(*claim)].lower():
        return []
    # Further on in the sentence a person's pronoun may mean someone named in between.
    words = [word for word in _PRONOUN.finditer(text, *claim) if word["place"] or word.start() == claim[0]]
    if not words:
        return []
    persons, places = _names(text, *before)
    found = []
    for word in words:
        if word["place"] and (_EXISTS.match(text, word.end()) or _EXISTED.search(text, claim[0], word.start())):
            continue
        named = places if word["place"] else persons
        if len({text[start:end] for start, end in named}) == 1 and (word["place"] or named[0][0] == before[0]):
            found.append(Link(word.start(), word.end(), named[0]))
    return found


def hints(text: str, before: Span, claim: Span) -> tuple[str, ...]:
    """The links of a claim in words, for its notes; see ``links``."""
    return tuple(
        f"“{text[link.start : link.end]}” may be “{text[slice(*link.stands_for)]}” of the sentence before"
        for link in links(text, before, claim)
    )


def _names(text: str, start: int, end: int) -> tuple[list[Span], list[Span]]:
    """The persons and the places that a sentence names, as far as their surroundings say so."""
    persons, places = [], []
    for name in _NAME.finditer(text, start, end):
        words = name.group().split()
        lead = text[max(start, name.start() - 20) : name.start()]
        if words[0].casefold() in _NO_NAME or any(len(word) > 2 and word.isupper() for word in words):
            continue
        if _BEFORE_PLACE.search(lead) and not re.match(r",\s[A-Z]", text[name.end() : name.end() + 3]):
            places.append(name.span())
        elif _NOT_A_PERSON.search(name.group()) or _BEFORE_NONE.search(lead):
            continue
        elif name["title"] or len(words) > 1 or _VERB_AFTER.match(text, name.end()):
            persons.append((name.start(), name.end() - len(_POSSESSIVE.findall(name.group())) * 2))
    return persons, places
