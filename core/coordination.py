"""Two facts in one sentence: *The rule covers both buses and trams* → *The rule covers buses*, *The rule covers trams*.

Only where the language says that each holds alone: *both … and …* at the end of a sentence that denies nothing and
compares nothing. Other compound sentences stay whole: taken apart they raise more false alarms than they settle
(docs/reading.md).
"""

from __future__ import annotations

import re

from core.text import Span

_FUNCTION = (
    "in|of|by|to|and|or|with|for|between|on|at|from|as|than|that|which|who|when|where|while|if|but|not|is|are|was|were|it|"
    "them|both"
)
_WORD = rf"(?!(?:{_FUNCTION})\b)[^\W\d_][\w'’-]*"
_ITEM = rf"(?:(?:the|an?|its|their|his|her)\s)?{_WORD}(?:\s{_WORD}){{0,2}}"
_BOTH = re.compile(rf"(?P<head>.+?\s)both\s(?P<one>{_ITEM})\sand\s(?P<other>{_ITEM})(?P<end>\s*[.!]?)", re.S)
_NOT_EACH = re.compile(
    r"\b(?:not|no|never|neither|nor|none|without|cannot|rarely|hardly|seldom|fail\w*|lacks?|only|if|unless|whether|between"
    r"|among|both|combin\w+|mix\w*|differ\w*|interact\w*|balanc\w*|compar\w*|relation\w*|distinguish\w*|separat\w*"
    r"|overlap\w*|require[sd]?|needs?)\b|n['’]t\b|[;?“”\"«»]",
    re.I,
)


def facts_in(claim: str) -> tuple[tuple[Span, ...], ...]:
    """The stretches of each fact that a sentence coordinates, in code points of it; empty when it stays whole."""
    found = _BOTH.fullmatch(claim) if "both" in claim else None
    if not found or len(found["head"].split()) < 2 or _NOT_EACH.search(found["head"]):
        return ()
    if len(found["one"].split()) < len(found["other"].split()):  # "both rising and falling edges" share their noun
        return ()
    head, end = found.span("head"), found.span("end")
    return tuple(
        tuple(span for span in (head, found.span(item), end) if span[0] < span[1]) for item in ("one", "other")
    )
