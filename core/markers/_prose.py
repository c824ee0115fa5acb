"""Where in a text a citation marker may stand at all: in prose, not in code, not as an array subscript."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import defaultdict

Span = tuple[int, int]

_FENCE = re.compile(
    r"^[ \t>]*(?P<fence>`{3,}+|~{3,}+)[^\n]*+\n.*?(?:^[ \t>]*(?P=fence)[`~]*[ \t]*\r?$|\Z)", re.M | re.S
)
_BLANK_LINE = re.compile(r"\n[ \t\r]*\n")
_CODE_NAMES = "arr|array|args|argv|buf|df|dict|items|kwargs|nums|params|self|tuple|vec"
_IDENTIFIER = re.compile(rf"(?:\b(?:{_CODE_NAMES})|\b[a-z]|\w*_\w*|\b[a-z]+[A-Z]\w*)\Z")
_CODE_AHEAD = re.compile(r"(?:\[[^\[\]\n]{0,40}\]){0,4}(?:\s*(?:[-+*/%&|^]?=|\+\+|--)|\.[a-z_]|\(\s*\)|\{)")
_CODE_BEHIND = re.compile(r"(?:\\\w*|=\s?)\Z")
_IMAGE = re.compile(r"(?:^|\s)!\Z")
_DEFINITION = re.compile(r"(?:^|\n)[ \t]{0,3}\Z")


def code_spans(text: str) -> list[Span]:
    """Fenced code blocks (three or more backticks or tildes) and inline code spans, in order."""
    if "`" not in text and "~~~" not in text:
        return []
    fences = [found.span() for found in _FENCE.finditer(text)]
    inline: list[Span] = []
    left = 0
    for start, end in [*fences, (len(text), len(text))]:
        inline.extend((left + a, left + b) for a, b in _inline(text[left:start]))
        left = end
    return sorted(fences + inline)


def _inline(text: str) -> list[Span]:
    """Pairs of equally long runs of backticks with no blank line between them."""
    borders = [found.start() for found in _BLANK_LINE.finditer(text)]
    runs = [found.span() for found in re.finditer("`+", text)]
    later: dict[tuple[int, int], list[Span]] = defaultdict(list)
    for start, end in reversed(runs):
        later[end - start, bisect_right(borders, start)].append((start, end))
    spans: list[Span] = []
    done = 0
    for start, end in runs:
        same = later[end - start, bisect_right(borders, start)]
        same.pop()
        if start >= done and same:
            done = same[-1][1]
            spans.append((start, done))
    return spans


def prose(text: str) -> str:
    """The text with every character of code replaced by U+0000, so that offsets stay and no notation matches there."""
    pieces, left = [], 0
    for start, end in code_spans(text):
        pieces += [text[left:start], "\0" * (end - start)]
        left = end
    return "".join(pieces) + text[left:]


def may_cite(text: str, start: int, end: int) -> bool:
    """Whether a bracket at ``[start, end)`` of a prose may be a citation.

    It is none as a subscript (``items[0]``, ``x[1] = 5``), a list literal (``= [1, 2]``), an escaped or mathematical
    bracket, an image, a task box, or the definition of a reference (``[1]: https://…``).
    """
    before, after = text[max(0, start - 40) : start], text[end : end + 200]
    if _CODE_BEHIND.search(before) or (_IMAGE.search(before) and ")" in (after[:1].replace("(", ")"), text[end - 1])):
        return False
    if is_definition(text, start, end):
        return False
    if before[-1:].isalnum() or before.endswith("_"):
        return text[start:end] != "[0]" and not (_IDENTIFIER.search(before) or _CODE_AHEAD.match(after))
    return True


def is_definition(text: str, start: int, end: int) -> bool:
    """Whether a bracket opens the definition of a reference or footnote (``[1]: …`` at the start of a line)."""
    return text.startswith(":", end) and bool(_DEFINITION.search(text[max(0, start - 9) : start]))
