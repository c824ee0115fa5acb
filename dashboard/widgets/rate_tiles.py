"""Tiles: one figure, what it says in a sentence, and of how many claims and by which judge it is.

Every page shows a rate in this way, so that its interval, its n and its judge are always beside it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from core.borrowed_calibration import Borrowed
from core.calibration import Calibration
from core.figures import Figure
from core.metrics.unsupported_rate import RateReport
from core.rates_corrected import CorrectedRate, between
from dashboard.widgets import calibration_words as words
from dashboard.widgets import plain, rates

FIGURES = ("false_pass", "false_strip", "balanced_accuracy")
"""Those of a calibration that stand first."""

IN_A_ROW = 4
"""Tiles beside one another; at 1280 pixels a sentence still finds room in each."""


class Tile(NamedTuple):
    """One figure."""

    title: str
    value: str
    """With its interval, as ``18 % (14–23)``."""
    sentence: str
    """What it says, for a reader who knows no statistics."""
    below: str = ""
    """Of how many claims, by which judge and method."""


def tiles(shown: Sequence[Tile], key: str = "tiles") -> list[DeltaGenerator]:
    """Draw them beside one another, and give the container of each, for a button in it.

    Args:
        shown: In their order.
        key: Tells them from others on the same page.
    """
    made: list[DeltaGenerator] = []
    for start in range(0, len(shown), IN_A_ROW):
        row = shown[start : start + IN_A_ROW]
        for column, one in zip(st.columns(len(row), gap="small"), row, strict=True):
            box = column.container(border=True, height="stretch", gap="xsmall", key=f"{key}_{len(made)}")
            with box:
                st.metric(plain(one.title), plain(one.value))
                st.text(one.sentence)
                if one.below:
                    st.caption(plain(one.below))
            made.append(box)
    return made


def unsupported(rate: RateReport, protocol: str, strictness: str, of: str = "", title: str = "") -> Tile:
    """The judge's own rate as a tile.

    Args:
        rate: With its counts.
        protocol: The judge; empty where the title names it.
        strictness: ``strict`` or ``lenient``.
        of: Which claims, as the end of a sentence: ``in the week of 9 November 2026``.
        title: Instead of the usual one.
    """
    title = title or f"Unsupported ({strictness})"
    place = f" {of}" if of else ""
    if rate.estimate.estimate is None:
        return Tile(title, "—", f"No claim was judged{place}.", _counted(rate, protocol))
    span = between(rate.estimate.low or 0, rate.estimate.high or 0).lower()
    said = f"The judge calls {span} of 100 claims unsupported{place}."
    return Tile(title, rates.share(rate), said, _counted(rate, protocol, "Wilson 95 % by answer"))


def line(rate: RateReport, protocol: str, strictness: str) -> str:
    """The same in one line, for a page without room for tiles."""
    if rate.estimate.estimate is None:
        return f"Of these claims none was judged by {protocol}."
    excluded = f", {rate.excluded:,} not judged" if rate.excluded else ""
    return (
        f"{rates.share(rate)} of these claims are unsupported · n {rate.judged:,} of {rate.attempted:,} "
        f"judged{excluded} · {strictness} · judge {protocol}"
    )


def _counted(rate: RateReport, protocol: str, method: str = "") -> str:
    said = [f"n {rate.judged:,} of {rate.attempted:,} judged", *([method] if method else [])]
    said += [f"judge {protocol}"] if protocol else []
    if bounds := rates.bounds(rate):
        rest = "the other one is" if rate.excluded == 1 else f"the other {rate.excluded:,} are"
        said.append(f"{bounds} whatever {rest}")
    return " · ".join(said)


def figure(one: Figure) -> Tile:
    """A figure of a calibration."""
    return Tile(one.title, words.value(one), one.sentence, words.below(one))


def borrowed(found: Borrowed, strictness: str) -> Tile:
    """The rate by the judge's errors on other claims: told apart from a corrected one by name and words."""
    rate = found.rate
    value = "—" if rate.estimate is None else f"{rates.percent(rate.estimate)} ({rates.interval(rate)})"
    return Tile(f"Borrowed calibration ({strictness})", value, found.sentence, rate.method)


def corrected(rate: CorrectedRate) -> Tile:
    """The rate as people would see it, or why there is none."""
    value, below = words.corrected(rate)
    return Tile(f"Corrected by people ({rate.strictness})", value, rate.sentence, below)


def calibration(found: Calibration) -> list[Tile]:
    """The first figures of a calibration, then the rate that it corrects."""
    return [*(figure(found.figure(key)) for key in FIGURES), corrected(found.rate)]
