"""What a cell of a table holds: a text, a list written into a cell, or the exporter's word for nothing."""

from __future__ import annotations

import ast
import io
import json
import math
import re
import tokenize
from collections.abc import Mapping, Sequence
from datetime import date, datetime, time
from itertools import pairwise
from typing import Any

from core.importers._json import MAX_DEPTH, RowError

PLACEHOLDERS = frozenset(
    "n/a #n/a na nan nat null #null! <null> (null) none nil undefined - – — #value! #ref! #name? #div/0! #num!".split()
)
"""How exporters and spreadsheets write that there is nothing; letter case does not count."""

_MAX_LITERAL = 1_000_000
_SURROGATE = re.compile(r"[\ud800-\udfff]")


def plain(value: object, column: str, depth: int = 0) -> Any:
    """A value of any reader as text, number, true or false, list, object or null; moments as ISO 8601 text.

    Raises:
        RowError: Bytes or characters that are no text, or nesting without end.
    """
    if value is None or isinstance(value, bool | int):
        return value
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, datetime | date | time):
        return value.isoformat()
    if isinstance(value, bytes | str):
        return _characters(value, column)
    if depth > MAX_DEPTH:
        raise RowError(column, f"nested more than {MAX_DEPTH} levels deep")
    if isinstance(value, Mapping):
        return {str(key): plain(each, column, depth + 1) for key, each in value.items()}
    if isinstance(value, list | tuple):
        return [plain(each, column, depth + 1) for each in value]
    return str(value)


def _characters(value: bytes | str, column: str) -> str:
    try:
        text = value.decode("utf-8") if isinstance(value, bytes) else value
    except UnicodeDecodeError as error:
        raise RowError(column, f"not UTF-8 text (byte {error.start + 1} of the cell)") from error
    if _SURROGATE.search(text):
        raise RowError(column, "bytes that are no text in the file's encoding")
    return text


def is_placeholder(value: object) -> bool:
    """Whether a cell says that there is nothing, in an exporter's words."""
    return isinstance(value, str) and value.strip().casefold() in PLACEHOLDERS


def text_of(value: object) -> object:
    """A number, true or false as the text it would be printed as; whole numbers without a decimal point."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    return str(value) if isinstance(value, int | float) else value


def listed(value: object, column: str) -> list[Any] | None:
    """The list that a cell is, or that is written into it as JSON or as Python prints it; none when it is no list.

    Raises:
        RowError: It looks like a list and cannot be read as one.
    """
    if isinstance(value, list):
        return value
    if isinstance(value, Mapping):
        return [value]
    if not isinstance(value, str) or not value.lstrip().startswith(("[", "{", "(")):
        return None
    text = value.strip()
    try:
        found = json.loads(text)
    except RecursionError as error:
        raise RowError(column, f"nested more than {MAX_DEPTH} levels deep") from error
    except ValueError:
        found = _literal(text, column)
    if found is None:
        return None
    found = plain(found, column)
    return found if isinstance(found, list) else [found]


def _literal(text: str, column: str) -> Any:
    """A list as ``str(list)`` or pandas writes it; none for a text that merely begins with a bracket.

    Texts side by side without a comma, as NumPy prints them, would silently become one text, so they are refused.
    """
    if len(text) > _MAX_LITERAL or text[-1] not in ")]}":
        return None
    try:
        found = ast.literal_eval(text)
        tokens = list(tokenize.generate_tokens(io.StringIO(text).readline))
    except (ValueError, SyntaxError, TypeError, MemoryError, RecursionError, tokenize.TokenError):
        return None
    strings = [token.type == tokenize.STRING for token in tokens if token.type != tokenize.NL]
    if any(first and second for first, second in pairwise(strings)):
        raise RowError(column, "a list without commas between its texts; write it as JSON")
    return list(found) if isinstance(found, list | tuple) else found if isinstance(found, dict) else None


def ids(value: object, column: str, known: Sequence[str] = ()) -> list[Any]:
    """The ids in a cell: a list, one id that is known as it stands, or several apart by comma, semicolon, bar or line.

    Raises:
        RowError: A list that cannot be read.
    """
    found = listed(value, column)
    if found is not None:
        return [text_of(each) for each in found]
    text = text_of(value)
    if not isinstance(text, str):
        return []
    if text.strip() in known:
        return [text.strip()]
    return [part.strip() for part in re.split(r"[,;|\n]", text) if part.strip()]
