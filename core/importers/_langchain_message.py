"""A LangChain message → its text, and the citations in its text blocks (``langchain_core.messages.content``)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from core.models import Annotation
from core.offsets import Located, Offsets


class Message(NamedTuple):
    """What a message says, and what it cites by position."""

    text: str
    annotations: tuple[Annotation, ...]
    passages: list[dict[str, Any]]
    """The stretches of sources that the citations quote, under the ids that the annotations name."""
    notes: list[str]


def message_in(value: object) -> Message | None:
    """The message, when it is one whose content is a list of blocks, as it is or in ``dumpd``'s constructor."""
    content = arguments(value).get("content")
    if not isinstance(content, list):
        return None
    found = Message("", (), [], [])
    for index, block in enumerate(content):
        text = block if isinstance(block, str) else block.get("text") if isinstance(block, Mapping) else None
        if not isinstance(text, str):
            continue
        shift = len(found.text)
        found = found._replace(text=found.text + text)
        for at, note in enumerate(_citations(block)):
            found = _attached(found, shift, text, note, f"content[{index}].annotations[{at}]")
    return found if found.text.strip() else None


def arguments(value: object) -> Mapping[str, Any]:
    """The fields of a dumped object: of the constructor's call, or its own."""
    if not isinstance(value, Mapping):
        return {}
    kwargs = value.get("kwargs")
    return kwargs if isinstance(kwargs, Mapping) else value


def _citations(block: object) -> Iterator[Mapping[str, Any]]:
    notes = block.get("annotations") if isinstance(block, Mapping) else None
    for note in notes if isinstance(notes, list) else ():
        if isinstance(note, Mapping) and note.get("type") in ("citation", "url_citation"):
            yield note


def _attached(found: Message, shift: int, text: str, note: Mapping[str, Any], field: str) -> Message:
    """The message with one more citation: without a place for the whole block, with a wrong one only noted."""
    source = {key: note[key] for key in ("url", "title", "id") if isinstance(note.get(key), str) and note[key].strip()}
    if not source:
        found.notes.append(f"{field}: names no source; the citation was not attached")
        return found
    start, end = note.get("start_index"), note.get("end_index")
    placed = Located((0, len(text)))
    if start is not None or end is not None:
        placed = Offsets(text).locate(start if type(start) is int else None, end if type(end) is int else None)
    if placed.span is None:
        found.notes.append(f"{field}: {placed.problem}; the citation was not attached")
        return found
    cited = note.get("cited_text")
    passage = {
        "text": cited if isinstance(cited, str) else None,
        "uri": source.get("url"),
        "title": source.get("title"),
    }
    cite = _supplied(found.passages, next(iter(source.values())), passage)
    one = Annotation(start=shift + placed.span[0], end=shift + placed.span[1], cite=cite)
    return found if one in found.annotations else found._replace(annotations=(*found.annotations, one))


def _supplied(passages: list[dict[str, Any]], source: str, passage: dict[str, Any]) -> str:
    """The id of a passage: its source, numbered where another stretch of the same source was cited before."""
    number, id_ = 1, source
    while any(known["id"] == id_ for known in passages):
        if any(known["id"] == id_ and known["text"] == passage["text"] for known in passages):
            return id_
        number += 1
        id_ = f"{source} ({number})"
    passages.append({"id": id_, **{key: value for key, value in passage.items() if value is not None or key == "text"}})
    return id_
