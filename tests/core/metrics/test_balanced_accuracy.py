"""Balanced accuracy: by hand, beside another judge, over data sets, and what was not judged."""

from __future__ import annotations

import numpy as np
import pytest

from core.metrics import balanced_accuracy
from core.metrics.confusion import Outcome


def outcomes(supported: str, rest: str) -> list[Outcome]:
    """One outcome a letter: right, wrong, or not judged (``-``)."""
    said = {"r": ("supported", "irrelevant"), "w": ("irrelevant", "supported"), "-": (None, None)}
    return [
        *(Outcome("supported", said[letter][0]) for letter in supported),
        *(Outcome("not_supported", said[letter][1]) for letter in rest),
    ]


def test_by_hand() -> None:
    """3 of 4 supported and 1 of 2 others right: (0.75 + 0.5) / 2."""
    found = balanced_accuracy.estimate(outcomes("rrrw", "rw"))

    assert (found.estimate, found.n, found.unjudged) == (0.625, 6, 0)
    assert found.low is not None
    assert found.high is not None
    assert found.low <= 0.625 <= found.high
    assert (found.worst, found.best) == (0.625, 0.625)


def test_guessing_the_larger_class_is_one_half() -> None:
    """Whatever the mix."""
    assert balanced_accuracy.estimate(outcomes("r" * 98, "ww")).estimate == 0.5


def test_what_was_not_judged_is_neither_right_nor_wrong() -> None:
    """Supported 2 of 2 and 2 unjudged, others 1 of 1 and 1 unjudged: 1, at worst (2/4 + 1/2) / 2, at best 1."""
    found = balanced_accuracy.estimate(outcomes("rr--", "r-"))

    assert (found.estimate, found.n, found.unjudged) == (1.0, 3, 3)
    assert (found.worst, found.best) == (0.5, 1.0)


def test_one_side_alone_has_no_value() -> None:
    """Nothing to balance; the bounds know the other side when only it was not judged."""
    assert balanced_accuracy.estimate(outcomes("rrr", "")).estimate is None
    assert balanced_accuracy.estimate([]).worst is None
    found = balanced_accuracy.estimate(outcomes("rr", "--"))
    assert (found.estimate, found.worst, found.best) == (None, 0.5, 1.0)


def test_the_difference_is_over_what_both_judged() -> None:
    """The last pair of each side is left out: 1 − (1/2 + 1/2) / 2."""
    found = balanced_accuracy.difference((outcomes("rrr", "rr-"), outcomes("rw-", "rwr")))

    assert (found.estimate, found.n) == (0.5, 4)


def test_paired_draws_are_narrower_than_apart() -> None:
    """Two judges that err on the same pairs but for a few: what they share does not blur the difference."""
    ours = outcomes("r" * 60 + "w" * 40, "r" * 60 + "w" * 40)
    theirs = outcomes("r" * 50 + "w" * 50, "r" * 50 + "w" * 50)

    found, one = balanced_accuracy.difference((ours, theirs)), balanced_accuracy.estimate(ours)

    assert found.estimate == pytest.approx(0.1)
    assert found.low is not None
    assert found.high is not None
    assert one.low is not None
    assert one.high is not None
    assert 0 < found.low < found.high
    assert found.high - found.low < one.high - one.low


def test_judges_of_other_pairs_are_not_compared() -> None:
    """The same number of pairs is not enough."""
    with pytest.raises(ValueError, match="other pairs"):
        balanced_accuracy.difference((outcomes("rr", "r"), outcomes("r", "rr")))


def test_the_mean_weighs_every_set_the_same() -> None:
    """A large set at 0.5 and a small one at 1 make 0.75; a set of one side is left out and said."""
    found = balanced_accuracy.mean([outcomes("r" * 50, "w" * 50), outcomes("rr", "rr"), outcomes("rr", "")])

    assert (found.estimate, found.n) == (0.75, 104)
    assert found.low == found.high == 0.75
    assert "1 data sets without a value are left out" in found.warnings
    assert balanced_accuracy.mean([]).estimate is None


def test_the_mean_difference_takes_each_set_with_its_own() -> None:
    """+0.5 and 0 make +0.25."""
    better, worse = outcomes("rrrr", "rrrr"), outcomes("rrww", "rrww")

    found = balanced_accuracy.mean_difference([(better, worse), (worse, worse)])

    assert found.estimate == 0.25


def test_the_interval_of_the_mean_covers() -> None:
    """Of 150 runs over three simulated sets some 95 % have the true mean in their interval."""
    generator = np.random.default_rng(2026)
    covered = 0
    for seed in range(150):
        sets = []
        for right in (0.6, 0.7, 0.8):
            letters = np.where(generator.random(120) < right, "r", "w")
            sets.append(outcomes("".join(letters[:60]), "".join(letters[60:])))
        found = balanced_accuracy.mean(sets, seed)
        assert found.low is not None
        assert found.high is not None
        covered += found.low <= 0.7 <= found.high

    assert 0.89 <= covered / 150 <= 0.99
