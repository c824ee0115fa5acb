"""Verdicts on claims and by stage: rows that are added when something changed and never overwritten."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import date
from typing import Any

from core.glossary import QUALIFIERS
from core.metrics.unsupported_rate import counts
from core.models import Answer, CheckedAnswer, ClaimRow, Label, SpanRow, Stage, StageVerdict, Status
from core.store.connection import Session
from core.store.encoding import dump_json

_NOTHING_WRONG = frozenset({"ok", "verbatim", "not_given", "none", "not_checked"})


@dataclass(frozen=True)
class VerdictRow:
    """One claim's row with its stages, ready to be compared and stored."""

    claim_no: int
    row: ClaimRow
    stages: tuple[StageVerdict, ...]
    row_json: str
    sha256: str
    """64 hex over the row and its stages."""
    why: str
    source: str
    source_date: date | None
    """Of the deciding source, where its registry entry says one."""


def rows_of(checked: CheckedAnswer, claim_nos: Sequence[int]) -> list[VerdictRow]:
    """Prepare the rows of one checked answer, in claim order."""
    by_claim: dict[str, list[StageVerdict]] = {row.claim_id: [] for row in checked.rows}
    for verdict in checked.stages:
        by_claim.setdefault(verdict.claim_id, []).append(verdict)
    return [
        _prepare(number, row, by_claim[row.claim_id], checked.answer)
        for number, row in zip(claim_nos, checked.rows, strict=True)
    ]


def add(session: Session, rows: Sequence[VerdictRow], protocol_no: int, run_no: int) -> int:
    """Store the rows that differ from the current ones of their protocol; gives how many did."""
    current: dict[int, tuple[int, str]] = {
        claim_no: (verdict_no, sha256)
        for claim_no, verdict_no, sha256 in session.all(
            "select claim_no, verdict_no, row_sha256 from latest_verdicts "
            "where protocol_no = ? and claim_no in (select unnest(?::integer[]))",
            [protocol_no, [row.claim_no for row in rows]],
        )
    }
    first = session.next_number("claim_verdicts", "verdict_no")
    verdicts: list[dict[str, Any]] = []
    stages: list[dict[str, Any]] = []
    for row in rows:
        replaced, known = current.get(row.claim_no, (None, None))
        if known == row.sha256:
            continue
        number = first + len(verdicts)
        current[row.claim_no] = (number, row.sha256)
        keys = {"verdict_no": number, "replaces": replaced, "protocol_no": protocol_no, "run_no": run_no}
        verdicts.append(keys | {"claim_no": row.claim_no} | columns_of(row))
        stages += [_stage_columns(number, index, verdict) for index, verdict in enumerate(row.stages)]
    session.append("claim_verdicts", verdicts)
    session.append("stage_verdicts", stages)
    return len(verdicts)


def deciding_span(row: ClaimRow) -> SpanRow | None:
    """The span that a claim's label comes from: the first with that label, else the first that could not be judged."""
    wanted = [span for span in row.spans if span.label == row.label and (row.label or span.status is not Status.JUDGED)]
    return next(iter(wanted or row.spans), None)


def _prepare(number: int, row: ClaimRow, stages: Sequence[StageVerdict], answer: Answer) -> VerdictRow:
    row_json = dump_json(row.model_dump())
    said = dump_json([verdict.model_dump() for verdict in stages])
    sha256 = hashlib.sha256(f"{row_json}\n{said}".encode("utf-8", "surrogatepass")).hexdigest()
    span = deciding_span(row)
    why, source = _why(row, span, stages), _source(row, span, answer)
    return VerdictRow(number, row, tuple(stages), row_json, sha256, why, source, _source_date(span, answer))


def _why(row: ClaimRow, span: SpanRow | None, stages: Sequence[StageVerdict]) -> str:
    """The reason of the stage that decided; the span's own when it gives one."""
    if span is not None and span.reason:
        return span.reason
    cite = None if span is None else span.cite
    said = [verdict for verdict in stages if verdict.cite == cite and verdict.reason]
    failed = [v for v in said if v.outcome not in _NOTHING_WRONG and v.stage is not Stage.SUPPORT]
    support = [v for v in said if v.stage is Stage.SUPPORT]
    return next((verdict.reason for verdict in [*failed, *support, *said]), "")


def _source(row: ClaimRow, span: SpanRow | None, answer: Answer) -> str:
    if span is None:
        return ""
    entries = [entry for entry in answer.evidence if entry.id == span.cite]
    if row.label is Label.UNRESOLVABLE or not entries:
        return span.cite
    return entries[0].title or entries[0].locator or span.cite


def _source_date(span: SpanRow | None, answer: Answer) -> date | None:
    """A version that begins with an ISO date says of which day a source is."""
    entry = next((entry for entry in answer.evidence if span is not None and entry.id == span.cite), None)
    with suppress(ValueError):
        return date.fromisoformat((entry.source_version or "")[:10]) if entry else None
    return None


def _differing(row: ClaimRow) -> list[str]:
    """Kinds of qualifiers that differ, the weightiest first."""
    found = {one.kind for one in row.qualifiers if one.agrees is False}
    return [kind for kind in QUALIFIERS if kind in found] + sorted(found - set(QUALIFIERS))


def columns_of(verdict: VerdictRow) -> dict[str, Any]:
    """What a verdict is counted and shown by, without its numbers."""
    row = verdict.row
    attempted = row.material or bool(row.cites)
    return {
        "row_sha256": verdict.sha256,
        "label": row.label and str(row.label),
        "structural": str(row.structural),
        "resolve": str(row.resolve),
        "quote": str(row.quote),
        "semantic": row.semantic,
        "material": row.material,
        "attempted": attempted,
        "unsupported_strict": attempted and counts(row.label, row.quote, "strict"),
        "unsupported_lenient": attempted and counts(row.label, row.quote, "lenient"),
        "flags": list(dict.fromkeys(row.flags)),
        "why": verdict.why,
        "source": verdict.source,
        "differing": _differing(row),
        "cite_count": len(row.cites),
        "source_date": verdict.source_date,
        "row_json": verdict.row_json,
    }


def _stage_columns(number: int, index: int, verdict: StageVerdict) -> dict[str, Any]:
    return {
        "verdict_no": number,
        "position": index,
        "cite": verdict.cite,
        "stage": str(verdict.stage),
        "status": str(verdict.status),
        "outcome": verdict.outcome,
        "reason": verdict.reason,
    }
