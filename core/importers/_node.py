"""A JSON value that knows its path, so that what is wrong with it can be named; fields in either style of name."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache
from typing import Any

from core.importers._json import RowError, kind

_HUMP = re.compile(r"(?<=[a-z0-9])([A-Z])")


@cache
def _snake(key: str) -> str:
    return _HUMP.sub(r"_\1", key).lower()


class Node:
    """An object of a log.

    A field is asked for as its vendor writes it; a dump of the vendor's SDK may write it in snake case, found as well.
    """

    def __init__(self, value: Mapping[str, Any], path: str = "") -> None:
        """Take an object and where it stands in its row."""
        self.value = value
        self.path = path

    def at(self, key: str) -> str:
        """The path of a field."""
        return f"{self.path}.{key}" if self.path else key

    def get(self, key: str) -> Any:
        """A field as it is; none when it is missing or null."""
        found = self.value.get(key)
        return self.value.get(_snake(key)) if found is None else found

    def text(self, key: str) -> str | None:
        """A text field.

        Raises:
            RowError: It is something else.
        """
        value = self.get(key)
        if value is not None and not isinstance(value, str):
            raise RowError(self.at(key), f"{kind(value)} where text is due")
        return value

    def name(self, key: str) -> str | None:
        """An id: text or a whole number; none when missing or blank.

        Raises:
            RowError: It is something else.
        """
        value = self.get(key)
        if isinstance(value, int) and not isinstance(value, bool):
            return str(value)
        text = self.text(key)
        return text if text and text.strip() else None

    def number(self, key: str) -> int | None:
        """A whole number, also written as ``3.0``.

        Raises:
            RowError: It is something else.
        """
        value = self.get(key)
        if isinstance(value, float) and value.is_integer():
            return int(value)
        if value is not None and (not isinstance(value, int) or isinstance(value, bool)):
            raise RowError(self.at(key), f"{kind(value)} where a whole number is due")
        return value

    def node(self, key: str) -> Node:
        """An object field; an empty one when it is missing or null.

        Raises:
            RowError: It is something else.
        """
        value = self.get(key)
        if value is not None and not isinstance(value, dict):
            raise RowError(self.at(key), f"{kind(value)} where an object is due")
        return Node(value or {}, self.at(key))

    def items(self, key: str) -> list[Any]:
        """A list field; empty when it is missing or null.

        Raises:
            RowError: It is something else.
        """
        value = self.get(key)
        if value is not None and not isinstance(value, list):
            raise RowError(self.at(key), f"{kind(value)} where a list is due")
        return value or []

    def nodes(self, key: str) -> list[Node]:
        """A list of objects.

        Raises:
            RowError: It is something else, or holds something else.
        """
        found = []
        for index, each in enumerate(self.items(key)):
            path = f"{self.at(key)}[{index}]"
            if not isinstance(each, dict):
                raise RowError(path, f"{kind(each)} where an object is due")
            found.append(Node(each, path))
        return found

    def has_list(self, key: str) -> bool:
        """Whether a field is a list."""
        return isinstance(self.get(key), list)

    def has_object(self, key: str) -> bool:
        """Whether a field is an object."""
        return isinstance(self.get(key), dict)
