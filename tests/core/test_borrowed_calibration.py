"""Borrowed calibration: a window nobody labelled, by the errors of the judge elsewhere; never a corrected rate."""

from __future__ import annotations

from pathlib import Path

import pytest

from core.borrowed_calibration import Elsewhere
from core.gold_sets import made as gold_sets
from core.rates_corrected import corrected
from core.store import Store
from core.store.records import ClaimFilter
from tests.core.gold_store import BAD, Case, I, S, judge, labels, made, uids
from tests.core.store.build import PROTOCOL

NAME = str(PROTOCOL)


def cases(labelled: int, of: int) -> list[Case]:
    """Every fifth claim is bad; the judge misses one in ten of these, and blames one in twenty of the others."""
    flagged = [at % 50 != 0 if at % 5 == 0 else at % 25 == 1 for at in range(of)]
    gold = [BAD if at % 5 == 0 else "supported" for at in range(of)]
    return [Case(gold[at] if at < labelled else None, I if flagged[at] else S) for at in range(of)]


def window(some: list[Case], first: int) -> ClaimFilter:
    """The claims from one on."""
    return ClaimFilter(protocol=NAME, claim_uids=tuple(uids(some)[first:]))


def test_errors_of_the_labelled_correct_what_nobody_labelled(tmp_path: Path) -> None:
    """18 of 20 caught, 76 of 80 passed; of 200 others the judge flags 44: (0.22 + 0.95 − 1) / 0.85 is one in five."""
    some = cases(100, 300)
    with made(tmp_path / "a.duckdb", some, probability=1 / 3, design="random") as store:
        found = corrected(store, NAME, window(some, 100))

    assert found.corrected is None
    assert found.borrowed is not None
    errors, rate = found.borrowed.errors, found.borrowed.rate
    assert (errors.caught, errors.bad, errors.passed, errors.good) == (18, 20, 76, 80)
    assert rate.estimate == pytest.approx(0.2)
    assert rate.low is not None
    assert rate.high is not None
    assert rate.low < 0.2 < rate.high
    assert found.borrowed.sentence.startswith("If the judge errs here as it did on 100 labelled claims elsewhere")
    assert "holds only while" in rate.warnings[0]


def test_labels_of_the_window_itself_come_first(tmp_path: Path) -> None:
    """Where people labelled anything there, nothing is borrowed."""
    some = cases(100, 300)
    with made(tmp_path / "a.duckdb", some, probability=1 / 3, design="random") as store:
        found = corrected(store, NAME, window(some, 50))

    assert found.corrected is not None
    assert found.borrowed is None


def test_a_judge_that_guesses_lends_nothing(tmp_path: Path) -> None:
    """Half of the bad and half of the good are flagged: the reason stands where the rate would."""
    some = [Case(("supported", BAD)[at % 2] if at < 100 else None, (S, I)[at // 2 % 2]) for at in range(200)]
    with made(tmp_path / "a.duckdb", some, probability=0.5, design="random") as store:
        found = corrected(store, NAME, window(some, 100))

    assert found.borrowed is not None
    assert found.borrowed.rate.estimate is None
    assert found.borrowed.sentence.startswith("Nothing can be borrowed from 100 labelled claims elsewhere")
    assert "hardly better than guessing" in found.borrowed.sentence


def test_claims_drawn_with_different_chances_lend_nothing(tmp_path: Path) -> None:
    """Drawn by what the judge said, they tell its errors only by weight."""
    some = cases(100, 300)
    with made(tmp_path / "a.duckdb", some[:50], probability=0.5, design="random") as store:
        add(store, some)
        found = Elsewhere(store, "strict", list(gold_sets(store.gold.facts()))).errors(NAME)

    assert found is None


def add(store: Store, some: list[Case]) -> None:
    """The other claims, half of the labelled ones drawn with another chance, into the same set."""
    judge(store, some)
    labels(store, [Case(None, one.said) if at < 50 else one for at, one in enumerate(some)], probability=0.25)
