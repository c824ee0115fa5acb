"""How labelling goes: counted by hand on a few people's labels."""

from __future__ import annotations

import json
from datetime import UTC, date, datetime
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from core import label_quality
from core.metrics import Undefined
from core.models import Label
from core.store.gold_records import ClaimFacts, GoldFacts, Ruling, Vote
from core.store.label_quality import CheckItem, LabelFact, QualityFacts
from core.store.label_records import LabelKind

AT = datetime(2026, 11, 30, 23, 30, tzinfo=UTC)
S, P, C = Label.SUPPORTED, Label.PARTIAL, Label.CONTRADICTED


def votes(who: str, *labels: Label | None, queue_id: str | None = "q", stale: bool = False) -> list[Vote]:
    """One person's votes on claims 0, 1, 2 …; none for a claim left out."""
    return [Vote(str(at), "C1", label, who, "v1", queue_id, stale) for at, label in enumerate(labels) if label]


def gold_facts(*given: list[Vote], rulings: tuple[Ruling, ...] = ()) -> GoldFacts:
    """Those votes, on claims of one citation, each in a request of its own."""
    claims = {str(at): ClaimFacts(f"r{at}", ("C1",)) for at in range(20)}
    return GoldFacts([one for each in given for one in each], list(rulings), claims, [], {}, [], {}, ())


def event(who: str = "ann", label: Label | None = S, **changes: Any) -> LabelFact:
    """A label on claim 0 that took three seconds."""
    values: dict[str, Any] = {
        "claim_uid": "0",
        "cite": "C1",
        "request_uid": "r0",
        "kind": LabelKind.LABEL,
        "label": label,
        "labeller": who,
        "guideline": "v1",
        "queue_id": "q",
        "reason": "",
        "note": "",
        "active_ms": 3000,
        "after_reveal": False,
        "recorded_at": AT,
    }
    return LabelFact(**(values | changes))


def facts(*events: LabelFact, checks: tuple[CheckItem, ...] = ()) -> QualityFacts:
    """Those events."""
    return QualityFacts(list(events), list(checks))


def test_agreement_by_hand() -> None:
    """Three of four items agree: raw 0.75; chance is ½ · ¼ + ½ · ¾ = ½, so κ = (0.75 − 0.5) / (1 − 0.5)."""
    (found,) = label_quality.agreement(gold_facts(votes("ann", S, S, P, P), votes("bob", S, P, P, P)))
    (pair,) = found.pairs

    assert (found.raw.estimate, found.raw.n, found.raw.pairs) == (0.75, 4, 4)
    assert pair.kappa.estimate == pytest.approx((0.75 - 0.5) / (1 - 0.5))
    assert (pair.one, pair.other, found.labellers) == ("ann", "bob", ("ann", "bob"))
    assert found.raw.low is not None
    # α: 8 labels, 3 S and 5 P, one item in disagreement: 1 − 7 · 2 / (64 − 34)
    assert found.alpha.estimate == pytest.approx(1 - 7 * 2 / 30)


def test_full_agreement_on_one_label_says_why_alpha_has_no_value() -> None:
    """Raw agreement is 1; chance cannot be told from it."""
    (found,) = label_quality.agreement(gold_facts(votes("ann", S, S), votes("bob", S, S)))

    assert (found.raw.estimate, found.alpha.estimate, found.alpha.reason) == (1.0, None, Undefined.NO_VARIATION)


def test_nothing_to_compare_gives_no_row() -> None:
    """One labeller, or two who never met; and labels of other texts count for nothing."""
    alone = gold_facts(votes("ann", S, S))
    apart = gold_facts(votes("ann", S), votes("bob", None, S))
    stale = gold_facts(votes("ann", S), votes("bob", S, stale=True))

    assert [label_quality.agreement(each) for each in (alone, apart, stale)] == [[], [], []]


def test_adjudicators_are_no_raters() -> None:
    """What they labelled themselves is left out on the span that they decided."""
    ruling = Ruling("0", "C1", C, "bob", "v1", stale=False)

    assert label_quality.agreement(gold_facts(votes("ann", S), votes("bob", P), rulings=(ruling,))) == []


def test_queues_are_apart() -> None:
    """One chosen queue shows only its own; labels outside of any have a row of their own."""
    given = gold_facts(votes("ann", S), votes("bob", S), votes("ann", S, queue_id=None), votes("bob", P, queue_id=None))

    assert [(one.queue_id, one.raw.estimate) for one in label_quality.agreement(given)] == [("q", 1.0), (None, 0.0)]
    assert [one.queue_id for one in label_quality.agreement(given, "q")] == ["q"]


def test_what_one_person_did() -> None:
    """Two labels of 1 s and 5 s, one without a time, a skip and a flag."""
    (found,) = label_quality.labellers(
        facts(
            event(active_ms=1000),
            event(active_ms=5000, label=None, kind=LabelKind.NOT_A_CLAIM),
            event(active_ms=None, after_reveal=True),
            event(kind=LabelKind.SKIP, label=None),
            event(kind=LabelKind.FLAG, label=None),
        )
    )

    assert (found.labels, found.not_claims, found.skips, found.flags, found.after_reveal) == (3, 1, 1, 1, 1)
    assert (found.timed, found.fast, found.median_seconds) == (2, 1, 3.0)
    assert found.active_hours == pytest.approx(6 / 3600)
    assert found.per_hour == pytest.approx(1200)


@pytest.mark.parametrize(
    ("labels", "only"), [([S] * 10, "supported"), ([S] * 9, None), ([S] * 9 + [P], None), ([], None)]
)
def test_one_label_only(labels: list[Label], only: str | None) -> None:
    """Ten labels or more, and all the same."""
    found = label_quality.labellers(facts(event("bob", P), *(event("ann", label) for label in labels)))

    assert [one.only_label for one in found if one.labeller == "ann"] == ([only] if labels else [])


def test_check_items() -> None:
    """The last word on each counts; what else the person labelled does not."""
    known = (CheckItem("q", "0", json.dumps({"C1": "partial"})), CheckItem("q", "1", json.dumps({"": "uncited"})))
    (found,) = label_quality.checks(
        facts(
            event(label=S),
            event(label=P),
            event(claim_uid="1", cite=None, label=C),
            event(claim_uid="2"),
            event(queue_id=None, label=C),
            event(label=C, after_reveal=True),
            checks=known,
        )
    )

    assert (found.right, found.wrong, found.missed) == (1, 1, (("1", Label.UNCITED, C),))


def test_days_begin_at_midnight_in_the_zone() -> None:
    """Half past eleven in the evening UTC is the next day in Berlin."""
    given = facts(event(), event(label=P), event("bob"))
    found = label_quality.shares(given, ZoneInfo("Europe/Berlin"))

    assert [(one.day, one.labeller, one.label, one.count, one.of) for one in found] == [
        (date(2026, 12, 1), "ann", "partial", 1, 2),
        (date(2026, 12, 1), "ann", "supported", 1, 2),
        (date(2026, 12, 1), "bob", "supported", 1, 1),
    ]
    assert label_quality.shares(given, ZoneInfo("UTC"))[0].day == date(2026, 11, 30)


def test_reasons_are_counted() -> None:
    """Skips by their reason, flags by their note."""
    found = label_quality.told(
        facts(
            event(kind=LabelKind.SKIP, label=None, reason="Later"),
            event(kind=LabelKind.SKIP, label=None, reason="Later"),
            event(kind=LabelKind.FLAG, label=None, note="two dates"),
        )
    )

    assert [(one.kind, one.words, one.count) for one in found] == [("skip", "Later", 2), ("flag", "two dates", 1)]
