"""Slices as the store counts them: every number is that of a list one can open."""

from __future__ import annotations

from datetime import date
from typing import Any

import pytest

from core.errors import InputError
from core.models import Label, Qualifier, QuoteState
from core.store import Store
from core.store.records import ClaimFilter
from core.store.slices import DIMENSIONS, Sliced, Totals
from tests.core.store import build

WANTED = ClaimFilter(protocol=str(build.PROTOCOL))


def totals_of(store: Store) -> Totals:
    """All claims that count."""
    return store.slices.counts(WANTED, "strict", [], 1)[0]


def sliced(store: Store, dimension: str) -> list[Sliced]:
    """One dimension."""
    return store.slices.counts(WANTED, "strict", [dimension], 9)[1][dimension]


def test_totals_are_those_of_the_rows(shared: Store) -> None:
    """Attempted, judged and failed are what the rows say one by one."""
    rows = list(shared.rows(WANTED))
    totals = totals_of(shared)
    judged = WANTED.model_copy(update={"judged_only": True})

    assert totals.attempted == sum(bool(row.material or row.cites) for row in rows)
    assert totals.judged == shared.claim_page(judged).total
    assert totals.failed == shared.claim_page(judged.model_copy(update={"unsupported": "strict"})).total
    assert 0 < totals.failed < totals.judged < totals.attempted


def test_reasons_add_up_to_what_fails(shared: Store) -> None:
    """Every failing claim has one reason, and the reason finds exactly its claims."""
    bad = WANTED.model_copy(update={"judged_only": True, "unsupported": "strict"})
    found = shared.slices.reasons(WANTED, "strict")
    totals = totals_of(shared)

    assert sum(one.failed for one in found) == totals.failed
    assert sum(one.judged for one in found) == totals.judged
    assert sum(one.attempted for one in found) == totals.attempted
    assert [one.failed for one in found] == sorted((one.failed for one in found), reverse=True)
    for one in found:
        assert shared.claim_page(bad.model_copy(update={"reason": one.code})).total == one.failed


def test_no_claims_are_no_numbers(store: Store) -> None:
    """An empty store counts nothing and fails nothing."""
    assert shared_zero(store) == (0, 0, 0)
    assert store.slices.reasons(WANTED, "strict") == []
    assert store.slices.counts(WANTED, "strict", DIMENSIONS, 10)[1] == {one: [] for one in DIMENSIONS}


def shared_zero(store: Store) -> tuple[int, int, int]:
    """The first three totals."""
    totals = totals_of(store)
    return totals.attempted, totals.judged, totals.failed


def test_an_unknown_dimension_is_refused(store: Store) -> None:
    """In one sentence that names those there are."""
    with pytest.raises(InputError, match="choose flag"):
        store.slices.counts(WANTED, "strict", ["colour"], 10)


@pytest.mark.parametrize(
    ("label", "changes", "code"),
    [
        (Label.CONTRADICTED, {"qualifiers": ("date", "number")}, "contradicted.number"),
        (Label.CONTRADICTED, {}, "contradicted"),
        (Label.PARTIAL, {"semantic": "supported", "quote": QuoteState.NEAR_MISS}, "partial.quote_near_miss"),
        (Label.IRRELEVANT, {"qualifiers": ("number",)}, "irrelevant"),
        (Label.UNRESOLVABLE, {}, "unresolvable.not_in_registry"),
        (Label.UNCITED, {}, "uncited.uncited"),
        (Label.WRONG_SCOPE, {"qualifiers": ("magic",)}, "wrong_scope.magic"),
    ],
)
def test_a_reason_is_what_settled_the_label(store: Store, label: Label, changes: dict[str, Any], code: str) -> None:
    """The weightiest difference leads, whatever order a judge gives them in."""
    kinds = changes.pop("qualifiers", ())
    assert isinstance(kinds, tuple)
    changes["qualifiers"] = tuple(Qualifier(kind=kind, claim="1", evidence="2", agrees=False) for kind in kinds)
    store.record(build.batch(build.checked(build.answer(), [label], **changes)))

    assert [(one.code, one.attempted) for one in store.slices.reasons(WANTED, "strict")] == [(code, 1)]
    assert store.claim_page(WANTED.model_copy(update={"differs": ("date", "magic")})).total == len(
        {"date", "magic"} & set(kinds)
    )


def test_the_date_of_a_source_is_that_of_its_version(store: Store) -> None:
    """A version that begins with a day is one; others are unknown, never a guess."""
    dated = [evidence.model_copy(update={"source_version": "2026-10-20"}) for evidence in build.answer().evidence]
    answers = [build.answer("r1", evidence=tuple(dated)), build.answer("r2")]
    store.record(build.batch(*(build.checked(one, [Label.PARTIAL]) for one in answers)))

    assert {(one.value, one.failed) for one in sliced(store, "age")} == {
        ("month", 1),
        ("unknown", 1),
    }
    assert (build.STARTED.date() - date(2026, 10, 20)).days == 13


def test_old_stores_get_the_new_columns(store: Store) -> None:
    """What was recorded before has the same reasons after the migration."""
    differs = Qualifier(kind="number", claim="1", evidence="2", agrees=False)
    agrees = Qualifier(kind="unit", claim="g", evidence="g", agrees=True)
    dated = tuple(one.model_copy(update={"source_version": "2024-01-31 v2"}) for one in build.answer().evidence)
    labels = [Label.CONTRADICTED, Label.SUPPORTED]
    checked = build.checked(build.answer(evidence=dated), labels, qualifiers=(agrees, differs))
    store.record(build.batch(checked))
    path = store.path
    store.close()

    with Store(build.older(path, 11)) as old:
        assert [one.code for one in old.slices.reasons(WANTED, "strict")] == ["contradicted.number", "supported"]
        assert [one.value for one in sliced(old, "cites")] == ["1"]
        assert [one.value for one in sliced(old, "age")] == ["three_years"]


def test_changes_are_counted_on_the_same_claims(shared: Store) -> None:
    """Only claims that both protocols judged, each in one pair of labels."""
    later = str(build.protocol(0.9))
    found = shared.slices.changes(WANTED, later)

    assert sum(one.claims for one in found) == shared.claim_page(ClaimFilter(protocol=later)).total
    assert all(one.before == one.after for one in found)
