"""DOCX: paragraphs, lists and tables in their order, with headings as sections; the whole file is one page.

Read as a reader sees it: insertions that are tracked are there, deletions and hidden text are not, a cell that spans
several is there once.
"""

from __future__ import annotations

import io
import re
import zipfile
import zlib
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

from core.errors import InputError
from core.loaders._bytes import content_of, refuse_others
from core.loaders._document import Document, Heading, Page

SUFFIXES = (".docx",)

LARGEST_UNPACKED = 512 * 1024 * 1024
"""Bytes that the archive may unpack to; more is an archive made to fill a memory."""

LARGEST_XML = 96 * 1024 * 1024
"""Bytes of it that may be markup, which takes ten times as much once it is read."""

FIGURE = "Has a figure: text only, may miss content"
APART = "Has notes, comments or headers that were not read"

_PACKED = frozenset({zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED})
"""How the parts may be packed (ISO/IEC 29500-2, annex B)."""
_OLE = b"\xd0\xcf\x11\xe0"
"""How a file begins that Word locked with a password, or wrote before 2007."""
_NAMES = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
_PIECES = {"tab": "\t", "br": "\n", "cr": "\n", "noBreakHyphen": "-", "ptab": "\t"}
_PASSED = frozenset({"del", "moveFrom", "pPr", "rPr", "instrText", "delText", "txbxContent", "Fallback"})
"""What holds no text of the paragraph; a box of text is read after the paragraph that it hangs on."""
_APART = re.compile(r"/(?:footnotes|endnotes|comments|header|footer)\d*\.xml\Z")
_WORDS = re.compile(rb"<w:t[ >]")


def load(path: Path) -> Document:
    """Read a file as one page; cells of a row stand apart by a tab, paragraphs by a blank line.

    Raises:
        InputError: The file cannot be opened, is no DOCX, or unpacks to more than a document holds.
    """
    content = content_of(path)
    if content.startswith(_OLE):
        raise InputError(f"{path} is locked by a password, or older than DOCX", "save it as DOCX, without a password")
    refuse_others(path, content, ".pdf", ".html", ".txt")
    read = _opened(path, content)
    text = _Text(read.styles)
    for block in _blocks(read.body):
        text.block(block)
    headings = tuple(text.headings)
    title = read.title or (headings[0].text if headings else None)
    page = Page(number=1, text=str(text), headings=headings, notes=read.notes)
    return Document(pages=(page,), title=title or None)


class _Opened(NamedTuple):
    """What the library says of a file; the text is read from the elements themselves."""

    body: Any
    styles: dict[str, str]
    title: str
    notes: tuple[str, ...]


def _opened(path: Path, content: bytes) -> _Opened:
    import docx  # brings lxml
    from docx.oxml.exceptions import InvalidXmlError
    from lxml.etree import XMLSyntaxError

    # The library has no one error for missing or damaged parts: a damaged file has brought about each of these.
    damage = (
        *(zipfile.BadZipFile, zlib.error, InvalidXmlError, XMLSyntaxError),
        *(AttributeError, EOFError, LookupError, RuntimeError, TypeError, ValueError),
    )
    unreadable = InputError(f"{path} is no DOCX that can be read", "save it again from a word processor")
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            sizes = [(entry.file_size, entry.filename.lower()) for entry in archive.infolist()]
            if not {entry.compress_type for entry in archive.infolist()} <= _PACKED:
                raise unreadable
        markup = sum(size for size, name in sizes if name.endswith((".xml", ".rels")))
        if sum(size for size, _ in sizes) > LARGEST_UNPACKED or markup > LARGEST_XML:
            raise InputError(f"{path} unpacks to more than a document holds", "save it again from a word processor")
        read = docx.Document(io.BytesIO(content))
        body, parts = read.element.body, tuple(read.part.package.iter_parts())
        styles = {style.style_id: style.name or "" for style in read.styles if style.style_id}
        title = (read.core_properties.title or "").strip()
    except damage as error:
        raise unreadable from error
    if body is None:
        raise unreadable
    return _Opened(body, styles, title, tuple(_missed(body, parts)))


