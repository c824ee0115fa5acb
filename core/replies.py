"""What a generator replied, read: one JSON value, whatever stands around it, and its claims with their citations.

Nothing is guessed: a reply that has no claims to read is a problem in fixed words, and an id is taken as it is written.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from core.models import GivenClaim, Record

LONGEST = 400_000
"""Code points of a reply that are read."""

_TRIES = 64
"""Places at which a value may begin before a reply counts as prose."""

LEADING = "leading_text: words before the object were left out"
TRAILING = "trailing_text: words after the object were left out"


class Reply(Record):
    """What a reply says."""

    answer: str = ""
    claims: tuple[GivenClaim, ...] = ()
    duplicates: int = 0
    """Claims that said again, with the same citations and quotes, what an earlier one says; they are left out."""
    warnings: tuple[str, ...] = ()
    """What was left out, each beginning with a fixed word."""
    problems: tuple[str, ...] = ()
    """Why there are no claims although there should be, in fixed words."""


class _Found(NamedTuple):
    value: Any
    start: int
    end: int


def read(raw: str) -> Reply:
    """Read a reply: the first complete JSON value that is an object with ``claims``, or a list of claims."""
    if len(raw) > LONGEST:
        return Reply(problems=("the answer is too long",))
    found = next((one for one in _values(raw) if _may_be_reply(one.value)), None)
    if found is None:
        return Reply(problems=("the answer is not the JSON object that was asked for",))
    warnings = [LEADING] if raw[: found.start].strip() else []
    warnings += [TRAILING] if raw[found.end :].strip() else []
    given = found.value["claims"] if isinstance(found.value, Mapping) else found.value
    answer = found.value.get("answer") if isinstance(found.value, Mapping) else ""
    if answer is not None and not isinstance(answer, str):
        return Reply(problems=("answer is not a text",))
    claims, problems = _claims(given)
    if problems:
        return Reply(warnings=tuple(warnings), problems=tuple(problems))
    kept = list(dict.fromkeys(claims))
    duplicates = len(claims) - len(kept)
    warnings += [f"duplicate_claims: {duplicates} left out"] if duplicates else []
    return Reply(answer=answer or "", claims=tuple(map(_given, kept)), duplicates=duplicates, warnings=tuple(warnings))


def _values(raw: str) -> Iterator[_Found]:
    """The complete JSON objects and lists of a text, the outermost ones, in order."""
    decoder = json.JSONDecoder()
    at = tries = 0
    while tries < _TRIES and (begins := [place for place in (raw.find("{", at), raw.find("[", at)) if place >= 0]):
        start = min(begins)
        tries += 1
        try:
            value, end = decoder.raw_decode(raw, start)
        except (ValueError, RecursionError):
            at = start + 1
            continue
        yield _Found(value, start, end)
        at = end


def _may_be_reply(value: Any) -> bool:
    if isinstance(value, Mapping):
        return "claims" in value
    return isinstance(value, list) and bool(value) and all(isinstance(one, Mapping) and "text" in one for one in value)


class _Claim(NamedTuple):
    text: str
    citation_ids: tuple[str, ...]
    quotes: tuple[str, ...]


def _given(claim: _Claim) -> GivenClaim:
    return GivenClaim(text=claim.text, citation_ids=claim.citation_ids, quotes=claim.quotes)


def _claims(given: Any) -> tuple[list[_Claim], list[str]]:
    if not isinstance(given, list):
        return [], ["claims is not a list"]
    read_ones = [_claim(one, f"claims[{index}]") for index, one in enumerate(given)]
    return [one for one in read_ones if isinstance(one, _Claim)], [one for one in read_ones if isinstance(one, str)]


def _claim(one: Any, where: str) -> _Claim | str:
    """A claim, or what is wrong with it."""
    if not isinstance(one, Mapping):
        return f"{where} is not an object"
    text, ids, quote = one.get("text"), one.get("citation_ids"), one.get("quote")
    if not isinstance(text, str) or not text.strip():
        return f"{where}.text is missing"
    if not isinstance(ids, list) or not all(isinstance(id_, str) for id_ in ids):
        return f"{where}.citation_ids is not a list of ids"
    quotes = [quote] if isinstance(quote, str) else quote if isinstance(quote, list) else []
    if (quote is not None and not isinstance(quote, str | list)) or not all(isinstance(q, str) for q in quotes):
        return f"{where}.quote is not a text"
    return _Claim(text.strip(), tuple(ids), tuple(q for q in quotes if q.strip()))
