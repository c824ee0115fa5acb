"""What the judge saw: scores with what they need, comparisons, the carried part; nothing that is not in a row."""

from __future__ import annotations

from typing import Any

import pytest

from core.models import Label, MergePolicy, Qualifier, QuoteState, Status
from core.protocol import ClaimProtocol, VerifierProtocol
from dashboard.widgets import judgement
from tests.core.rows import claim_row, span_row

NLI = ClaimProtocol(
    verifier=VerifierProtocol(
        verifier="nli", version=1, thresholds={"supported": 0.44, "contradicted": 0.5, "partial": 0.44}, windowing="w"
    ),
    splitter="s@1",
    materiality="m@1",
)
DAYS = Qualifier(kind="number", claim="90 days", evidence="60 days", agrees=False)
NAME = Qualifier(kind="name", claim="Nightjar", evidence="Nightjar", agrees=True)
OPEN = Qualifier(kind="negation", claim="not stop", evidence=None, agrees=None)


def scored(entailment: float, contradiction: float, label: Label, reason: str = "", **changes: Any) -> Any:
    """A row of the bundled judge with one span."""
    values = {
        "entailment": entailment,
        "contradiction": contradiction,
        "neutral": round(1 - entailment - contradiction, 4),
    }
    span = span_row(label=label, scores=values, reason=reason)
    more = {"label": label, "semantic": str(label), "spans": (span,), "verifier": "nli", "protocol": str(NLI)}
    return claim_row(**(more | changes))


def test_scores_are_named_with_what_they_need() -> None:
    """Entailment and contradiction have a threshold, neutral has none."""
    (span,) = scored(0.12, 0.85, Label.CONTRADICTED).spans

    assert [(one["name"], one["words"], one["needs"]) for one in judgement.scores(span, NLI)] == [
        ("passage says it (entailment)", "0.12", "Supported from 0.44"),
        ("passage says otherwise (contradiction)", "0.85", "Contradicted from 0.5"),
        ("passage leaves it open (neutral)", "0.03", ""),
    ]
    assert [one["least"] for one in judgement.scores(span, None)] == [None, None, None]


def test_a_comparison_that_the_reason_names_decided() -> None:
    """It is listed first, and said to outweigh the scores."""
    reason = "The claim says “90 days”, the cited text “60 days”"
    seen = judgement.seen(scored(0.6, 0.1, Label.CONTRADICTED, reason, qualifiers=(OPEN, NAME, DAYS)), NLI)

    assert seen["because"] == (
        "Decided by a comparison (number): another value stands there; that outweighs the scores."
    )
    assert [(one["name"], one["agrees"], one["words"]) for one in seen["compared"]] == [
        ("number", "differ", "another value stands there"),
        ("name", "agree", "agrees"),
        ("negation", "open", "nothing to compare"),
    ]
    assert seen["judge"].startswith(f"{NLI}: a small language model on this machine")
    assert "supported from 0.44" in seen["judge"]


@pytest.mark.parametrize(
    ("entailment", "contradiction", "label", "words"),
    [
        (0.8, 0.1, Label.SUPPORTED, "Decided by the score: it reaches what Supported needs."),
        (0.1, 0.85, Label.CONTRADICTED, "Decided by the score: it reaches what Contradicted needs."),
        (0.2, 0.3, Label.IRRELEVANT, "The score for the whole claim stays below what Supported needs."),
        (0.6, 0.3, Label.IRRELEVANT, ""),
    ],
)
def test_why_in_terms_of_scores(entailment: float, contradiction: float, label: Label, words: str) -> None:
    """Nothing is said where the row does not show it."""
    assert judgement.seen(scored(entailment, contradiction, label), NLI)["because"] == words
    assert judgement.seen(scored(entailment, contradiction, label), None)["because"] == ""


def test_a_quotation_that_held_a_label_back_is_named() -> None:
    """The judge alone said more."""
    row = scored(0.8, 0.1, Label.PARTIAL, semantic="supported", quote=QuoteState.NEAR_MISS)

    assert judgement.seen(row, NLI)["because"] == (
        "Held back because a quotation is not word for word; the judge alone says Supported."
    )


def test_the_carried_part_is_marked_in_the_claim() -> None:
    """Both texts together are the claim; what is marked is what the reason quotes."""
    claim = "The gate was opened in 1998, after the bridge had been repaired."
    reason = "The cited text carries only a part of the claim: “The gate was opened in 1998.”"
    part = judgement.seen(scored(0.2, 0.1, Label.PARTIAL, reason, claim=claim), NLI)["part"]

    assert "".join(text for text, _ in part) == claim
    assert "".join(text for text, kinds in part if kinds) == "The gate was opened in 1998"
    assert judgement.seen(scored(0.2, 0.1, Label.PARTIAL, "“Another thing.”", claim=claim), NLI)["part"] is None


def test_differences_speak_only_where_they_may_have_decided() -> None:
    """Of a text that is about something else, another number is no reason."""
    assert judgement.differing(scored(0.1, 0.1, Label.IRRELEVANT, qualifiers=(DAYS,))) == []
    assert judgement.differing(scored(0.1, 0.6, Label.CONTRADICTED, qualifiers=(DAYS, NAME))) == [DAYS]


def test_comparisons_belong_to_the_span_that_decided() -> None:
    """Marks go into no other passage, unless all were judged as one text."""
    fine, wrong = span_row(cite="C1"), span_row(cite="C2", label=Label.CONTRADICTED)
    row = claim_row(label=Label.CONTRADICTED, cites=("C1", "C2"), spans=(fine, wrong))
    joint = NLI.model_copy(update={"merge": MergePolicy.JOINT})

    assert [judgement.compared_in(row, span, NLI) for span in row.spans] == [False, True]
    assert [judgement.compared_in(row, span, joint) for span in row.spans] == [True, True]
    assert judgement.seen(row, NLI)["where"] == "C2"


def test_a_failure_has_neither_scores_nor_a_reason_in_them() -> None:
    """What was not judged is no low score."""
    span = span_row(label=None, status=Status.FAILED, scores={}, reason="timed_out: No end in 90 s")
    row = claim_row(label=None, semantic="failed", spans=(span,))

    assert judgement.scores(span, NLI) == []
    assert judgement.seen(row, NLI)["because"] == ""
