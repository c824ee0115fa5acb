"""HTML → the text that a reader of the page sees.

Borders of blocks, rows and cells are white space, so that words and numbers never run together; scripts, styles,
templates, comments and whatever is hidden are left out, for nobody could have cited them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from selectolax.lexbor import LexborHTMLParser, LexborNode

from core.loaders._bytes import Decoded, content_of, decoded, refuse_others
from core.loaders._document import Document, Heading, Page
from core.loaders._hidden import Look, Styles

SUFFIXES = (".html", ".htm", ".xhtml")

_NEVER_SHOWN = frozenset(
    "audio canvas datalist desc embed frameset head iframe metadata noembed noframes noscript object rp script style "
    "template title video".split()
)
_CELLS = frozenset({"td", "th"})
_BLOCKS = frozenset(
    "address article aside blockquote body center dd details dialog dir div dl dt fieldset figcaption figure footer "
    "form h1 h2 h3 h4 h5 h6 header hgroup hr html legend li listing main menu nav ol optgroup option p pre search "
    "section summary table tbody tfoot thead tr caption ul".split()
)
_HEADINGS = frozenset("h1 h2 h3 h4 h5 h6".split())
_APART = frozenset("p h1 h2 h3 h4 h5 h6 blockquote pre table ul ol dl figure section article header footer".split())
_PREFORMATTED = frozenset({"pre", "textarea", "listing"})
_SPACE = re.compile(r"[ \t\r\n\f]+")
_CHARSET = re.compile(rb"<meta[^>]{0,200}?charset\s*=\s*[\"']?\s*([\w.:-]{1,40})", re.I)
_PROBE = b"<a+b\\n>"


def load(path: Path) -> Document:
    """Read a file as one page.

    The encoding is that of the byte order mark, else the one the page declares, else UTF-8, else a guess, which a note
    names.

    Raises:
        InputError: The file cannot be opened, is too large, or is no page.
    """
    content = content_of(path)
    refuse_others(path, content, ".pdf", ".docx")
    text, note = read(content)
    return document(text).noted(note)


def document(html: str) -> Document:
    """The visible text of a page, and its title."""
    tree = LexborHTMLParser(html.encode("utf-8", "replace"))
    named = tree.css_first("head title")
    title = _SPACE.sub(" ", named.text()).strip() if named is not None else ""
    text = _visible(tree)
    headings = tuple(text.headings)
    page = Page(number=1, text=str(text), headings=headings)
    return Document(pages=(page,), title=title or (headings[0].text if headings else None))


def read(content: bytes) -> Decoded:
    """The bytes of a page as text; what is no character of the encoding becomes U+FFFD."""
    return decoded(content, _declared(content))


def _declared(content: bytes) -> tuple[str, ...]:
    """The encoding that the page names in its first kilobyte, if it is one that leaves ASCII as it is."""
    found = _CHARSET.search(content[:1024])
    try:
        name = found[1].decode("ascii") if found else ""
        return (name,) if name and _PROBE.decode(name) == _PROBE.decode("ascii") else ()
    except (LookupError, UnicodeError):
        return ()


class _Step(NamedTuple):
    """A place of the walk through the tree: before or after a node, and how text looks there."""

    node: LexborNode
    look: Look
    leaving: bool


def _visible(tree: LexborHTMLParser) -> _Text:
    text = _Text()
    for step in _walk(tree):
        tag = step.node.tag or ""
        if step.node.is_text_node:
            text.add(step.node.text_content or "", step.look.preformatted)
        elif tag == "br":
            text.border("\n")
        elif tag in _CELLS:
            text.border("\t")
        elif tag in _BLOCKS or step.look.block:
            text.border("\n\n" if tag in _APART else "\n")
            if tag in _HEADINGS:
                text.heading(begins=not step.leaving)
    return text


def _walk(tree: LexborHTMLParser) -> Iterator[_Step]:
    """Every shown node in order, elements twice; without recursion, since pages nest without bounds."""
    styles = Styles(tree)
    stack = [_Step(tree.root, Look(), False)] if tree.root is not None else []
    while stack:
        step = stack.pop()
        node = step.node
        if step.leaving:
            yield step
            continue
        if node.is_text_node:
            if step.look.seen:
                yield step
            continue
        if not node.is_element_node or node.tag in _NEVER_SHOWN:
            continue
        look = styles.look(node, step.look)
        if look is None:
            continue
        look = look._replace(preformatted=step.look.preformatted or node.tag in _PREFORMATTED)
        here = _Step(node, look, False)
        yield here
        stack.append(here._replace(leaving=True))
        child = node.last_child
        while child is not None:
            stack.append(_Step(child, look, False))
            child = child.prev


class _Text:
    """Text under construction: blanks collapse as on a page, and of several borders the widest stands."""

    def __init__(self) -> None:
        self._pieces: list[str] = []
        self._gap = ""
        self._length = 0
        self._heading: int | None = None
        self.headings: list[Heading] = []

    def add(self, piece: str, preformatted: bool) -> None:
        """Add what a text node holds."""
        piece = piece if preformatted else _SPACE.sub(" ", piece)
        body = piece if preformatted else piece.strip(" ")
        if not body:
            self._gap = self._gap or (" " if piece else "")
            return
        if not preformatted and piece[0] == " ":
            self._gap = self._gap or " "
        for part in (self._gap if self._pieces else "", body):
            self._pieces.append(part)
            self._length += len(part)
        self._gap = " " if not preformatted and piece[-1] == " " else ""

    def border(self, gap: str) -> None:
        """Note that a line, a cell or a paragraph begins or ends here."""
        self._gap = max(self._gap, gap, key=lambda one: (one.count("\n"), one.count("\t")))

    def heading(self, begins: bool) -> None:
        """Note that a heading begins, or that it ends with the text so far."""
        if begins:
            self._heading = len(self._pieces)
        elif self._heading is not None:
            pieces = self._pieces[self._heading + bool(self._heading) :]  # before it stands the gap
            text = "".join(pieces) if self._heading else "".join(self._pieces)
            if text.strip():
                self.headings.append(Heading(start=self._length - len(text), text=_SPACE.sub(" ", text).strip()))
            self._heading = None

    def __str__(self) -> str:
        """The text so far."""
        return "".join(self._pieces)
