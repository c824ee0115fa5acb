"""Spend in the store: one row a call, for ever, and its sums."""

from __future__ import annotations

from datetime import date

from core.spend import totals
from core.store import Store
from tests.core.test_spend import call


def test_sums_are_those_of_the_calls(store: Store) -> None:
    """Day by day and model by model, the same figures as without a store."""
    calls = [
        call(call_id="1"),
        call(call_id="2", outcome="cut_off", usage=None, cost=None, priced_on=None),
        call(call_id="3", model="another", cost=None, batch=True),
    ]
    store.add_spend(calls, "run")

    assert store.costs() == totals(calls)
    assert store.costs()[1].day == date(2026, 11, 30)


def test_a_call_is_kept_once(store: Store) -> None:
    """A batch that was collected twice is paid once."""
    store.add_spend([call()], "run")
    before = store.revision()
    store.add_spend([call(), call(call_id="2")])

    assert store.costs()[0].calls == 2
    assert store.revision() > before


def test_an_empty_store_has_spent_nothing(store: Store) -> None:
    """No row, not a row of zeros."""
    assert store.costs() == []
