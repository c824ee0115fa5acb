"""The table of outcomes, held to the one in the design, and records that cannot break it."""

from __future__ import annotations

from typing import Any

import pytest
from pydantic import ValidationError

from core.gate import Level
from core.models import Answer, Evidence
from core.outcomes import ABSTENTION, TABLE, Ending, Excerpt, Footnote, Outcome, ServedClaim, Spent
from core.spend import Call, Ledger, Usage

BY_HAND: dict[str, tuple[set[int], set[str], bool, bool]] = {
    "answered": ({200}, {"outcome", "gate", "generator", "answer", "claims", "citations"}, True, True),
    "repaired": ({200}, {"outcome", "gate", "generator", "answer", "claims", "citations"}, True, True),
    "abstained_by_model": ({200}, {"outcome", "gate", "generator", "answer", "claims", "citations"}, True, True),
    "abstained_no_evidence": ({200}, {"outcome", "gate", "generator", "answer", "claims", "citations"}, True, True),
    "degraded_extractive": ({200}, {"outcome", "gate", "excerpts"}, True, False),
    "blocked": ({422}, {"reason", "claim_index"}, False, False),
    "invalid_output": ({502}, {"reason"}, False, False),
    "interrupted": ({502}, {"reason"}, False, False),
    "provider_unavailable": ({503, 504}, {"reason"}, False, False),
    "retrieval_failed": ({500}, {"reason"}, False, False),
    "forbidden": ({403}, {"reason"}, False, False),
}
"""DESIGN §8: statuses, body, a row in the query log, a served answer."""

FULL: dict[str, Any] = {
    "answer": "Sec-ret words.",
    "claims": (ServedClaim(text="Sec-ret words.", citations=("E1",)),),
    "citations": (Footnote(label="E1", doc_id="a", chunk_id="a:b", quote="q", locator="l", source_version="v1"),),
    "excerpts": (Excerpt(label="E1", doc_id="a", chunk_id="a:b", quote="q", locator="l", source_version="v1"),),
    "reason": "missing_citation",
    "claim_index": 0,
}


def test_the_table_is_the_design() -> None:
    """Every outcome with its row; 422 belongs to the gate alone."""
    ours = {str(one): (set(rule.statuses), set(rule.body), rule.logged, rule.served) for one, rule in TABLE.items()}

    assert ours == BY_HAND
    assert [str(one) for one, rule in TABLE.items() if 422 in rule.statuses] == ["blocked"]


def outcome(ending: Ending, **values: Any) -> Outcome:
    """An outcome with its usual status."""
    status = values.pop("status", TABLE[ending].status)
    return Outcome(outcome=ending, status=status, request_id="q-1", gate=Level.QUOTES, **values)


@pytest.mark.parametrize("ending", Ending)
@pytest.mark.parametrize("name", FULL)
def test_an_outcome_holds_what_its_row_allows_and_nothing_else(ending: Ending, name: str) -> None:
    """A field that the row does not name cannot be set, so that nothing can leak through it."""
    if name in TABLE[ending].body:
        body = outcome(ending, **{name: FULL[name]}).body()
        assert name in (body if TABLE[ending].logged else body["detail"])
        return
    with pytest.raises(ValidationError):
        outcome(ending, **{name: FULL[name]})


@pytest.mark.parametrize("ending", [one for one in Ending if not TABLE[one].logged])
def test_what_was_not_served_is_not_in_the_outcome(ending: Ending) -> None:
    """Neither the request with its answer nor its claim table."""
    request = Answer(request_id="q-1", answer="Sec-ret words.", evidence=(Evidence(id="E1", text="t"),))
    with pytest.raises(ValidationError):
        outcome(ending, request=request)


def test_a_status_of_another_row_is_refused() -> None:
    """A time-out of the provider is 504, all else of it 503."""
    assert outcome(Ending.PROVIDER_UNAVAILABLE, status=504, reason="timed_out").status == 504
    with pytest.raises(ValidationError):
        outcome(Ending.BLOCKED, status=200)


def test_the_body_of_a_blocked_answer_has_two_fields() -> None:
    """As the design writes it."""
    found = outcome(Ending.BLOCKED, reason="hallucinated_citation", claim_index=2, draft_id="d", notes=("n",))

    assert found.body() == {"detail": {"reason": "hallucinated_citation", "claim_index": 2}}
    assert found.words == "Not served: the gate stopped the answer (hallucinated citation, claim 3)"


def test_an_abstention_has_one_sentence() -> None:
    """And no claims."""
    body = outcome(Ending.ABSTAINED_BY_MODEL, answer=ABSTENTION).body()

    assert body["answer"] == ABSTENTION
    assert body["claims"] == body["citations"] == []


def _calls(*usages: Usage | None) -> list[Call]:
    ledger = Ledger()
    for usage in usages:
        ledger.note("claude-sonnet-5-5", "answer", "ok", usage)
    return ledger.take()


def test_what_is_spent_is_summed_and_unknown_is_never_zero() -> None:
    """Nothing spent costs 0; one call of unknown cost makes the sum unknown."""
    known = _calls(Usage(input=1000, output=200, cache_write_5m=50), Usage(cache_read=400, output=1))

    assert Spent.of([]).cost == 0.0
    spent = Spent.of(known)
    assert (spent.calls, spent.input, spent.output, spent.cache_read, spent.cache_write) == (2, 1000, 201, 400, 50)
    assert spent.cost == pytest.approx(sum(one.cost or 0 for one in known))
    assert Spent.of(_calls(Usage(input=5), None)).cost is None
