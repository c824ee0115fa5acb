"""What calls cost: prices, limits, sums, all by hand."""

from __future__ import annotations

from datetime import UTC, date, datetime

import pytest

from core.spend import Call, CostLine, Ledger, Limits, Usage, prices, sentence, totals


def call(**changes: object) -> Call:
    """A call of a day in November."""
    values: dict[str, object] = {
        "call_id": "1",
        "at": datetime(2026, 11, 30, 9, tzinfo=UTC),
        "model": "claude-sonnet-5-5",
        "purpose": "judge",
        "outcome": "ok",
        "usage": Usage(input=1000, output=200, cache_read=30, cache_write_5m=4, cache_write_1h=5),
        "cost": 0.004,
        "priced_on": date(2026, 10, 24),
        "request_id": "req_1",
    }
    return Call.model_validate(values | changes)


@pytest.mark.parametrize(
    ("model", "usage", "batch", "dollars"),
    [
        ("claude-opus-5-5", Usage(input=1_000_000), False, 4.0),
        ("claude-opus-5-5", Usage(output=1_000_000), True, 10.0),
        ("claude-haiku-4-5-20251001", Usage(cache_read=10_000, cache_write_5m=10_000), False, 0.0135),
        ("claude-haiku-5-5", Usage(input=100_000, output=1_000), False, 0.0105),
        ("claude-haiku-5-5", Usage(input=60_000, cache_read=40_001, output=1_000), False, 0.03450005),
        ("claude-nobody", Usage(input=1), False, None),
    ],
)
def test_prices(model: str, usage: Usage, batch: bool, dollars: float | None) -> None:
    """Each kind of token has its price, a long prompt another one, a batch half of it, an unknown model none."""
    assert prices().cost(model, usage, batch) == (None if dollars is None else pytest.approx(dollars))


def test_the_table_has_a_date() -> None:
    """Whoever reads a cost can see how old its prices are."""
    assert prices().as_of >= date(2026, 10, 24)
    assert all(price.output > price.input > price.cache_read > 0 for price in prices().models.values())


def test_a_ledger_hands_over_each_call_once() -> None:
    """And counts on."""
    ledger = Ledger(Limits(calls=3, cost=0.01))
    assert ledger.begin() is None
    ledger.add(call())
    assert ledger.take() == [call()]
    assert ledger.take() == []
    calls, dollars = ledger.left()
    assert calls == 2
    assert dollars == pytest.approx(0.006)


def test_a_limit_of_nothing_lets_nothing_through() -> None:
    """Zero calls, dollars or seconds mean that nobody is asked."""
    for limits, word in ((Limits(calls=0), "calls"), (Limits(cost=0), "dollars"), (Limits(seconds=0), "seconds")):
        assert word in (Ledger(limits).begin() or "")
    assert Ledger().begin() is None


def test_totals_by_day_and_model() -> None:
    """Unknown costs are counted, never summed as 0."""
    calls = [
        call(),
        call(outcome="cut_off", cost=None, usage=None),
        call(model="a-model", cost=None, batch=True),
        call(at=datetime(2026, 11, 29, 23, 59, tzinfo=UTC)),
    ]
    first, unknown, second = totals(calls)

    assert (first.day, first.calls) == (date(2026, 11, 29), 1)
    assert unknown.model == "a-model"
    assert second == CostLine(
        day=date(2026, 11, 30),
        model="claude-sonnet-5-5",
        calls=2,
        failed=1,
        batch_calls=0,
        input=1000,
        output=200,
        cache_read=30,
        cache_write=9,
        cost=0.004,
        unknown=1,
    )
    assert sentence([second]) == (
        "2 calls of claude-sonnet-5-5: 1,039 tokens read, 200 written, $0.0040 and an unknown amount for 1 of them"
    )
    assert sentence([unknown]).endswith("cost unknown")
    assert sentence([]) == ""
