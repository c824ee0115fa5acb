"""Failing claims by reason, in words, and the change between two protocols."""

from __future__ import annotations

import pytest

from core import failures
from core.glossary import QUALIFIERS
from core.models import Label
from core.store import Store
from core.store.records import ClaimFilter
from tests.core.store import build
from tests.core.store.conftest import empty as empty  # a fixture
from tests.core.store.conftest import store as store

WANTED = ClaimFilter(protocol=str(build.PROTOCOL))


def made(store: Store) -> Store:
    """Three supported, two partial, one contradicted, one inaccessible and one failed, each with another text."""
    S, P, C, I = Label.SUPPORTED, Label.PARTIAL, Label.CONTRADICTED, Label.INACCESSIBLE  # noqa: E741, N806
    store.record(build.batch(build.checked(build.answer(), [S, S, S, P, P, C, I, None])))
    return store


@pytest.mark.parametrize(("strictness", "failed", "codes"), [("strict", 3, 2), ("lenient", 1, 1)])
def test_every_failing_claim_has_one_reason(store: Store, strictness: str, failed: int, codes: int) -> None:
    """What is not judged is in no figure, and the reasons add up."""
    found = failures.overview(made(store), WANTED, strictness)

    assert (found.attempted, found.judged, found.failed) == (8, 6, failed)
    assert found.rate.estimate == pytest.approx(failed / 6)
    assert len(found.reasons) == codes
    assert sum(one.claims for one in found.reasons) == failed
    assert all(store.claim_page(one.wanted).total == one.claims for one in found.reasons)


def test_a_reason_in_the_filter_is_set_aside(store: Store) -> None:
    """The main view shows all reasons, whichever is open."""
    whole = failures.overview(made(store), WANTED, "strict")

    assert failures.overview(store, WANTED.model_copy(update={"reason": "partial"}), "strict") == whole


def test_the_sentence_says_both_bounds(store: Store) -> None:
    """For a reader who knows no statistics; nothing judged is said so."""
    found = failures.overview(made(store), WANTED, "strict")

    assert failures.sentence(found, "nli@1") == (
        "Between 5 and 95 of 100 such claims are unsupported: 3 of 6, says the judge nli@1"
    )
    nothing = failures.overview(store, WANTED.model_copy(update={"text": "zeppelin"}), "strict")
    assert nothing.reasons == ()
    assert "None of these claims was judged" in failures.sentence(nothing, "nli@1")


@pytest.mark.parametrize(
    ("code", "words"),
    [
        ("contradicted.number", "Contradicted · another number"),
        ("contradicted", "Contradicted · the passage says otherwise"),
        ("unresolvable.not_in_registry", "Unresolvable · unknown id"),
        ("wrong_scope.made_up", "Wrong scope · made up"),
        ("none.overloaded", "Not judged · the model was overloaded"),
        ("none.whatever", "Not judged"),
    ],
)
def test_a_code_in_words(code: str, words: str) -> None:
    """Also one that only a judge knows."""
    assert failures.reason_words(code) == words


@pytest.mark.parametrize("kind", QUALIFIERS)
def test_every_kind_of_qualifier_has_words(kind: str) -> None:
    """None is shown by its code."""
    assert "_" not in failures.reason_words(f"contradicted.{kind}")
    assert failures.reason_words(f"contradicted.{kind}") != "Contradicted"


def test_changes_find_their_claims(store: Store) -> None:
    """Each pair of labels opens exactly its claims under the later protocol; what changed leads."""
    later = build.protocol(0.9)
    one, two = (build.answer(f"r{number}") for number in (1, 2))
    store.record(build.batch(build.checked(one, [Label.SUPPORTED, Label.PARTIAL, None]), build.checked(two, [None])))
    store.record(build.batch(build.checked(one, [Label.PARTIAL, Label.PARTIAL, Label.SUPPORTED]), under=later))

    found = failures.changes(store, ClaimFilter(protocol=str(later)), str(build.PROTOCOL))

    assert [(one.before, one.after, one.claims, one.is_change) for one in found] == [
        (None, Label.SUPPORTED, 1, True),
        (Label.SUPPORTED, Label.PARTIAL, 1, True),
        (Label.PARTIAL, Label.PARTIAL, 1, False),
    ]
    assert all(store.claim_page(one.wanted).total == one.claims for one in found)
