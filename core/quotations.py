"""Quotations in prose: what stands between quotation marks and is meant word for word.

Four words (or twelve CJK characters) between marks are a quotation, fewer only right after a reporting verb; shorter
ones are scare quotes, titles and terms, which a claim is flagged for and never judged by.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from functools import lru_cache

from core.text import Span

MIN_WORDS = 4
MIN_CJK = 12

_PAIRS = {
    "“": "”",
    "„": "“”",
    "‟": "”",
    "«": "»",
    "»": "«",
    "‹": "›",
    "‘": "’",
    "‚": "‘’",
    "「": "」",
    "『": "』",
    "〝": "〞〟",
    "＂": "＂",
    '"': '"',
    "'": "'",
    "``": "''",
}
_OPENING = re.compile("[`" + "".join(mark for mark in _PAIRS if len(mark) == 1) + "](?:(?<!`)|`)")
"""One mark or two backticks; that either begins with one character lets an engine skip to it."""
_BLANK_LINE = re.compile(r"\n[ \t\r]*\n")
_MAX = 4000
_VERBS = (
    "says?|said|saying|states?|stated|stating|writes?|wrote|writing|reads?|reports?|reported|notes?|noted|argues?|"
    "argued|claims?|claimed|explains?|explained|adds?|added|announces?|announced|declares?|declared|warns?|warned|"
    "concludes?|concluded|replie[sd]|answers?|answered|tells?|told|remarks?|remarked|observes?|observed|quotes?|quoted|"
    "asks?|asked|puts? it|sagte?n?|schreibt|schrieb|lautet|heißt es|erklärt?e?|dit|écrit|déclare|dice|dijo|escribió"
)
_REPORTED = re.compile(
    rf"\b(?:{_VERBS})(?:\s+(?:that|him|her|them|us|me|you|it|simply|only))?\s*[,:]?\s*\Z|[言説曰說说]：?\Z", re.I
)
_CJK = re.compile("[\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff\uac00-\ud7af]")


def quotations_in(text: str) -> list[str]:
    """The quotations of a prose, outermost marks only, in order, without the marks.

    White space at the ends is trimmed, and so is a comma before the closing mark: it is the writer's, not the source's.
    """
    spans = [(start, end) for start, end in marked_spans(text) if _counts(text, start, end)]
    return [text[start:end].strip().removesuffix(",") for start, end in spans]


def marked_spans(text: str) -> list[Span]:
    """Everything between quotation marks, also single words; inner marks of another family do not end it."""
    return list(_marked(text))


@lru_cache(maxsize=8)  # a sentence is asked for its quotations and for its flags
def _marked(text: str) -> tuple[Span, ...]:
    if text.isascii() and '"' not in text and "'" not in text and "``" not in text:
        return ()
    spans: list[Span] = []
    paragraphs = [found.start() for found in _BLANK_LINE.finditer(text)]
    barren: dict[str, int] = {}
    at = 0
    while opening := _OPENING.search(text, at):
        at = opening.end()
        if _opens(text, opening):
            closers = _PAIRS[opening.group()]
            border = bisect_left(paragraphs, at)
            limit = min(at + _MAX, paragraphs[border] if border < len(paragraphs) else len(text))
            closing = _closing(text, closers, max(at + 1, barren.get(closers, 0)), limit)
            if closing is None:
                barren[closers] = limit
            else:
                spans.append((at, closing))
                at = closing + 1
    return tuple(spans)


def _opens(text: str, mark: re.Match[str]) -> bool:
    """Whether a mark opens: straight ones may close as well, and an apostrophe does neither."""
    before, after = text[: mark.start()][-1:], text[mark.end() : mark.end() + 1]
    if not after or (after.isspace() and mark.group() not in "«»‹"):
        return False
    if mark.group() in ("'", "‘") and after.isdigit():
        return False
    if mark.group() in ("'", '"', "＂", "‘", "»"):
        return not (before.isalnum() or before in (*".,!?;)]’",))
    return True


def _closing(text: str, closers: str, start: int, limit: int) -> int | None:
    """The first place in ``[start, limit)`` where a mark of this family closes; an apostrophe does not."""
    pattern = re.compile(closers if closers == "''" else f"[{closers}]")
    for found in pattern.finditer(text, start, limit):
        before, after = text[found.start() - 1], text[found.end() : found.end() + 1]
        straight = closers in ("'", '"', "＂")
        if not (straight and before.isspace()) and not ((straight or closers == "’") and after.isalnum()):
            return found.start()
    return None


def _counts(text: str, start: int, end: int) -> bool:
    inside = text[start:end]
    if len(inside.split()) >= MIN_WORDS or len(_CJK.findall(inside)) >= MIN_CJK:
        return True
    before = text[max(0, start - 60) : start]
    return bool(inside.strip() and _REPORTED.search(before[:-2] if before.endswith("``") else before[:-1]))
