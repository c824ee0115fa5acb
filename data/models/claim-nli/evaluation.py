"""Scores of the model as Citedesk uses it, the two global thresholds, and the table of the evaluation sets.

Pairs are scored by `core.verifiers.nli` itself (windows, focus, rounding), so what is fitted and reported here is what
ships. Thresholds are fitted on held-out training pairs only; every set weighs the same and none gets its own.
"""

from __future__ import annotations

import json
import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np
from core import probes
from core.extraction import sentences
from core.gold_pairs import DataSet, GoldPair, load
from core.inference import load_classifier, load_embedder
from core.metrics import balanced_accuracy
from core.metrics.confusion import Outcome, is_supported
from core.models import Label
from core.models import Pair as JudgedPair
from core.verifiers import Verifier
from core.verifiers.cosine import THRESHOLDS as COSINE_THRESHOLDS
from core.verifiers.cosine import CosineVerifier
from core.verifiers.lexical import THRESHOLDS as LEXICAL_THRESHOLDS
from core.verifiers.lexical import LexicalVerifier
from core.verifiers.nli import NliVerifier

from mix import TARGETS, Pair

STEPS: Final = np.round(np.arange(5, 96) / 100, 2)
FEWEST: Final = 15
"""Pairs that each side of a held-out set needs to be fitted on."""

_LABELS: Final = {target: label for label, target in reversed(TARGETS.items())}
_AT_ONCE: Final = 256
Floats = np.ndarray[Any, np.dtype[np.float64]]


@dataclass(frozen=True)
class Scored:
    """A data set with the model's scores, (n, 3): entailment, contradiction, neutral; nan where it gave none."""

    name: str
    pairs: tuple[GoldPair, ...]
    clusters: tuple[str | None, ...]
    scores: Floats

    @property
    def supported(self) -> np.ndarray[Any, np.dtype[np.bool_]]:
        """Which pairs people call supported."""
        return np.array([is_supported(pair.label) for pair in self.pairs])


def model_judge(folder: Path, thresholds: Mapping[str, float] | None = None) -> NliVerifier:
    """The judge as shipped; without thresholds one that gives every pair a label, so that no clause is asked again."""
    given = thresholds or {"supported": 0.0, "contradicted": 0.0, "partial": 0.0}
    return NliVerifier(load_classifier(folder), given, "nli")


def score(judge: NliVerifier, data: DataSet) -> Scored:
    """Score every pair of a set."""
    rows = []
    for start in range(0, len(data.pairs), _AT_ONCE):
        group = [JudgedPair(claim=one.claim, evidence=one.evidence) for one in data.pairs[start : start + _AT_ONCE]]
        for said in judge.judge(group):
            rows.append([said.scores.get(name, np.nan) for name in ("entailment", "contradiction", "neutral")])
    return Scored(data.name, data.pairs, tuple(data.clusters()), np.array(rows, dtype=np.float64).reshape(-1, 3))


def held_out_sets(pairs: Iterable[Pair]) -> list[DataSet]:
    """The held-out training pairs as data sets, the evidence in full."""
    by_source: dict[str, list[GoldPair]] = {}
    for pair in pairs:
        row = GoldPair(claim=pair.claim, evidence=pair.evidence, label=_LABELS[pair.target])
        by_source.setdefault(pair.source, []).append(row)
    return [
        DataSet(name=name, split="held_out", files=(), pairs=tuple(rows), total=len(rows))
        for name, rows in sorted(by_source.items())
    ]


def evaluation_sets(folder: Path, sample: int | None) -> list[DataSet]:
    """The sets of `folder`, at most `sample` pairs each where it is given."""
    return list(load(sorted(folder.glob("*.jsonl")), sample=sample, seed=1).sets)


