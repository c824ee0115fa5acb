"""Gold: what people agree on, and no more."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any

import pytest

from core.gold import Gold
from core.models import Label, MergePolicy, digest
from core.store.records import LabelRow

AT = datetime(2026, 11, 30, 9, tzinfo=UTC)


def label(uid: str, cite: str | None, label: Label | None, **changes: Any) -> LabelRow:
    """A current decision of ann on a claim that cites C1 and C2, with changes."""
    claim, evidence = f"Claim {uid}.", f"Text {cite}."
    values: dict[str, Any] = {
        "event_id": f"{uid}-{cite}-{changes.get('labeller', 'ann')}-{changes.get('guideline', 'v1')}",
        "claim_uid": uid,
        "request_id": "r1",
        "claim_id": uid,
        "claim": claim,
        "query": None,
        "material": True,
        "cites": ("C1", "C2"),
        "cite": cite,
        "evidence": evidence,
        "label": label,
        "labeller": "ann",
        "note": "",
        "reason": "",
        "guideline": "v1",
        "seen_sha256": digest([claim, evidence]),
        "recorded_at": AT,
    }
    return LabelRow(**(values | changes))


def gold(rows: Sequence[LabelRow], policy: MergePolicy = MergePolicy.ALL) -> Gold:
    """The gold of some decisions under v1."""
    return Gold(lambda: rows, "v1", policy)


def test_a_claim_is_gold_when_every_span_is() -> None:
    """Of two claims one has a label on both spans; the other has none, and is counted as incomplete."""
    made = gold([label("a", "C1", Label.SUPPORTED), label("b", "C1", Label.SUPPORTED), label("a", "C2", Label.PARTIAL)])

    assert [(one.claim_uid, one.cite, one.label) for one in made.spans()] == [
        ("a", "C1", Label.SUPPORTED),
        ("b", "C1", Label.SUPPORTED),
        ("a", "C2", Label.PARTIAL),
    ]
    assert [(one.claim_uid, one.labels, one.label) for one in made.claims()] == [
        ("a", (Label.SUPPORTED, Label.PARTIAL), Label.PARTIAL)
    ]
    assert (made.counts.spans, made.counts.claims, made.counts.incomplete) == (3, 1, 1)


@pytest.mark.parametrize(
    ("labels", "policy", "merged"),
    [
        ((Label.SUPPORTED, Label.CONTRADICTED), MergePolicy.ALL, Label.CONTRADICTED),
        ((Label.SUPPORTED, Label.CONTRADICTED), MergePolicy.ANY, Label.SUPPORTED),
        ((Label.SUPPORTED, Label.SECONDARY_ONLY), MergePolicy.ALL, Label.SECONDARY_ONLY),
        ((Label.INACCESSIBLE, Label.SUPPORTED), MergePolicy.ALL, Label.INACCESSIBLE),
        ((Label.IRRELEVANT, Label.UNRESOLVABLE), MergePolicy.ANY, Label.IRRELEVANT),
        ((Label.UNCITED, Label.SUPPORTED), MergePolicy.ALL, None),
    ],
)
def test_the_labels_of_spans_merge_by_the_rule(
    labels: tuple[Label, Label], policy: MergePolicy, merged: Label | None
) -> None:
    """The same rule as for verdicts; what it has no word for makes no gold."""
    made = gold([label("a", cite, each) for cite, each in zip(("C1", "C2"), labels, strict=True)], policy)

    assert [one.label for one in made.claims()] == ([merged] if merged else [])


def test_a_claim_without_citations_is_labelled_alone() -> None:
    """Its one label is the claim's."""
    made = gold([label("a", None, Label.UNCITED, cites=(), evidence=None, seen_sha256=digest(["Claim a.", None]))])

    assert [(one.labels, one.label, one.cites) for one in made.claims()] == [((Label.UNCITED,), Label.UNCITED, ())]


def test_people_who_disagree_make_no_gold() -> None:
    """Two agree on one span, two disagree on another."""
    made = gold(
        [
            label("a", "C1", Label.SUPPORTED),
            label("a", "C1", Label.SUPPORTED, labeller="bob"),
            label("a", "C2", Label.SUPPORTED),
            label("a", "C2", Label.PARTIAL, labeller="bob"),
        ]
    )

    assert [(one.cite, one.labellers) for one in made.spans()] == [("C1", 2)]
    assert list(made.claims()) == []
    assert (made.counts.disagreements, made.counts.incomplete) == (1, 1)


def test_skips_stale_labels_and_other_guidelines_make_no_gold() -> None:
    """They are counted, and are among the rows a person."""
    rows = [
        label("a", "C1", None, reason="Later"),
        label("a", "C2", Label.SUPPORTED, seen_sha256="0" * 64),
        label("b", "C1", Label.SUPPORTED, guideline="v0"),
    ]
    made = gold(rows)

    assert list(made.spans()) == []
    assert list(made.claims()) == []
    assert [(one.event_id, one.stale) for one in made.people()] == [
        (rows[0].event_id, False),
        (rows[1].event_id, True),
        (rows[2].event_id, False),
    ]
    counts = made.counts
    assert (counts.decisions, counts.skipped, counts.stale, counts.other_guideline) == (3, 1, 1, 1)


def test_the_present_guideline_does_not_wait_for_an_older_one() -> None:
    """A label under v0 neither contradicts one under v1 nor is written for it."""
    made = gold([label("a", "C1", Label.PARTIAL, guideline="v0"), label("a", "C1", Label.SUPPORTED)])

    assert [(one.label, one.guideline) for one in made.spans()] == [(Label.SUPPORTED, "v1")]
