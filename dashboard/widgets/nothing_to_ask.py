"""What Ask shows a first visitor: a sentence, a command, and a sample to try."""

from __future__ import annotations

import streamlit as st

from core.desk import Desk


def draw(desk: Desk) -> None:
    """Say what is asked here, and offer to bring the sample corpus in."""
    st.title("Nothing to ask yet")
    st.text("Here you ask questions of your own sources, and see which passage each sentence of an answer rests on.")
    st.code("citedesk corpus add your-folder", language=None)
    st.caption("It takes text, Markdown, HTML, PDF and DOCX, also while this desk is open.")
    if st.button("Add the sample corpus", type="primary"):
        bar = st.progress(0.0, "Reading the sample…")

        def show(done: int, total: int) -> None:
            bar.progress(done / total, "Reading the sample…")

        desk.load_sample_corpus(show)
        st.rerun()
