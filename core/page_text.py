"""The bytes of a page → its main text and what the page says of itself."""

from __future__ import annotations

import json
import re
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from core.errors import InputError
from core.models import Record
from core.web_reply import Reply

HTML = frozenset({"text/html", "application/xhtml+xml"})
_PLAIN = frozenset({"text/plain", "text/markdown"})
_PDF = "application/pdf"
_CHARSET = re.compile(r"charset\s*=\s*[\"']?\s*([\w.:-]+)", re.I)
_YEAR = re.compile(r"(?<!\d)(1[4-9]\d\d|20\d\d)(?!\d)")


class Page(Record):
    """One page as it was read."""

    text: str = ""
    """Main text; of a page of unknown shape everything that is shown."""
    shown: str = ""
    """Everything that a reader would see, navigation and forms too."""
    html: str = ""
    """The source, for looking at its shape; empty for other kinds of content."""
    title: str = ""
    heading: str = ""
    """The first heading of the first rank."""
    work_title: str = ""
    """What the page calls the work for machines (``citation_title`` and its kin)."""
    authors: tuple[str, ...] = ()
    years: tuple[int, ...] = ()
    free: bool | None = None
    """What the page says for machines of whether anybody may read it."""
    readable: bool = True
    """Whether it is of a kind that can be read here."""
    cut: bool = False


def read(reply: Reply, most: int) -> Page:
    """The page of an answer; a kind that cannot be read here gives an empty one.

    Args:
        reply: An answer with its body.
        most: Characters of the main text that are kept.
    """
    kind = reply.content_type or _sniffed(reply.body)
    if kind == _PDF:
        return _of_pdf(reply.body, most)
    if kind in HTML:
        return _of_html(decoded(reply), most)
    if kind in _PLAIN:
        text = decoded(reply).replace("\r\n", "\n").replace("\r", "\n").strip()
        return Page(text=text[:most], shown=text[:most], cut=len(text) > most)
    return Page(readable=False)


def _sniffed(body: bytes) -> str:
    start = body[:512].lstrip().lower()
    if start.startswith(b"%pdf-"):
        return _PDF
    if b"\0" in start:
        return ""
    return "text/html" if start.startswith(b"<") else "text/plain"


def decoded(reply: Reply) -> str:
    """The body as text: by its byte order mark, the charset of the header where it fits, what it says, or a guess.

    It never fails: what is no character becomes U+FFFD.
    """
    from core.loaders._bytes import BOMS
    from core.loaders.html import read

    said = _CHARSET.search(reply.headers.get("content-type", ""))
    if said and not any(reply.body.startswith(mark) for mark, _ in BOMS):
        try:
            return reply.body.decode(said[1])
        except (LookupError, UnicodeError):
            pass
    return read(reply.body).text


def _of_html(html: str, most: int) -> Page:
    from selectolax.lexbor import LexborHTMLParser  # with trafilatura half a second of loading

    from core.loaders.html import document

    shown = document(html)
    tree = LexborHTMLParser(html.encode("utf-8", "replace"))
    meta = _meta(tree)
    titles = meta.get("citation_title") or meta.get("dc.title") or meta.get("prism.title") or []
    dates = [date for name in _DATES for date in meta.get(name, [])]
    heading = tree.css_first("h1")
    text = _main_text(html) or shown.text.strip()
    return Page(
        text=text[:most],
        shown=shown.text[:most],
        html=html,
        title=shown.title or "",
        heading=" ".join(heading.text().split())[:300] if heading else "",
        work_title=titles[0] if titles else "",
        authors=tuple(meta.get("citation_author") or meta.get("dc.creator") or ()),
        years=tuple(dict.fromkeys(int(found[1]) for date in dates if (found := _YEAR.search(date)))),
        free=_is_free(tree),
        cut=len(text) > most,
    )


_DATES = ("citation_publication_date", "citation_date", "citation_online_date", "dc.date", "prism.publicationdate")


def _main_text(html: str) -> str:
    import trafilatura
    from lxml.etree import LxmlError

    try:
        found = trafilatura.extract(html, include_comments=False, include_tables=True, deduplicate=False)
    except (LxmlError, ValueError, RecursionError):  # a page that its parsers cannot take is shown as it is
        return ""
    return found or ""


def _meta(tree: Any) -> dict[str, list[str]]:
    """The contents of the page's meta elements by lower-case name, in order."""
    found: dict[str, list[str]] = {}
    for node in tree.css("meta[content]"):
        name = (node.attributes.get("name") or node.attributes.get("property") or "").strip().lower()
        value = " ".join((node.attributes.get("content") or "").split())
        if name and value:
            found.setdefault(name, []).append(value[:1000])
    return found


def _is_free(tree: Any) -> bool | None:
    """``isAccessibleForFree`` of the page's linked data; a part that is not free makes the page not free."""
    said = []
    for node in tree.css('script[type="application/ld+json"]'):
        try:
            said += list(_values(json.loads(node.text()), "isAccessibleForFree"))
        except (ValueError, RecursionError):
            continue
    words = {str(one).strip().lower().rsplit("/", 1)[-1] for one in said}
    return None if not words else "false" not in words


def _values(data: object, name: str) -> Iterator[object]:
    if isinstance(data, dict):
        for key, value in data.items():
            if key == name:
                yield value
            else:
                yield from _values(value, name)
    elif isinstance(data, list):
        for one in data:
            yield from _values(one, name)


def _of_pdf(body: bytes, most: int) -> Page:
    from core.loaders import pdf

    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "page.pdf")
        path.write_bytes(body)
        try:
            found = pdf.load(path)
        except InputError:
            return Page(readable=False)
    text = found.text.strip()
    return Page(text=text[:most], shown=text[:most], title=found.title or "", cut=len(text) > most)
