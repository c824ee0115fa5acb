"""A file of JSON objects, whatever holds them: JSON Lines, one JSON array, or objects spread over many lines.

Objects come one by one in constant memory, each read as strictly as a line of ``core.importers._json``; one that is
broken costs only itself.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path
from typing import Any

from core.errors import ImportFormatError
from core.importers import _file
from core.importers._json import RowError, parse
from core.importers._rows import BadLine

_TOO_LONG = f"longer than {_file.MAX_LINE // 2**20} MiB"
_BRACKET = re.compile(rb'[^"{}\[\]]*+(?:"(?:[^"\\]++|\\.)*+"[^"{}\[\]]*+)*+[{}\[\]]', re.S)
_TOKEN = re.compile(rb'"((?:[^"\\]++|\\.)*+)"\s*+(:)?|[{}\[\]]', re.S)
_MAX_PATH = 12

Piece = tuple[int, bytes | RowError]


def records(path: Path) -> Iterator[tuple[int, dict[str, Any] | BadLine]]:
    """The objects of a file in order, each with its line (JSON Lines) or its position from 1 (anything else).

    Raises:
        ImportFormatError: At once when the file is no text, later when it holds no rows or reading fails on the way.
    """
    return _parsed(path, _pieces(path, _file.head(path)))


def count(path: Path) -> int:
    """How many rows ``records`` gives, refused ones included, found without reading their insides.

    Raises:
        ImportFormatError: The file as a whole cannot be read.
    """
    return sum(1 for _ in _pieces(path, _file.head(path)))


@lru_cache(maxsize=1)  # every importer asks about the same head in turn
def paths(head: bytes) -> frozenset[str]:
    """The dotted key paths of the objects that a file begins with, lists left out: ``choices.message.content``.

    A short text value stands after its path: ``object=response``. The head may end in the middle of an object.
    """
    found: set[str] = set()
    stack: list[str] = []
    key = ""
    for token in _TOKEN.finditer(head):
        word = token.group()
        if word in (b"{", b"["):
            stack.append(key)
            key = ""
        elif word in (b"}", b"]"):
            del stack[-1:]
            key = ""
        elif len(stack) <= _MAX_PATH and len(token[1]) <= 60:
            text = token[1].decode("utf-8", "replace")
            parents = ".".join(name for name in stack if name)
            if token[2]:
                key = text
                found.add(f"{parents}.{key}" if parents else key)
            elif key:
                found.add(f"{parents}.{key}={text}" if parents else f"{key}={text}")
                key = ""
    return frozenset(found)


def _parsed(path: Path, pieces: Iterator[Piece]) -> Iterator[tuple[int, dict[str, Any] | BadLine]]:
    empty = True
    for number, piece in pieces:
        empty = False
        try:
            if isinstance(piece, RowError):
                raise piece
            yield number, parse(piece)
        except RowError as refused:
            yield number, BadLine(file=str(path), line=number, field=refused.field, reason=refused.reason)
    if empty:
        raise ImportFormatError(f"{path} holds no rows", "check that it was written to its end")


def _pieces(path: Path, head: bytes) -> Iterator[Piece]:
    if not _is_lines(head):
        yield from enumerate(_elements(path), 1)
        return
    for number, line in _file.lines(path):
        yield number, RowError(None, _TOO_LONG) if line is None else line


def _is_lines(head: bytes) -> bool:
    """Whether every line stands on its own, broken ones included; no when an object or a list goes on in the next."""
    lines = [line for line in head.splitlines() if line.strip()][:2]
    first = lines[0].strip() if lines else b""
    if not first.startswith((b"{", b"[")):
        return True
    end = _incomplete_at(first)
    if end is None:
        return first.startswith(b"{") or len(lines) > 1
    if first.startswith(b"["):
        return False
    return len(lines) < 2 or lines[1].startswith(b"{") or end < len(first.decode("utf-8", "replace"))


def _incomplete_at(line: bytes) -> int | None:
    """Where a line stops being JSON; none when it is a whole value."""
    try:
        json.loads(line.decode("utf-8", "replace"))
    except json.JSONDecodeError as error:
        return error.pos
    except (RecursionError, ValueError):
        return None
    return None


def _elements(path: Path) -> Iterator[bytes | RowError]:
    splitter = _Splitter()
    for chunk in _file.chunks(path, splitter.room):
        yield from splitter.feed(chunk)
        if splitter.room() > _file.MAX_LINE:
            yield RowError(None, f"{_TOO_LONG}; what follows it was not read")
            return
    yield from splitter.rest()


class _Splitter:
    """Cuts a stream of bytes into the objects at its top, or in a list at its top, by their brackets.

    Whatever else stands there is given too, to be refused.
    """

    def __init__(self) -> None:
        self._buffer = b""
        self._left = 0
        self._at = 0
        self._depth = 0
        self._base: int | None = None

    def room(self) -> int:
        """Bytes that wait for their end; reading as many again keeps the work in proportion to the file."""
        return len(self._buffer) - self._left

    def feed(self, chunk: bytes) -> Iterator[bytes]:
        """Take the next bytes and give the pieces that they complete."""
        self._buffer = self._buffer[self._left :] + chunk
        self._at -= self._left
        self._left = 0
        while bracket := _BRACKET.match(self._buffer, self._at):
            self._at = bracket.end()
            if self._buffer[self._at - 1] in b"{[":
                yield from self._open(self._buffer[self._at - 1])
            else:
                yield from self._close()

    def rest(self) -> Iterator[bytes | RowError]:
        """What is left when the stream has ended."""
        stretch = self._buffer[self._left :].strip(b" \t\r\n,")
        if stretch:
            yield stretch
        elif self._depth:
            yield RowError(None, "the list is not closed, so the file may be cut short")

    def _open(self, bracket: int) -> Iterator[bytes]:
        if self._base is None:
            yield from self._between()
            if bracket == ord("{") or self._depth:
                self._base, self._left = self._depth, self._at - 1
        self._depth += 1

    def _close(self) -> Iterator[bytes]:
        self._depth = max(0, self._depth - 1)
        if self._base is None:
            yield from self._between()
        elif self._depth <= self._base:
            yield self._buffer[self._left : self._at]
            self._left, self._base = self._at, None

    def _between(self) -> Iterator[bytes]:
        """What stands before a bracket and is in no object: a comma at best."""
        stretch = self._buffer[self._left : self._at - 1].strip(b" \t\r\n,")
        self._left = self._at
        if stretch:
            yield stretch
