"""What a comparison of two judges says, in words and tables; nothing is computed here. No Streamlit here."""

from __future__ import annotations

import pandas as pd

from core.comparison import Comparison, Pairing
from core.metrics.corrected_rate import FEWEST_LABELS
from dashboard.widgets import many, rates

ALPHA = 0.05
"""A p-value up to this speaks of more than chance."""


def standing(pair: Pairing) -> str:
    """One word first, as a check prints it, then why: does the second judge do better or worse by people?"""
    gold = pair.gold
    if gold is None:
        return f"INCONCLUSIVE: no labelled overlap; label {FEWEST_LABELS} to start."
    p = gold.test.p if gold.p_holm is None else gold.p_holm
    how = gold.test.method + (", Holm" if gold.p_holm is not None else "")
    counts = (
        f"of {many(gold.n, 'claim')} with a label {pair.second} alone is right on {gold.second_only:,} and "
        f"{pair.first} alone on {gold.first_only:,} (p {chance(p)}, {how})"
    )
    if p > ALPHA or gold.first_only == gold.second_only:
        return f"INCONCLUSIVE: {counts}; chance alone could do this."
    return f"{'PASS' if gold.second_only > gold.first_only else 'FAIL'}: {counts}."


def chance(p: float) -> str:
    """A p-value as a person reads it."""
    return "under 0.001" if p < 0.001 else f"{p:.3f}"


def difference(pair: Pairing) -> str:
    """The difference in points, with its interval and what it is of."""
    found = pair.difference
    if found.estimate is None or found.low is None or found.high is None:
        return "; ".join(found.warnings)
    points = [100 * one for one in (found.estimate, found.low, found.high)]
    return (
        f"Difference {points[0]:+.1f} points ({points[1]:+.1f} to {points[2]:+.1f}) · n {found.n:,} claims on which "
        f"both concluded · {found.method}"
    )


def moved(pair: Pairing) -> str:
    """How much changed, and whether labels as a whole moved."""
    p = pair.labels.p if pair.labels_p_holm is None else pair.labels_p_holm
    said = (
        f"{pair.changed:,} of {many(pair.n, 'claim')} got another label. {pair.first_only:,} are unsupported for "
        f"{pair.first} alone, {pair.second_only:,} for {pair.second} alone."
    )
    how = pair.labels.method + (", Holm" if pair.labels_p_holm is not None else "")
    return f"{said} Labels as a whole: p {chance(p)} ({how})."


def sides(found: Comparison) -> pd.DataFrame:
    """The judges side by side, one line each."""
    return pd.DataFrame(
        [
            {
                "Judge": one.protocol,
                f"Unsupported ({found.strictness}, raw)": rates.share(one.rate),
                "Judged": one.rate.judged,
                "Not judged": one.rate.excluded,
                "Cost": one.cost_said,
                "Time": one.latency_said,
                "Claims that the others did not judge": found.left_out.get(one.protocol, 0),
            }
            for one in found.sides
        ]
    )


def changes(pair: Pairing, name: dict[str, str]) -> pd.DataFrame:
    """What changed, the most frequent first."""
    return pd.DataFrame(
        [(name[one.first], name[one.second], one.n) for one in pair.changes if one.changed],
        columns=[pair.first, pair.second, "Claims"],
    )
