"""The benchmark: hand-worked figures, baselines in the same run, what was not judged, and both ways of printing it."""

from __future__ import annotations

import json
from typing import Any

import pytest

from core import benchmark, benchmark_json, benchmark_report
from core.bench_judges import AT_ONCE, Asking, Judges
from core.benchmark import Benchmark
from core.errors import VerifierUnavailable
from core.gold_pairs import DataSet, Gold, GoldFile, GoldPair
from core.metrics import wilson
from core.minimal_pairs import Rates
from core.models import Label, Pair
from core.semantic import Judge
from core.settings import Settings
from tests.core.gold_made import made
from tests.fakes.scripted import ScriptedVerifier

FILE = GoldFile(name="gates.jsonl", sha256="ab" * 32, rows=8, set_aside={"uncited": 1})


def pairs(*labels: str) -> tuple[GoldPair, ...]:
    """One pair a label, each on its own text; texts are named after their place."""
    return tuple(GoldPair(claim=f"Claim {at}.", evidence=f"Text {at}.", label=label) for at, label in enumerate(labels))


def data(name: str, *labels: str) -> DataSet:
    """A set of such pairs."""
    return DataSet(name=name, split="dev", files=(FILE,), pairs=pairs(*labels), total=len(labels) + 2)


def judge(*labels: str | None) -> Judge:
    """A judge that gives the texts these labels, in their order; none for a failure."""
    script = {f"Text {at}.": Label(label) for at, label in enumerate(labels) if label}
    return Judge(ScriptedVerifier(script), [])


GOLD = data("gates", "supported", "supported", "supported", "supported", "not_supported", "not_supported", "partial")
SAID = ("supported", "secondary_only", "partial", None, "supported", "irrelevant", "contradicted")
BASELINE = ("supported", "partial", "partial", "partial", "supported", "supported", "irrelevant")


def run(gold: DataSet = GOLD, said: tuple[str | None, ...] = SAID, **options: Any) -> Benchmark:
    """Measure on one set, beside a baseline called lexical, without probes."""
    judges = Judges(judge(*said), {"lexical": judge(*BASELINE)}, {"cosine": "No embedder here."})
    every = Gold(sets=(gold,), files=(FILE,), bad_lines=())
    return benchmark.run(every, judges, lambda done, total: None, **({"probing": 0} | options))


def test_by_hand() -> None:
    """Supported: 2 of 3 judged right; the others: 2 of 3."""
    (found,) = run().sets
    score = found.score

    assert score.balanced_accuracy.estimate == pytest.approx(2 / 3)
    assert (score.balanced_accuracy.n, score.balanced_accuracy.unjudged) == (6, 1)
    assert score.balanced_accuracy.worst == pytest.approx((2 / 4 + 2 / 3) / 2)
    assert score.balanced_accuracy.best == pytest.approx((3 / 4 + 2 / 3) / 2)
    assert score.false_pass.estimate == pytest.approx(1 / 3)
    assert score.false_strip.estimate == pytest.approx(1 / 3)
    assert score.f1 == {"supported": pytest.approx(2 / 3), "not_supported": pytest.approx(2 / 3)}
    assert score.unjudged == {"failed": 1}
    assert score.confusion["supported"] == {"supported": 1, "partial": 1, "secondary_only": 1, "none": 1}
    assert (found.n, found.total, found.clusters) == (7, 9, 7)
    assert score.pairs_per_second > 0


def test_a_baseline_is_measured_on_the_same_pairs() -> None:
    """It has (1/4 + 1/3) / 2 on all; over the six that both judged the difference is 2/3 − (1/3 + 1/3) / 2."""
    found = run()
    beside = found.sets[0].baselines["lexical"]

    assert beside.score.balanced_accuracy.estimate == pytest.approx((1 / 4 + 1 / 3) / 2)
    assert beside.difference.estimate == pytest.approx(1 / 3)
    assert beside.difference.n == 6
    assert found.baseline_means["lexical"].difference is not None
    assert found.baseline_means["lexical"].difference.estimate == pytest.approx(1 / 3)
    assert found.not_beaten("lexical") == ["gates"]
    assert found.absent == {"cosine": "No embedder here."}


def test_a_baseline_is_beaten_when_the_whole_interval_is_above() -> None:
    """Eighty pairs, all right against half right."""
    gold = data("gates", *["supported", "partial"] * 40)
    right, half = ["supported", "partial"] * 40, ["supported"] * 80
    judges = Judges(judge(*right), {"lexical": judge(*half)}, {})

    found = benchmark.run(Gold(sets=(gold,), files=(), bad_lines=()), judges, lambda done, total: None, probing=0)

    assert found.sets[0].baselines["lexical"].is_beaten
    assert found.not_beaten("lexical") == []


def test_the_mean_is_over_sets_and_the_same_seed_gives_the_same_figures() -> None:
    """Two copies of a set have its value; seconds apart, a second run says the same."""
    twice = Gold(sets=(GOLD, GOLD.model_copy(update={"name": "doors"})), files=(FILE,), bad_lines=())
    judges = Judges(judge(*SAID), {}, {})
    first, again = (benchmark.run(twice, judges, lambda done, total: None, 3, 0) for _ in range(2))

    assert first.mean.estimate.estimate == pytest.approx(2 / 3)
    assert first.mean == again.mean
    assert [one.score.balanced_accuracy for one in first.sets] == [one.score.balanced_accuracy for one in again.sets]
    assert first.sample == 7


