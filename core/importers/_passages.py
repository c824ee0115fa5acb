"""Passages as logs hold them → evidence in the shape of DESIGN §4; what is missing is said, never made up."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from core.importers._json import RowError, kind
from core.importers._told import opened

_TEXT = ("text", "page_content", "pageContent", "content", "document.content", "body", "passage", "snippet")
_ID = ("id", "doc_id", "docid", "chunk_id", "document_id", "document.id", "node_id", "id_", "_id")
_URI = ("uri", "url", "link", "document.url", "source_url")
_TITLE = ("title", "document.name", "name")
_VERSION = ("source_version", "version")
_LOCATOR = ("locator",)
_LISTS = ("documents", "source_documents", "contexts", "context", "results", "chunks", "passages", "output")
_STATES = ("retrieved", "in_context", "active", "accessible", "groups")


def shaped(passages: Iterable[object], ids: Iterable[object] | None, notes: list[str]) -> list[dict[str, Any]]:
    """Evidence rows for passages that are texts or objects, in order.

    Args:
        passages: Each a text, or an object that names its text, id, address and title in one of the usual ways, also
            under ``metadata``.
        ids: One id for each passage, where the log keeps them apart.
        notes: Told of passages that no citation can name.

    Raises:
        RowError: A passage of another type, or another number of ids than passages.
    """
    found = [_one(passage, f"evidence[{index}]") for index, passage in enumerate(passages)]
    if ids is not None:
        given = list(ids)
        if len(given) != len(found):
            raise RowError("evidence_ids", f"{len(given)} ids for {len(found)} passages")
        for row, id_ in zip(found, given, strict=True):
            row["id"] = "" if id_ is None else id_
    nameless = [str(index) for index, row in enumerate(found, 1) if row["id"] is None or not str(row["id"]).strip()]
    if nameless:
        notes.append(f"Without an id, so that no citation can name it: evidence {', '.join(nameless)}")
    return found


def passages_in(output: object) -> list[object]:
    """The passages in a retriever's output: a list of texts or objects, bare or under a usual name, also as JSON."""
    output = opened(output)
    if isinstance(output, Mapping):
        output = next((value for key in _LISTS if isinstance(value := opened(output.get(key)), list)), [])
    passages = output if isinstance(output, list) else []
    return [
        opened(each) if isinstance(opened(each), Mapping) else each
        for each in passages
        if isinstance(each, str | Mapping)
    ]


def _one(passage: object, field: str) -> dict[str, Any]:
    if passage is None or isinstance(passage, str):
        return {"id": ""} | _text(passage)
    if not isinstance(passage, Mapping):
        raise RowError(field, f"{kind(passage)} where a passage is due")
    row = dict(passage)
    metadata = row.get("metadata")
    side = metadata if isinstance(metadata, Mapping) else {}
    id_ = _taken(row, _ID, (str, int))
    shaped = {"id": "" if id_ is None else id_} | _text(_taken(row, _TEXT, (str,)))
    for name, keys in (("uri", _URI), ("title", _TITLE), ("locator", _LOCATOR), ("source_version", _VERSION)):
        value = _taken(row, keys, (str,)) or _seen(side, keys)
        shaped |= {} if value is None else {name: value}
    if isinstance(source := side.get("source"), str):
        shaped.setdefault("uri" if "://" in source else "title", source)
    states = {state: row.pop(state) for state in _STATES if row.get(state) is not None}
    return row | shaped | states | ({} if shaped["accessible"] else {"accessible": False})


def _text(text: str | None) -> dict[str, Any]:
    """A passage whose text the log does not hold exists, but cannot be read here."""
    return {"text": text, "accessible": bool(text and text.strip())}


def _taken(row: dict[str, Any], keys: Iterable[str], kinds: tuple[type, ...]) -> Any:
    """The first of these keys that holds something of these types, taken out of the row."""
    for key in keys:
        if isinstance(row.get(key), kinds) and not isinstance(row[key], bool):
            return row.pop(key)
    return None


def _seen(side: Mapping[str, Any], keys: Iterable[str]) -> str | None:
    return next((side[key] for key in keys if isinstance(side.get(key), str)), None)
