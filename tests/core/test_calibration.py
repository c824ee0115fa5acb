"""One judge against people: every figure of a small table, counted by hand."""

from __future__ import annotations

from pathlib import Path

import pytest

from core.calibration import Calibration, calibrate
from core.errors import InputError
from core.models import Label
from tests.core.gold_store import BAD, GOLD_ID, C, Case, I, P, S, labels, made, uids
from tests.core.store.build import PROTOCOL

NAME = str(PROTOCOL)

CASES = [
    Case("supported", S, 0.95),
    Case("supported", S, 0.9),
    Case("supported", P, 0.6),  # a false strip
    Case("partial", S, 0.8),  # a false pass
    Case("contradicted", C, 0.1),
    Case("irrelevant", I, 0.2),
    Case("irrelevant", P, 0.5),
    Case("supported", None),  # the judge failed
]
"""People: 4 supported, 4 not. The judge concludes on 3 of the first, of which it strips 1, and passes 1 of the last."""


@pytest.fixture
def found(tmp_path: Path) -> Calibration:
    """The calibration of those claims."""
    with made(tmp_path / "desk.duckdb", CASES) as store:
        return calibrate(store, NAME, GOLD_ID)


def test_binary_figures_are_those_of_the_table(found: Calibration) -> None:
    """Counted by hand; the claim on which the judge failed is in none of them, and widens the bounds.

    κ: 5 of 7 agree; people have 3 and 4 of 7, the judge 3 and 4, so chance is (3 · 3 + 4 · 4) / 49.
    """
    values = {one.key: one.estimate for one in found.figures}

    assert values["false_pass"] == 1 / 4
    assert values["recall"] == 3 / 4
    assert values["false_strip"] == pytest.approx(1 / 3)
    assert values["precision"] == 3 / 4
    assert values["balanced_accuracy"] == pytest.approx((2 / 3 + 3 / 4) / 2)
    assert values["raw_agreement"] == pytest.approx(5 / 7)
    assert values["kappa"] == pytest.approx((5 / 7 - 25 / 49) / (1 - 25 / 49))
    strip = found.figure("false_strip")
    assert (strip.n, strip.unjudged, strip.best, strip.worst) == (3, 1, 1 / 4, 2 / 4)


def test_silence_is_split_by_its_cause(found: Calibration) -> None:
    """What failed is named; it is no conclusion."""
    assert (found.n, found.judged, found.silence.total, found.silence.failed) == (8, 7, 1, {"timed_out": 1})


def test_every_cell_opens_its_claims(tmp_path: Path) -> None:
    """As many as the cell says, of the binary table and of the one of nine labels."""
    with made(tmp_path / "desk.duckdb", CASES) as store:
        one = calibrate(store, NAME, GOLD_ID)
        assert one.labels is not None
        binary = {(cell.gold, cell.said): cell.n for cell in one.cells}
        nine = {(cell.gold, cell.said): cell.n for cell in one.labels.cells}

        assert binary == {
            ("supported", "supported"): 2,
            ("supported", "not_supported"): 1,
            ("supported", "none"): 1,
            (BAD, "supported"): 1,
            (BAD, BAD): 3,
        }
        assert nine["irrelevant", "partial"] == 1
        assert sum(nine.values()) == 8
        for cell in (*one.cells, *one.labels.cells):
            assert store.claim_page(cell.wanted).total == cell.n


def test_scores_per_label_come_from_nine_labels_only(tmp_path: Path) -> None:
    """Coarse gold has no labels to tell apart, and the page says so in a sentence."""
    coarse = [case._replace(gold=BAD if case.gold != "supported" else case.gold) for case in CASES]
    with made(tmp_path / "a.duckdb", coarse) as store:
        one = calibrate(store, NAME, GOLD_ID)

    assert one.labels is None
    assert "only supported from not supported" in one.labels_why_not
    assert one.figure("false_pass").estimate == 1 / 4
    assert one.lenient.corrected is None
    assert "may be partial" in one.lenient.why_not


def test_the_support_score_is_measured(found: Calibration) -> None:
    """Brier by hand; of 12 pairs of a supported and another claim, the supported one scores higher in 11."""
    assert found.scores is not None
    values = {one.key: one.estimate for one in found.scores.figures}
    squares = [0.05**2, 0.1**2, 0.4**2, 0.8**2, 0.1**2, 0.2**2, 0.5**2]

    assert values["brier"] == pytest.approx(sum(squares) / 7)
    assert values["auroc"] == pytest.approx(11 / 12)
    assert (found.scores.unscored, found.scores.own_threshold) == (1, 0.7)
    assert "lowest of its citations" in found.scores.merged
    assert sum(one.supported for one in found.scores.histogram) == 3
    assert sum(one.unsupported for one in found.scores.histogram) == 4


