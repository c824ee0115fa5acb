"""ALCE result files: ``data`` with ``question``, ``docs`` and ``output``, beside the ``args`` of the run.

In ALCE ``[n]`` names the n-th of the ``docs`` that the prompt showed, counted from 1 (its ``eval.py``); that number
becomes the passage's id. An id that a doc has of its own is kept in its meta.
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
from core.models import Answer

_WITHIN = ("data",)


def sniff(path: Path, head: bytes) -> bool:
    """Whether items have a question, docs with text and an output."""
    found = {each.removeprefix("data.") for each in paths(head)}
    return {"question", "docs", "docs.text"} <= found and bool(found & {"output", "args", "qa_pairs", "docs.title"})


def read(path: Path) -> Iterator[Answer | BadLine]:
    """One answer for each item: the ``data`` of a result file, a list, or JSON Lines.

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


def _converted(item: Mapping[str, Any]) -> Answer:
    docs = item.get("docs")
    if docs is not None and not isinstance(docs, list):
        raise RowError("docs", f"{kind(docs)} where a list is due")
    if "output" not in item:
        raise RowError("output", "no output: this is an item of the data set, not a result")
    notes: list[str] = []
    named = [{**doc, "own_id": doc["id"]} if isinstance(doc, Mapping) and "id" in doc else doc for doc in docs or ()]
    row = {
        "request_id": next((item[key] for key in ("id", "sample_id") if isinstance(item.get(key), str)), None),
        "query": item.get("question"),
        "answer": item["output"],
        "evidence": shaped(named, [str(number) for number in range(1, len(named) + 1)], notes),
    }
    return _objects.made(row, item, ("question", "docs", "output", "id", "sample_id"), notes)
