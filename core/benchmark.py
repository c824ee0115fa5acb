"""Benchmark: a judge against labels that people gave, per data set, beside baselines in the same run.

Every judge is asked for the same pairs, as ``verify`` would ask it: verifier and qualifiers together, nothing taken
from a cache. A pair that was not judged is counted, bounded, and neither right nor wrong.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Mapping, Sequence
from importlib.metadata import version

from core import probes, sensitivity
from core.bench_judges import WARM_UP, Asking, Judges, Progress
from core.gold_pairs import DataSet, Gold, GoldFile
from core.metrics import Bounded, Estimate, balanced_accuracy, false_pass, false_strip, macro_f1
from core.metrics.balanced_accuracy import Pairing
from core.metrics.confusion import Outcome, confusion
from core.minimal_pairs import Rates
from core.models import Record
from core.probes import ProbeRate
from core.semantic import Judge
from core.sensitivity import Sensitivity

CLOCK = "lexical"
"""The baseline whose speed stands beside a judge's: ratios travel between machines, seconds do not."""


class Score(Record):
    """One judge on one data set."""

    verifier: str
    protocol: str
    balanced_accuracy: Bounded
    macro_f1: Bounded
    false_pass: Bounded
    false_strip: Bounded
    f1: dict[str, float | None]
    """F1 of each class that macro-F1 is over."""
    confusion: dict[str, dict[str, int]]
    """Gold label → label said, ``none`` when unjudged → pairs."""
    unjudged: dict[str, int]
    """Pairs without a label, by the word of their failure."""
    seconds: float
    """Wall clock of judging."""
    pairs_per_second: float


class Beside(Record):
    """A baseline on the same data set."""

    score: Score
    difference: Estimate
    """Balanced accuracy of the judge less that of the baseline, over the pairs that both judged."""

    @property
    def is_beaten(self) -> bool:
        """Whether the whole interval of the difference lies above 0."""
        return self.difference.low is not None and self.difference.low > 0


class SetScore(Record):
    """Everything measured on one data set."""

    name: str
    split: str
    n: int
    """Pairs asked about."""
    total: int
    """Pairs that the set has; more than ``n`` when it was sampled."""
    clusters: int
    """Groups of pairs that the intervals draw whole."""
    files: tuple[GoldFile, ...]
    score: Score
    baselines: dict[str, Beside]

    @property
    def speed_ratio(self) -> float | None:
        """Pairs a second over those of ``CLOCK`` in the same run; none when that was not run."""
        clock = self.baselines.get(CLOCK)
        return self.score.pairs_per_second / clock.score.pairs_per_second if clock else None


class Mean(Record):
    """Balanced accuracy over all data sets, every set weighing the same."""

    estimate: Estimate
    difference: Estimate | None = None
    """The judge's less this one's; none for the judge itself."""


class Benchmark(Record):
    """One run of the benchmark."""

    verifier: str
    protocol: str
    package_version: str
    seed: int
    sample: int | None
    """Pairs a set, at most; none for all."""
    files: tuple[GoldFile, ...]
    sets: tuple[SetScore, ...]
    mean: Mean
    baseline_means: dict[str, Mean]
    absent: dict[str, str]
    """Baselines that could not be built here, and why."""
    probes: tuple[ProbeRate, ...] = ()
    sensitivity: Sensitivity | None = None
    minimal_pairs: tuple[Rates, ...] = ()
    """Of each comparer alone, whoever the judge is."""

    def not_beaten(self, baseline: str) -> list[str]:
        """The sets on which the judge is not above a baseline with its whole interval."""
        return [one.name for one in self.sets if not one.baselines[baseline].is_beaten]


def run(gold: Gold, judges: Judges, progress: Progress, seed: int = 0, probing: int = probes.PER_KIND) -> Benchmark:
    """Measure on every data set, then probe.

    Args:
        gold: What to measure on.
        judges: Who is measured, beside whom.
        progress: Told how far the work is, in pairs.
        seed: Of everything drawn.
        probing: Probes a kind at most, made of the supported pairs of ``gold``; 0 for none.
    """
    asking = Asking(progress, sum(len(one.pairs) for one in gold.sets) * (1 + len(judges.baselines)))
    sets: list[SetScore] = []
    every: dict[str, list[list[Outcome]]] = {name: [] for name in ("", *judges.baselines)}
    for judge in (judges.main, *judges.baselines.values()):
        judge.judge([WARM_UP])  # what is loaded on first use is not this set's time
    for data in gold.sets:
        measured = {
            name: _measure(judge, data, asking, seed) for name, judge in (("", judges.main), *judges.baselines.items())
        }
        for name, (_, outcomes) in measured.items():
            every[name].append(outcomes)
        sets.append(_set_score(data, measured, seed))
    ask = asking.labels(judges.main)
    protocol = judges.main.protocol
    return Benchmark(
        verifier=protocol.verifier,
        protocol=str(protocol),
        package_version=version("citedesk"),
        seed=seed,
        sample=max((len(one.pairs) for one in gold.sets if len(one.pairs) < one.total), default=None),
        files=gold.files,
        sets=tuple(sets),
        mean=Mean(estimate=balanced_accuracy.mean(every[""], seed)),
        baseline_means={name: _mean_beside(every, name, seed) for name in judges.baselines},
        absent=dict(judges.absent),
        probes=tuple(probes.run(gold.sets, ask, seed, probing)) if probing else (),
        sensitivity=sensitivity.run(gold.sets, ask, seed, probing) if probing else None,
    )


def _measure(judge: Judge, data: DataSet, asking: Asking, seed: int) -> tuple[Score, list[Outcome]]:
    began = time.perf_counter()
    found = asking.judge(judge, [one.pair for one in data.pairs])
    seconds = time.perf_counter() - began
    outcomes = [
        Outcome(gold.label, one.label, cluster)
        for gold, one, cluster in zip(data.pairs, found, data.clusters(), strict=True)
    ]
    unjudged = Counter(one.trouble for one in found if one.trouble is not None)
    score = Score(
        verifier=judge.protocol.verifier,
        protocol=str(judge.protocol),
        balanced_accuracy=balanced_accuracy.estimate(outcomes, seed),
        macro_f1=macro_f1.estimate(outcomes, seed),
        false_pass=false_pass.estimate(outcomes),
        false_strip=false_strip.estimate(outcomes),
        f1=macro_f1.by_label(outcomes),
        confusion=confusion(outcomes),
        unjudged=dict(sorted(unjudged.items())),
        seconds=seconds,
        pairs_per_second=len(outcomes) / max(seconds, 1e-9),
    )
    return score, outcomes


def _set_score(data: DataSet, measured: Mapping[str, tuple[Score, list[Outcome]]], seed: int) -> SetScore:
    score, ours = measured[""]
    return SetScore(
        name=data.name,
        split=data.split,
        n=len(data.pairs),
        total=data.total,
        clusters=len(set(data.clusters())),
        files=data.files,
        score=score,
        baselines={
            name: Beside(score=theirs, difference=balanced_accuracy.difference((ours, outcomes), seed))
            for name, (theirs, outcomes) in measured.items()
            if name
        },
    )


def _mean_beside(every: Mapping[str, Sequence[Sequence[Outcome]]], name: str, seed: int) -> Mean:
    pairings: list[Pairing] = list(zip(every[""], every[name], strict=True))
    return Mean(
        estimate=balanced_accuracy.mean(every[name], seed),
        difference=balanced_accuracy.mean_difference(pairings, seed),
    )
