"""What a prompt is made of: sections of ours from numbered files, and everything else encoded as data.

A prompt file is Markdown under ``prompts/`` of the package that sends it, cut at its headings ``# name``; it is never
rewritten, a better one gets the next number.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from types import MappingProxyType
from typing import NamedTuple

from core.text import sha256

_SECTION = re.compile(r"^# (\w+)\n", re.MULTILINE)
_SURROGATE = re.compile("[\ud800-\udfff]")


class PromptFile(NamedTuple):
    """A prompt file taken apart."""

    sections: Mapping[str, str]
    """By the name in their heading, trimmed."""
    sha256: str
    """Of the whole file (64 hex), line ends folded."""


@cache
def prompt_file(package: str, name: str) -> PromptFile:
    """Read a prompt that this version ships.

    Args:
        package: Whose it is, such as ``core.verifiers``.
        name: The file under its ``prompts/``, without ``.md``.

    Raises:
        FileNotFoundError: There is none of that name.
    """
    text = files(package).joinpath("prompts", f"{name}.md").read_text("utf-8").replace("\r\n", "\n")
    pieces = _SECTION.split(text)
    sections = {title: body.strip() for title, body in zip(pieces[1::2], pieces[2::2], strict=True)}
    return PromptFile(MappingProxyType(sections), sha256(text))


def as_data(name: str, value: object) -> str:
    """A value as a JSON object of one line under its name; no text within can close its string."""
    return readable(json.dumps({name: value}, ensure_ascii=False))


def readable(text: str) -> str:
    """The text with lone surrogates replaced one by one, for UTF-8 cannot carry them; its length stays."""
    return _SURROGATE.sub("\ufffd", text)