def fit_thresholds(sets: Sequence[Scored]) -> tuple[dict[str, float], float]:
    """One threshold for support, then one for contradiction among what is not supported, over all sets alike.

    The middle of the thresholds within 0.002 of the best mean balanced accuracy is taken: the curve is flat there, and
    its very top is chance. Returns the thresholds, and the mean balanced accuracy of support on these sets.
    """
    curves, others = [], []
    for data in sets:
        truth = data.supported
        if min(truth.sum(), (~truth).sum()) >= FEWEST:
            curves.append([_balanced(_says_supported(data.scores, step), truth) for step in STEPS])
    if not curves:
        return {"supported": 0.5, "contradicted": 0.5}, 0.5
    supported = _middle(curves)
    for data in sets:
        truth = np.array([pair.label == "contradicted" for pair in data.pairs])
        if min(truth.sum(), (~truth).sum()) >= FEWEST:
            rest = ~_says_supported(data.scores, supported) & (data.scores[:, 1] > data.scores[:, 0])
            others.append([_balanced(rest & (data.scores[:, 1] >= step), truth) for step in STEPS])
    contradicted = max(0.5, _middle(others)) if others else 0.5
    return {"supported": supported, "contradicted": contradicted}, round(float(np.mean(curves, axis=0).max()), 4)


def held_out_table(sets: Sequence[Scored], threshold: float) -> dict[str, Any]:
    """N and balanced accuracy of each held-out set that has both sides."""
    rows = {}
    for data in sets:
        truth = data.supported
        if 0 < truth.sum() < len(truth):
            reached = _balanced(_says_supported(data.scores, threshold), truth)
            rows[data.name] = {"n": len(truth), "supported": int(truth.sum()), "balanced_accuracy": round(reached, 4)}
    return rows


def _says_supported(scores: Floats, threshold: float) -> np.ndarray[Any, np.dtype[np.bool_]]:
    """Which rows the judge calls supported."""
    found: np.ndarray[Any, np.dtype[np.bool_]] = (scores[:, 0] >= threshold) & (scores[:, 0] >= scores[:, 1])
    return found


def _balanced(said: np.ndarray[Any, Any], truth: np.ndarray[Any, Any]) -> float:
    """Balanced accuracy of a yes or no."""
    return float((said[truth].mean() + (~said[~truth]).mean()) / 2)


