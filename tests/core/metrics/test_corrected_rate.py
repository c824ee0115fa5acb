"""Rates from labels and a judge: each method by hand, and the rule that chooses."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.metrics import (
    Estimate,
    Measure,
    Undefined,
    corrected_rate,
    human_only,
    labelled,
    prediction_powered,
    rogan_gladen,
    stratified_beta,
    wilson,
)
from core.metrics.clustered_share import Counted, Spread
from core.metrics.labelled import Labelled, Population

WINDOW = Population(unsupported=700, supported=3300)


def _labels(both: int, alarm: int, missed: int, fine: int, probability: float = 0.05) -> Labelled:
    """So many claims: both say unsupported, only the judge, only people, neither."""
    human = [1] * both + [0] * alarm + [1] * missed + [0] * fine
    verdict = [1] * (both + alarm) + [0] * (missed + fine)
    return labelled.of(human, verdict, [probability] * len(human))


SAMPLE = _labels(20, 18, 12, 150)


def _clustered(size: int) -> Labelled:
    """The claims of the sample, ``size`` copies of each in its request."""
    names: Sequence[str] = [str(at) for at in range(200) for _ in range(size)]
    verdict = np.repeat(SAMPLE.verdict, size).astype(int).tolist()
    return labelled.of(np.repeat(SAMPLE.human, size).astype(int).tolist(), verdict, [0.05] * (200 * size), names)


def _width(found: Estimate) -> float:
    assert found.low is not None
    assert found.high is not None
    return found.high - found.low


def test_a_plain_sample_has_wilsons_interval() -> None:
    """Equal probabilities, every claim its own request: 32 of 200."""
    found, plain = human_only.estimate(SAMPLE), wilson.interval(32, 200)

    assert (found.estimate, found.low, found.high) == pytest.approx((plain.estimate, plain.low, plain.high))
    assert found.n == 200


def test_labels_weigh_what_they_stand_for() -> None:
    """Half of 40 flagged claims drawn one in ten, a tenth of 60 others one in a hundred: (20·10 + 6·100) / 6400."""
    labels = labelled.of([1] * 20 + [0] * 20 + [1] * 6 + [0] * 54, [1] * 40 + [0] * 60, [0.1] * 40 + [0.01] * 60)
    found = human_only.estimate(labels)

    assert found.estimate == pytest.approx(800 / 6400)
    assert found.low is not None
    assert found.low < wilson.bounds(0.125, 100)[0]


@pytest.mark.parametrize("estimate", [human_only.estimate, lambda labels: stratified_beta.estimate(labels, WINDOW)])
def test_copies_within_a_request_add_nothing(estimate: Callable[[Labelled], Measure]) -> None:
    """Every claim four times in its request gives nearly the interval of once: not half its width."""
    once, four = estimate(SAMPLE), estimate(_clustered(4))
    assert four.estimate == pytest.approx(once.estimate)
    assert four.n == 800
    assert _width(four) == pytest.approx(_width(once), rel=0.05)


def test_nothing_unsupported_is_not_zero_for_sure() -> None:
    """None of 30: Wilson's upper bound of 0 of 30; of 10 requests with 3 claims each that of 0 of 10."""
    alone = labelled.of([0] * 30, [0] * 30, [0.1] * 30)
    assert human_only.estimate(alone).high == pytest.approx(wilson.interval(0, 30).high)
    together = labelled.of([0] * 30, [0] * 30, [0.1] * 30, [str(at // 3) for at in range(30)])
    assert human_only.estimate(together).high == pytest.approx(wilson.interval(0, 10).high)
    assert "only 10 clusters" in human_only.estimate(together).warnings


def test_one_request_says_little() -> None:
    """All labels from one request count as one."""
    labels = labelled.of([1, 0, 0, 0], [1, 0, 0, 0], [0.1] * 4, ["r"] * 4)
    found = human_only.estimate(labels)

    assert (found.low, found.high) == pytest.approx(wilson.bounds(0.25, 1))


def test_hand_worked_strata() -> None:
    """20 of 38 flagged and 12 of 162 others: 0.175 · 20/38 + 0.825 · 12/162."""
    found = stratified_beta.estimate(SAMPLE, WINDOW)

    assert found.estimate == pytest.approx(0.175 * 20 / 38 + 0.825 * 12 / 162)
    assert _width(found) < 0.9 * _width(wilson.interval(32, 200))


def test_one_stratum_is_a_beta() -> None:
    """A judge that says one thing only leaves the quantiles of Beta(12.5, 188.5), times the design effect of 1.005."""
    stats = pytest.importorskip("scipy.stats")
    labels = labelled.of([1] * 12 + [0] * 188, [0] * 200, [0.05] * 200)
    found = stratified_beta.estimate(labels, Population(0, 4000))
    exact = stats.beta.ppf([0.025, 0.975], 12.5, 188.5)

    assert (found.low, found.high) == pytest.approx(tuple(exact), abs=2e-3)


def test_claims_that_the_judge_did_not_judge() -> None:
    """They are a stratum of their own: 100 of 4,000, half of them unsupported."""
    human, verdict = [*SAMPLE.human.astype(int), 1, 1, 0, 0], [*SAMPLE.verdict.astype(int), None, None, None, None]
    found = stratified_beta.estimate(labelled.of(human, verdict, [0.05] * 204), Population(700, 3200, 100))

    assert found.estimate == pytest.approx(0.175 * 20 / 38 + 0.8 * 12 / 162 + 0.025 / 2)
    assert not found.warnings


def test_a_verdict_without_labels_is_said() -> None:
    """Nobody labelled one of the unjudged: they are taken to be like the largest labelled stratum."""
    found = stratified_beta.estimate(SAMPLE, Population(700, 3200, 100))

    assert found.estimate == pytest.approx(0.175 * 20 / 38 + 0.825 * 12 / 162)
    assert found.warnings == ("no label among the 100 not judged claims: they are taken to be like the others",)


def test_counts_must_hold_the_labels() -> None:
    """A flagged label in a window without flagged claims is a mistake of the caller."""
    with pytest.raises(ValueError, match="window"):
        stratified_beta.estimate(SAMPLE, Population(0, 4000))


def test_hand_worked_ppi() -> None:
    """Λ = Cov / (1.05 · 0.175 · 0.825); θ = λ · 0.175 + 0.16 - λ · 0.19; the variance has both parts."""
    power = (0.1 - 0.16 * 0.19) / (1.05 * 0.175 * 0.825)
    rest = SAMPLE.human - power * SAMPLE.verdict
    spread = power**2 * 0.175 * 0.825 / 4000 + rest.var(ddof=1) / 200
    found = prediction_powered.estimate(SAMPLE, WINDOW)

    assert found.estimate == pytest.approx(0.16 - 0.015 * power)
    assert found.low == pytest.approx(0.16 - 0.015 * power - 1.959964 * spread**0.5)
    assert found.high == pytest.approx(0.16 - 0.015 * power + 1.959964 * spread**0.5)


def test_ppi_against_a_reference() -> None:
    """The library ppi-python 0.2.3 (Apache-2.0) says 0.15314 (0.10835 to 0.19793) of the same claims.

    It takes λ from labelled and unlabelled verdicts together and variances over n, not n - 1.
    """
    found = prediction_powered.estimate(SAMPLE, WINDOW)

    assert (found.estimate, found.low, found.high) == pytest.approx((0.15314, 0.10835, 0.19793), abs=2e-4)


def test_ppi_with_a_useless_judge_is_the_labels() -> None:
    """A judge that says nothing, or the same of all claims, has no power; no interval leaves [0, 1]."""
    labels = labelled.of([1] + [0] * 59, [None] * 60, [0.1] * 60)
    found = prediction_powered.estimate(labels, Population(0, 0, 600))

    assert found.estimate == pytest.approx(1 / 60)
    assert found.low == 0.0
    assert any("cut there" in one for one in found.warnings)


def test_ppi_needs_two_requests_for_an_interval() -> None:
    """One request has no spread between requests."""
    found = prediction_powered.estimate(labelled.of([1, 0], [1, 0], [0.1] * 2, ["r", "r"]), Population(10, 10))

    assert (found.low, found.high) == (None, None)
    assert found.estimate == pytest.approx(0.5)


def test_hand_worked_rogan_gladen() -> None:
    """Share 0.25, sensitivity 0.8, specificity 0.9: (0.25 + 0.9 - 1) / 0.7."""
    found = rogan_gladen.estimate(Counted(1000, 4000), Counted(80, 100), Counted(90, 100))

    assert found.estimate == pytest.approx(0.15 / 0.7)
    assert (found.low, found.high) == pytest.approx((0.12830, 0.28031), abs=1e-5)  # Lang and Reiczigel, by hand
    assert found.method.startswith("borrowed calibration")


def test_rogan_gladen_with_perfect_knowledge_is_wilson() -> None:
    """A judge known never to err leaves the interval of the share, up to how the two round it."""
    found, plain = rogan_gladen.estimate(Counted(100, 1000), *[Counted(10**9, 10**9)] * 2), wilson.interval(100, 1000)

    assert (found.low, found.high) == pytest.approx((plain.low, plain.high), abs=1e-4)


def test_claims_that_stand_and_fall_with_their_answer_count_once() -> None:
    """Four claims an answer, alike in all: nearly the interval of a quarter as many, and the same estimate."""

    def counted(hits: int, pairs: int, alike: int) -> Counted:
        answers = [(alike, alike)] * hits + [(0, alike)] * (pairs - hits)
        return Counted(hits * alike, pairs * alike, Spread.of(answers))

    few, wide = (
        rogan_gladen.estimate(counted(100, 400, alike), counted(80, 100, alike), counted(90, 100, alike))
        for alike in (1, 4)
    )
    narrow = rogan_gladen.estimate(Counted(400, 1600), Counted(320, 400), Counted(360, 400))

    assert wide.estimate == few.estimate == narrow.estimate == pytest.approx(0.15 / 0.7)
    assert (wide.low, wide.high) == pytest.approx((few.low, few.high), abs=0.002)
    assert (narrow.high or 0) - (narrow.low or 0) < 0.6 * ((wide.high or 0) - (wide.low or 0))


def test_a_weak_judge_is_withheld() -> None:
    """Sensitivity 0.6 and specificity 0.5 leave 0.1; no labels leave nothing; a wrong count is refused."""
    weak = rogan_gladen.estimate(Counted(500, 1000), Counted(6, 10), Counted(5, 10))
    assert (weak.estimate, weak.reason, weak.warnings) == (None, "weak_judge", (Undefined.WEAK_JUDGE.sentence,))
    assert rogan_gladen.estimate(Counted(1, 10), Counted(0, 0), Counted(5, 5)).reason == "no_data"
    with pytest.raises(ValueError, match="larger"):
        rogan_gladen.estimate(Counted(11, 10), Counted(1, 1), Counted(1, 1))


@pytest.mark.parametrize(
    ("labels", "chosen", "because"),
    [
        (_labels(6, 5, 3, 45), "human_only", "59 labels are too few"),
        (_labels(3, 10, 1, 186), "human_only", "4 labels that say unsupported are too few"),
        (_labels(3, 5, 2, 50), "stratified_beta", "60 labels, 5 of them unsupported"),
        (SAMPLE, "stratified_beta", "200 labels, 32 of them unsupported"),
    ],
)
def test_the_rule(labels: Labelled, chosen: str, because: str) -> None:
    """Fewer than 60 labels or fewer than 5 unsupported ones: labels only; the figures are those of the method."""
    found = corrected_rate.estimate(labels, WINDOW)
    alone = human_only.estimate(labels) if chosen == "human_only" else stratified_beta.estimate(labels, WINDOW)

    assert found.chosen == chosen
    assert found.because.startswith(because)
    assert (found.estimate, found.low, found.high) == (alone.estimate, alone.low, alone.high)
    assert found.unsupported == labels.human.sum()


def test_without_any_verdict_only_labels_count() -> None:
    """Nothing to correct where the judge concluded on no claim."""
    labels = labelled.of([1] * 10 + [0] * 90, [None] * 100, [0.1] * 100)
    found = corrected_rate.estimate(labels, Population(0, 0, 1000))

    assert found.chosen == "human_only"
    assert found.estimate == pytest.approx(0.1)


def test_labels_of_unknown_origin_are_refused() -> None:
    """Without a probability nobody knows what a label stands for: left out and counted, or no rate at all."""
    human, verdict = SAMPLE.human.astype(int).tolist(), SAMPLE.verdict.astype(int).tolist()
    some = labelled.of([*human, 1, 1], [*verdict, 1, 1], [*[0.05] * 200, None, None])
    found = corrected_rate.estimate(some, WINDOW)
    assert (found.left_out, found.estimate) == (2, corrected_rate.estimate(SAMPLE, WINDOW).estimate)
    assert "2 labels without an inclusion probability are left out" in found.warnings
    none = corrected_rate.estimate(labelled.of(human, verdict, [None] * 200), WINDOW)
    assert (none.estimate, none.reason, none.chosen, none.left_out) == (None, "no_probability", None, 200)
    assert none.because == Undefined.NO_PROBABILITY.sentence
    empty = corrected_rate.estimate(labelled.of([], [], []), WINDOW)
    assert (empty.estimate, empty.reason) == (None, "no_data")


@pytest.mark.parametrize(
    ("human", "verdict", "probability"),
    [([1], [1], [0.0]), ([1], [1], [1.5]), ([2], [1], [0.5]), ([1], [3], [0.5]), ([1, 0], [1], [0.5])],
)
def test_impossible_labels_are_refused(human: list[int], verdict: list[int], probability: list[float]) -> None:
    """A wrong probability would silently give a wrong rate."""
    with pytest.raises(ValueError, match=r"probability|unsupported|shorter"):
        labelled.of(human, verdict, probability)


def test_a_census_is_the_share_of_all() -> None:
    """Every claim labelled with probability 1: the rate is what people said of the window, whatever the judge said."""
    found = corrected_rate.estimate(_labels(300, 400, 100, 3200, 1.0), WINDOW)

    assert found.estimate == pytest.approx(400 / 4000)


@settings(max_examples=60)
@given(
    st.lists(
        st.tuples(st.integers(0, 1), st.sampled_from([0, 1, None]), st.floats(0.01, 1), st.sampled_from("abcdefgh")),
        min_size=1,
        max_size=80,
    )
)
def test_every_interval_holds_its_rate(rows: list[tuple[int, int | None, float, str]]) -> None:
    """0 ≤ low ≤ rate ≤ high ≤ 1 whatever was drawn, and the same seed gives the same figures."""
    labels = labelled.of(*([row[at] for row in rows] for at in range(4)))  # type: ignore[arg-type] # one column each
    window = Population(300, 600, 100)
    for found in (
        human_only.estimate(labels),
        stratified_beta.estimate(labels, window),
        corrected_rate.estimate(labels, window),
    ):
        assert found.estimate is not None
        assert found.low is not None
        assert found.high is not None
        assert 0 <= found.low <= found.estimate + 1e-12
        assert found.estimate - 1e-12 <= found.high <= 1
    assert corrected_rate.estimate(labels, window) == corrected_rate.estimate(labels, window)
