"""Answers, claims and batches made by hand, for tests of the store."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from itertools import count
from pathlib import Path
from typing import Any

import duckdb

from core.models import (
    ACTION_OF,
    Action,
    Answer,
    CheckedAnswer,
    Claim,
    ClaimRow,
    Evidence,
    Label,
    Resolve,
    Stage,
    StageVerdict,
    Status,
    Structural,
)
from core.protocol import ClaimProtocol, VerifierProtocol
from core.store import claim_uid
from core.store.label_records import LabelEvent, LabelKind
from core.store.migration import known, migrate
from core.store.records import Batch, RunHeader
from tests.core.rows import claim_row, span_row

STARTED = datetime(2026, 11, 2, 9, 0, tzinfo=UTC)
SPLITTER = "sentences@1"

_runs = count(1)


def protocol(threshold: float = 0.7) -> ClaimProtocol:
    """A claim protocol of the lexical verifier."""
    verifier = VerifierProtocol(verifier="lexical", version=1, thresholds={"supported": threshold}, windowing="whole")
    return ClaimProtocol(verifier=verifier, splitter=SPLITTER, materiality="rules@1")


PROTOCOL = protocol()


def answer(request_id: str = "r1", **changes: Any) -> Answer:
    """An answer with one piece of evidence, C1."""
    values: dict[str, Any] = {
        "request_id": request_id,
        "query": f"What of {request_id}?",
        "asked_at": STARTED,
        "answer": "The gate is open. [C1]",
        "evidence": (Evidence(id="C1", text="The gate is open.", title="Gate rules", locator="gate.txt:p1"),),
    }
    return Answer(**(values | changes))


def claim(number: int = 1, **changes: Any) -> Claim:
    """A claim that cites C1."""
    values: dict[str, Any] = {
        "claim_id": f"c{number}",
        "text": f"The gate is open, says line {number}.",
        "cites": ("C1",),
    }
    return Claim(**(values | changes))


def row(of: Answer, about: Claim, label: Label | None, **changes: Any) -> ClaimRow:
    """The claim-table row of a claim with this label, each of its spans with the same one."""
    status = Status.JUDGED if label else Status.FAILED
    action = ACTION_OF[label] if label else Action.NONE
    spans = tuple(
        span_row(cite=cite, label=label, action=action, status=status, reason=f"found {label or 'nothing'}")
        for cite in about.cites
    )
    values: dict[str, Any] = {
        "request_id": of.request_id,
        "claim_id": about.claim_id,
        "claim": about.text,
        "material": about.material,
        "flags": about.flags,
        "cites": about.cites,
        "structural": Structural.UNCITED if label is Label.UNCITED else Structural.OK,
        "resolve": Resolve.NOT_IN_REGISTRY if label is Label.UNRESOLVABLE else Resolve.OK,
        "semantic": str(label) if label else "failed",
        "label": label,
        "action": action,
        "spans": spans,
        "protocol": str(PROTOCOL),
    }
    return claim_row(**(values | changes))


def stages(about: Claim, label: Label | None) -> tuple[StageVerdict, ...]:
    """Two stage verdicts per span."""
    return tuple(
        StageVerdict(
            claim_id=about.claim_id, cite=cite, stage=stage, status=Status.JUDGED, outcome=outcome, reason="so"
        )
        for cite in about.cites or (None,)
        for stage, outcome in ((Stage.STRUCTURAL, "ok"), (Stage.SUPPORT, str(label or "none")))
    )


def checked(of: Answer, labels: Sequence[Label | None], claims: Sequence[Claim] = (), **changes: Any) -> CheckedAnswer:
    """An answer whose claims (c1, c2, … unless given) got these labels."""
    about = tuple(claims) or tuple(claim(number) for number in range(1, len(labels) + 1))
    pairs = list(zip(about, labels, strict=True))
    return CheckedAnswer(
        answer=of,
        claims=about,
        rows=tuple(row(of, one, label, **changes) for one, label in pairs),
        stages=tuple(verdict for one, label in pairs for verdict in stages(one, label)),
    )


def batch(*answers: CheckedAnswer, run_id: str | None = None, under: ClaimProtocol = PROTOCOL) -> Batch:
    """A batch of a run of its own, or of the run named; rows are put under the protocol."""
    number = next(_runs)
    header = RunHeader(
        run_id=run_id or f"run{number}",
        protocol=under,
        started_at=STARTED,
        source="answers.jsonl",
        package_version="0.1.0",
    )
    moved = [
        one.model_copy(update={"rows": tuple(r.model_copy(update={"protocol": str(under)}) for r in one.rows)})
        for one in answers
    ]
    return Batch(run=header, answers=tuple(moved))


def uid(of: Answer, about: Claim) -> str:
    """The uid of a claim."""
    return claim_uid(of.uid, SPLITTER, about)


def event(event_id: str, claim_name: str, cite: str | None = "C1", **changes: Any) -> LabelEvent:
    """A label "supported" by ann."""
    values: dict[str, Any] = {
        "event_id": event_id,
        "kind": LabelKind.LABEL,
        "claim_uid": claim_name,
        "cite": cite,
        "labeller": "ann",
        "label": Label.SUPPORTED,
        "guideline": "v1",
        "seen_sha256": "0" * 64,
    }
    return LabelEvent(**(values | changes))


def undo(event_id: str, of: LabelEvent) -> LabelEvent:
    """The undo of an event."""
    return of.model_copy(
        update={"event_id": event_id, "kind": LabelKind.UNDO, "label": None, "reason": "", "undoes": of.event_id}
    )


def older(path: Path, version: int) -> Path:
    """A copy of a closed store as the Citedesk of that schema version would have written it."""
    copy = path.with_name(f"version-{version}-{path.name}")
    with duckdb.connect(str(copy), config={"storage_compatibility_version": "v1.0.0"}) as root:
        migrate(root, copy, [step for step in known() if step.number <= version])
        root.execute(f"attach '{path}' as new (read_only)")
        tables = root.execute(
            "select table_name from duckdb_tables() where database_name = current_catalog()"
        ).fetchall()
        for (table,) in tables:
            if table != "migrations":
                columns = root.execute(f"select * from {table} limit 0").description
                names = ", ".join(column[0] for column in columns)
                root.execute(f"insert into {table} ({names}) select {names} from new.{table}")
    return copy
