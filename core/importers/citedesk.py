"""Citedesk answers: UTF-8, one JSON object a line, with answer or claims and the evidence that was supplied.

Strict on meaning, kind on shape: a line whose meaning is unsure is refused whole, with its field and the reason; fields
that are not known are kept in ``meta``; what was put right on the way is noted.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from core.errors import ImportFormatError
from core.importers import _file
from core.importers._json import RowError, finite, kind, parse
from core.importers._rows import BadLine
from core.models import Annotation, Answer, Evidence, GeneratorName, GivenClaim, digest

LAST_RESORT = True

_ANSWER = {"request_id", "query", "asked_at", "generator", "answer", "claims", "evidence"}
_CLAIM = {"text", "citation_ids", "quote", "claim_id", "material"}
_STATES = ("retrieved", "in_context", "active", "accessible")
_EVIDENCE = {"id", "text", "locator", "source_version", "uri", "title", "groups", *_STATES}


def sniff(path: Path, head: bytes) -> bool:
    """Whether the name says so, or a line of the file may be a JSON object."""
    return path.suffix.lower() in (".jsonl", ".ndjson") or any(
        line.lstrip().startswith((b"{", b"[{")) for line in head.splitlines()
    )


def read(path: Path) -> Iterator[Answer | BadLine]:
    """Read the rows in order; blank lines are none.

    Raises:
        ImportFormatError: At once when the file as a whole cannot be read, later when reading fails on the way.
    """
    first = next((line.strip() for line in _file.head(path).splitlines() if line.strip()), b"")
    if first in (b"{", b"[") or first.startswith(b"[{"):
        raise ImportFormatError(f"{path} is a single JSON document", "write one object a line, for instance with jq -c")
    return _rows(path)


def count(path: Path) -> int:
    """How many rows ``read`` gives, refused ones included.

    Raises:
        ImportFormatError: The file as a whole cannot be read.
    """
    _file.head(path)
    return sum(1 for _ in _file.lines(path))


def _rows(path: Path) -> Iterator[Answer | BadLine]:
    empty = True
    for number, line in _file.lines(path):
        empty = False
        try:
            if line is None:
                raise RowError(None, f"longer than {_file.MAX_LINE // 2**20} MiB")
            row: Answer | BadLine = answer_of(parse(line))
        except RowError as refused:
            row = BadLine(file=str(path), line=number, field=refused.field, reason=refused.reason)
        yield row
    if empty:
        raise ImportFormatError(f"{path} holds only blank lines", "check that it was written to its end")


def answer_of(row: Mapping[str, Any]) -> Answer:
    """One answer from one object in the shape of DESIGN §4.

    Raises:
        RowError: A field is missing or of another type than its meaning needs.
    """
    notes: list[str] = []
    text = _text(row, "answer", "answer")
    given = _items(row, "claims", "claims")
    if not (text and text.strip()) and not given:
        raise RowError("answer", "neither an answer nor claims, so there is nothing to check")
    request_id = _request_id(row, notes)
    generator = _object(row, "generator", "generator")
    named = GeneratorName(
        name=_text(generator, "name", "generator.name"), model=_text(generator, "model", "generator.model")
    )
    claims = tuple(_claim(each, f"claims[{index}]") for index, each in enumerate(given or []))
    evidence = tuple(
        _evidence(each, f"evidence[{index}]", notes)
        for index, each in enumerate(_items(row, "evidence", "evidence") or [])
    )
    annotations = _annotations(row.get("annotations"), text or "")
    meta = _meta(row, _ANSWER | {"annotations"} if annotations else _ANSWER, notes)
    if meta.get("id") == request_id:
        del meta["id"]
    if unknown := _meta(generator, {"name", "model"}, notes):
        meta["generator"] = unknown
    return Answer(
        request_id=request_id,
        query=_text(row, "query", "query"),
        asked_at=_asked_at(row, notes),
        generator=named,
        answer=text,
        claims=None if given is None else claims,
        evidence=evidence,
        annotations=annotations,
        meta=meta,
        notes=tuple(notes),
    )


def _request_id(row: Mapping[str, Any], notes: list[str]) -> str:
    """The request's id; a plain ``id`` will do, and without either one is made from the content, and noted."""
    given = _id(row, "request_id", "request_id")
    if given.strip():
        return given
    if isinstance(row.get("id"), str) and row["id"].strip():
        notes.append("The line has no request_id; its id was taken")
        return str(row["id"])
    notes.append("The line has no request_id; one was made from its content")
    return f"made-{digest(row)[:12]}"


def _annotations(value: Any, text: str) -> tuple[Annotation, ...]:
    """Citations by position, when each is exactly ``start``, ``end``, ``cite``; other logs mean other things by it."""
    found = []
    for one in value if isinstance(value, list) else []:
        shape = {key: type(each) for key, each in one.items()} if isinstance(one, dict) else {}
        if shape != {"start": int, "end": int, "cite": str} or not 0 <= one["start"] <= one["end"] <= len(text):
            return ()
        found.append(Annotation(**one))
    return tuple(found)


