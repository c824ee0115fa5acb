"""The asker's own premise, told back: what somebody said in their question is no claim of the answer."""

from __future__ import annotations

import re
from functools import lru_cache

from core.words import Words, content_words, words

_NEGATION = re.compile(r"\b(?:not|no|never|none|cannot|without)\b|n't\b", re.I)
_STATED = re.compile(r"[^.!?？。！؟]+[.!。！]")


def is_premise(plain: str, query: str) -> bool:
    """Whether a sentence only says again what the asker told, which is not what they asked.

    Said to the asker ("You run …"), it may use a few words of its own.
    """
    known = _told(query)
    if known is None:
        return False
    own = 4 if plain.lower().startswith(("you ", "your ")) else 0
    if not own and not all(word in known.content for word in content_words(plain)):
        return False
    if _NEGATION.search(plain):
        return False
    said = words(plain)
    if not said.content or not said.numbers <= known.numbers:
        return False
    return len(said.content - known.content) * own <= len(said.content) if own else said.content <= known.content


@lru_cache(maxsize=64)  # every sentence of an answer asks for the same query
def _told(query: str) -> Words | None:
    """The words of the sentences of a query that state something, without those that deny it; none without any."""
    told = " ".join(part for part in _STATED.findall(query) if not _NEGATION.search(part))
    return words(told) if told else None
