"""Langfuse: traces with their observations, or observations one by one, from the API or a blob-storage export.

Names are those of ``langfuse`` 5 (``ObservationV2``: ``traceId``, ``parentObservationId``, ``startTime``), of the older
API's ``TraceWithFullDetails``, and of exports, which write them with underscores.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from core.importers import _spans
from core.importers._json import RowError, kind
from core.importers._passages import passages_in
from core.importers._records import paths
from core.importers._rows import BadLine
from core.importers._spans import Span, moment
from core.importers._told import answer_in, query_in
from core.models import Answer

_KINDS = {
    "RETRIEVER": _spans.RETRIEVER,
    "GENERATION": _spans.GENERATION,
    "SPAN": _spans.STEP,
    "CHAIN": _spans.STEP,
    "AGENT": _spans.STEP,
    "TRACE": _spans.STEP,
}
_SIDE = ("userId", "user_id", "sessionId", "session_id", "release", "version", "environment", "tags", "metadata")


def sniff(path: Path, head: bytes) -> bool:
    """Whether objects are traces that hold observations, or observations that name their trace and parent."""
    found = {each.removeprefix("data.") for each in paths(head)}
    observation = bool(found & {"traceId", "trace_id"}) and bool(
        found & {"parentObservationId", "parent_observation_id", "isRootObservation"}
        or ({f"type={name}" for name in ("GENERATION", "SPAN", "RETRIEVER", "CHAIN", "AGENT", "EVENT")} & found)
    )
    trace = "observations" in found and bool(found & {"output", "input"})
    return observation or trace


def read(path: Path) -> Iterator[Answer | BadLine]:
    """One answer for each trace.

    Raises:
        ImportFormatError: The file as a whole cannot be read.
    """
    return _spans.read(path, _expanded)


def count(path: Path) -> int:
    """How many rows ``read`` gives, refused ones included.

    Raises:
        ImportFormatError: The file as a whole cannot be read.
    """
    return _spans.count(path, _expanded)


def _expanded(record: Mapping[str, Any]) -> list[Span]:
    rows = record["data"] if isinstance(record.get("data"), list) else [record]
    return [span for row in rows for span in _of_row(row)]


def _of_row(row: object) -> list[Span]:
    if not isinstance(row, Mapping):
        raise RowError("data", f"{kind(row)} where a trace or an observation is due")
    if _named(row, "traceId", "trace_id"):
        return [_span(row)]
    trace = _named(row, "id")
    if not trace:
        raise RowError("id", "neither a trace nor an observation: it has no id")
    held = row.get("observations")
    observations = held if isinstance(held, list) else []
    below = [_span({**each, "traceId": trace}) for each in observations if isinstance(each, Mapping)]
    root = _span({**row, "traceId": trace, "type": "TRACE"})
    unread = [each for each in observations if not isinstance(each, Mapping)]
    if unread:  # a list of traces gives the ids of their observations only
        root = root._replace(meta={**root.meta, "observations": unread})
    return [root, *(span._replace(is_root=False) for span in below)]


def _span(row: Mapping[str, Any]) -> Span:
    said = _KINDS.get(str(row.get("type") or "SPAN").upper(), _spans.OTHER)
    parent = _named(row, "parentObservationId", "parent_observation_id")
    logical = row.get("isRootObservation", row.get("is_root_observation"))
    return Span(
        trace=_named(row, "traceId", "trace_id"),
        is_root=logical is True or not parent,
        kind=said,
        query=query_in(row.get("input")),
        answer=None if said == _spans.RETRIEVER else answer_in(row.get("output")),
        passages=passages_in(row.get("output")) if said == _spans.RETRIEVER else (),
        model=_named(row, "model", "providedModelName", "provided_model_name") or None,
        name=_named(row, "name") or None,
        start=moment(row.get("startTime", row.get("start_time", row.get("timestamp")))),
        end=moment(row.get("endTime", row.get("end_time"))),
        meta={key: row[key] for key in _SIDE if row.get(key)} if not parent else {},
    )


def _named(row: Mapping[str, Any], *keys: str) -> str:
    return next((row[key] for key in keys if isinstance(row.get(key), str) and row[key].strip()), "")
