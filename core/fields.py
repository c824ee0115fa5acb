"""Fields of forms and records that answer yes or no, and whether a claim says otherwise: *Previous surgery: No*.

A field is a short name without a verb, a colon (or a bar, a tab, a question mark, a dash between blanks), and nothing
but the answer. It settles a claim only where the claim says of one subject that it has, or has not, what the field
names: with every word of the name, and with nothing beside it but what describes it further.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

from core import wording
from core.wording import Token

_NO = (
    r"no|none|never|nil|negative|absent|denied|denies|none (?:known|found|seen|detected|observed|present)"
    r"|not (?:present|found|seen|detected|observed|identified|performed|done|required|needed|permitted|allowed|used"
    r"|taken|included|provided|offered|possible|eligible)"
)
_YES = "yes|positive|present|confirmed|true"
_FIELD = re.compile(
    r"(?:^|[\n|.;,\t])[ ]*(?:[-*•][ ]+)?(?P<name>[^\W_][^\n:.;,|?=\t]{1,59}?)[ ]*(?::|\?|=|\||\t|[ ][-–—](?=[ ]))[ \t]*"
    rf"(?:(?P<no>{_NO})|(?P<yes>{_YES}))(?=[ ]*(?:[.;,|\n\t]|\Z))",
    re.IGNORECASE,
)
_LONGEST_NAME = 8
"""Words."""
_NO_NAME = frozenset(
    "is are was were be been am do does did has have had can could will would shall should may might must said says "
    "say i you he she it we they who what which that this there if not no".split()
)
"""Words of sentences: *The committee said: no* is no field."""
_SIGNED = frozenset(
    wording.stem(word)
    for word in "test culture screen screening swab assay biopsy scan examination result finding charge balance growth "
    "factor value number slope trend feedback outlook response return effect correlation impact rate status".split()
)
"""What is there, negative as well as positive."""

_LIGHT = frozenset(
    wording.stem(word)
    for word in "history evidence sign presence symptom known any further other available type kind form case".split()
)
"""Words of a name that a claim need not repeat."""
_PAST = frozenset(
    "previous previously prior past earlier former formerly before ever once already history never".split()
)
_NOW = frozenset("current currently present presently now ongoing today".split())
_HAD = frozenset("had was were been underwent suffered received got experienced developed took showed".split())
_HAVING = _HAD | frozenset(
    "has have having is are be undergone undergoes suffers suffer receives gets experiences develops takes shows there "
    "contains contain includes include offers offer provides provide exists exist".split()
)
"""Verbs that say no more than that something is there."""
_OPEN = frozenset("may might could would should if unless whether can will shall or until".split())
_DETAIL = frozenset("to of against".split())
"""What begins a description behind a noun: *an allergy to penicillin*."""


class Field(NamedTuple):
    """A field with its answer; ``text[start:end]`` is both."""

    start: int
    end: int
    name_end: int
    answer: int
    denies: bool


@lru_cache(maxsize=64)
def find(text: str) -> tuple[Field, ...]:
    """Find the fields of a text that answer yes or no, in order, none overlapping."""
    found: list[Field] = []
    at = 0
    while match := _FIELD.search(text, at):
        field = Field(
            match.start("name"),
            match.end(),
            match.end("name"),
            match.start("no" if match["no"] else "yes"),
            bool(match["no"]),
        )
        if _is_field(text, field):
            found.append(field)
        at = match.end()
    return tuple(found)


def _is_field(text: str, field: Field) -> bool:
    name = [one for one in wording.read(text[field.start : field.name_end]) if one.word[0].isalnum()]
    if not 0 < len(name) <= _LONGEST_NAME or any(one.word in _NO_NAME for one in name):
        return False
    is_signed = text[field.answer : field.end].casefold() in ("negative", "positive")
    return not is_signed or all(one.stem not in _SIGNED for one in name)


def without(text: str, found: Sequence[Field]) -> str:
    """The text with its fields made blank, every other place kept."""
    for one in found:
        text = text[: one.start] + " " * (one.end - one.start) + text[one.end :]
    return text


def head(field: Field, tokens: Sequence[Token]) -> int | None:
    """The place among the tokens of the text of the last word of the name that says something."""
    named = [at for at, one in enumerate(tokens) if field.start <= one.start < field.name_end and one.stem]
    return named[-1] if named else None


def said_of(claim: Sequence[Token], text: str, field: Field) -> list[int]:
    """The places in a claim of the words of a field's name, where the claim says of one subject that it has that.

    Args:
        claim: The tokens of the claim.
        text: The text with the field.
        field: A field of the text.

    Returns:
        In order; empty where the claim says anything else, or leaves it open.
    """
    name = wording.read(text[field.start : field.name_end])
    wanted = {one.stem for one in name if one.stem and one.stem not in _LIGHT and one.word not in _PAST | _NOW}
    places = {
        stem: [at for at, one in enumerate(claim) if one.stem and wording.akin(stem, one.stem)] for stem in wanted
    }
    if not wanted or not all(places.values()):
        return []
    named = {at for each in places.values() for at in each}
    place = max(named)
    clause = [at for at, one in enumerate(claim) if one.clause == claim[place].clause]
    said = {claim[at].word for at in clause}
    if not named <= set(clause) or said & _OPEN or "?" in said or not _in_time(name, said):
        return []
    return sorted(named) if _says_only(claim, clause, named, place) else []


def _in_time(name: Sequence[Token], said: set[str]) -> bool:
    """Whether a claim speaks of the time that a name is about."""
    words = {one.word for one in name}
    return (not words & _PAST or bool(said & (_PAST | _HAD))) and (not words & _NOW or bool(said & _NOW))


def _says_only(claim: Sequence[Token], clause: Sequence[int], named: set[int], place: int) -> bool:
    """Whether a clause has, besides what is named, one subject, a verb of having, and descriptions of what is named."""
    spare = named | {at for at in clause if claim[at].word in _PAST | _NOW | _HAVING or not claim[at].stem}
    has_verb = any(claim[at].word in _HAVING for at in clause)
    at = min(named) - 1
    while (
        has_verb and at in clause and claim[at].stem and at not in spare and not claim[at].word.endswith(("ed", "ing"))
    ):
        spare.add(at)
        at -= 1
    behind = [at for at in clause if at > place and at not in spare]
    if behind and claim[place + 1].word not in _DETAIL:
        return False
    before = [at for at in clause if at < place and at not in spare]
    if any(one.word.endswith(("'s", "s'")) for one in (claim[at] for at in before)):
        return False
    return len(before) <= 1 or (has_verb and before == list(range(before[0], before[-1] + 1)))
