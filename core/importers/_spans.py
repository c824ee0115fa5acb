"""Traces: spans that a tool logged one by one → one answer for each request they belong to.

The file is read twice: once to learn how many spans each trace has, and once to give out every trace as soon as it is
complete, so that only unfinished ones are in memory however the spans of many requests are mixed.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, NamedTuple

from core.importers._json import RowError, finite
from core.importers._passages import shaped
from core.importers._records import records
from core.importers._rows import BadLine
from core.importers.citedesk import answer_of
from core.models import Answer, digest

RETRIEVER = "retriever"
RERANKER = "reranker"
GENERATION = "generation"
STEP = "step"
OTHER = "other"
"""A span whose output is nobody's answer: an embedding, a tool, a guardrail."""


class Span(NamedTuple):
    """What one step of a request asked, gave and found."""

    trace: str
    """The request's id; empty when the log names none."""
    is_root: bool
    kind: str
    query: str | None = None
    answer: str | None = None
    passages: Sequence[object] = ()
    model: str | None = None
    name: str | None = None
    start: str | None = None
    """ISO 8601; empty when the log does not say."""
    end: str | None = None
    meta: Mapping[str, Any] = {}


Expand = Callable[[Mapping[str, Any]], Sequence[Span]]
"""One object of the file → its spans; raises ``RowError``."""


def read(path: Path, expand: Expand) -> Iterator[Answer | BadLine]:
    """One answer for each trace, in the order in which they become complete.

    A trace without an output is refused under the number of its last object.

    Raises:
        ImportFormatError: At once when the file is no text, later when it holds no rows.
    """
    return _answers(path, expand, records(path))


def count(path: Path, expand: Expand) -> int:
    """How many rows ``read`` gives, refused ones included.

    Raises:
        ImportFormatError: The file as a whole cannot be read.
    """
    sizes, refused = _sizes(path, expand)
    return len(sizes) + refused


def _sizes(path: Path, expand: Expand) -> tuple[Counter[str], int]:
    """Spans by trace, and how many objects are refused."""
    sizes: Counter[str] = Counter()
    refused = 0
    for number, record in records(path):
        spans = _spans(path, number, record, expand)
        if isinstance(spans, BadLine):
            refused += 1
        else:
            sizes.update(span.trace for span in spans)
    return sizes, refused


def _answers(
    path: Path, expand: Expand, rows: Iterator[tuple[int, dict[str, Any] | BadLine]]
) -> Iterator[Answer | BadLine]:
    left, _ = _sizes(path, expand)
    last = 0
    unfinished: dict[str, list[Span]] = {}
    for number, record in rows:
        spans = _spans(path, number, record, expand)
        if isinstance(spans, BadLine):
            last = max(last + 1, number)
            yield spans.model_copy(update={"line": last})
            continue
        for span in spans:
            unfinished.setdefault(span.trace, []).append(span)
            left[span.trace] -= 1
            if left[span.trace]:
                continue
            last = max(last + 1, number)
            try:
                yield _answer(unfinished.pop(span.trace))
            except RowError as refused:
                yield BadLine(file=str(path), line=last, field=refused.field, reason=refused.reason)


def _spans(path: Path, number: int, record: dict[str, Any] | BadLine, expand: Expand) -> Sequence[Span] | BadLine:
    if isinstance(record, BadLine):
        return record
    try:
        return expand(record) or _nothing()
    except RowError as refused:
        return BadLine(file=str(path), line=number, field=refused.field, reason=refused.reason)


def _nothing() -> Sequence[Span]:
    raise RowError(None, "holds no span")


def _answer(spans: Sequence[Span]) -> Answer:
    """The answer of the root, or else of the last generation; the passages of every retrieval, each once."""
    notes: list[str] = []
    steps = [span for span in spans if span.kind in (STEP, GENERATION)]
    generations = [span for span in steps if span.kind == GENERATION]
    roots = [span for span in spans if span.is_root]
    last_first = sorted(generations, key=lambda span: span.end or "", reverse=True)
    if not any(span.end for span in generations):
        last_first = generations[::-1]
    by_roots = [span for span in roots if span in steps and span.kind == STEP]
    said = _first(span.answer for span in (*by_roots, *last_first, *steps[::-1]))
    if said is None:
        raise RowError("output", "no answer in the outputs of this trace")
    asked = _first(span.query for span in (*by_roots, *last_first, *roots, *spans))
    row = {
        "request_id": spans[0].trace or f"made-{digest([span._asdict() for span in spans])[:12]}",
        "query": asked,
        "answer": said,
        "asked_at": min((span.start for span in spans if span.start), default=None),
        "generator": {
            "name": _first(span.name for span in roots if span in steps),
            "model": _first(span.model for span in last_first),
        },
        "evidence": shaped(_passages(spans), None, notes),
    }
    if not spans[0].trace:
        notes.append("The spans name no trace; all of the file's that do not were taken for one request")
    meta = {key: finite(value) for span in reversed(roots) for key, value in span.meta.items()}
    found = answer_of(row)
    return found.model_copy(update={"meta": meta, "notes": (*notes, *found.notes)})


def _passages(spans: Sequence[Span]) -> list[object]:
    """What was retrieved, in order; what a reranker hands on is the same again and counts only where it is new."""
    found: dict[str, object] = {}
    for kind in (RETRIEVER, RERANKER):
        for passage in (passage for span in spans if span.kind == kind for passage in span.passages):
            found.setdefault(_identity(passage), passage)
    return list(found.values())


def _identity(passage: object) -> str:
    """The same text under the same id is the same passage, whatever score it was given."""
    (row,) = shaped([passage], None, [])
    return digest([row["id"], row["text"]])


def _first(values: Iterator[str | None]) -> str | None:
    return next((value for value in values if value), None)


def moment(value: object) -> str | None:
    """A time as ISO 8601: such text in UTC where it has a zone, or whole nanoseconds since 1970 as OTLP writes them."""
    try:
        if isinstance(value, int) or (isinstance(value, str) and value.isdigit() and len(value) < 25):
            return datetime.fromtimestamp(int(value) / 1e9, UTC).isoformat()
        found = datetime.fromisoformat(value) if isinstance(value, str) else None
        return None if found is None else (found if found.tzinfo is None else found.astimezone(UTC)).isoformat()
    except (ValueError, OverflowError, OSError):
        return None
