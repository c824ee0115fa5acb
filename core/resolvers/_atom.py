"""arXiv's way of writing papers: an Atom feed, in which errors look like papers."""

from __future__ import annotations

import re
from typing import Any

from core.bibliography import Author, Work
from core.references import Notice

_NAMES = {"a": "http://www.w3.org/2005/Atom", "x": "http://arxiv.org/schemas/atom"}
_WITHDRAWN = re.compile(r"\bwithdrawn\b", re.I)
_PAPER_WITHDRAWN = re.compile(
    r"\A.{0,20}\b(?:paper|article|manuscript|submission|preprint)\b.{0,40}\bwithdrawn\b", re.I
)
_ID = re.compile(r"/abs/(?P<id>.+?)(?:v(?P<version>\d+))?\Z")


class NoFeed(Exception):
    """It is no answer of arXiv's; a host that is busy says so in plain text."""


def work(feed: bytes) -> Work | None:
    """The first paper of a feed; none when arXiv has no such paper.

    Raises:
        NoFeed: It is no feed, or one that tells of an error.
    """
    from lxml import etree

    try:
        parser = etree.XMLParser(resolve_entities=False, no_network=True, load_dtd=False, huge_tree=False)
        root = etree.fromstring(feed, parser)
    except etree.XMLSyntaxError as error:
        raise NoFeed from error
    if root.tag != f"{{{_NAMES['a']}}}feed":
        raise NoFeed
    entry = root.find("a:entry", _NAMES)
    if entry is None:
        return None
    found = _ID.search(_text(entry, "a:id"))
    if found is None:  # errors link to a page about errors
        raise NoFeed
    comment = _text(entry, "x:comment")
    journal = _text(entry, "x:journal_ref")
    years = [text[:4] for text in (_text(entry, "a:published"), _text(entry, "a:updated")) if text[:4].isdigit()]
    years += re.findall(r"\b(?:19|20)\d\d\b", journal)[-1:]
    withdrawn = _WITHDRAWN.search(comment) or _PAPER_WITHDRAWN.search(_text(entry, "a:summary"))
    return Work(
        registry="arXiv",
        id=found["id"],
        title=_text(entry, "a:title"),
        authors=tuple(Author(literal=_text(one, "a:name")) for one in entry.findall("a:author", _NAMES)),
        years=tuple(dict.fromkeys(map(int, years))),
        venue=journal,
        kind="preprint",
        abstract=_text(entry, "a:summary"),
        version=int(found["version"]) if found["version"] else None,
        notices=(Notice(kind="withdrawn", by="arXiv"),) if withdrawn else (),
    )


def _text(node: Any, path: str) -> str:
    found = node.find(path, _NAMES)
    return " ".join((found.text or "").split()) if found is not None else ""
