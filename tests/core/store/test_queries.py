"""The query log and the quarantine: what is kept for ever, what for a time, and what questions cost."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from core.models import Answer, GivenClaim, utc_now
from core.spend import Ledger, Usage
from core.store import Store, open_store
from core.store.queries import BlockedDraft, QueryRow
from tests.core.store.build import answer, batch, checked

ASKED = datetime(2026, 11, 2, 9, 0, tzinfo=UTC)


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    """An empty store."""
    with open_store(tmp_path / "s.duckdb") as opened:
        yield opened


def row(request_id: str, **changes: object) -> QueryRow:
    """A row for an answer that was served."""
    values = {
        "request_id": request_id,
        "request_uid": "u1",
        "asked_at": ASKED,
        "principal": "ann",
        "corpus": "main",
        "query": "What is the toll?",
        "outcome": "answered",
        "served": True,
        "gate": "quotes",
        "generator": "extractive@1",
        "model": None,
        "protocol": "lexical@1+9c1d04aa",
        "registry_sha256": "0" * 64,
        "claims": 1,
        "attempts": 1,
        "first_event_s": 0.0,
        "first_content_s": None,
        "validation_s": 0.25,
        "total_s": 1.5,
        "calls": 1,
        "input_tokens": 10,
        "output_tokens": 2,
        "cache_read_tokens": 3,
        "cache_write_tokens": 4,
        "cost": 0.5,
    }
    return QueryRow.model_validate(values | changes)


def draft(draft_id: str, hours: float, *groups: str) -> BlockedDraft:
    """A draft that is kept for some hours."""
    return BlockedDraft(
        draft_id=draft_id,
        request_id="q-1",
        asked_at=ASKED,
        keep_until=utc_now() + timedelta(hours=hours),
        principal="ann",
        corpus="main",
        query="What is the toll?",
        outcome="blocked",
        reason="missing_citation",
        claim_index=0,
        gate="quotes",
        protocol="",
        groups=groups,
        attempts=2,
        answer=Answer(request_id="q-1", answer="It \ud83d is 9.", claims=(GivenClaim(text="It is 9."),)),
        rows=checked(answer("q-1"), [None]).rows,
    )


def test_a_row_comes_back_as_it_was(store: Store) -> None:
    """Newest first; a request has one row, the first."""
    later = row("q-2", asked_at=ASKED + timedelta(hours=1), cost=None, first_content_s=0.5, model="m")
    store.queries.add(row("q-1"))
    store.queries.add(later)
    store.queries.add(row("q-1", query="Something else?"))

    assert store.queries.rows() == [later, row("q-1")]
    assert store.queries.rows(limit=1) == [later]
    assert store.queries.get("q-1") == row("q-1")
    assert store.queries.get("q-9") is None


def test_a_stored_answer_is_found_by_its_uid(store: Store) -> None:
    """With its registry."""
    kept = answer("r1")
    store.record(batch(checked(kept, [None])))

    assert store.queries.answer(kept.uid) == kept
    assert store.queries.answer("0" * 16) is None


def test_a_draft_is_seen_until_its_time_is_over(store: Store) -> None:
    """By those who are in all of its groups; the next write deletes what nobody may see any more."""
    for one in (draft("a", 1), draft("b", 1, "board"), draft("c", -1)):
        store.queries.keep_draft(one)

    assert [one.draft_id for one in store.queries.drafts()] == ["a", "b"]
    assert [one.draft_id for one in store.queries.drafts([])] == ["a"]
    assert [one.draft_id for one in store.queries.drafts(["board"])] == ["a", "b"]
    kept = store.queries.draft("a")
    assert kept is not None
    assert kept.answer == draft("a", 1).answer
    assert kept.rows == draft("a", 1).rows
    assert store.queries.draft("b", ["other"]) is None
    assert store.queries.draft("c") is None
    assert store.queries.purge() == 1
    assert store.queries.purge() == 0


def test_what_questions_cost(store: Store) -> None:
    """Served ones apart from those without a row and those that got excerpts; unknown is counted and never 0."""
    ledger = Ledger()
    for run_id, usage in (
        ("q-1", Usage(input=1)),
        ("q-lost", Usage(input=1_000_000)),
        ("q-lost", None),
        ("run7", None),
    ):
        ledger.note("claude-sonnet-5-5", "answer", "ok", usage)
        store.add_spend(ledger.take(), run_id)
    ledger.note("claude-sonnet-5-5", "answer", "ok", Usage(output=1_000_000))
    store.add_spend(ledger.take(), "q-excerpts")
    store.queries.add(row("q-1"))
    store.queries.add(row("q-2", outcome="repaired", cost=0.25))
    store.queries.add(row("q-3", cost=None))
    store.queries.add(row("q-excerpts", outcome="degraded_extractive", served=False, cost=10.0))

    found = store.queries.costs()
    assert (found.served, found.repaired, found.served_cost, found.served_unknown) == (3, 1, 0.75, 1)
    assert found.lost_cost == pytest.approx(2 + 10)
    assert (found.lost_calls, found.lost_unknown) == (3, 1)
    assert found.per_served == 0.375
    assert (found.failed, found.failed_median_s) == (0, None)


def test_nothing_asked_costs_nothing(store: Store) -> None:
    """And has no price per answer."""
    found = store.queries.costs()

    assert (found.served, found.lost_calls, found.per_served) == (0, 0, None)
