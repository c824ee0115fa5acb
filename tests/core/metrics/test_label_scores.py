"""Precision, recall and the scores of each label."""

from __future__ import annotations

import pytest

from core.metrics import false_pass, label_scores, precision, recall
from core.metrics.confusion import Outcome

SEEN = [
    *[Outcome("supported", "supported")] * 6,
    *[Outcome("supported", "partial")] * 2,
    *[Outcome("partial", "partial")] * 3,
    Outcome("partial", "contradicted"),
    Outcome("contradicted", "supported"),
    Outcome("contradicted", None),
]


def test_precision_of_alarms() -> None:
    """Six alarms, of which people share four; Wilson's interval of 4 of 6."""
    found = precision.estimate(SEEN)

    assert found.estimate == pytest.approx(4 / 6)
    assert found.n == 6
    assert found.low == pytest.approx(0.2999, abs=5e-4)
    none = precision.estimate([Outcome("supported", "supported")])
    assert (none.estimate, none.reason) == (None, "no_data")


def test_recall_is_what_does_not_pass() -> None:
    """Five failures judged, four caught, one not judged: 4/5, between 4/6 and 5/6."""
    found, passed = recall.estimate(SEEN), false_pass.estimate(SEEN)

    assert (found.estimate, found.n, found.unjudged) == (0.8, 5, 1)
    assert found.worst == pytest.approx(4 / 6)
    assert found.best == pytest.approx(5 / 6)
    assert passed.estimate == pytest.approx(1 - 0.8)


def test_each_label() -> None:
    """Partial: said five times, three rightly; people said it four times. F1 = 6 / 9."""
    found = {one.label: one for one in label_scores.table(SEEN)}

    assert list(found) == ["supported", "partial", "contradicted"]
    partial = found["partial"]
    assert (partial.gold, partial.said) == (4, 5)
    assert (partial.precision.estimate, partial.recall.estimate) == (0.6, 0.75)
    assert partial.f1 == pytest.approx(6 / 9)
    assert (found["contradicted"].recall.unjudged, found["contradicted"].recall.best) == (1, 0.5)


def test_each_label_against_a_reference() -> None:
    """scikit-learn says the same of the judged pairs."""
    metrics = pytest.importorskip("sklearn.metrics")
    judged = [one for one in SEEN if one.said is not None]
    names = ["supported", "partial", "contradicted"]
    gold, said = [one.gold for one in judged], [one.said for one in judged]
    reference = metrics.precision_recall_fscore_support(gold, said, labels=names, zero_division=0)
    found = label_scores.table(judged)

    assert [one.precision.estimate for one in found] == pytest.approx(reference[0].tolist())
    assert [one.recall.estimate for one in found] == pytest.approx(reference[1].tolist())
    assert [one.f1 for one in found] == pytest.approx(reference[2].tolist())


def test_a_label_that_people_never_use() -> None:
    """Said once, never gold: precision 0, no recall, F1 0 as nothing of it was right."""
    found = label_scores.table([Outcome("supported", "irrelevant"), Outcome("supported", "supported")])

    assert [(one.label, one.precision.estimate, one.recall.estimate, one.f1) for one in found] == [
        ("supported", 1.0, 0.5, pytest.approx(2 / 3)),
        ("irrelevant", 0.0, None, 0.0),
    ]


def test_coarse_gold_has_no_labels() -> None:
    """Nine-label figures use nine-label gold only."""
    with pytest.raises(ValueError, match="coarse"):
        label_scores.table([Outcome("not_supported", "partial")])
