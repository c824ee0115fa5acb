"""A benchmark in words and tables (Markdown)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from core.benchmark import CLOCK, Benchmark, Beside, Mean, Score, SetScore
from core.metrics import Bounded, Estimate
from core.metrics.confusion import UNJUDGED, in_order
from core.metrics.macro_f1 import is_binary
from core.minimal_pairs import Rates
from core.probes import ProbeRate
from core.sensitivity import Sensitivity

Cells = Sequence[object]


def markdown(found: Benchmark, level: int = 1) -> str:
    """The whole report; ``level`` is that of its first heading."""
    mark = "#" * level
    parts: list[Iterator[str]] = [_opening(found, mark), _sets(found), _baselines(found, f"{mark}#")]
    parts += [_unjudged(found, f"{mark}#"), _labels(found.sets, f"{mark}#")]
    if found.probes:
        parts.append(_probes(found.probes, f"{mark}#"))
    if found.sensitivity:
        parts.append(_sensitivity(found.sensitivity, f"{mark}#"))
    if found.minimal_pairs:
        parts.append(minimal(found.minimal_pairs, f"{mark}#"))
    parts.append(_data(found, f"{mark}#"))
    return "\n".join(line for part in parts for line in part) + "\n"


def figure(one: Estimate) -> str:
    """A share with its interval, three decimals."""
    if one.estimate is None:
        return "no data"
    if one.low is None or one.high is None:
        return f"{one.estimate:.3f}"
    return f"{one.estimate:.3f} [{one.low:.3f}, {one.high:.3f}]"


def signed(one: Estimate | None) -> str:
    """A difference with its interval, signs always shown."""
    if one is None or one.estimate is None:
        return "no data"
    if one.low is None or one.high is None:
        return f"{one.estimate:+.3f}"
    return f"{one.estimate:+.3f} [{one.low:+.3f}, {one.high:+.3f}]"


def code(name: str) -> str:
    """A name out of a file as inline code of a table: nothing in it can be read as Markdown."""
    plain = "".join(char if char.isprintable() else " " for char in name)
    return f"`{plain.replace('`', chr(39)).replace('|', '/')}`"


def table(head: Cells, rows: Sequence[Cells]) -> Iterator[str]:
    """A Markdown table; numbers stand at the right."""
    yield _row(head)
    yield _row(["---", *("---:" for _ in head[1:])])
    yield from map(_row, rows)
    yield ""


def _row(cells: Cells) -> str:
    return f"| {' | '.join(map(str, cells))} |"


def _opening(found: Benchmark, mark: str) -> Iterator[str]:
    yield f"{mark} {code(found.verifier)} against people's labels"
    yield ""
    sampled = f", at most {found.sample} pairs a set drawn with seed {found.seed}" if found.sample else ""
    yield (
        f"Judged by {code(found.protocol)}, verifier and qualifiers together, Citedesk {found.package_version}"
        f"{sampled}. Supported and secondary_only stand against all else. Intervals are 95 %: bootstrap over clusters "
        "for balanced accuracy and macro-F1 (over the labels that a set's gold uses; two classes where that is coarse, "
        "marked ²), Wilson at the effective n for false pass (called supported, of what is not) and false strip "
        "(not called supported, of what is)."
    )
    yield ""


def _sets(found: Benchmark) -> Iterator[str]:
    head = ["data set", "split", "n", "balanced accuracy", "macro-F1", "false pass", "false strip"]
    head += ["not judged", "pairs/s", f"× {CLOCK}"]
    rows = [_set_row(one) for one in found.sets]
    rows.append(["**mean**", "", found.mean.estimate.n, f"**{figure(found.mean.estimate)}**", *[""] * 6])
    yield from table(head, rows)
    careful = [(one.name, one.score.balanced_accuracy.warnings) for one in found.sets]
    for name, warnings in careful:
        if warnings:
            yield f"- Read {code(name)} with care: {'; '.join(warnings)}."
    if any(warnings for _, warnings in careful):
        yield ""


def _set_row(one: SetScore) -> list[object]:
    score = one.score
    n = f"{one.n}" if one.n == one.total else f"{one.n} of {one.total}"
    ratio = "" if one.speed_ratio is None else f"{one.speed_ratio:.2f}"
    two = "²" if is_binary(score.confusion) else ""
    cells: list[object] = [code(one.name), code(one.split) if one.split else "", n]
    cells += [figure(score.balanced_accuracy), f"{figure(score.macro_f1)}{two}"]
    cells += [figure(score.false_pass), figure(score.false_strip)]
    return [*cells, sum(score.unjudged.values()), f"{score.pairs_per_second:,.0f}", ratio]


def _baselines(found: Benchmark, mark: str) -> Iterator[str]:
    if not found.baseline_means and not found.absent:
        return
    yield f"{mark} Beside the baselines"
    yield ""
    yield "Balanced accuracy; the difference is over the pairs that both judged, drawn together."
    yield ""
    names = list(found.baseline_means)
    if names:
        head = ["data set", code(found.verifier)]
        head += [cell for name in names for cell in (name, f"less {name}")]
        rows = [
            [code(one.name), figure(one.score.balanced_accuracy), *_beside(one.baselines[name] for name in names)]
            for one in found.sets
        ]
        rows.append(["**mean**", figure(found.mean.estimate), *_means(found.baseline_means, names)])
        yield from table(head, rows)
    for name in names:
        lost = found.not_beaten(name)
        won = len(found.sets) - len(lost)
        behind = f"; not on {', '.join(map(code, lost))}" if lost else ""
        yield f"- Above {name} with the whole interval on {won} of {len(found.sets)} sets{behind}."
    for name, why in found.absent.items():
        yield f"- {name} was not run: {why}"
    yield ""


def _beside(found: Iterator[Beside]) -> Iterator[str]:
    for one in found:
        yield figure(one.score.balanced_accuracy)
        yield signed(one.difference)


def _means(means: Mapping[str, Mean], names: Sequence[str]) -> Iterator[str]:
    for name in names:
        yield figure(means[name].estimate)
        yield signed(means[name].difference)


def _unjudged(found: Benchmark, mark: str) -> Iterator[str]:
    left = [
        (one, name, score)
        for one in found.sets
        for name, score in [(found.verifier, one.score), *((name, two.score) for name, two in one.baselines.items())]
        if score.unjudged
    ]
    if not left:
        return
    yield f"{mark} What was not judged"
    yield ""
    yield "Neither right nor wrong above. In brackets what a figure would be at its worst and at its best."
    yield ""
    head = ["data set", "judge", "not judged", "why", "balanced accuracy", "false pass", "false strip"]
    yield from table(head, [_unjudged_row(one.name, name, score) for one, name, score in left])


def _unjudged_row(name: str, judge: str, score: Score) -> list[object]:
    why = ", ".join(f"{word} {count}" for word, count in score.unjudged.items())
    cells = [_bounds(one) for one in (score.balanced_accuracy, score.false_pass, score.false_strip)]
    return [code(name), code(judge), sum(score.unjudged.values()), why, *cells]


def _bounds(one: Bounded) -> str:
    if one.worst is None or one.best is None:
        return "no data"
    middle = "no data" if one.estimate is None else f"{one.estimate:.3f}"
    return f"{middle} ({one.worst:.3f} to {one.best:.3f})"


def _labels(sets: Sequence[SetScore], mark: str) -> Iterator[str]:
    """Every set's confusion matrix, one under the other, with the share of each gold label."""
    said = in_order({label for one in sets for row in one.score.confusion.values() for label in row})
    yield f"{mark} Labels"
    yield ""
    yield "Rows are people's labels with their share of the set, columns what was said. F1 is over the judged pairs."
    yield ""
    rows: list[Cells] = []
    for one in sets:
        for gold, counts in one.score.confusion.items():
            total = sum(counts.values())
            f1 = one.score.f1.get(gold)
            cells = [counts.get(label, 0) for label in said]
            rows.append(
                [code(one.name), gold, total, f"{total / one.n:.0%}", *cells, "" if f1 is None else f"{f1:.3f}"]
            )
    names = ["not judged" if label == UNJUDGED else label for label in said]
    yield from table(["data set", "people", "n", "share", *names, "F1"], rows)


