"""How many more labels."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.metrics import Estimate, Undefined, human_only, labelled, labels_needed, stratified_beta, undefined, wilson
from core.metrics.labelled import Population


def test_without_a_rate_the_worst_case() -> None:
    """Wilson at one half has half-width z / (2 √(n + z²)): ± 10 points need z² / 0.04 - z² = 92.2 labels."""
    found = labels_needed.estimate(undefined(Undefined.NO_DATA, 0, "corrected rate"), 0.1)

    assert (found.more, found.total, found.worth) == (93, 93, 1.0)
    assert "worst case" in found.warnings[0]


def test_from_a_plain_rate() -> None:
    """As many labels as make Wilson's interval at the same share narrow enough, and not one fewer."""
    found = labels_needed.estimate(wilson.interval(20, 200), 0.02)

    assert found.worth == pytest.approx(1.0)
    assert found.more == found.total - 200
    for total, enough in ((found.total, True), (found.total - 1, False)):
        low, high = wilson.bounds(0.1, total)
        assert ((high - low) / 2 <= 0.02) is enough


def test_a_judge_saves_labels() -> None:
    """The same labels with a good judge are worth more, so fewer are needed."""
    labels = labelled.of([1] * 30 + [0] * 170, [1] * 27 + [0] * 3 + [0] * 168 + [1] * 2, [0.05] * 200)
    alone = labels_needed.estimate(human_only.estimate(labels), 0.02)
    helped = labels_needed.estimate(stratified_beta.estimate(labels, Population(580, 3420)), 0.02)

    assert helped.worth > 2 > alone.worth
    assert helped.more < alone.more


def test_enough_is_enough() -> None:
    """An interval that is narrow enough needs nothing more."""
    assert labels_needed.estimate(wilson.interval(20, 2000), 0.02).more == 0


def test_no_plan_asks_for_more_than_there_is() -> None:
    """Where the sample would be everything, the plan says so."""
    found = labels_needed.estimate(wilson.interval(20, 200), 0.005, population=1000)

    assert (found.more, found.total) == (800, 1000)
    assert found.warnings == ("not to be had by a sample: label all 1,000 claims",)


@pytest.mark.parametrize("within", [0.0, 0.5, -1, 3])
def test_a_margin_is_a_share(within: float) -> None:
    """3 is not ± 3 points."""
    with pytest.raises(ValueError, match="margin"):
        labels_needed.estimate(wilson.interval(1, 2), within)


@given(st.integers(1, 500).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n))), st.floats(0.005, 0.2))
def test_a_narrower_margin_needs_more(counts: tuple[int, int], within: float) -> None:
    """Never fewer labels for less width; totals never shrink."""
    rate = wilson.interval(*counts)
    wide, narrow = labels_needed.estimate(rate, within), labels_needed.estimate(rate, within / 2)

    assert 0 <= wide.more <= narrow.more
    assert wide.total == wide.more + rate.n


_MARGINS = (0.01, 0.02, 0.03, 0.05)


@pytest.mark.parametrize(
    ("low", "high", "labels", "population", "said"),
    [
        (
            0.23,
            0.35,
            764,
            764,
            ["All 764 claims have a label, so only more answers can tell the rate to within ±1, ±2, ±3 or ±5 points."],
        ),
        (
            0.26,
            0.32,
            764,
            764,
            [
                "There are labels enough to know the rate to within ±3 or ±5 points.",
                "All 764 claims have a label, so only more answers can tell the rate to within ±1 or ±2 points.",
            ],
        ),
        (
            0.2,
            0.4,
            80,
            400,
            [
                "To know the rate to within ±5 points takes 250 more labels.",
                "A sample cannot tell the rate to within ±1, ±2 or ±3 points: label the other 320 claims, too.",
            ],
        ),
        (0.299, 0.301, 80, 400, ["There are labels enough to know the rate to within ±1, ±2, ±3 or ±5 points."]),
    ],
)
def test_what_each_margin_takes_is_said_once(
    low: float, high: float, labels: int, population: int, said: list[str]
) -> None:
    """Margins that take the same stand in one sentence, none is left out."""
    rate = Estimate(estimate=(low + high) / 2, low=low, high=high, n=labels, method="m")
    needed = [labels_needed.estimate(rate, within, population) for within in _MARGINS]

    assert list(labels_needed.sentences(needed, rate, population)) == said


def test_a_plan_before_the_first_label() -> None:
    """Planned for a rate of one half: Wilson takes 381 labels for 5 points, and more than there are for one."""
    none = Estimate(estimate=None, low=None, high=None, n=0, method="no labels yet")
    needed = [labels_needed.estimate(none, within, 5_000) for within in _MARGINS]

    assert list(labels_needed.sentences(needed, None, 5_000)) == [
        "To know the rate to within ±5 points takes 381 more labels.",
        f"To know the rate to within ±3 points takes {needed[2].more:,} more labels.",
        f"To know the rate to within ±2 points takes {needed[1].more:,} more labels.",
        "A sample cannot tell the rate to within ±1 points: label the other 5,000 claims, too.",
    ]
