"""The first figures of a calibration as tiles: a number, one sentence, and of how many claims it is."""

from __future__ import annotations

from typing import NamedTuple

import streamlit as st

from core.calibration import Calibration
from dashboard.widgets import calibration_words as words
from dashboard.widgets import plain

KEYS = ("false_pass", "false_strip", "balanced_accuracy")


class Tile(NamedTuple):
    """One of them."""

    title: str
    value: str
    sentence: str
    below: str


def tiles(found: Calibration) -> None:
    """Draw them beside one another."""
    for column, one in zip(st.columns(len(KEYS) + 1, gap="small"), _tiles(found), strict=True):
        with column, st.container(border=True, height="stretch", gap="xsmall"):
            st.caption(plain(one.title))
            st.subheader(plain(one.value), anchor=False)
            st.text(one.sentence)
            st.caption(plain(one.below))
    with st.expander("Every figure, each with its sentence"):
        st.dataframe(words.figures(found), hide_index=True, alt="Every figure of the judge, with its sentence")


def _tiles(found: Calibration) -> list[Tile]:
    shown = [found.figure(key) for key in KEYS]
    made = [Tile(one.title, words.value(one), one.sentence, words.below(one)) for one in shown]
    value, below = words.corrected(found.rate)
    title = "Unsupported, corrected by people (strict)"
    return [*made, Tile(title, value, found.rate.sentence, below)]
