"""PASS, FAIL, INCONCLUSIVE: by hand at the borders, and over repeats of an input that has not changed."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import pytest

from core.check import Checked, CheckOutcome, Outcome, check
from core.check_reports import junit, markdown
from core.metrics import clustered_share, corrected_rate, labelled
from core.metrics.labelled import Population

NAME = "lexical@1+00000000"


def claims(bad: int, good: int, silent: int = 0) -> list[Checked]:
    """Claims of a request each."""
    said = [True] * bad + [False] * good + [None] * silent
    return [Checked(f"c{at}", f"r{at}", one) for at, one in enumerate(said)]


def outcome(limit: float, *counts: int) -> Outcome:
    """Of a raw rate."""
    return check(claims(*counts), NAME, limit).outcome


def test_a_raw_rate_is_judged_by_its_bounds() -> None:
    """10 of 100: 95 % from 5.5 to 17.4; nearly nothing fails at 6, and 18 passes."""
    found = check(claims(10, 90), NAME, 0.18)

    assert found.outcome is Outcome.PASS
    assert outcome(0.17, 10, 90) is Outcome.INCONCLUSIVE
    assert outcome(0.055, 10, 90) is Outcome.INCONCLUSIVE  # above the 95 % bound, not above that of 99 %
    assert outcome(0.04, 10, 90) is Outcome.FAIL
    (figure,) = found.figures
    own = clustered_share.interval([(True, None)] * 10 + [(False, None)] * 90)
    assert (figure.name, figure.low, figure.high) == ("raw unsupported rate", own.low, own.high)
    assert "raw rate holds the judge's errors" in figure.sentence


def test_what_was_not_judged_counts_for_neither_side() -> None:
    """40 silent claims might all be bad, or none: 0 of 60 cannot pass at 20, and 60 of 60 fails whatever they are."""
    assert outcome(0.2, 0, 60) is Outcome.PASS
    assert outcome(0.2, 0, 60, 40) is Outcome.INCONCLUSIVE
    assert outcome(0.2, 60, 0, 40) is Outcome.FAIL
    assert outcome(0.9, 0, 0, 40) is Outcome.INCONCLUSIVE


def test_labels_decide_against_the_judge() -> None:
    """A judge that flags half of the claims, and people who flag 5 of 100: the corrected rate passes at 12."""
    given = claims(50, 50)
    human = [at in (0, 1, 2, 3, 60) for at in range(100)]
    labels = labelled.of(human, [one.unsupported for one in given], [1.0] * 100, [one.cluster for one in given])
    rate = corrected_rate.estimate(labels, Population(50, 50))
    with_labels, without = check(given, NAME, 0.12, rate), check(given, NAME, 0.12)

    assert (with_labels.outcome, without.outcome) == (Outcome.PASS, Outcome.FAIL)
    assert "as people see it (100 labels" in with_labels.figures[0].sentence


def test_a_baseline_is_compared_claim_by_claim() -> None:
    """20 of 100 claims got worse: at least 12 more of 100, for sure; a margin of 30 allows them."""
    now, before = claims(30, 70), {f"c{at}": at < 10 for at in range(100)}

    def against(margin: float) -> CheckOutcome:
        return check(now, NAME, 1.0, baseline=before, baseline_name="the old one", margin=margin)

    assert [against(margin).outcome for margin in (0.05, 0.2, 0.3)] == [
        Outcome.FAIL,
        Outcome.INCONCLUSIVE,
        Outcome.PASS,
    ]
    difference = against(0.05).figures[1]
    assert difference.estimate == pytest.approx(0.2)
    assert difference.n == 100
    assert difference.low is not None
    assert difference.high is not None
    assert difference.sentence == (
        f"On the 100 claims that both judged, {100 * difference.low:.1f} to {100 * difference.high:.1f} of 100 more "
        "are unsupported than with the old one; 5 more are allowed."
    ).replace(".0 ", " ")


def test_a_difference_is_said_as_a_person_says_it() -> None:
    """Fewer, as many, or between fewer and more; never a minus sign in a sentence."""

    def said(before: Mapping[str, bool | None]) -> str:
        return check(claims(2, 98), NAME, 1, baseline=before, baseline_name="old").figures[1].sentence

    now = {f"c{at}": at < 2 for at in range(100)}

    assert "100 of 100 fewer are unsupported than with old; 0 more" in said(dict.fromkeys(list(now)[2:], True))
    assert "just as many are unsupported as with old; 0 more" in said(dict(now))
    swapped = said(now | {"c0": False, "c2": True})
    assert "between " in swapped
    assert " of 100 fewer and " in swapped
    assert "-" not in swapped.split("judged, ")[1]


def test_a_baseline_of_other_claims_settles_nothing() -> None:
    """No overlap, no verdict."""
    found = check(claims(1, 99), NAME, 1.0, baseline={"else": True})

    assert found.outcome is Outcome.INCONCLUSIVE
    assert "nothing can be compared" in found.figures[1].sentence


def test_nothing_passes_that_was_not_read_whole() -> None:
    """Refused lines may hold anything; what fails, fails."""
    assert check(claims(0, 400), NAME, 0.1, unread=1).outcome is Outcome.INCONCLUSIVE
    assert check(claims(90, 10), NAME, 0.1, unread=1).outcome is Outcome.FAIL


@pytest.mark.parametrize("seed", [1, 2])
def test_an_input_that_has_not_changed_hardly_ever_fails(seed: int) -> None:
    """50 builds, each drawing 60 requests anew from the same product, whose rate lies exactly at the limit.

    Each is also compared with a judge that is as good. At 2.5 % a build, as with 95 % bounds, one or two would fail.
    """
    draw = np.random.default_rng(seed)
    product = [(draw.random(5) < 0.04 + 0.12 * draw.random()).tolist() for _ in range(500)]
    rate = float(np.mean(product))
    failed = 0
    for _ in range(50):
        picked = draw.integers(0, 500, 60)
        given = [
            Checked(f"{build}.{at}", f"r{build}", bad)
            for build, one in enumerate(picked)
            for at, bad in enumerate(product[one])
        ]
        other = {one.key: bool(one.unsupported) ^ bool(draw.random() < 0.02) for one in given}
        failed += check(given, NAME, rate, baseline=other, margin=0.02).outcome is Outcome.FAIL

    assert failed == 0


def test_a_product_that_got_worse_fails() -> None:
    """The same builds with twice the rate fail nearly always, else the test above would say nothing."""
    draw = np.random.default_rng(3)
    outcomes = [
        check([Checked(f"{at}", f"r{at // 5}", bool(draw.random() < 0.25)) for at in range(300)], NAME, 0.1).outcome
        for _ in range(20)
    ]

    assert outcomes.count(Outcome.FAIL) >= 18


def test_limits_are_shares() -> None:
    """5 is not 5 %."""
    with pytest.raises(ValueError, match="between 0 and 1"):
        check(claims(1, 1), NAME, 5)


def test_reports_say_what_build_systems_read() -> None:
    """JUnit: what fails is a failure, what is open an error; characters that XML has no place for are replaced."""
    import xml.etree.ElementTree as ElementTree

    found = check(claims(90, 10), "judge\x00@1", 0.1, baseline={"else": True}, baseline_name="a|b")
    suite = ElementTree.fromstring(junit(found)).find("testsuite")
    assert suite is not None
    counts = (suite.get("tests"), suite.get("failures"), suite.get("errors"))
    cases = {case.get("name"): [child.tag for child in case] for case in suite}

    assert counts == ("2", "1", "1")
    assert cases == {"raw unsupported rate": ["failure"], "difference from the baseline": ["error"]}
    said = markdown(found)
    assert "## Citedesk: FAIL" in said
    assert "| raw unsupported rate | 90.0% |" in said
    assert "a\\|b" in said


def test_a_report_of_what_passes_has_no_failure() -> None:
    """And unread lines are an error of their own."""
    assert b"<failure" not in junit(check(claims(0, 400), NAME, 0.1))
    assert b'errors="1"' in junit(check(claims(0, 400), NAME, 0.1, unread=2))
