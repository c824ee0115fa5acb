"""The line structure of an answer: headings, list items, table rows, code, lists of sources, paragraphs."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator
from enum import StrEnum
from string import ascii_letters
from typing import NamedTuple

from core.markers._prose import code_spans


class Kind(StrEnum):
    """What a unit of an answer is."""

    SENTENCE = "sentence"
    ROW = "row"
    """A row of a table, under its header."""
    HEADING = "heading"
    """A heading, or the header row of a table: states nothing."""
    REFERENCE = "reference"
    """An entry of a list of sources at the end of an answer."""


class Unit(NamedTuple):
    """A stretch of an answer that stands on its own."""

    start: int
    end: int
    kind: Kind


_LINE = re.compile(r"[^\r\n\u2028\u2029]+")
_RULE = re.compile(r"(?:[-*_=]\s*){3,}\Z|\|?(?:\s*:?-+:?\s*\|)+(?:\s*:?-+:?)?\s*\|?\Z")
_HEADING = re.compile(r"\s{0,3}#{1,6}\s+\S|\s*(?:\*\*|__)[^*_]{1,90}[^*_.!?](?:\*\*|__):?\s*\Z")
_ITEM = re.compile(r"\s*(?:>\s*)*(?:(?:[-*+•◦▪‣·–]|\(?(?:\d{1,3}|[a-z]|[ivx]{1,4})[.)])\s+|•)(?=\S)|\s*>+\s*")
_LETTERED = re.compile(r"[a-z]{1,4}[.)]")
"""What only a list item may begin with, of the lines that begin with a letter."""
_ROW = re.compile(r"\s*\|.*\|\s*\Z")
_DEFINITION = re.compile(r"\s{0,3}(?:\[[^\[\]]{1,60}\]:\s|[⁰¹²³⁴⁵⁶⁷⁸⁹]{1,3}\s+\S)")
_SOURCES = re.compile(
    r"[\s#*_>]*(?:sources?|references?|citations?|bibliography|footnotes?|works cited|quellen|literatur)[\s:*_]*\Z",
    re.I,
)
_STOPPED = re.compile(r"[.!?…:;。！？．｡؟।]['\"”’»)\]\s*_]*\Z")
_JOINED_END = re.compile(
    r"(?:[,;–—(/-]|\b(?:the|an?|of|in|on|at|by|to|for|from|with|and|or|than|that|as|is|are|was|were|its?|their|his|her))\s*\Z",
    re.I,
)
_ENTRY = re.compile(r"[ \t]*(\[\^?[\w.-]{1,20}\])[ \t]+\S")
_FULL_LINE = 60
"""A line at least this long without a full stop goes on in the next one."""


class _Line(NamedTuple):
    start: int
    end: int
    text: str
    kind: str
    """text, item, row, heading, rule, reference or code."""
    body: int
    """Where the text of a list item or quotation begins, else the first character."""


def _lines(text: str) -> Iterator[_Line]:
    fences = [
        (a, b) for a, b in code_spans(text) if text[a:b].lstrip(" \t>")[:3] in ("```", "~~~") and "\n" in text[a:b]
    ]
    ends = [b for _, b in fences]
    for found in _LINE.finditer(text):
        start, end, line = *found.span(), found.group()
        if not line.strip():
            continue
        lead = len(line) - len(line.lstrip())
        fence = bisect_right(ends, start + lead)
        if fence < len(fences) and fences[fence][0] <= start + lead:
            yield _Line(start, end, line, "code", start)
        elif line[lead] in ascii_letters and not _LETTERED.match(line, lead):
            yield _Line(start, end, line, "text", start + lead)
        elif _RULE.match(line.strip()):
            yield _Line(start, end, line, "rule", start)
        elif _HEADING.match(line):
            yield _Line(start, end, line, "heading", start)
        elif _DEFINITION.match(line):
            yield _Line(start, end, line, "reference", start)
        elif _ROW.match(line):
            yield _Line(start, end, line, "row", start)
        else:
            item = _ITEM.match(line)
            yield _Line(start, end, line, "item" if item else "text", start + (item.end() if item else lead))


def blocks(text: str) -> list[Unit]:
    """Join the lines of a paragraph or list item; name headings, rows and lists of sources."""
    blocks: list[Unit] = []
    last: _Line | None = None
    sources = False
    tail = _references_start(text)
    for line in _lines(text):
        if line.start >= tail:
            line = line._replace(kind="reference")
        if line.kind in ("text", "item", "heading") and _SOURCES.match(line.text):
            sources, line = True, line._replace(kind="heading")
        elif line.kind == "heading":
            sources = False
        if line.kind == "rule":
            if last and _is_title(text, last, line) and last.body == blocks[-1].start:
                blocks[-1] = blocks[-1]._replace(kind=Kind.HEADING)
        elif line.kind != "code":
            kind = Kind.REFERENCE if sources and line.kind != "heading" else _KINDS[line.kind]
            if kind is Kind.SENTENCE and last and last.kind in ("text", "item") and _goes_on(text, last, line):
                blocks[-1] = blocks[-1]._replace(end=line.end)
            else:
                blocks.append(_trimmed(text, line.body, line.end, kind))
        last = line
    return blocks


def _references_start(text: str) -> int:
    """Where the list of references begins that an answer ends with and gives no heading; its length when there is none.

    Each line of it opens with a bracket, one of which stands in the text above, and a blank line sets it off.
    """
    start = len(text.rstrip())
    names: list[str] = []
    while start > 0:
        left = text.rfind("\n", 0, start) + 1
        entry = _ENTRY.match(text, left, start)
        if entry is None:
            break
        names.append(entry[1])
        start = left - 1
    above = text[: max(start, 0)]
    is_list = names and above.strip() and above != above.rstrip("\r\n") and any(name in above for name in names)
    return len(above) if is_list else len(text)


_KINDS = {
    "text": Kind.SENTENCE,
    "item": Kind.SENTENCE,
    "row": Kind.ROW,
    "heading": Kind.HEADING,
    "reference": Kind.REFERENCE,
}


def _follows(text: str, last: _Line, line: _Line) -> bool:
    """Whether no blank line stands between the two."""
    return len(re.findall(r"\r\n|[\r\n\u2028\u2029]", text[last.end : line.start])) == 1


def _is_title(text: str, last: _Line, rule: _Line) -> bool:
    """Whether the line above a rule is the header of a table, or a heading underlined by it."""
    if last.kind == "row":
        return "|" in rule.text and _follows(text, last, rule)
    return last.kind == "text" and not _STOPPED.search(last.text) and _follows(text, last, rule)


def _goes_on(text: str, last: _Line, line: _Line) -> bool:
    """Whether a line is the soft-wrapped rest of the line before it."""
    if line.kind != "text" or not _follows(text, last, line):
        return False
    before, first = last.text.rstrip(), line.text.lstrip()[0]
    plain = re.sub(r"(?:\s*[\[【][^\[\]【】]{1,60}[\]】])+\Z", "", before[-200:])
    return (
        len(before) >= _FULL_LINE
        or bool(_STOPPED.search(plain) and not plain.endswith(":"))
        or bool(_JOINED_END.search(plain))
        or first.islower()
    )


def _trimmed(text: str, start: int, end: int, kind: Kind) -> Unit:
    stretch = text[start:end]
    return Unit(start + len(stretch) - len(stretch.lstrip()), start + len(stretch.rstrip()), kind)
