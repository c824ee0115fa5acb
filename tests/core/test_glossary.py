"""The words for people: each failure, each comparer and each offered judge has some."""

from __future__ import annotations

import pytest

from core import glossary, plugins, qualifiers, verifiers
from core.failure import Failure
from core.models import Action, Label, Qualifier, QuoteState, Status
from tests.core.rows import span_row


def test_every_word_has_words() -> None:
    """A kind that is added without words fails here, not in front of a reader."""
    assert set(glossary.FAILURES) == set(Failure)
    assert set(glossary.QUALIFIERS) == set(plugins.names(qualifiers))
    assert set(glossary.JUDGES) == set(plugins.names(verifiers))
    assert set(glossary.ACTIONS) == set(Action)
    assert set(glossary.QUOTATIONS) == set(QuoteState)


def test_a_failure_is_said_and_never_scored() -> None:
    """The stored word becomes a clause with what to do; the sentence beside it stays."""
    stored = "overloaded: The provider answered 529 five times"

    assert glossary.not_judged(stored) == "not judged: the model was overloaded, ask again"
    assert glossary.reason(stored) == (
        "Not judged: the model was overloaded, ask again. The provider answered 529 five times"
    )
    assert glossary.not_judged("empty: The claim is empty") == "not judged: there is no text to compare"


@pytest.mark.parametrize("reason", ["", "The cited text says: no", "overloaded", "Overloaded: x", "other: x"])
def test_another_reason_stays_as_it_is(reason: str) -> None:
    """Only a word of the closed list before a colon is a failure."""
    assert glossary.failure_in(reason) is None
    assert glossary.reason(reason) == reason


def test_only_what_was_not_judged_has_a_failure() -> None:
    """A judge's own reason may begin with such a word by chance."""
    reason = "empty: the shelf is"
    failed = span_row(label=None, status=Status.FAILED, reason=reason)

    assert glossary.failure_of(failed) is Failure.EMPTY
    assert glossary.failure_of(span_row(label=Label.SUPPORTED, reason=reason)) is None


@pytest.mark.parametrize(
    ("kind", "evidence", "agrees", "words"),
    [
        ("period", "in 2019", False, "period: the claim says “in 2020”, the cited text “in 2019”"),
        ("number", None, None, "number: the claim says “in 2020”, the cited text does not"),
        ("secondary", "experts say", False, "second-hand: the cited text takes this from “experts say”"),
        ("made_up", "x", False, "made up: the claim says “in 2020”, the cited text “x”"),
    ],
)
def test_a_comparison_in_a_sentence(kind: str, evidence: str | None, agrees: bool | None, words: str) -> None:
    """Both sides are quoted; a second-hand statement names whom it is from."""
    assert glossary.compared(Qualifier(kind=kind, claim="in 2020", evidence=evidence, agrees=agrees)) == words


def test_a_judge_is_known_by_the_name_before_the_colon() -> None:
    """Of one that is not described here nothing is made up."""
    assert glossary.judge("hub:org/model") == glossary.JUDGES["hub"]
    assert "does not describe" in glossary.judge("oracle")


def test_thresholds_in_words() -> None:
    """Each with the label it leads to."""
    assert glossary.thresholds({"supported": 0.29, "contradicted": 0.5}) == "supported from 0.29, contradicted from 0.5"
    assert glossary.thresholds({}) == ""
