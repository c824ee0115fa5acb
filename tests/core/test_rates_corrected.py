"""Corrected rates: what stands beside the judge's own share, for which claims, and why sometimes nothing does."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path

import pytest

from core.models import Label
from core.rates_corrected import corrected
from core.store.records import ClaimFilter
from tests.core.gold_store import BAD, GOLD_ID, C, Case, I, P, S, made
from tests.core.store.build import PROTOCOL, STARTED

NAME = str(PROTOCOL)


def cases(labelled: int, of: int = 200) -> list[Case]:
    """Claims of which people find every fifth unsupported, and the judge every second; the first have gold."""
    return [
        Case((BAD if at % 5 == 0 else "supported") if at < labelled else None, I if at % 2 == 0 else S, 0.5)
        for at in range(of)
    ]


def test_a_census_gives_the_share_that_people_find(tmp_path: Path) -> None:
    """200 labels, 40 unsupported: 20 %, whatever the judge says; the raw share is half."""
    with made(tmp_path / "a.duckdb", cases(200)) as store:
        found = corrected(store, NAME)

    assert found.corrected is not None
    assert found.corrected.estimate == pytest.approx(0.2)
    assert found.corrected.low is not None
    assert found.corrected.high is not None
    assert found.corrected.low < 0.2 < found.corrected.high
    assert (found.corrected.chosen, found.corrected.n, found.covered) == ("stratified_beta", 200, 200)
    assert (found.raw.estimate.estimate, found.raw.attempted) == (0.5, 200)
    assert found.sentence.startswith("Between 1")
    assert "200 labels" in found.sentence
    assert NAME in found.sentence


def test_a_sample_is_weighed_by_the_judge(tmp_path: Path) -> None:
    """100 of 300 claims: of 50 flagged ones 10 are bad, of 50 passed ones 10; the judge flags half of all: 20 %."""
    with made(tmp_path / "a.duckdb", cases(100, 300), probability=1 / 3, design="random") as store:
        found = corrected(store, NAME)

    assert found.corrected is not None
    assert found.corrected.estimate == pytest.approx(0.2)
    assert (found.corrected.n, found.covered) == (100, 300)


def test_few_labels_stand_alone(tmp_path: Path) -> None:
    """Under 60 the judge is not used, and the reason is given."""
    with made(tmp_path / "a.duckdb", cases(50, 300), probability=1 / 6, design="random") as store:
        found = corrected(store, NAME)

    assert found.corrected is not None
    assert found.corrected.chosen == "human_only"
    assert "50 labels are too few" in found.corrected.because


def test_a_window_has_its_own_labels(tmp_path: Path) -> None:
    """A filter is a window: only its claims and labels count; without a label in it there is no corrected rate."""
    with made(tmp_path / "a.duckdb", cases(200)) as store:
        flagged = corrected(store, NAME, ClaimFilter(protocol="any", labels=(Label.IRRELEVANT,)))
        later = ClaimFilter(protocol="any", bucket=(STARTED + timedelta(days=1), STARTED + timedelta(days=2)))
        empty = corrected(store, NAME, later)

    assert (flagged.raw.attempted, flagged.raw.estimate.estimate) == (100, 1.0)
    assert flagged.corrected is not None
    assert flagged.corrected.estimate == pytest.approx(0.2)
    assert (empty.raw.attempted, empty.corrected, empty.why_not) == (
        0,
        None,
        "No claim of this window has a label yet.",
    )


def test_a_census_of_some_answers_speaks_of_these(tmp_path: Path) -> None:
    """Claims of other answers are counted as not covered; they change nothing."""
    with made(tmp_path / "a.duckdb", cases(100, 150)) as store:
        found = corrected(store, NAME)

    assert found.covered == 100
    assert found.corrected is not None
    assert found.corrected.n == 100
    assert any("50 of 150 claims are not among those" in note for note in found.notes)


def test_coarse_gold_corrects_no_lenient_rate(tmp_path: Path) -> None:
    """It may be partial; gold of nine labels corrects both."""
    nine = [Case("partial" if at % 4 == 0 else "supported", P if at % 2 else S, 0.5) for at in range(80)]
    with made(tmp_path / "a.duckdb", cases(80, 80)) as store:
        assert "may be partial" in corrected(store, NAME, strictness="lenient").why_not
    with made(tmp_path / "b.duckdb", nine) as store:
        strict, lenient = (corrected(store, NAME, strictness=one).corrected for one in ("strict", "lenient"))

    assert strict is not None
    assert lenient is not None
    assert strict.estimate == pytest.approx(0.25)
    assert lenient.estimate == 0


def test_what_the_judge_left_open_is_a_stratum_of_its_own(tmp_path: Path) -> None:
    """Failed claims are no part of the raw rate, but people can read them, and the corrected rate holds them."""
    open_ = [Case("contradicted", None) for _ in range(20)] + [Case("supported", S, 0.9) for _ in range(60)]
    open_ += [Case("contradicted", C, 0.1) for _ in range(20)]
    with made(tmp_path / "a.duckdb", open_) as store:
        found = corrected(store, NAME)

    assert (found.raw.judged, found.raw.excluded, found.raw.estimate.estimate) == (80, 20, 0.25)
    assert (found.raw.best, found.raw.worst) == (0.2, 0.4)
    assert found.corrected is not None
    assert found.corrected.estimate == pytest.approx(0.4)


def test_only_the_gold_that_is_chosen_serves(tmp_path: Path) -> None:
    """Of gold that nobody drew, or that was not named, no rate is made."""
    with made(tmp_path / "a.duckdb", cases(100, 100)) as store:
        assert corrected(store, NAME, gold_ids=[GOLD_ID]).gold_id == GOLD_ID
        assert "None of the gold sets chosen" in corrected(store, NAME, gold_ids=["queue:other:v1"]).why_not