def _missed(body: Any, parts: Iterable[Any]) -> Iterator[str]:
    """What of a file its text does not hold."""
    if any(True for _ in body.iter(f"{_NAMES}drawing", f"{_NAMES}pict", f"{_NAMES}object")):
        yield FIGURE
    if any(_APART.search(str(part.partname)) and _WORDS.search(part.blob) for part in parts):
        yield APART


def _local(element: Any) -> str:
    """The name of an element without its namespace; empty for comments and the like."""
    return element.tag.rpartition("}")[2] if isinstance(element.tag, str) else ""


def _blocks(parent: Any) -> Iterator[Any]:
    """Paragraphs and tables in their order, also those in content controls and in tracked insertions."""
    stack = list(reversed(parent))
    while stack:
        element = stack.pop()
        name = _local(element)
        if name in ("p", "tbl"):
            yield element
        elif name in ("sdt", "sdtContent", "ins", "moveTo", "customXml", "smartTag"):
            stack.extend(reversed(element))


def _shown(paragraph: Any) -> str:
    """The text of a paragraph as it is shown."""
    pieces: list[str] = []
    stack = list(reversed(paragraph))
    while stack:
        element = stack.pop()
        name = _local(element)
        if name in _PASSED or (name == "r" and _is_hidden(element)):
            continue
        if name == "t":
            pieces.append(element.text or "")
        elif name in _PIECES and element.tag.startswith(_NAMES):
            pieces.append(_PIECES[name])
        else:
            stack.extend(reversed(element))
    return "".join(pieces).strip()


def _is_hidden(run: Any) -> bool:
    vanish = run.find(f"{_NAMES}rPr/{_NAMES}vanish")
    return vanish is not None and vanish.get(f"{_NAMES}val", "1") not in ("0", "false", "off")


class _Text:
    """Text under construction, with the headings met."""

    def __init__(self, styles: dict[str, str]) -> None:
        self._styles = styles
        self._pieces: list[str] = []
        self._length = 0
        self.headings: list[Heading] = []

    def block(self, block: Any) -> None:
        """Add a paragraph with the boxes of text that hang on it, or a table."""
        if _local(block) == "tbl":
            self._add("\n".join(filter(str.strip, map(self._row, block.iter(f"{_NAMES}tr")))))
            return
        self._paragraph(block)
        for box in block.iter(f"{_NAMES}txbxContent"):
            if not any(_local(above) in ("Fallback", "txbxContent") for above in box.iterancestors()):
                for paragraph in box.iter(f"{_NAMES}p"):
                    self._add(_shown(paragraph))

    def _paragraph(self, paragraph: Any) -> None:
        text = _shown(paragraph)
        looks = paragraph.find(f"{_NAMES}pPr")
        style = None if looks is None else looks.find(f"{_NAMES}pStyle")
        name = "" if style is None else self._styles.get(style.get(f"{_NAMES}val", ""), "")
        if text and name.startswith(("Heading", "heading", "Title")):
            self.headings.append(Heading(start=self._length + (2 if self._pieces else 0), text=" ".join(text.split())))
        listed = name.startswith("List") or (looks is not None and looks.find(f"{_NAMES}numPr") is not None)
        self._add(f"- {text}" if text and listed and not name.startswith(("Heading", "heading")) else text)

    def _row(self, row: Any) -> str:
        """The cells of a row; those of a table within a cell are rows of their own, and stand after it."""
        cells = (cell for cell in row.iter(f"{_NAMES}tc") if next(cell.iterancestors(f"{_NAMES}tr")) is row)
        return "\t".join(" ".join(filter(None, map(_shown, _own(cell)))) for cell in cells)

    def _add(self, piece: str) -> None:
        if not piece:
            return
        if self._pieces:
            self._pieces.append("\n\n")
            self._length += 2
        self._pieces.append(piece)
        self._length += len(piece)

    def __str__(self) -> str:
        """The text so far."""
        return "".join(self._pieces)


def _own(cell: Any) -> Iterator[Any]:
    """The paragraphs of a cell that are not those of a table within it."""
    return (block for block in _blocks(cell) if _local(block) == "p")