def _probes(found: Sequence[ProbeRate], mark: str) -> Iterator[str]:
    yield f"{mark} Behaviour probes"
    yield ""
    yield (
        "Pairs made from supported ones (`core/alterations.py`, not used in training): of a sentence of the evidence, "
        "and of the claim. How many are called supported; Wilson, 95 %."
    )
    yield ""
    rows = []
    for one in found:
        aim = f"{'≥' if one.at_least else '≤'} {one.target:.0%}"
        met = {True: "yes", False: "**no**", None: ""}[one.is_met]
        rows.append([one.kind, one.base, one.rate.n, one.unjudged, figure(one.rate), aim, met])
    yield from table(["probe", "made of", "n", "not judged", "called supported", "target", "met"], rows)


def _sensitivity(found: Sensitivity, mark: str) -> Iterator[str]:
    yield f"{mark} Does the verdict follow the evidence?"
    yield ""
    yield (
        f"Of {found.asked} supported pairs the judge called {found.supported} so; these were judged again against "
        "changed evidence. How many are not called supported any more; Wilson, 95 %."
    )
    yield ""
    rows = [[one.change, one.rate.n, one.unjudged, figure(one.rate)] for one in found.changes]
    yield from table(["change of the evidence", "n", "not judged", "verdict followed"], rows)


def minimal(found: Sequence[Rates], mark: str) -> Iterator[str]:
    """False alarms and misses of the comparers on minimal pairs."""
    yield f"{mark} Qualifiers on minimal pairs"
    yield ""
    yield (
        "Each comparer alone on pairs of ours that differ in one thing or do not (`data/gold/minimal_pairs`). False "
        "alarms are a share of the pairs without a difference, misses of those with one; Wilson, 95 %. *Held out* "
        "pairs were written after the comparer and never used to change it."
    )
    yield ""
    yield from table(
        ["comparer", "pairs", "n", "false alarms", "misses", "agreement seen"],
        [
            [
                code(one.kind),
                one.split.replace("_", " "),
                one.false_alarms.n + one.misses.n,
                *(f"{figure(each)} of {each.n}" for each in (one.false_alarms, one.misses, one.confirmed)),
            ]
            for one in found
        ],
    )


def _data(found: Benchmark, mark: str) -> Iterator[str]:
    yield f"{mark} Data"
    yield ""
    rows = [
        [code(one.name), one.rows, ", ".join(f"{label} {n}" for label, n in one.set_aside.items()), f"`{one.sha256}`"]
        for one in found.files
    ]
    yield from table(["file", "rows", "set aside", "sha256"], rows)
