"""Label Studio's JSON export: a list of tasks, each with its data and the annotations of everybody.

Source: Label Studio documentation, "Label Studio JSON format of annotated tasks".
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from core.importers import BadLine
from core.importers._records import paths, records
from core.label_importers._given import GivenLabel, about, moment


def sniff(path: Path, head: bytes) -> bool:
    """Whether its objects have annotations with results."""
    return {"annotations", "data"} <= paths(head)


def read(path: Path) -> Iterator[GivenLabel | BadLine]:
    """One row an annotation that was not cancelled; a task without one gives none.

    Raises:
        ImportFormatError: The file as a whole cannot be read.
    """
    for number, task in records(path):
        if isinstance(task, BadLine):
            yield task
            continue
        given = task.get("annotations")
        for annotation in given if isinstance(given, list) else ():
            yield _row(path.name, number, task, annotation)


def _row(file: str, number: int, task: Mapping[str, Any], annotation: Any) -> GivenLabel | BadLine:
    if not isinstance(annotation, Mapping):
        return BadLine(file=file, line=number, field="annotations", reason="is no object")
    if annotation.get("was_cancelled"):
        return BadLine(file=file, line=number, field="was_cancelled", reason="the labeller skipped this task")
    parts = [one for one in _list(annotation.get("result")) if isinstance(one, Mapping)]
    choices = [word for one in parts for word in _list(_value(one).get("choices"))]
    if len(choices) != 1:
        return BadLine(file=file, line=number, field="result", reason=f"has {len(choices)} choices where one is due")
    texts = [text for one in parts for text in _list(_value(one).get("text")) if isinstance(text, str)]
    seconds = annotation.get("lead_time")
    data = task.get("data")
    return GivenLabel(
        line=number,
        item=str(task.get("id", number)),
        labeller=_person(annotation.get("completed_by")),
        word=str(choices[0]),
        comment="\n".join(texts),
        at=moment(annotation.get("updated_at")) or moment(annotation.get("created_at")),
        active_ms=round(seconds * 1000) if isinstance(seconds, int | float) and seconds >= 0 else None,
        claim=about(data if isinstance(data, Mapping) else {}),
    )


def _person(by: Any) -> str:
    """A user's address where the export has it, else their number there."""
    if isinstance(by, Mapping):
        return str(by.get("email") or by.get("id") or "")
    return "" if by is None else f"label-studio user {by}"


def _value(part: Mapping[str, Any]) -> Mapping[str, Any]:
    value = part.get("value")
    return value if isinstance(value, Mapping) else {}


def _list(value: Any) -> list[Any]:
    return value if isinstance(value, list) else []