def _claim(value: Any, field: str) -> GivenClaim:
    row = _as_object(value, field)
    text = _text(row, "text", f"{field}.text")
    if text is None or not text.strip():
        raise RowError(f"{field}.text", "a claim without text")
    notes: list[str] = []
    quotes = _quotes(row, field)
    kept = [quote for quote in quotes if quote.strip()]
    if len(kept) < len(quotes):
        notes.append("A blank quote was dropped")
    meta = _meta(row, _CLAIM, notes)
    return GivenClaim(
        text=text,
        citation_ids=_ids(row, "citation_ids", f"{field}.citation_ids"),
        quotes=tuple(kept),
        claim_id=_id(row, "claim_id", f"{field}.claim_id").strip() or None,
        material=_flag(row, "material", f"{field}.material"),
        notes=tuple(notes),
        meta=meta,
    )


def _quotes(row: Mapping[str, Any], field: str) -> list[str]:
    value = row.get("quote")
    if value is None or isinstance(value, str):
        return [] if value is None else [value]
    if not isinstance(value, list):
        raise RowError(f"{field}.quote", f"{kind(value)} where text or a list of texts is due")
    for index, quote in enumerate(value):
        if not isinstance(quote, str):
            raise RowError(f"{field}.quote[{index}]", f"{kind(quote)} where text is due")
    return value


def _evidence(value: Any, field: str, notes: list[str]) -> Evidence:
    row = _as_object(value, field)
    text = _text(row, "text", f"{field}.text")
    states = {state: _flag(row, state, f"{field}.{state}") for state in _STATES}
    cite = _id(row, "id", f"{field}.id")
    if text is None and states["accessible"] is not False:
        notes.append(f"Evidence {cite!r} has no text")
    return Evidence(
        id=cite,
        text=text or "",
        locator=_id(row, "locator", f"{field}.locator") or None,
        source_version=_id(row, "source_version", f"{field}.source_version") or None,
        uri=_text(row, "uri", f"{field}.uri"),
        title=_text(row, "title", f"{field}.title"),
        groups=_ids(row, "groups", f"{field}.groups"),
        meta=_meta(row, _EVIDENCE, notes),
        **{state: value for state, value in states.items() if value is not None},
    )


def _asked_at(row: Mapping[str, Any], notes: list[str]) -> datetime | None:
    """The moment in UTC; one without a zone is taken for UTC, and noted."""
    value = _text(row, "asked_at", "asked_at")
    if value is None:
        return None
    try:
        moment = datetime.fromisoformat(value.strip().upper())
        if moment.tzinfo is None:
            notes.append("asked_at has no time zone and was read as UTC")
            moment = moment.replace(tzinfo=UTC)
        return moment.astimezone(UTC)
    except (ValueError, OverflowError) as error:
        raise RowError("asked_at", "no date and time like 2026-11-30T09:00:00Z") from error


def _meta(row: Mapping[str, Any], known: set[str], notes: list[str]) -> dict[str, Any]:
    """The fields that are not known; numbers that are not finite become null there, and that is noted."""
    unknown = {key: value for key, value in row.items() if key not in known}
    kept = {key: finite(value) for key, value in unknown.items()}
    notes.extend(
        f"{key} had a number that is not finite and was kept as null" for key in kept if kept[key] != unknown[key]
    )
    return kept


def _text(row: Mapping[str, Any], key: str, field: str) -> str | None:
    value = row.get(key)
    if value is not None and not isinstance(value, str):
        raise RowError(field, f"{kind(value)} where text is due")
    return value


def _id(row: Mapping[str, Any], key: str, field: str) -> str:
    """An id or a version: text, or a whole number as logs often have it; empty when absent."""
    value = row.get(key)
    if isinstance(value, int) and not isinstance(value, bool):
        return str(value)
    if value is not None and not isinstance(value, str):
        raise RowError(field, f"{kind(value)} where text is due")
    return value or ""


def _ids(row: Mapping[str, Any], key: str, field: str) -> tuple[str, ...]:
    items = _items(row, key, field) or []
    return tuple(_id({key: each}, key, f"{field}[{index}]") for index, each in enumerate(items))


def _flag(row: Mapping[str, Any], key: str, field: str) -> bool | None:
    value = row.get(key)
    if value is not None and not isinstance(value, bool):
        raise RowError(field, f"{kind(value)} where true or false is due")
    return value


def _items(row: Mapping[str, Any], key: str, field: str) -> list[Any] | None:
    value = row.get(key)
    if value is not None and not isinstance(value, list):
        raise RowError(field, f"{kind(value)} where a list is due")
    return value


def _object(row: Mapping[str, Any], key: str, field: str) -> Mapping[str, Any]:
    return {} if row.get(key) is None else _as_object(row[key], field)


def _as_object(value: Any, field: str) -> Mapping[str, Any]:
    if not isinstance(value, dict):
        raise RowError(field, f"{kind(value)} where an object is due")
    return value
