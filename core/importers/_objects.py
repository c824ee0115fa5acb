"""Logs in which one JSON object is one answer, alone or in a list that an outer object holds."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from core.importers._json import RowError, finite, kind
from core.importers._records import records
from core.importers._rows import BadLine
from core.importers.citedesk import answer_of
from core.models import Answer

Convert = Callable[[Mapping[str, Any]], Answer]
"""One object → its answer; raises ``RowError``."""


def read(path: Path, convert: Convert, within: Sequence[str] = ()) -> Iterator[Answer | BadLine]:
    """One answer or refusal for each object, numbered by line or position; inside an outer object by position.

    Args:
        path: The file.
        convert: Reads one object.
        within: Keys under which an outer object may hold the list of objects.

    Raises:
        ImportFormatError: At once when the file is no text, later when it holds no rows.
    """
    return _read(path, convert, within, records(path))


def count(path: Path, within: Sequence[str] = ()) -> int:
    """How many rows ``read`` gives, refused ones included.

    Raises:
        ImportFormatError: The file as a whole cannot be read.
    """
    return sum(1 if isinstance(record, BadLine) else len(_items(record, within)) for _, record in records(path))


def made(row: Mapping[str, Any], source: Mapping[str, Any], used: Iterable[str], notes: Sequence[str]) -> Answer:
    """The answer of a row in the shape of DESIGN §4, with the fields of its source that were not used in ``meta``.

    Raises:
        RowError: A field of another type than its meaning needs, or nothing to check.
    """
    found = answer_of(row)
    taken = frozenset(used)
    rest = {key: finite(value) for key, value in source.items() if key not in taken and value is not None}
    return found.model_copy(update={"meta": rest | found.meta, "notes": (*notes, *found.notes)})


def _read(
    path: Path, convert: Convert, within: Sequence[str], rows: Iterator[tuple[int, dict[str, Any] | BadLine]]
) -> Iterator[Answer | BadLine]:
    last = 0
    for number, record in rows:
        for item in [record] if isinstance(record, BadLine) else _items(record, within):
            last = max(last + 1, number)
            if isinstance(item, BadLine):
                yield item.model_copy(update={"line": last})
                continue
            try:
                if not isinstance(item, Mapping):
                    raise RowError(None, f"{kind(item)} where an object is due")
                yield convert(item)
            except RowError as refused:
                yield BadLine(file=str(path), line=last, field=refused.field, reason=refused.reason)


def _items(record: Mapping[str, Any], within: Sequence[str]) -> list[Any]:
    """What an outer object holds; an object without such a list, or with an empty one, is itself the row."""
    return next((record[key] for key in within if isinstance(record.get(key), list) and record[key]), [record])
