"""Tiles: a rate is never shown without its interval, its n, its judge and a sentence."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from core.borrowed_calibration import Borrowed, JudgeErrors
from core.metrics import rogan_gladen, unsupported_rate
from core.metrics.clustered_share import Counted, Spread
from dashboard.widgets import rate_tiles, rates

Open = Callable[..., AppTest]

RATE = unsupported_rate.report(attempted=104, inaccessible=3, unjudged=1, unsupported=18)


def test_a_rate_says_everything_beside_it() -> None:
    """18 of 100 judged, 4 not: Wilson from 11.7 to 26.7, and between 18 of 104 and 22 of 104 whatever those are."""
    tile = rate_tiles.unsupported(RATE, "nli@1+3f2a9c10", "strict", "in March 2026")

    assert tile == rate_tiles.Tile(
        "Unsupported (strict)",
        "18 % (12–27)",
        "The judge calls between 12 and 27 of 100 claims unsupported in March 2026.",
        "n 100 of 104 judged · Wilson 95 % by answer · judge nli@1+3f2a9c10 · 17–21 % whatever the other 4 are",
    )


def test_nothing_judged_is_no_rate() -> None:
    """A dash and a sentence, never 0 %."""
    tile = rate_tiles.unsupported(unsupported_rate.report(2, 1, 1, 0), "nli@1", "lenient")

    assert (tile.value, tile.sentence) == ("—", "No claim was judged.")
    assert "0 %" not in " ".join(tile).replace("0–100 %", "")
    assert rate_tiles.line(unsupported_rate.report(2, 1, 1, 0), "nli@1", "strict") == (
        "Of these claims none was judged by nli@1."
    )


def test_a_borrowed_rate_is_named_so() -> None:
    """18 of 100 flagged by a judge that catches 18 of 20 and passes 76 of 80: (0.18 − 0.05) / 0.85."""
    errors = JudgeErrors(
        protocol="nli@1",
        gold_id="g",
        title="g",
        bad=20,
        caught=18,
        good=80,
        passed=76,
        spread_bad=Spread.of([(1, 1)] * 18 + [(0, 1)] * 2),
        spread_good=Spread.of([(1, 1)] * 76 + [(0, 1)] * 4),
    )
    rate = rogan_gladen.estimate(Counted(18, 100), Counted(18, 20), Counted(76, 80))
    tile = rate_tiles.borrowed(Borrowed(rate=rate, errors=errors, sentence="If the judge errs alike, …"), "strict")

    assert tile.title == "Borrowed calibration (strict)"
    assert tile.value.startswith("15 % (")
    assert tile.sentence == "If the judge errs alike, …"
    assert tile.below == "borrowed calibration (Rogan–Gladen) 95%"


def test_one_line_says_the_same() -> None:
    """For pages without room."""
    assert rate_tiles.line(RATE, "nli@1", "strict") == (
        "18 % (12–27) of these claims are unsupported · n 100 of 104 judged, 4 not judged · strict · judge nli@1"
    )


def test_ends_that_read_alike_are_said_once() -> None:
    """One excluded of very many moves a rate by less than a point."""
    assert rates.bounds(unsupported_rate.report(1000, 1, 0, 500)) == "50 %"
    assert rates.bounds(RATE) == "17–21 %"


@pytest.mark.parametrize("page", ["trends", "failures", "calibrate", "compare"])
def test_pages_of_figures_show_tiles(sample: Path, open_page: Open, page: str) -> None:
    """Each with an interval in brackets; what a figure is of stands beneath it."""
    app = open_page(sample, page)

    assert not app.exception
    assert any(one.value.endswith("\\)") for one in app.metric)
    assert any(one.value.startswith("n ") for one in app.caption)


def test_the_list_says_the_rate_of_its_claims(sample: Path, open_page: Open) -> None:
    """Whatever verdicts are picked in it: the rate is of all of them."""
    texts = [
        {one.value for one in open_page(sample, "review", **params).caption if "unsupported" in one.value}
        for params in ({}, {"labels": "contradicted"})
    ]

    assert texts[0] == texts[1]
    assert len(texts[0]) == 1
