"""Argilla's records as JSON or JSON Lines: fields, metadata, and the responses of everybody by question.

Source: Argilla documentation, ``rg.Record`` and ``rg.Response``: a response has a question, a value and a user. Both
shapes are read: responses by question (``{"label": [{"value", "user_id"}]}``) and the older list by user
(``[{"user_id", "status", "values": {"label": {"value"}}}]``).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from core.importers import BadLine
from core.importers._records import paths, records
from core.label_importers._given import GivenLabel, about, moment

_COMMENTS = ("comment", "comments", "note", "notes", "rationale", "explanation")


def sniff(path: Path, head: bytes) -> bool:
    """Whether its objects have fields and responses."""
    return {"fields", "responses"} <= paths(head)


def read(path: Path) -> Iterator[GivenLabel | BadLine]:
    """One row a person who responded to a record; a record without responses gives none.

    Raises:
        ImportFormatError: The file as a whole cannot be read.
    """
    for number, record in records(path):
        if isinstance(record, BadLine):
            yield record
            continue
        for user, (status, values) in _by_person(record.get("responses")).items():
            yield _row(path.name, number, record, user, status, values)


def _by_person(responses: Any) -> dict[str, tuple[str, dict[str, Any]]]:
    """By user: the status of their response, and their values by question."""
    found: dict[str, tuple[str, dict[str, Any]]] = {}
    if isinstance(responses, Mapping):
        for question, each in responses.items():
            for one in each if isinstance(each, list) else ():
                if isinstance(one, Mapping):
                    user = str(one.get("user_id") or "")
                    found.setdefault(user, (str(one.get("status") or "submitted"), {}))[1][question] = one.get("value")
    for one in responses if isinstance(responses, list) else ():
        if isinstance(one, Mapping) and isinstance(one.get("values"), Mapping):
            values = {question: _inner(value) for question, value in one["values"].items()}
            found[str(one.get("user_id") or "")] = (str(one.get("status") or "submitted"), values)
    return found


def _inner(value: Any) -> Any:
    return value.get("value") if isinstance(value, Mapping) else value


def _row(
    file: str, number: int, record: Mapping[str, Any], user: str, status: str, values: Mapping[str, Any]
) -> GivenLabel | BadLine:
    if status != "submitted":
        return BadLine(file=file, line=number, field="status", reason=f"the response of {user!r} is {status}")
    words = {question: value for question, value in values.items() if question.lower() not in _COMMENTS}
    words = {"label": words["label"]} if "label" in words else words
    if len(words) != 1 or not isinstance(word := next(iter(words.values())), str):
        reason = f"{user!r} answers {len(words)} questions where one is due; call the label's question label"
        return BadLine(file=file, line=number, field="responses", reason=reason)
    comments = [value for question, value in values.items() if question.lower() in _COMMENTS and isinstance(value, str)]
    fields, metadata = record.get("fields"), record.get("metadata")
    data = {**(metadata if isinstance(metadata, Mapping) else {}), **(fields if isinstance(fields, Mapping) else {})}
    return GivenLabel(
        line=number,
        item=str(record.get("external_id") or record.get("id") or number),
        labeller=user,
        word=word,
        comment="\n".join(comments),
        at=moment(record.get("updated_at")) or moment(record.get("inserted_at")),
        claim=about(data),
    )
