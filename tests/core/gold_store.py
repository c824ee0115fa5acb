"""A store of claims with gold and verdicts, made by hand: what people say, what a judge says, and how sure it is."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

from core.models import ACTION_OF, Action, CheckedAnswer, Label, Status
from core.protocol import ClaimProtocol
from core.store import Store, open_store
from core.store.gold_records import ImportedLabel
from tests.core.rows import span_row
from tests.core.store import build

S, P, C, I = Label.SUPPORTED, Label.PARTIAL, Label.CONTRADICTED, Label.IRRELEVANT  # noqa: E741  # as in a table
BAD = "not_supported"
GOLD_ID = f"file:{'f' * 16}:elsewhere"


class Case(NamedTuple):
    """One claim."""

    gold: str | None
    """A label, or ``not_supported``; none without gold."""
    said: Label | None
    score: float | None = None
    request: str | None = None
    """None: a request of its own."""


def made(path: Path, cases: Sequence[Case], under: ClaimProtocol = build.PROTOCOL, **gold: Any) -> Store:
    """A store of these claims, with gold from a file: a census unless ``gold`` says otherwise."""
    store = open_store(path)
    judge(store, cases, under)
    labels(store, cases, **gold)
    return store


def judge(store: Store, cases: Sequence[Case], under: ClaimProtocol = build.PROTOCOL) -> None:
    """Record what a judge says of the claims."""
    store.record(build.batch(*_answers(cases), under=under))


def labels(store: Store, cases: Sequence[Case], labeller: str = "expert", **changes: Any) -> None:
    """Store what a person says of the claims."""
    named = uids(cases)
    seen = store.gold.seen_now(named)
    store.gold.add(
        [_label(uid, case, labeller, seen[uid], changes) for uid, case in zip(named, cases, strict=True) if case.gold],
        "keeper",
    )


def uids(cases: Sequence[Case]) -> list[str]:
    """The uids of the claims, in the order of the cases."""
    return [build.uid(build.answer(name), build.claim(number)) for name, number in _places(cases)]


def _places(cases: Sequence[Case]) -> list[tuple[str, int]]:
    seen: dict[str, int] = {}
    places = []
    for at, case in enumerate(cases):
        name = case.request or f"q{at}"
        seen[name] = seen.get(name, 0) + 1
        places.append((name, seen[name]))
    return places


def _answers(cases: Sequence[Case]) -> list[CheckedAnswer]:
    by: dict[str, list[tuple[int, Case]]] = {}
    for (name, number), case in zip(_places(cases), cases, strict=True):
        by.setdefault(name, []).append((number, case))
    return [_answer(name, each) for name, each in by.items()]


def _answer(name: str, cases: Sequence[tuple[int, Case]]) -> CheckedAnswer:
    of = build.answer(name)
    claims = tuple(build.claim(number) for number, _ in cases)
    rows = tuple(
        build.row(of, about, case.said, spans=(_span(case),)) for about, (_, case) in zip(claims, cases, strict=True)
    )
    stages = tuple(
        one for about, (_, case) in zip(claims, cases, strict=True) for one in build.stages(about, case.said)
    )
    return CheckedAnswer(answer=of, claims=claims, rows=rows, stages=stages)


def _span(case: Case) -> Any:
    return span_row(
        label=case.said,
        action=ACTION_OF[case.said] if case.said else Action.NONE,
        status=Status.JUDGED if case.said else Status.FAILED,
        scores={} if case.score is None else {"coverage": case.score},
        reason="found so" if case.said else "timed_out: it took too long",
    )


def _label(uid: str, case: Case, labeller: str, seen: str, changes: dict[str, Any]) -> ImportedLabel:
    values = {
        "event_id": f"{uid}{labeller}",
        "claim_uid": uid,
        "label": str(case.gold),
        "labeller": labeller,
        "guideline": "elsewhere",
        "origin": "gold.jsonl",
        "origin_sha256": "f" * 64,
        "probability": 1.0,
        "design": "census",
        "seen_sha256": seen,
    }
    return ImportedLabel.model_validate(values | changes)
