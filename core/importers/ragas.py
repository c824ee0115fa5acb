"""RAGAS datasets: ``SingleTurnSample`` and ``MultiTurnSample`` of ragas 0.4, and the column names before 0.2.

Contexts without ``retrieved_context_ids`` have no ids, so that no marker of the response can name them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from core.importers import _objects
from core.importers._json import RowError, kind
from core.importers._passages import shaped
from core.importers._records import paths
from core.importers._rows import BadLine
from core.importers._told import answer_in, query_in
from core.models import Answer

_WITHIN = ("samples", "dataset")


def sniff(path: Path, head: bytes) -> bool:
    """Whether objects have the fields of a RAGAS sample."""
    found = {each.removeprefix("samples.").removeprefix("dataset.") for each in paths(head)}
    today = "user_input" in found and bool(
        found & {"response", "retrieved_contexts", "reference", "user_input.content"}
    )
    return today or {"question", "answer", "contexts"} <= found


def read(path: Path) -> Iterator[Answer | BadLine]:
    """One answer for each sample: JSON Lines, a list, or the ``samples`` of an object.

    Raises:
        ImportFormatError: The file as a whole cannot be read.
    """
    return _objects.read(path, _converted, _WITHIN)


def count(path: Path) -> int:
    """How many rows ``read`` gives, refused ones included.

    Raises:
        ImportFormatError: The file as a whole cannot be read.
    """
    return _objects.count(path, _WITHIN)


def _converted(sample: Mapping[str, Any]) -> Answer:
    notes: list[str] = []
    asking = "user_input" if "user_input" in sample else "question"
    asked = sample.get(asking)
    answered = "response" if "response" in sample else "answer"
    said = sample.get(answered)
    if isinstance(asked, list) and said is None:
        said = answer_in(asked)
        notes.append("A conversation: its last answer was read")
    if said is not None and not isinstance(said, str):
        raise RowError("response", f"{kind(said)} where text is due")
    held = "retrieved_contexts" if "retrieved_contexts" in sample else "contexts"
    row = {
        "request_id": sample.get("id"),
        "query": asked if isinstance(asked, str) else query_in(asked),
        "answer": said,
        "evidence": shaped(_texts(sample, held) or (), _texts(sample, "retrieved_context_ids"), notes),
    }
    used = ("id", asking, answered, held, "retrieved_context_ids") if not isinstance(asked, list) else ("id", answered)
    return _objects.made(row, sample, used, notes)


def _texts(sample: Mapping[str, Any], key: str) -> list[Any] | None:
    value = sample.get(key)
    if value is not None and not isinstance(value, list):
        raise RowError(key, f"{kind(value)} where a list is due")
    return value
