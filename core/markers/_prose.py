"""Where in a text a citation marker may stand at all: in prose, not in code or mathematics, not as a subscript."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import defaultdict
from functools import lru_cache

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
_DEFINED = re.compile(r"(?:^|\n)[ \t>]*\[[^\[\]\n]{1,60}\]:[^\n]*\Z")
_FORMULA = re.compile(
    r"\$\$(?:[^$\0]|\$(?!\$)){1,1000}\$\$|\\\[(?:[^\0\\]|\\(?!\])){1,1000}\\\]|\\\((?:[^\0\\]|\\(?!\))){1,400}\\\)"
    r"|(?<![\\$\w])\$(?=[^\s$])(?P<inline>[^$\n\0]{1,200})(?<!\s)\$(?![\d$])"
    r"|<(?P<tag>code|pre)\b[^<>\n]{0,80}>[^\0]{0,4000}?</(?P=tag)>",
    re.I,
)
_FORMULA_SIGN = re.compile(r"[\\^_={}<>]")
_IN_SENTENCE = re.compile(
    r"\b(?:the|an?|this|that|as|in|by|to|of|from|at|on|via|see|per|with|and|or|for|is|are|was|visit|called|named|under|both"
    r"|its|their|der|die|das|le|la|el)\s\Z",
    re.I,
)
_BESIDE = re.compile(r"[(（]\s*(?:(?:see|cf\.?|via|e\.g\.,?|source:?|sources:?)\s)?\s*\Z", re.I)
_LINK = re.compile(r"<?https?://|doi\b|10\.\d{4}", re.I)
_LINE_START = re.compile(r"(?:^|\n)[ \t>]*(?:[-*+•]\s+|\d{1,3}[.)]\s+)?[*_]*\Z|[.!?:]\s+\Z")


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


@lru_cache(maxsize=8)  # every notation asks for the prose of the same text
def prose(text: str) -> str:
    """The text with every character of code and of mathematics replaced by U+0000.

    Offsets stay, and no notation matches there.
    """
    text = _blanked(text, code_spans(text))
    if "$" not in text and "\\" not in text and "<" not in text:
        return text
    return _blanked(text, [found.span() for found in _FORMULA.finditer(text) if _is_formula(found)])


def _blanked(text: str, spans: list[Span]) -> str:
    pieces, left = [], 0
    for start, end in spans:
        pieces += [text[left:start], "\0" * (end - start)]
        left = end
    return "".join(pieces) + text[left:]


def _is_formula(found: re.Match[str]) -> bool:
    """Dollar signs are also money: between two of them a formula has one of its signs, or no blank."""
    inline = found["inline"]
    return inline is None or bool(_FORMULA_SIGN.search(inline)) or not re.search(r"\s", inline)


def may_cite(text: str, start: int, end: int) -> bool:
    """Whether a bracket at ``[start, end)`` of a prose may be a citation.

    It is none as a subscript (``items[0]``, ``x[1] = 5``, ``H[2]O``), a list literal (``= [1, 2]``), an escaped or
    mathematical bracket, an image, a task box, or the definition of a reference (``[1]: https://…``).
    """
    last = text[start - 1 : start]
    if last and not (last.isalnum() or last in "\\_!=" or (last.isspace() and text[start - 2 : start - 1] == "=")):
        return not is_definition(text, start, end)
    before, after = text[max(0, start - 40) : start], text[end : end + 200]
    if ("\\" in before or "=" in before[-2:]) and _CODE_BEHIND.search(before):
        return False
    if before.endswith("!") and _IMAGE.search(before) and ")" in (after[:1].replace("(", ")"), text[end - 1]):
        return False
    if is_definition(text, start, end):
        return False
    if before[-1:].isalnum() or before.endswith("_"):
        if before[-1:].isascii() and after[:1].isascii() and after[:1].isalnum():
            return False  # inside a word; scripts without blanks have markers there
        return text[start:end] != "[0]" and not (_IDENTIFIER.search(before) or _CODE_AHEAD.match(after))
    return True


def is_definition(text: str, start: int, end: int) -> bool:
    """Whether a bracket opens the definition of a reference or footnote (``[1]: …`` at the start of a line)."""
    return text.startswith(":", end) and bool(_DEFINITION.search(text[max(0, start - 9) : start]))


def in_definition(text: str, at: int) -> bool:
    """Whether a place lies in the definition of a reference or footnote (``[1]: …`` to the end of its line)."""
    return bool(_DEFINED.search(text, max(0, at - 500), at))


def stands_in_sentence(text: str, start: int, end: int) -> bool:
    """Whether a link at ``[start, end)`` is part of the sentence, not only named beside or behind it.

    It is when the sentence goes on after it or needs it as the object of the word before it.
    """
    before, after = text[max(0, start - 60) : start], text[end : end + 40].split("\n")[0]
    if _BESIDE.search(before) and after.lstrip()[:1] in (")", "）"):
        return False
    rest = after.lstrip()
    if _LINK.match(rest):
        return False
    if _IN_SENTENCE.search(before):
        return True
    if rest[:1].islower() or rest[:1].isdigit() or rest[:1] in ("’", "'", "–", "—"):
        return bool(_LINE_START.search(before)) or not re.match(r"(?:and|or|but|while|whereas|which)\b", rest)
    return (
        bool(_LINE_START.search(before))
        and (rest[:1] == ":" or rest[:1].isalnum())
        and not before.rstrip().endswith(".")
    )
