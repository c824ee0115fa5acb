"""How labelling goes, as sentences and tables: each figure says what it means, each empty place why it is empty."""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd

from core.label_quality import FAST_MS, AgreementSoFar, LabellerFigures, Quality, Share, Told
from core.metrics import Measure
from core.models import Label
from core.store.queue_records import CheckResult
from dashboard.widgets import look, many, showable

FEWEST = 5
"""Passages below which nothing is said of two people: the figure would jump with the next label."""

NO_AGREEMENT = (
    "No claim has two labellers yet, so there is nothing to compare: "
    "set overlap 2 or a double share when you make a queue."
)
NO_LABELS = "Nobody has labelled anything here yet."
NO_CHECKS = (
    "No check item has been labelled yet: ask for check items when you make a queue, "
    "and claims whose gold is known are mixed in."
)
NO_REASONS = "Nobody has skipped or flagged anything here."


def named(word: str) -> str:
    """A label's name; of "not a claim" too."""
    return look.LABELS[Label(word)].name if word in set(Label) else "Not a claim"


def figure(measure: Measure) -> str:
    """A figure with its interval; without one, the reason."""
    if measure.estimate is None:
        return measure.reason.sentence if measure.reason else "no value"
    interval = "" if measure.low is None or measure.high is None else f" [{measure.low:.2f}, {measure.high:.2f}]"
    return f"{measure.estimate:.2f}{interval}"


def agreement_sentence(one: AgreementSoFar) -> str:
    """What the agreement of one queue says, for somebody who knows no statistics."""
    raw = one.raw
    if raw.estimate is None:
        return NO_AGREEMENT
    inner = "" if raw.low is None or raw.high is None else f" (between {raw.low:.0%} and {raw.high:.0%})"
    return (
        f"{showable(one.queue)}, guideline {showable(one.guideline)}: two people who label the same passage give it "
        f"the same label in {raw.estimate:.0%} of cases{inner}; {many(raw.n, 'passage')}, "
        f"{many(raw.pairs, 'pair')} of labels."
    )


def agreement_table(one: AgreementSoFar) -> pd.DataFrame:
    """The figures of one queue, then kappa of each pair of people."""
    rows = [
        ("Raw agreement", "all", figure(one.raw), one.raw.n, "the share of pairs of labels that are the same"),
        ("Krippendorff's α", "all", figure(one.alpha), one.alpha.n, "1 is full agreement, 0 is what chance gives"),
        ("Gwet's AC1", "all", figure(one.ac1), one.ac1.n, "the same, steadier when nearly all labels are alike"),
    ]
    rows += [
        ("Cohen's κ", showable(f"{pair.one} and {pair.other}"), _of_two(pair.kappa), pair.kappa.n, "of these two")
        for pair in one.pairs
    ]
    return pd.DataFrame(rows, columns=["Figure", "Of whom", "Value [95 % interval]", "Passages", "Says"])


def _of_two(kappa: Measure) -> str:
    return figure(kappa) if kappa.n >= FEWEST else f"fewer than {FEWEST} passages"


def labeller_sentences(rows: Sequence[LabellerFigures]) -> list[str]:
    """What stands out, a sentence each; first how much there is."""
    total = sum(one.labels for one in rows)
    said = [
        f"{many(total, 'label')} by {len(rows):,} {'person' if len(rows) == 1 else 'people'}, taken back ones apart."
    ]
    said += [
        f"{showable(one.labeller)}: {one.fast:,} of {one.timed:,} labels came in under {FAST_MS // 1000} seconds, "
        "too fast to have read claim and passage."
        for one in rows
        if one.fast
    ]
    said += [
        f"{showable(one.labeller)}: all {one.labels:,} labels are {named(one.only_label)}."
        for one in rows
        if one.only_label
    ]
    return said


def labeller_table(rows: Sequence[LabellerFigures]) -> pd.DataFrame:
    """One line a person."""
    return pd.DataFrame(
        [
            {
                "Labeller": showable(one.labeller),
                "Labels": one.labels,
                "Not a claim": one.not_claims,
                "Skipped": one.skips,
                "Flagged": one.flags,
                "After the judge was seen": one.after_reveal,
                "Under 2 s": f"{one.fast:,} of {one.timed:,}" if one.timed else "not known",
                "Seconds a label, median": one.median_seconds,
                "Active hours": round(one.active_hours, 2),
                "Labels an active hour": one.per_hour and round(one.per_hour),
            }
            for one in rows
        ]
    )


def check_sentence(rows: Sequence[CheckResult]) -> str:
    """How people do on claims whose label is known."""
    right, total = sum(one.right for one in rows), sum(one.right + one.wrong for one in rows)
    if not total:
        return NO_CHECKS
    return f"{right:,} of {many(total, 'label')} on check items, whose label was known before, are right."


def check_table(rows: Sequence[CheckResult]) -> pd.DataFrame:
    """One line a person, with what they took for what."""
    return pd.DataFrame(
        [
            (
                showable(one.labeller),
                one.right,
                one.wrong,
                ", ".join(sorted({f"{named(known)} called {named(given)}" for _, known, given in one.missed})),
            )
            for one in rows
        ],
        columns=["Labeller", "Right", "Wrong", "Taken for something else"],
    )


def drift_sentence(rows: Sequence[Share], zone: str) -> str:
    """What the days say."""
    days = len({one.day for one in rows})
    if days < 2:
        return f"All labels are of one day ({zone}), so nothing can be said about change."
    return (
        f"How often each person gives each label, by day ({zone}); a share that moves may be a new reading of a label."
    )


def drift_table(rows: Sequence[Share]) -> pd.DataFrame:
    """One line a day and person: how many labels, and the share of each, in per cent."""
    words = [word for word in (*Label, "not_a_claim") if any(one.label == word for one in rows)]
    lines: dict[tuple[str, str], dict[str, object]] = {}
    for one in rows:
        start = {"Day": one.day.isoformat(), "Labeller": showable(one.labeller), "Labels": one.of}
        line = lines.setdefault((one.day.isoformat(), one.labeller), {**start, **{named(word): 0 for word in words}})
        line[named(one.label)] = round(100 * one.count / one.of)
    return pd.DataFrame(lines.values())


def told_table(rows: Sequence[Told]) -> pd.DataFrame:
    """Reasons of skips and flags, the commonest first."""
    return pd.DataFrame(
        [
            ("Skipped" if one.kind == "skip" else "Flagged", showable(one.words), showable(one.labeller), one.count)
            for one in rows
        ],
        columns=["What", "Why", "Labeller", "Times"],
    )


def is_empty(quality: Quality) -> bool:
    """Whether there is nothing at all."""
    return not quality.labellers