def test_progress_reaches_its_end_and_never_goes_back() -> None:
    """Probes, whose number is not known before, are added to what there is."""
    told: list[tuple[int, int]] = []
    judges = Judges(judge(), {"lexical": judge()}, {})
    gold = Gold(sets=(made(),), files=(), bad_lines=())

    benchmark.run(gold, judges, lambda done, total: told.append((done, total)))

    assert [done for done, _ in told] == sorted(done for done, _ in told)
    assert all(done <= total for done, total in told)
    assert told[-1][0] == told[-1][1]


def test_pairs_are_handed_over_in_groups() -> None:
    """So that a bar moves, and a hundred thousand pairs need no more memory than a group."""
    verifier = ScriptedVerifier({})
    told: list[int] = []
    asked = [Pair(claim=str(at), evidence="E.") for at in range(AT_ONCE + 1)]

    found = Asking(lambda done, total: told.append(done), len(asked)).judge(Judge(verifier, []), asked)

    assert told == [AT_ONCE, AT_ONCE + 1]
    assert len(found) == len(asked)
    assert {(one.label, one.trouble) for one in found} == {(None, "failed")}


def test_a_verifier_is_not_measured_beside_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    """And a baseline that cannot be had is put down, while the judge itself must be there."""
    real = Judge.build

    def build(settings: Settings) -> Judge:
        if settings.verifier == "cosine":
            raise VerifierUnavailable("There is no model called 'embed'", "add it")
        return real(settings)

    monkeypatch.setattr(Judge, "build", build)
    judges = Judges.build(Settings(verifier="lexical", thresholds={"supported": 0.7}))

    assert dict(judges.baselines) == {}
    assert judges.absent == {"cosine": "There is no model called 'embed'; add it."}
    assert judges.main.protocol.thresholds["supported"] == 0.7
    with pytest.raises(VerifierUnavailable):
        Judges.build(Settings(verifier="cosine"))


def test_the_object_has_the_figures_by_data_set() -> None:
    """As published: balanced accuracy with its interval, the other figures as numbers."""
    found = json.loads(json.dumps(benchmark_json.to_json(run(probing=5)), allow_nan=False))
    one = found["datasets"]["gates"]

    assert one["n"] == 7
    assert one["balanced_accuracy"]["low"] <= one["balanced_accuracy"]["estimate"] <= one["balanced_accuracy"]["high"]
    for name in ("macro_f1", "false_pass", "false_strip", "pairs_per_second"):
        assert isinstance(one[name], float)
    assert one["intervals"]["false_pass"]["n"] == 3
    assert one["intervals"]["false_strip"]["unjudged"] == 1
    assert one["speed_ratio"] > 0
    assert found["mean_balanced_accuracy"] == pytest.approx(2 / 3)
    assert found["baselines"]["lexical"]["not_beaten_on"] == ["gates"]
    assert found["files"][0]["sha256"] == "ab" * 32
    assert found["protocol"].startswith("scripted@1+")
    assert found["sensitivity"]["asked"] == 4
    assert {row["kind"] for row in found["probes"]} >= {"verbatim sentence", "swapped number"}


def test_the_report_says_everything_that_must_stand_beside_a_figure() -> None:
    """Sizes, intervals, what was not judged with its bounds, where the baseline is not beaten, hashes."""
    rate = wilson.interval(1, 20)
    comparer = Rates(kind="unit", split="held_out", false_alarms=rate, misses=rate, confirmed=rate, wrong=("unit-01",))
    text = benchmark_report.markdown(run(probing=5).model_copy(update={"minimal_pairs": (comparer,)}))

    assert "| `unit` | held out | 40 | 0.050 [0.009, 0.236] of 20 |" in text
    assert "| `gates` | `dev` | 7 of 9 | 0.667 [" in text
    assert "| `gates` | `scripted` | 1 | failed 1 | 0.667 (0.583 to 0.708) | 0.333 (0.333 to 0.333) |" in text
    assert "- Read `gates` with care: only 6 clusters" in text
    assert "- Above lexical with the whole interval on 0 of 1 sets; not on `gates`." in text
    assert "- cosine was not run: No embedder here." in text
    assert "| `gates` | partial | 1 | 14% |" in text
    assert "Behaviour probes" in text
    assert "Does the verdict follow the evidence?" in text
    assert f"| `gates.jsonl` | 8 | uncited 1 | `{'ab' * 32}` |" in text


def test_a_name_out_of_a_file_is_no_markdown() -> None:
    """Nothing in it ends a cell or a line, links or shows an image."""
    text = benchmark_report.markdown(run(GOLD.model_copy(update={"name": "a|b`\n# c ![x](http://y.example)"})))

    assert "`a/b' # c ![x](http://y.example)`" in text
    assert "\n# c" not in text


def test_every_table_row_has_as_many_cells_as_its_head() -> None:
    """Rows, means and heads are made in different places."""
    lines = benchmark_report.markdown(run(probing=5)).splitlines()
    width = 0
    for line, before in zip(lines, ["", *lines], strict=False):
        if line.startswith("|"):
            width = width if before.startswith("|") else line.count("|")
            assert line.count("|") == width, line
