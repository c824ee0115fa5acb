"""Text in a source that speaks to whoever judges it: it is named, for people, and never followed.

No verdict hangs on this. Words that are neither here nor like these go unnoticed; what keeps a judge from obeying is
that evidence reaches it as data (``core.prompting``), and that judges which only compare have nothing to obey.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache

from core.models import Resolution

LONGEST = 120
"""Code points that are quoted."""

_ORDER = r"(?:^|[.!?:;,\n\]\[>\"“(-]|\b(?:please|now|must|you|and|then|should))\s*"
"""Where an order begins; a source that tells of somebody who ignores rules does not begin there."""

_SIGNS = re.compile(
    rf"{_ORDER}(?P<ignore>(?:ignore|disregard|forget|override|bypass)\s+(?:[\w’'-]+\s+){{0,4}}?"
    r"(?:(?:previous|prior|above|preceding|earlier|foregoing|your|system|these)\s+(?:[\w’'-]+\s+){0,2}?"
    r"(?:instruction|rule|prompt|guideline|direction|context)s?|(?:instruction|rule|prompt|guideline|direction)s?\s+"
    r"(?:above|before|you)\b))"
    rf"|{_ORDER}(?P<label>(?:label|mark|rate|grade|classify|judge|report|score|treat|count)\s+(?:[\w’'-]+\s+){{0,3}}?"
    r"(?:claim|statement|answer|citation|quotation|quote|response|assertion)s?\s+(?:[\w’'-]+\s+){0,2}?as\s+[\"“']?"
    r"(?:supported|true|correct|verified|entailed|accurate|valid|factual)\b)"
    rf"|{_ORDER}(?P<reply>(?:respond|reply|answer|output)\s+(?:only\s+)?with\s+[\"“']?(?:supported|true|yes|entailment)\b)"
    r"|(?P<role>\byou\s+are\s+(?:now\s+)?(?:an?\s+)?(?:AI|LLM|language\s+model|chatbot|helpful\s+assistant)\b)"
    r"|(?P<token><\|(?:im_start|im_end|system|user|assistant|endoftext)\|>|\[/?INST\]|<</?SYS>>)"
    rf"|{_ORDER}(?P<other>ignorier\w*\s+(?:[\w-]+\s+){{0,3}}?(?:anweisung|regel)\w*|ignore[zr]?\s+(?:[\w-]+\s+){{0,3}}?"
    r"(?:consignes|instructions)\b|ignora\w*\s+(?:[\w-]+\s+){0,3}?instrucciones\b)",
    re.I,
)


_ANCHORS = (
    *("ignor", "disregard", "forget", "override", "bypass", "you are", "<|", "[inst", "[/inst", "<<sys", "<</sys"),
    *(
        f"as {mark}"
        for mark in ("supported", "true", "correct", "verified", "entailed", "accurate", "valid", "factual")
    ),
    *(f"with {mark}" for mark in ("supported", "true", "yes", "entailment")),
    *(f"{word} {quote}" for word in ("as", "with") for quote in "\"“'"),
)
"""One of these stands in every text that the pattern finds, small; looking for them first takes a tenth of the time."""


@lru_cache(maxsize=256)  # the claims of one answer cite the same few texts
def order_in(text: str) -> str | None:
    """The first words of a text that read like an order to a judge, up to ``LONGEST`` code points; none if none do."""
    small = " ".join(text.lower().split())
    found = _SIGNS.search(text) if any(anchor in small for anchor in _ANCHORS) else None
    if found is None:
        return None
    words = next(group for group in found.groups() if group)
    return " ".join(words.split())[:LONGEST]


def notes(resolutions: Sequence[Resolution]) -> list[str]:
    """A remark for each cited text that holds such words."""
    said = []
    for one in resolutions:
        words = order_in(one.evidence.text) if one.evidence is not None else None
        if words is not None:
            said.append(f"Instruction-like text in the source {one.cite} (“{words}”): read as evidence, never followed")
    return said
