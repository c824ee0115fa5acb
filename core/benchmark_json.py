"""A benchmark as the one object that ``citedesk bench --json`` prints."""

from __future__ import annotations

from typing import Any

from core.benchmark import Benchmark, Score, SetScore
from core.metrics import Bounded

MEASURES = ("balanced_accuracy", "macro_f1", "false_pass", "false_strip")
"""What is given with its interval, n and bounds under ``intervals``."""


def to_json(found: Benchmark) -> dict[str, Any]:
    """The object that ``--json`` prints.

    Of each measure but balanced accuracy the figure itself; interval, n and bounds of all four under ``intervals``.
    """
    return {
        "datasets": {one.name: _set_json(one) for one in found.sets},
        "mean_balanced_accuracy": found.mean.estimate.estimate,
        "mean": found.mean.estimate.model_dump(mode="json"),
        "baselines": {
            name: {
                "mean_balanced_accuracy": mean.estimate.estimate,
                "mean": mean.estimate.model_dump(mode="json"),
                "difference": mean.difference.model_dump(mode="json") if mean.difference else None,
                "not_beaten_on": found.not_beaten(name),
            }
            for name, mean in found.baseline_means.items()
        },
        "absent_baselines": found.absent,
        "probes": [one.model_dump(mode="json") | {"is_met": one.is_met} for one in found.probes],
        "sensitivity": found.sensitivity.model_dump(mode="json") if found.sensitivity else None,
        "minimal_pairs": [one.model_dump(mode="json") for one in found.minimal_pairs],
        **found.model_dump(mode="json", include={"verifier", "protocol", "package_version", "seed", "sample", "files"}),
    }


def _set_json(one: SetScore) -> dict[str, Any]:
    return {
        "n": one.n,
        "total": one.total,
        "split": one.split,
        "clusters": one.clusters,
        "files": [file.name for file in one.files],
        **_score_json(one.score),
        "speed_ratio": one.speed_ratio,
        "baselines": {
            name: {**_score_json(two.score), "difference": two.difference.model_dump(mode="json")}
            for name, two in one.baselines.items()
        },
    }


def _score_json(score: Score) -> dict[str, Any]:
    intervals: dict[str, Bounded] = {name: getattr(score, name) for name in MEASURES}
    return {
        "balanced_accuracy": score.balanced_accuracy.model_dump(mode="json"),
        **{name: intervals[name].estimate for name in MEASURES[1:]},
        "pairs_per_second": score.pairs_per_second,
        "unjudged": score.unjudged,
        "f1": score.f1,
        "confusion": score.confusion,
        "intervals": {name: one.model_dump(mode="json") for name, one in intervals.items()},
        "verifier": score.verifier,
        "protocol": score.protocol,
    }