def _middle(curves: Sequence[Sequence[float]]) -> float:
    """The middle of the steps whose mean is within 0.002 of the best."""
    mean = np.mean(curves, axis=0)
    near = np.flatnonzero(mean >= mean.max() - 0.002)
    return float(STEPS[near[len(near) // 2]])


def auc(scores: Floats, truth: np.ndarray[Any, Any]) -> float:
    """Chance that a supported pair scores above another one, ties counting half."""
    _, inverse, counts = np.unique(scores, return_inverse=True, return_counts=True)
    ends = np.cumsum(counts)
    ranks = ((ends - counts + 1 + ends) / 2)[inverse]
    positives = int(truth.sum())
    return float((ranks[truth].sum() - positives * (positives + 1) / 2) / (positives * (len(truth) - positives)))


def outcomes(data: Scored, threshold: float) -> list[Outcome]:
    """What the judge says of support at a threshold, pair by pair; a pair without a score is not judged."""
    said = _says_supported(data.scores, threshold)
    return [
        Outcome(pair.label, None if np.isnan(row[0]) else "supported" if yes else "irrelevant", cluster)
        for pair, row, yes, cluster in zip(data.pairs, data.scores, said, data.clusters, strict=True)
    ]


def baseline_outcomes(judge: Verifier, data: Scored) -> list[Outcome]:
    """What a baseline says of the same pairs."""
    found = []
    for start in range(0, len(data.pairs), _AT_ONCE):
        group = data.pairs[start : start + _AT_ONCE]
        said = judge.judge([JudgedPair(claim=one.claim, evidence=one.evidence) for one in group])
        found += [one.label for one in said]
    return [Outcome(p.label, label, c) for p, label, c in zip(data.pairs, found, data.clusters, strict=True)]


def baselines(embed: Path) -> dict[str, Verifier]:
    """The judges to beat: shared words, and cosine of embeddings, each at its one global threshold."""
    return {
        "lexical": LexicalVerifier(dict(LEXICAL_THRESHOLDS), sentences),
        "cosine": CosineVerifier(load_embedder(embed), dict(COSINE_THRESHOLDS), sentences),
    }


def table(sets: Sequence[Scored], threshold: float, judges: Mapping[str, Verifier]) -> dict[str, Any]:
    """Per set: n, balanced accuracy with interval, AUC, each baseline's and the paired difference; and the means."""
    rows: dict[str, Any] = {}
    ours, theirs = [], {name: [] for name in judges}  # type: tuple[list[list[Outcome]], dict[str, list[list[Outcome]]]]
    for data in sets:
        own = outcomes(data, threshold)
        ours.append(own)
        kept = ~np.isnan(data.scores[:, 0])
        row: dict[str, Any] = {
            "n": len(own),
            "supported": int(data.supported.sum()),
            "unjudged": int((~kept).sum()),
            "balanced_accuracy": _estimate(balanced_accuracy.estimate(own)),
            "auc": round(auc(data.scores[kept, 0], data.supported[kept]), 4),
            "at_half": round(_balanced(_says_supported(data.scores, 0.5)[kept], data.supported[kept]), 4),
        }
        for name, judge in judges.items():
            other = baseline_outcomes(judge, data)
            theirs[name].append(other)
            row[name] = _estimate(balanced_accuracy.estimate(other))
            row[f"above_{name}"] = _estimate(balanced_accuracy.difference((own, other)))
        rows[data.name] = row
    means: dict[str, Any] = {"nli": _estimate(balanced_accuracy.mean(ours))}
    for name, other_sets in theirs.items():
        means[name] = _estimate(balanced_accuracy.mean(other_sets))
        pairings = list(zip(ours, other_sets, strict=True))
        means[f"above_{name}"] = _estimate(balanced_accuracy.mean_difference(pairings))
    means["auc"] = round(float(np.mean([row["auc"] for row in rows.values()])), 4)
    return {"sets": rows, "mean": means}


def _estimate(found: Any) -> dict[str, float | None]:
    """Estimate and interval, four decimals."""
    values = {"estimate": found.estimate, "low": found.low, "high": found.high}
    return {name: None if value is None else round(float(value), 4) for name, value in values.items()}


def save_scores(sets: Sequence[Scored], path: Path) -> None:
    """The scores of every pair, for a later look."""
    content = {data.name: {"label": [p.label for p in data.pairs], "scores": data.scores.tolist()} for data in sets}
    path.write_text(json.dumps(content), encoding="utf-8")


def score_all(folder: Path, sets: Sequence[DataSet]) -> tuple[list[Scored], float]:
    """Scores of all sets with the seconds it took."""
    judge = model_judge(folder)
    begun = time.monotonic()
    return [score(judge, data) for data in sets], time.monotonic() - begun


def parity(int8: Sequence[Scored], float_folder: Path, threshold: float, size: int) -> dict[str, float]:
    """How far int8 scores are from those of the float32 graph, over at most `size` pairs of each set."""
    judge = model_judge(float_folder)
    ours, theirs, gaps = [], [], []
    for data in int8:
        kept = np.linspace(0, len(data.pairs) - 1, min(size, len(data.pairs))).round().astype(int)
        part = DataSet(name=data.name, split="", files=(), pairs=tuple(data.pairs[i] for i in kept), total=len(kept))
        other = score(judge, part).scores
        mine, truth = data.scores[kept], data.supported[kept]
        judged = ~np.isnan(mine[:, 0])
        ours.append(mine[judged])
        theirs.append(other[judged])
        both = [_balanced(_says_supported(scores[judged], threshold), truth[judged]) for scores in (mine, other)]
        gaps.append(both)
    mine, other = np.concatenate(ours), np.concatenate(theirs)
    mean = np.nanmean(np.array(gaps), axis=0)
    return {
        "pairs": len(mine),
        "same_side": round(float((_says_supported(mine, threshold) == _says_supported(other, threshold)).mean()), 4),
        "same_highest": round(float((mine.argmax(1) == other.argmax(1)).mean()), 4),
        "mean_absolute_difference": round(float(np.abs(mine[:, 0] - other[:, 0]).mean()), 4),
        "balanced_accuracy_int8": round(float(mean[0]), 4),
        "balanced_accuracy_float": round(float(mean[1]), 4),
    }


def probe(folder: Path, thresholds: Mapping[str, float], sets: Sequence[DataSet], size: int) -> list[dict[str, Any]]:
    """The behaviour probes of `core.probes` on the model alone, without qualifiers."""
    judge = model_judge(folder, {"partial": 1.0, **thresholds})

    def ask(pairs: Sequence[JudgedPair]) -> list[Label | None]:
        return [said.label for said in judge.judge(pairs)]

    return [
        {
            "kind": one.kind,
            "base": one.base,
            **_estimate(one.rate),
            "n": one.rate.n,
            "target": one.target,
            "met": one.is_met,
        }
        for one in probes.run(sets, ask, 0, size)
    ]
