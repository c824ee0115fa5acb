"""Markdown: the text as it was written, with its headings as sections."""

from __future__ import annotations

import re
from bisect import bisect_right
from pathlib import Path

from core.loaders._bytes import text_of
from core.loaders._document import Document, Heading, Page

SUFFIXES = (".md", ".markdown", ".mdown")

_FENCE = re.compile(r"^[ ]{0,3}(?P<fence>`{3,}|~{3,}).*?(?:^[ ]{0,3}(?P=fence)[`~]*[ \t]*$|\Z)", re.M | re.S)
_HEADING = re.compile(
    r"^[ ]{0,3}#{1,6}(?![^ \t\n])(?P<hash>[^\n]*)$|^(?P<under>[^\s#>|*\-`~][^\n]*)\n(?:=+|-+)[ \t]*$", re.M
)
_CLOSING = re.compile(r"(?:\A|[ \t])#+\Z")
_FRONT = re.compile(r"\A---\n(?P<matter>.*?)\n---[ \t]*(?:\n|\Z)", re.S)
_TITLE = re.compile(r"^title:[ \t]*[\"']?(?P<title>[^\n\"']+)", re.M)


def load(path: Path) -> Document:
    """Read a file as one page; its title is that of its front matter, else its first heading.

    Raises:
        InputError: The file cannot be opened, or holds no text.
    """
    text, note = text_of(path)
    return document(text).noted(note)


def document(text: str) -> Document:
    """A Markdown text as a document; headings in code are none."""
    code = [found.span() for found in _FENCE.finditer(text)]
    ends = [end for _, end in code]
    front = _FRONT.match(text)
    found = _HEADING.finditer(text, front.end() if front else 0)
    named_at = ((one.start(), _CLOSING.sub("", (one["hash"] or one["under"] or "").strip()).strip()) for one in found)
    headings = tuple(
        Heading(start=at, text=name)
        for at, name in named_at
        if name and not ((fence := bisect_right(ends, at)) < len(code) and code[fence][0] <= at)
    )
    named = _TITLE.search(front["matter"]) if front else None
    title = named["title"].strip() if named else headings[0].text if headings else None
    return Document(pages=(Page(number=1, text=text, headings=headings),), title=title or None)
