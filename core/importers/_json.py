"""One line of JSON → an object that is safe to keep: no duplicate keys, no lone surrogates, no bottomless nesting."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterator
from typing import Any

MAX_DEPTH = 50
"""Levels of lists and objects; a log has under ten."""

_SURROGATE = re.compile(r"[\ud800-\udfff]")


class RowError(ValueError):
    """A row that cannot be read: which field, and why, in words."""

    def __init__(self, field: str | None, reason: str) -> None:
        """Keep both for the report."""
        self.field = field
        self.reason = reason
        super().__init__(reason)


def parse(line: bytes) -> dict[str, Any]:
    """Read one line as one JSON object.

    ``NaN``, ``Infinity`` and numbers beyond a float's range come as floats that are not finite.

    Raises:
        RowError: Not UTF-8, not JSON, not an object, a key given twice, a lone surrogate, nested too deeply.
    """
    try:
        text = line.decode("utf-8")
        value = json.loads(text, object_pairs_hook=_without_repetition)
    except UnicodeDecodeError as error:
        raise RowError(None, f"not UTF-8 text (byte {error.start + 1} of the line)") from error
    except json.JSONDecodeError as error:
        raise RowError(None, f"invalid JSON at column {error.colno} ({error.msg})") from error
    except RecursionError as error:
        raise RowError(None, f"nested more than {MAX_DEPTH} levels deep") from error
    except RowError:
        raise
    except ValueError as error:
        raise RowError(None, "a number with too many digits") from error
    if not isinstance(value, dict):
        raise RowError(None, f"{kind(value)} where an object is due")
    if text.count("[") + text.count("{") > MAX_DEPTH or "\\u" in text:
        _check(value)
    return value


def _without_repetition(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        keys = [key for key, _ in pairs]
        twice = next(key for key in keys if keys.count(key) > 1)
        raise RowError(printable(twice), "given twice in one object")
    return found


def _check(value: Any) -> None:
    for field, depth, found in _walk(value):
        if depth > MAX_DEPTH:
            raise RowError(field.split(".")[0].split("[")[0], f"nested more than {MAX_DEPTH} levels deep")
        texts = found if isinstance(found, dict) else [found] if isinstance(found, str) else []
        if any(_SURROGATE.search(text) for text in texts):
            raise RowError(printable(field) or None, "half of a surrogate pair, which is no character")


def _walk(value: Any) -> Iterator[tuple[str, int, Any]]:
    """Every value with its path and depth, without recursion."""
    stack: list[tuple[str, int, Any]] = [("", 0, value)]
    while stack:
        field, depth, found = stack.pop()
        yield field, depth, found
        if isinstance(found, dict):
            stack.extend((f"{field}.{key}" if field else key, depth + 1, each) for key, each in found.items())
        elif isinstance(found, list):
            stack.extend((f"{field}[{index}]", depth + 1, each) for index, each in enumerate(found))


def finite(value: Any) -> Any:
    """The value with every number that is not finite replaced by null, so that it can be written as JSON again."""
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, dict):
        return {key: finite(each) for key, each in value.items()}
    return [finite(each) for each in value] if isinstance(value, list) else value


def kind(value: Any) -> str:
    """What a JSON value is, in words."""
    kinds = {bool: "true or false", int: "a number", float: "a number", str: "text", list: "a list", dict: "an object"}
    return "null" if value is None else kinds[type(value)]


def printable(text: str) -> str:
    """A text that can be printed whatever it holds, at most 80 characters long."""
    return text.encode("utf-8", "backslashreplace").decode("utf-8")[:80]
