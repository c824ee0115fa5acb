"""What the words beside a number leave open: a limit, an estimate, a level or a change."""

from __future__ import annotations

import re
from typing import Literal, NamedTuple

Bound = Literal["exact", "about", "least", "most"]
Role = Literal["level", "change", "from", "to"]

_MORE = r"(?<!no )(?<!not )(?:more|longer|larger|greater|higher|older|better) than(?: just)?"
_LESS = r"(?<!no )(?<!not )(?:less|shorter|smaller|lower|younger|fewer) than"
_BOUND_WORDS: dict[Bound, str] = {
    "least": rf"\b(?:{_MORE}|over|(?:at|a) least|(?:no|not) (?:less|fewer) than|exceed(?:s|ed|ing)?|above|upwards? of"
    r"|(?:a )?minimum(?: of)?|in excess of|(?:topp|surpass|pass)(?:ed|es|ing))|[>≥]",
    "most": rf"\b(?:{_LESS}|under|up to|at (?:the )?most|(?:no|not) (?:more|longer|higher) than|within|below"
    r"|(?:a )?maximum(?: of)?|as (?:much|many) as|capped at|limited to|(?:does|do|did) not exceed)|[<≤]",
    "about": r"\b(?:about|around|roughly|nearly|almost|approximately|some|circa|just (?:over|under)|close to|near"
    r"|an estimated|or so)|[~≈]",
}
_REACH = 32
"""How far before a number these words may begin, in characters."""
_ARTICLE = r"(?:the |an? )?"
_BEFORE: dict[Bound, re.Pattern[str]] = {
    bound: re.compile(rf"(?:{_BOUND_WORDS[bound]})\s?{_ARTICLE}$", re.IGNORECASE)
    for bound in ("most", "about", "least")  # "does not exceed" is a maximum, "exceed" a minimum
}
_AFTER: dict[Bound, re.Pattern[str]] = {
    "least": re.compile(
        r"\s?(?:or (?:more|over|older|above|longer|greater)|and (?:over|older|above|up)|at least|\+)(?!\w)"
    ),
    "most": re.compile(r"\s?(?:or (?:less|fewer|under|younger|below)|at (?:the )?most)\b"),
}
_STRICT = re.compile(r"(?:than|over|under|above|below|exceed\w*|[<>]|in excess of)\s?(?:just )?$", re.IGNORECASE)
_CHANGE_VERB = (
    r"(?:rose|ris(?:en|es|ing)|rise|gr[eo]w[ns]?|fell|fall(?:s|en)?|drop(?:s|ped)?|declined?s?|(?:in|de)creas(?:ed?|es|ing)"
    r"|gain(?:s|ed)?|lost|loses?|up|down|climb(?:s|ed)|jump(?:s|ed)|slip(?:s|ped)|surged?|shr[aiu]nk|expanded|contracted"
    r"|reduc(?:ed?|es|ing)|cut|lower(?:s|ed)|rais(?:ed?|es)|improved?)"
)
_CHANGE_NOUN = (
    r"(?:increase|rise|growth|decline|drop|fall|decrease|reduction|gain|loss|change|improvement|warming|cooling|jump|cut"
    r"|difference)"
)
_CHANGE_BEFORE = re.compile(rf"\b(?:by|{_CHANGE_VERB}|{_CHANGE_NOUN} (?:of|by))\s{_ARTICLE}$", re.IGNORECASE)
_CHANGE_AFTER = re.compile(
    rf"[\s-](?:higher|lower|more|less|fewer|greater|larger|smaller|faster|slower|warmer|cooler|better|worse|longer"
    rf"|shorter|cheaper|{_CHANGE_NOUN})\b(?! than$)",
    re.IGNORECASE,
)
_BY = re.compile(r"\bby\s$", re.IGNORECASE)
_ROLE_WORD = re.compile(r"\b(?P<role>from|to)\s$", re.IGNORECASE)
_DENIED = re.compile(r"\b(?:not|rather than|instead of|nor)\s$", re.IGNORECASE)


class Frame(NamedTuple):
    """How a number stands in its sentence."""

    bound: Bound = "exact"
    strict: bool = False
    """Whether a limit leaves out the value itself ("more than", not "at least")."""
    role: Role = "level"
    """Whether a measured value is a level, a change ("rose by 5%"), or an end of one ("from 5% to 9%")."""
    denied: bool = False
    """Whether the text says that it is not this value ("not 5 but 7", "rather than 5")."""


def frame(before: str, after: str, measured: bool) -> Frame:
    """Read the words before and after a quantity; only an amount of a unit, not a count, can be a level or a change."""
    bound, words = _bound(before, after)
    rest = before[: len(before) - len(words)] if words else before
    strict = bound in ("least", "most") and _is_strict(words.strip())
    return Frame(bound, strict, _role(rest, after, bound) if measured else "level", _DENIED.search(rest) is not None)


def _is_strict(words: str) -> bool:
    return _STRICT.search(words) is not None and not words.lower().startswith(("no", "do", "did"))


def without(before: str) -> str:
    """The words before a number without those that set a limit."""
    return before[: len(before) - len(_bound(before, "")[1])]


def _bound(before: str, after: str) -> tuple[Bound, str]:
    """What a quantity leaves open, and the words before it that say so."""
    before = before[-_REACH:]
    for bound, pattern in _BEFORE.items():
        words = pattern.search(before)
        if words is not None:
            return bound, words[0]
    return next(((bound, "") for bound, pattern in _AFTER.items() if pattern.match(after)), ("exact", ""))


def _role(before: str, after: str, bound: Bound) -> Role:
    before = before[-_REACH:]
    changed = _CHANGE_BEFORE.search(before) or _CHANGE_AFTER.match(after)
    if changed and not (_BY.search(before) and after.startswith(" of")):
        return "change"
    end = _ROLE_WORD.search(before)
    if end is None or bound == "most":
        return "level"
    return "from" if end["role"].lower() == "from" else "to"
