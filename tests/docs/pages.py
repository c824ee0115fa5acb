"""The pages of the documentation, and the commands that they tell people to type.

A fence of ``console`` shows commands behind ``$`` and what they print; one of ``bash`` holds commands alone. HTML
comments before a fence, which readers of the rendered page do not see, say what a test must know:

- ``<!-- file: answers.jsonl -->``: the fence is the content of that file, which later commands of the page use;
- ``<!-- given: answers.jsonl = data/samples/answers.jsonl -->``: the reader has such a file; the test takes that one;
- ``<!-- exit: 1 -->``: the commands of this fence end so, and that is what the page says;
- ``<!-- not run: it asks a provider -->``: why a fence is only checked for commands and options that exist.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import NamedTuple

from markdown_it import MarkdownIt

from core.settings import PACKAGE

ROOT = PACKAGE.parent
TEMPLATES = "template.md"
"""What pages are generated from; the pages themselves are tested."""

_ORDER = re.compile(r"<!--\s*(file|given|exit|not run):\s*(.*?)\s*-->", re.DOTALL)


class Step(NamedTuple):
    """One command of a page and what the page shows of its output."""

    command: str
    shown: tuple[str, ...] | None
    """None where the page shows no output."""


class Block(NamedTuple):
    """One fence of a page."""

    page: Path
    line: int
    """The first line of its content, counted from 1."""
    language: str
    text: str
    orders: dict[str, str]
    """What comments before it say, by their word."""

    @property
    def place(self) -> str:
        """Where it stands, for a message."""
        return f"{self.page.relative_to(ROOT)}, line {self.line}"

    def steps(self) -> list[Step]:
        """Its commands, in order; none of a fence of another language."""
        if self.language == "console":
            return list(_console(self.text))
        return [Step(one, None) for one in _whole(self.text.splitlines())] if self.language == "bash" else []


def pages() -> list[Path]:
    """README, CONTRIBUTING and every page of ``docs``; what pages are made from is left out."""
    docs = (path for path in sorted((ROOT / "docs").rglob("*.md")) if path.name != TEMPLATES)
    return [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *docs]


@cache
def read(page: Path) -> str:
    """The text of a file."""
    return page.read_text(encoding="utf-8")


@cache
def blocks(page: Path) -> tuple[Block, ...]:
    """The fences of a page, in order, each with the comments that stand right before it."""
    found = []
    orders: dict[str, str] = {}
    for token in MarkdownIt().parse(read(page)):
        if token.type == "html_block":
            orders |= dict(_ORDER.findall(token.content))
        elif token.type == "fence":
            line = (token.map or [0])[0] + 2
            found.append(Block(page, line, token.info.strip(), token.content, orders))
            orders = {}
        elif token.nesting == 0:
            orders = {}
    return tuple(found)


@cache
def spoken(page: Path) -> tuple[str, ...]:
    """Commands in the prose of a page: inline code that begins as one does."""
    inline = (token.children or () for token in MarkdownIt().parse(read(page)))
    codes = (child.content for children in inline for child in children if child.type == "code_inline")
    return tuple(code for code in codes if re.match(r"(citedesk|make) \w", code))


def given(block: Block) -> Iterator[tuple[str, Path]]:
    """Names of files that the reader has, and which of ours stand in for them."""
    for pair in filter(None, re.split(r"[,\n]\s*", block.orders.get("given", ""))):
        name, _, ours = pair.partition("=")
        yield name.strip(), ROOT / ours.strip()


def _console(text: str) -> Iterator[Step]:
    lines = text.splitlines()
    starts = [number for number, line in enumerate(lines) if line.startswith("$ ")]
    for start, end in zip(starts, [*starts[1:], len(lines)], strict=True):
        part = [lines[start][2:], *lines[start + 1 : end]]
        length = _length(part)
        shown = tuple("\n".join(part[length:]).rstrip().splitlines())
        yield Step("\n".join(part[:length]), shown or None)


def _whole(lines: list[str]) -> Iterator[str]:
    while lines:
        length = _length(lines)
        command = "\n".join(lines[:length])
        if command.strip() and not command.lstrip().startswith("#"):
            yield command
        lines = lines[length:]


def _length(lines: list[str]) -> int:
    """How many lines the first command has: a backslash at the end and an open quotation go on."""
    for number, line in enumerate(lines, 1):
        if line.endswith("\\"):
            continue
        try:
            shlex.split("\n".join(lines[:number]), comments=True)
        except ValueError:
            continue
        return number
    return len(lines)
