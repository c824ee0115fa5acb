"""What a comparison of two judges says, in words and tables; nothing is computed here. No Streamlit here."""

from __future__ import annotations

import pandas as pd

from core.comparison import Comparison, Pairing
from core.metrics.corrected_rate import FEWEST_LABELS
from core.metrics.paired_test import ALPHA
from dashboard.widgets import many, rate_tiles, rates
from dashboard.widgets.rate_tiles import Tile


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


def tiles(found: Comparison, pair: Pairing) -> list[Tile]:
    """Either judge's rate on the claims of the comparison, then the difference."""
    by_name = {one.protocol: one.rate for one in found.sides}
    both = [
        rate_tiles.unsupported(by_name[name], "", found.strictness, title=f"{when}: {name}")
        for when, name in (("Before", pair.first), ("After", pair.second))
    ]
    return [*both, difference(pair)]


def difference(pair: Pairing) -> Tile:
    """The difference in points, with its interval and what it is of."""
    found = pair.difference
    if found.estimate is None or found.low is None or found.high is None:
        return Tile("Difference", "—", "; ".join(found.warnings))
    points = [100 * one for one in (found.estimate, found.low, found.high)]
    how = "more" if points[0] > 0 else "fewer"
    said = "Both call as many claims unsupported." if not points[0] else f"The later judge calls {how} unsupported."
    if points[1] < 0 < points[2] and points[0]:
        said = f"{said} Zero lies within the interval, so chance alone could do this."
    return Tile(
        "Difference",
        f"{points[0]:+.1f} points ({points[1]:+.1f} to {points[2]:+.1f})",
        said,
        f"n {found.n:,} claims on which both concluded · {found.method}",
    )


def apart(found: Comparison) -> str:
    """What is not compared because only some of the judges saw it; empty when nothing is."""
    said = [f"{many(n, 'claim')} of {name}" for name, n in found.left_out.items() if n]
    return f"Not compared, for not all of these judges judged them: {', '.join(said)}." if said else ""


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
