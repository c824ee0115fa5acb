"""Macro-F1: which classes it is over, by hand, and what was not judged."""

from __future__ import annotations

import pytest

from core.metrics import macro_f1
from core.metrics.confusion import Outcome

THREE = [
    *[Outcome("supported", "supported")] * 3,
    Outcome("supported", "contradicted"),
    Outcome("contradicted", "contradicted"),
    Outcome("contradicted", "wrong_scope"),
    Outcome("irrelevant", "supported"),
    Outcome("irrelevant", "irrelevant"),
]
"""F1: supported 2·3/(4+4) = 0.75, contradicted 2·1/(2+2) = 0.5, irrelevant 2·1/(1+2) = 2/3."""


def test_by_hand() -> None:
    """The mean of the three; a label that the gold never uses has no F1 of its own."""
    found = macro_f1.estimate(THREE)

    assert macro_f1.classes(THREE) == ["supported", "contradicted", "irrelevant"]
    assert macro_f1.by_label(THREE) == {
        "supported": 0.75,
        "contradicted": 0.5,
        "irrelevant": pytest.approx(2 / 3),
    }
    assert found.estimate == pytest.approx((0.75 + 0.5 + 2 / 3) / 3)
    assert found.n == 8
    assert found.low is not None
    assert found.high is not None
    assert found.low <= (found.estimate or 0) <= found.high


def test_coarse_gold_makes_two_classes() -> None:
    """Partial and contradicted are then the same; supported 2/3, the rest 2·2/(3+2) = 0.8."""
    outcomes = [
        Outcome("supported", "secondary_only"),
        Outcome("supported", "partial"),
        Outcome("not_supported", "irrelevant"),
        Outcome("partial", "contradicted"),
    ]

    assert macro_f1.classes(outcomes) == ["supported", "not_supported"]
    assert macro_f1.estimate(outcomes).estimate == pytest.approx((2 / 3 + 0.8) / 2)


def test_what_was_not_judged_leaves_the_figure_and_bounds_it() -> None:
    """Judged all right; the unjudged contradicted pair costs at worst F1 of both: 2/3 and 2/3."""
    outcomes = [
        Outcome("supported", "supported"),
        Outcome("contradicted", "contradicted"),
        Outcome("contradicted", None),
    ]

    found = macro_f1.estimate(outcomes)

    assert (found.estimate, found.n, found.unjudged) == (1.0, 2, 1)
    assert found.worst == pytest.approx(2 / 3)
    assert found.best == 1.0


def test_nothing_judged_is_no_data() -> None:
    """No figure, and bounds from nothing to all."""
    found = macro_f1.estimate([Outcome("supported", None)])

    assert (found.estimate, found.worst, found.best) == (None, 0.0, 1.0)
    assert macro_f1.by_label([Outcome("supported", None)]) == {"supported": None}
    assert macro_f1.estimate([]).estimate is None
