"""A chart with its caption in it, its picture under the camera button and its figures as CSV beneath."""

from __future__ import annotations

from collections.abc import Callable

import plotly.graph_objects as go
import streamlit as st

from dashboard.widgets import chart_files, plain
from dashboard.widgets.chart_files import PICTURES, Picture
from dashboard.widgets.charts import write_caption

NARROW = 78
"""Code points of a line of a caption: half a page of 1280 pixels holds them."""

AXIS = 10
"""Pixels by which the words of an axis reach beyond the margin."""


def chosen_picture() -> Picture:
    """Which kind of picture the address names."""
    asked = st.query_params.get("picture")
    return next((kind for kind in PICTURES if kind == asked), PICTURES[0])


def captioned(figure: go.Figure, caption: str) -> go.Figure:
    """Write a caption under the axes of a figure, so that every picture of it says whose figures these are."""
    margin, height = figure.layout.margin, figure.layout.height
    under = write_caption(figure, caption, margin.b + AXIS, NARROW, margin.l - 4) + AXIS
    return figure.update_layout(height=height + under, margin_b=margin.b + under)


def chart(name: str, figure: go.Figure, csv: Callable[[], bytes], alt: str) -> None:
    """Draw a figure that has its caption.

    Args:
        name: Of its files; one chart a page.
        figure: See ``captioned``.
        csv: The figures that it is drawn from.
        alt: What somebody hears who cannot see it.
    """
    st.plotly_chart(figure, key=f"{name}_chart", config=chart_files.config(name, chosen_picture()), alt=alt)
    csv_line(name, csv, "Figures as CSV", "The camera at the top right saves the picture.")


def csv_line(name: str, csv: Callable[[], bytes], label: str, words: str) -> None:
    """Offer figures as a file beside what is to be said of them."""
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key=f"files_{name}"):
        csv_button(name, csv, label)
        st.caption(plain(words), width="content")


def csv_button(name: str, csv: Callable[[], bytes], label: str = "Table as CSV") -> None:
    """Offer figures as a file; it is written when somebody asks for it."""
    st.download_button(
        plain(label), csv, f"citedesk-{name}.csv", "text/csv", key=f"{name}_csv", type="tertiary", on_click="ignore"
    )
