"""Gold: what people agree on, and no more."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any

import pytest

from core.gold import Gold, is_stale
from core.models import Label, MergePolicy, digest
from core.polling import Provenance
from core.store.gold_records import ClaimFacts, Drawn, GoldFacts, QueueFacts, Ruling, Vote
from core.store.label_records import LabelKind, LabelRow
from core.store.queue_records import Design

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


def facts(rows: Sequence[LabelRow], *rulings: Ruling, **changes: Any) -> GoldFacts:
    """What the store says beside these decisions: no queue, unless there are changes."""
    votes = [
        Vote(row.claim_uid, row.cite, row.label, row.labeller, row.guideline, row.queue_id, is_stale(row))
        for row in rows
        if row.kind is not LabelKind.SKIP and not row.after_reveal
    ]
    values: dict[str, Any] = {
        "votes": votes,
        "rulings": list(rulings),
        "claims": {row.claim_uid: ClaimFacts(row.request_id, row.cites) for row in rows},
        "queues": [],
        "drawn": {},
        "imported": [],
        "eligible": {},
        "guidelines": (),
    }
    return GoldFacts(**(values | changes))


def gold(
    rows: Sequence[LabelRow], policy: MergePolicy = MergePolicy.ALL, *rulings: Ruling, stale: bool = False, **more: Any
) -> Gold:
    """The gold of some decisions under v1."""
    return Gold(lambda: rows, facts(rows, *rulings, **more), "v1", policy, stale)


def in_queue(overlap: int = 1, check: bool = False, **changes: Any) -> dict[str, Any]:
    """A queue of that overlap which holds claim a, drawn with probability 0.25."""
    values = {
        "queue_id": "q",
        "name": "Q",
        "design": Design.RANDOM,
        "guideline": "v1",
        "feeds_rates": True,
        "labellers": (),
    }
    queue = QueueFacts.model_validate({**values, "population": 40} | changes)
    return {"queues": [queue], "drawn": {("q", "a"): Drawn(0.25, "all", overlap, check)}}


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
        label("a", "C1", None, reason="Later", kind=LabelKind.SKIP),
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


def test_stale_gold_is_kept_and_marked() -> None:
    """Left out unless it is asked for; a label on the texts as they stand comes before it."""
    old = label("a", "C1", Label.SUPPORTED, seen_sha256="0" * 64)
    new = label("a", "C1", Label.PARTIAL, labeller="bob")

    assert list(gold([old]).spans()) == []
    assert [(one.label, one.stale, one.seen_sha256) for one in gold([old], stale=True).spans()] == [
        (Label.SUPPORTED, True, "0" * 64)
    ]
    assert [(one.label, one.stale, one.labellers) for one in gold([old, new], stale=True).spans()] == [
        (Label.PARTIAL, False, 1)
    ]


def test_a_ruling_is_gold_whatever_the_labels_say() -> None:
    """Of two who differ one adjudicates afterwards: that decision stands, and that person is no rater any more."""
    rows = [label("a", "C1", Label.SUPPORTED), label("a", "C1", Label.PARTIAL, labeller="bob")]
    made = gold(rows, MergePolicy.ALL, Ruling("a", "C1", Label.WRONG_SCOPE, "bob", "v1", False))

    assert [(one.label, one.provenance, one.labellers) for one in made.spans()] == [
        (Label.WRONG_SCOPE, Provenance.ADJUDICATED, 1)
    ]
    assert (made.counts.disagreements, made.counts.adjudicated) == (0, 1)


def test_a_queue_wants_its_labellers() -> None:
    """One of two is not yet gold; what was drawn goes with it."""
    first = label("a", "C1", Label.SUPPORTED, queue_id="q")
    second = label("a", "C1", Label.SUPPORTED, queue_id="q", labeller="bob")

    assert gold([first], **in_queue(2)).counts.waiting == 1
    assert [
        (one.labellers, one.queue_id, one.design, one.probability)
        for one in gold([first, second], **in_queue(2)).spans()
    ] == [(2, "q", "random", 0.25)]


def test_what_is_said_of_a_check_item_makes_no_gold() -> None:
    """It says how the labeller does."""
    made = gold([label("a", "C1", Label.SUPPORTED, queue_id="q")], **in_queue(check=True))

    assert list(made.spans()) == []


def test_not_a_claim_speaks_of_the_whole_claim_and_is_never_gold() -> None:
    """One span is enough; against another person's label it is a disagreement on every span."""
    nothing = label("a", "C1", None, kind=LabelKind.NOT_A_CLAIM)
    alone = gold([nothing])
    against = gold([nothing, *(label("a", cite, Label.SUPPORTED, labeller="bob") for cite in ("C1", "C2"))])

    assert (alone.counts.not_claims, alone.counts.skipped, list(alone.claims())) == (1, 0, [])
    assert (against.counts.disagreements, list(against.spans())) == (2, [])


def test_a_label_after_the_judge_was_seen_counts_as_none() -> None:
    """It stays among the decisions."""
    made = gold([label("a", "C1", Label.SUPPORTED, after_reveal=True)])

    assert (list(made.spans()), len(list(made.people()))) == ([], 1)


@pytest.mark.parametrize(("known", "old"), [((), False), (("v1",), False), (("v1", "v2"), True), (("v0", "v1"), False)])
def test_gold_under_an_older_guideline_is_flagged(known: tuple[str, ...], old: bool) -> None:
    """Once the desk has a newer one."""
    (one,) = gold([label("a", "C1", Label.SUPPORTED)], guidelines=known).spans()

    assert one.guideline_old is old