def test_disagreements_come_surest_first(found: Calibration) -> None:
    """What passed with a high score, before what was stripped with a middling one."""
    assert [(one.kind, one.gold, one.said, one.wrongness) for one in found.disagreements] == [
        ("false_pass", "partial", Label.SUPPORTED, 0.8),
        ("false_strip", "supported", Label.PARTIAL, 0.4),
    ]


def test_the_explorer_agrees_with_the_verdicts_at_the_own_threshold(found: Calibration) -> None:
    """There its figures are those of the judge; at 0.85 the false pass is gone, at 0.55 so is the false strip."""
    at = {one.threshold: one for one in found.thresholds}

    def both(threshold: float) -> tuple[float | None, float | None]:
        return at[threshold].false_pass.estimate, at[threshold].false_strip.estimate

    assert [one.threshold for one in found.thresholds if one.own] == [0.7]
    assert both(0.7) == (found.figure("false_pass").estimate, found.figure("false_strip").estimate)
    assert both(0.85) == (0, found.figure("false_strip").estimate)
    assert both(0.55) == (1 / 4, 0)
    assert at[0.55].cost(4) == 1


def test_people_are_the_ceiling(tmp_path: Path) -> None:
    """Two people agree on three of four claims; without a second person a sentence says that nobody knows."""
    cases = CASES[:4]
    second = [Case("supported", S), Case("supported", S), Case("irrelevant", S), Case("partial", S)]
    with made(tmp_path / "desk.duckdb", cases) as store:
        alone = calibrate(store, NAME, GOLD_ID)
        labels(store, second, "other")
        both = calibrate(store, NAME, GOLD_ID)

    assert alone.people is None
    assert "how far people agree is not known" in alone.people_why_not
    assert both.people is not None
    assert (both.people.claims, both.people.raw.estimate) == (4, 3 / 4)
    assert both.n == 3  # the claim on which they differ is no gold, and yet in the ceiling
    assert [(one.guideline, one.n) for one in both.guidelines] == [("elsewhere", 3)]


def test_gold_that_nobody_drew_measures_the_judge_and_no_rate(tmp_path: Path) -> None:
    """Accuracy stands, the corrected rate does not, and the reason is a sentence."""
    with made(tmp_path / "desk.duckdb", CASES, probability=None, design="") as store:
        one = calibrate(store, NAME, GOLD_ID)

    assert one.figure("false_pass").estimate == 1 / 4
    assert one.rate.corrected is None
    assert "drawn with known chances" in one.rate.why_not
    assert any("feeds no rate" in note for note in one.notes)


def test_stale_gold_is_left_out_and_counted(tmp_path: Path) -> None:
    """A label about other texts than those that stand there says nothing of them."""
    with made(tmp_path / "desk.duckdb", CASES[:3]) as store:
        labels(store, [Case(None, S), Case(None, S), Case("supported", S)], "late", seen_sha256="0" * 64)
        one = calibrate(store, NAME, GOLD_ID)

    assert (one.n, one.stale) == (2, 1)
    assert any("changed since" in note for note in one.notes)


def test_claims_that_the_judge_never_saw_are_silence(tmp_path: Path) -> None:
    """Gold on claims of another run: counted, and in no figure."""
    from tests.core.gold_store import judge
    from tests.core.store.build import protocol

    with made(tmp_path / "desk.duckdb", CASES) as store:
        other = protocol(0.8)
        judge(store, CASES[:2], other)
        one = calibrate(store, str(other), GOLD_ID)

    assert (one.n, one.judged, one.silence.never_seen) == (8, 2, 6)
    assert len(uids(CASES)) == 8


def test_the_same_seed_gives_the_same_figures(tmp_path: Path) -> None:
    """And a record that goes over the wire comes back whole."""
    with made(tmp_path / "desk.duckdb", CASES) as store:
        one, again = calibrate(store, NAME, GOLD_ID), calibrate(store, NAME, GOLD_ID)

    assert one == again
    assert Calibration.model_validate_json(one.model_dump_json()).figures == one.figures


def test_what_is_not_there_is_named(tmp_path: Path) -> None:
    """An unknown judge or gold set is refused with those that there are."""
    with made(tmp_path / "desk.duckdb", CASES) as store:
        with pytest.raises(InputError, match=GOLD_ID):
            calibrate(store, NAME, "queue:none:v1")
        with pytest.raises(InputError, match="No claim was judged under"):
            calibrate(store, "nobody@1+00000000", GOLD_ID)
