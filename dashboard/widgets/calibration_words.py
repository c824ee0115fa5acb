"""What a calibration says, in words and tables; nothing is computed here. No Streamlit here."""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd

from core import glossary
from core.calibration import Calibration, GuidelineAgreement
from core.figures import Figure
from core.judge_accuracy import LabelFigures
from core.judged_gold import Silence
from core.metrics import Estimate
from core.metrics.confusion import NOT_SUPPORTED
from core.metrics.labels_needed import LabelsNeeded
from core.models import Failure, Label
from core.rates_corrected import CorrectedRate
from core.score_figures import Scores
from dashboard.widgets import look, many, rates

SHARES = {"balanced_accuracy", "precision", "recall", "false_pass", "false_strip", "raw_agreement"}
"""Figures that are read as so many of 100; the others as numbers."""

OF_WHAT = {
    "false_pass": "claims that people call unsupported",
    "recall": "claims that people call unsupported",
    "false_strip": "claims that people call supported",
    "precision": "claims that the judge calls unsupported",
}


def value(figure: Figure) -> str:
    """A figure with its interval, as ``14 % (8–22)`` or ``0.10 (0.04–0.17)``; a dash when it is not defined."""
    if figure.estimate is None:
        return "—"
    if figure.key in SHARES:
        return f"{rates.percent(figure.estimate)}{_within(figure.low, figure.high, 100, 0)}"
    return f"{figure.estimate:.2f}{_within(figure.low, figure.high, 1, 2)}"


def measured(found: Estimate) -> str:
    """A number that has no name, the same way."""
    if found.estimate is None:
        return "—"
    return f"{found.estimate:.2f}{_within(found.low, found.high, 1, 2)}"


def _within(low: float | None, high: float | None, scale: int, digits: int) -> str:
    if low is None or high is None:
        return ""
    return f" ({scale * low:.{digits}f}–{scale * high:.{digits}f})"


def below(figure: Figure) -> str:
    """What stands under a figure: of how many claims of which kind, by which method, what it does not tell."""
    said = [f"n {figure.n:,} {OF_WHAT.get(figure.key, 'claims')}"]
    if figure.unjudged:
        said.append(f"{figure.unjudged:,} not judged")
        if figure.worst is not None and figure.best is not None and figure.key in SHARES:
            ends = dict.fromkeys(f"{100 * end:.0f}" for end in sorted((figure.worst, figure.best)))
            said.append(f"{'–'.join(ends)} % whatever {'it is' if figure.unjudged == 1 else 'they are'}")
    return ". ".join([" · ".join([*said, figure.method]), *figure.warnings])


def headline(found: Calibration) -> str:
    """The sentence above everything: how many bad claims get past this judge."""
    figure = found.figure("false_pass")
    if figure.estimate is None or figure.low is None or figure.high is None:
        return f"{figure.sentence.removesuffix('.')} (judge {found.protocol})."
    return (
        f"Of 100 claims that people call unsupported, this judge passes about {100 * figure.estimate:.0f} (between "
        f"{100 * figure.low:.0f} and {100 * figure.high:.0f}; {figure.n:,} such claims among {found.n:,} labels, judge "
        f"{found.protocol})."
    )


def corrected(rate: CorrectedRate) -> tuple[str, str]:
    """The rate as people would see it, or why there is none, and what stands under it."""
    one = rate.corrected
    if one is None or one.estimate is None:
        return "—", rate.why_not or "; ".join(one.warnings if one else ())
    own = f"The judge alone says {rates.share(rate.raw)}; that share holds its errors."
    shown = f"{rates.percent(one.estimate)}{_within(one.low, one.high, 100, 0)}"
    return shown, f"n {one.n:,} labels for {many(rate.covered, 'claim')} · {one.method}. {own}"


def figures(found: Calibration) -> pd.DataFrame:
    """One line a figure: its value, of how many claims, what it means, and by which method."""
    rows = [(one.title, value(one), one.n, one.sentence, one.method) for one in found.figures]
    for rate in (found.rate, found.lenient):
        shown, below = corrected(rate)
        n = rate.corrected.n if rate.corrected else 0
        rows.append((f"Unsupported, corrected ({rate.strictness})", shown, n, rate.sentence, below))
    return pd.DataFrame(rows, columns=["Figure", "Value [95 % interval]", "Claims", "Says", "Method"])


