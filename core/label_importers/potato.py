"""Potato's ``annotated_instances.jsonl``: one person's annotations, an item a line, in a folder of that person's name.

What an item was is in the line itself or, by its id, in ``assigned_user_data.json`` beside it. Who labelled is the
line's ``user``, or the name of the folder.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from core.errors import ImportFormatError
from core.importers import BadLine
from core.importers._records import paths, records
from core.label_importers._given import GivenLabel, about, moment

ASSIGNMENT = "assigned_user_data.json"
_TIME = re.compile(r"(\d+)d\s*(\d+)h\s*(\d+)m\s*(\d+)s")
_COMMENTS = ("comment", "comments", "note", "notes", "rationale", "explanation")


def sniff(path: Path, head: bytes) -> bool:
    """Whether its objects have label annotations."""
    return "label_annotations" in paths(head)


def read(path: Path) -> Iterator[GivenLabel | BadLine]:
    """One row an item that was annotated.

    Raises:
        ImportFormatError: The file or the assignment beside it cannot be read.
    """
    assigned = _assigned(path.with_name(ASSIGNMENT))
    for number, line in records(path):
        yield line if isinstance(line, BadLine) else _row(path, number, line, assigned)


def _assigned(path: Path) -> Mapping[str, Any]:
    if not path.exists():
        return {}
    try:
        value = json.loads(path.read_text("utf-8"))
    except (OSError, ValueError) as error:
        raise ImportFormatError(f"{path} cannot be read ({error})", "mend it or move it away") from error
    return value if isinstance(value, Mapping) else {}


def _row(path: Path, number: int, line: Mapping[str, Any], assigned: Mapping[str, Any]) -> GivenLabel | BadLine:
    schemas = line.get("label_annotations")
    given = schemas if isinstance(schemas, Mapping) else {}
    words = [word for name, said in given.items() if name.lower() not in _COMMENTS for word in _chosen(said)]
    if len(words) != 1:
        reason = f"has {len(words)} labels where one is due"
        return BadLine(file=path.name, line=number, field="label_annotations", reason=reason)
    comments = [
        str(value)
        for name, said in given.items()
        if name.lower() in _COMMENTS and isinstance(said, Mapping)
        for value in said.values()
    ]
    item = str(line.get("id", number))
    data = assigned.get(item)
    spent = line.get("behavioral_data")
    return GivenLabel(
        line=number,
        item=item,
        labeller=str(line.get("user") or line.get("user_id") or path.absolute().parent.name),
        word=words[0],
        comment="\n".join(comments),
        at=moment(line.get("timestamp")),
        active_ms=_milliseconds(spent.get("time_string") if isinstance(spent, Mapping) else None),
        claim=about({**(data if isinstance(data, Mapping) else {}), **line}),
    )


def _chosen(said: Any) -> list[str]:
    """The words of one schema that were chosen."""
    if not isinstance(said, Mapping):
        return []
    return [str(word) for word, value in said.items() if value not in (None, False, "", "false")]


def _milliseconds(text: Any) -> int | None:
    found = _TIME.search(text) if isinstance(text, str) else None
    if found is None:
        return None
    days, hours, minutes, seconds = map(int, found.groups())
    return (((days * 24 + hours) * 60 + minutes) * 60 + seconds) * 1000
