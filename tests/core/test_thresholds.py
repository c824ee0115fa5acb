"""Thresholds: what each costs, and which is cheapest on claims that it was not chosen on."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from core.judged_gold import JudgedItem
from core.models import Label
from core.thresholds import best, points


def item(at: int, bad: bool, score: float | None, held: bool = False, own: float = 0.5) -> JudgedItem:
    """A claim of a request of its own, as a judge with that threshold would call it."""
    flagged = score is None or held or score < own
    return JudgedItem(
        claim_uid=f"{at:016x}",
        request_uid=f"r{at}",
        request_id=f"r{at}",
        claim="The gate is open.",
        gold="irrelevant" if bad else "supported",
        gold_strict=bad,
        gold_lenient=bad,
        said=Label.IRRELEVANT if flagged else Label.SUPPORTED,
        said_strict=flagged,
        said_lenient=flagged,
        failure=None,
        score=score,
        held=held,
        probability=1.0,
    )


def many(scores: Sequence[tuple[bool, float]]) -> list[JudgedItem]:
    """Such claims."""
    return [item(at, bad, score) for at, (bad, score) in enumerate(scores)]


def test_figures_at_a_threshold_by_hand() -> None:
    """At 0.6 one of two bad claims passes, one of two good ones is stripped."""
    at = {one.threshold: one for one in points(many([(True, 0.3), (True, 0.7), (False, 0.4), (False, 0.9)]), 0.5)}

    assert (at[0.6].false_pass.estimate, at[0.6].false_strip.estimate, at[0.6].flagged) == (0.5, 0.5, 0.5)
    assert (at[0.71].false_pass.estimate, at[0.71].false_strip.estimate) == (0, 0.5)
    assert (at[0.01].false_pass.estimate, at[0.01].false_strip.estimate) == (1, 0)
    assert at[0.6].cost(3) == 2


def test_what_is_held_back_passes_at_no_threshold() -> None:
    """A qualifier's veto has nothing to do with the score; a claim decided without one keeps its verdict."""
    items = [item(0, False, 0.9, held=True), item(1, False, None), item(2, True, 0.2)]
    found = points(items, 0.5)

    assert {one.false_strip.estimate for one in found} == {1.0}
    assert found[0].false_pass.estimate == 1


def test_the_cheapest_threshold_separates() -> None:
    """Bad claims score up to 0.40, good ones from 0.60: nothing is lost between, and the middle is taken."""
    items = many([(True, 0.1 + 0.01 * at) for at in range(31)] + [(False, 0.6 + 0.01 * at) for at in range(31)])
    found = best(items, 0.5)

    assert found is not None
    assert 0.4 < found.threshold <= 0.6
    assert (found.in_sample, found.cross_validated, found.own, found.folds, found.n) == (0, 0, 0, 5, 62)


def test_noise_costs_more_than_it_seems() -> None:
    """Scores that say nothing: on the claims that it was chosen on a threshold looks too good, and the words say so."""
    items = many([(at % 2 == 0, ((at * 37) % 100) / 100) for at in range(60)])
    found = best(items, 0.5)

    assert found is not None
    assert found.in_sample < found.cross_validated
    assert "claims that it was not chosen on" in found.sentence
    assert f"{found.in_sample:.2f} on those that it was chosen on" in found.sentence


def test_a_dear_false_pass_raises_the_threshold() -> None:
    """The dearer it is, the fewer pass."""
    items = many([(at % 3 == 0, ((at * 29) % 90) / 100 + (0.1 if at % 3 else 0)) for at in range(90)])
    cheap, dear = best(items, 0.5, 0.2), best(items, 0.5, 5)

    assert cheap is not None
    assert dear is not None
    assert cheap.threshold < dear.threshold


def test_nothing_to_choose_from() -> None:
    """No threshold of its own, no scores, or claims of one side only."""
    assert points(many([(True, 0.3)]), None) == []
    assert points([item(0, True, None), item(1, False, None)], 0.5) == []
    assert best(many([(True, 0.3), (True, 0.4)]), 0.5) is None
    with pytest.raises(ValueError, match="worth more than nothing"):
        best(many([(True, 0.3), (False, 0.4)]), 0.5, 0)