def overview(found: Sequence[Calibration]) -> pd.DataFrame:
    """One line a judge, for several of them."""
    keys = ("false_pass", "false_strip", "balanced_accuracy", "raw_agreement", "kappa")
    return pd.DataFrame(
        [
            {"Judge": one.protocol, "Labels": one.n}
            | {one.figure(key).title: value(one.figure(key)) for key in keys}
            | {"Corrected rate": corrected(one.rate)[0]}
            for one in found
        ]
    )


def silence(found: Silence, n: int) -> list[str]:
    """Why the judge says nothing of some claims that have gold, a sentence a reason."""
    if not found.total:
        return [f"The judge concluded on all {many(n, 'claim')} with a label."]
    said = [f"On {found.total:,} of {many(n, 'claim')} with a label the judge came to no conclusion."]
    said += [f"{many(found.never_seen, 'claim')}: it was never asked."] if found.never_seen else []
    said += [f"{many(found.abstained, 'claim')}: it abstained."] if found.abstained else []
    said += [
        f"{many(count, 'claim')}: {glossary.FAILURES[Failure(kind)].what}." for kind, count in found.failed.items()
    ]
    said += [f"{many(found.truncated, 'claim')}: the passage was not read to its end."] if found.truncated else []
    said += [f"{many(found.inaccessible, 'claim')}: the source is closed."] if found.inaccessible else []
    return said


def needed(found: Sequence[LabelsNeeded]) -> pd.DataFrame:
    """How many more labels for which precision."""
    return pd.DataFrame(
        [
            (
                f"± {100 * one.within:g} points",
                f"{one.more:,}",
                f"{one.total:,}",
                "; ".join(one.warnings) or ("" if one.more else "enough already"),
            )
            for one in found
        ],
        columns=["To know the rate within", "Labels still needed", "Labels then", "Note"],
    )


def needed_sentence(found: Sequence[LabelsNeeded]) -> str:
    """The first margin that is not reached yet."""
    least = next((one for one in reversed(found) if one.more), None)
    if least is None and any(one.warnings for one in found):
        return "Every claim there is has a label; only more answers can tell the rate more closely."
    if least is None:
        return "There are enough labels for every margin of this table."
    return f"{many(least.more, 'more label')} would tell the unsupported rate within ± {100 * least.within:g} points."


def labels(found: LabelFigures) -> pd.DataFrame:
    """One line a label."""
    return pd.DataFrame(
        [
            {
                "Label": name(one.label),
                "People say": one.gold,
                "Judge says": one.said,
                "Right when it says so": measured(one.precision),
                "Found of what people say": measured(one.recall),
                "F1": "—" if one.f1 is None else f"{one.f1:.2f}",
            }
            for one in found.scores
        ]
    )


def guidelines(found: Sequence[GuidelineAgreement]) -> pd.DataFrame:
    """One line a version of the guideline."""
    return pd.DataFrame(
        [
            {"Guideline": one.guideline, "Labels": one.n}
            | {f"Judge: {figure.title}": value(figure) for figure in one.figures}
            | {
                "People: raw agreement": measured(one.people.raw) if one.people else "—",
                "People: α": measured(one.people.alpha) if one.people else "—",
            }
            for one in found
        ]
    )


def ceiling(found: Calibration) -> str:
    """How the judge stands against people among themselves, for a reader who knows no statistics."""
    judge, people = found.figure("raw_agreement"), found.people
    if people is None or people.raw.estimate is None:
        return f"{judge.sentence} {found.people_why_not}"
    raw = people.raw
    within = f"between {100 * (raw.low or 0):.0f} and {100 * (raw.high or 0):.0f}, " if raw.low is not None else ""
    return (
        f"{judge.sentence} Two people say the same of about {100 * (raw.estimate or 0):.0f} of 100 ({within}"
        f"{many(people.claims, 'claim')}): no judge can be expected to agree with people more than people do."
    )


def reading(scores: Scores) -> str:
    """How to read the diagram."""
    own = (
        "" if scores.own_threshold is None else f" The dashed line is the judge's threshold, {scores.own_threshold:g}."
    )
    are = "is" if scores.unscored == 1 else "are"
    left = f" {many(scores.unscored, 'claim')} without a score {are} left out." if scores.unscored else ""
    return (
        f"Dots on the dotted line: a score of 0.8 means that people call 80 of 100 such claims supported. "
        f"{scores.merged}{own}{left} Bars below: claims with such a score, hatched those that people call unsupported."
    )


def name(word: str) -> str:
    """A label word as a person reads it."""
    if word == NOT_SUPPORTED:
        return look.NOT_SUPPORTED.name
    return look.of(Label(word) if word in set(Label) else None).name
