"""Fields of foreign records: what is of another kind than it should be is as good as none."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any


def record(value: object) -> Mapping[str, Any]:
    """An object, or an empty one."""
    return value if isinstance(value, Mapping) else {}


def records(value: object) -> list[Mapping[str, Any]]:
    """The objects of a list."""
    return [one for one in value if isinstance(one, Mapping)] if isinstance(value, list) else []


def text(value: object) -> str:
    """A text or number on one line, or an empty text."""
    found = str(value) if isinstance(value, str | int | float) and not isinstance(value, bool) else ""
    return " ".join(found.split())


def texts(value: object) -> list[str]:
    """Texts that are not blank, whether a list of them is given or one."""
    return [found for one in (value if isinstance(value, list) else [value]) if (found := text(one))]


def year(value: object) -> int | None:
    """A year in digits, as a number or at the beginning of a date."""
    found = text(value)[:4]
    return int(found) if len(found) == 4 and found.isascii() and found.isdigit() else None
