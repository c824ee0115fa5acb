"""The controls of the trend page; each keeps its value in the address, as those of the review list do."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from core.store.records import ProtocolInfo, Split
from dashboard.widgets import address, filters, look, plain

SPLITS = {
    "": "One chart",
    Split.LABEL: "A chart a verdict",
    Split.GENERATOR: "A chart a generator",
    Split.CORPUS: "A chart a corpus",
    Split.SOURCE: "A chart a source",
    Split.FLAG: "A chart a kind of claim",
}


def controls(
    choice: address.TrendChoice, infos: Sequence[ProtocolInfo], generators: Sequence[str], corpora: Sequence[str]
) -> None:
    """Draw the controls of the trend page."""
    names = filters.protocol_names(infos, counts=False)
    with st.container(horizontal=True, vertical_alignment="bottom", gap="medium"):
        filters.segments("Counting", "strictness", {"strict": "Strict", "lenient": "Lenient"}, choice.strictness)
        filters.segments("One point a", "by", {"day": "Day", "week": "Week", "month": "Month"}, choice.bucket)
        filters.segments("Rates", "corrected", {"": "Raw", "1": "And corrected"}, "1" if choice.corrected else "")
        st.selectbox(
            "Beside each other",
            ["", *Split],
            format_func=lambda word: SPLITS[word],
            key=filters.bound("split", choice.split or ""),
            on_change=filters.write,
            args=("split",),
            width=190,
        )
        with st.popover(plain(words(choice))):
            filters.generator("Answers written by", choice.generator, generators)
            st.pills(
                "The claim holds",
                list(dict.fromkeys((*choice.flags, *look.FLAGS))),
                selection_mode="multi",
                format_func=lambda flag: plain(look.FLAGS.get(flag, flag)),
                key=filters.bound("flag", list(choice.flags)),
                on_change=filters.write,
                args=("flag",),
            )
            _choice("Corpus that was asked", "corpus", choice.corpus, corpora, "any, and imported answers")
            if choice.source:
                _choice("Source", "source", choice.source, [choice.source], "any")
            _choice("Days begin in", "tz", choice.time_zone, address.time_zones(), "")
    st.pills(
        "Judges",
        list(names),
        selection_mode="multi",
        format_func=lambda name: plain(names[name]),
        key=filters.bound("protocols", list(choice.protocols)),
        on_change=filters.write,
        args=("protocols",),
        wrap=True,
    )


def words(choice: address.TrendChoice) -> str:
    """The filter of a trend in words, with the time zone."""
    said = [chip for _, chip in filters.narrowing(choice.wanted(None), choice.time_zone)]
    said += [f"holding “{choice.text}”"] if choice.text else []
    return f"{', '.join(said) or 'all answers'} · days in {choice.time_zone}"


def picture(chosen: str) -> None:
    """Which kind of file the button of every chart saves; drawn into a row of other controls."""
    st.caption("Pictures are saved as", width="content")
    st.segmented_control(
        "Charts are saved as",
        ["png", "svg"],
        format_func=lambda kind: plain(kind.upper()),
        required=True,
        key=filters.bound("picture", chosen),
        on_change=filters.write,
        args=("picture",),
        label_visibility="collapsed",
        help="The camera at the top right of each chart saves it as this, with its caption.",
    )


def _choice(label: str, param: str, chosen: str | None, options: Sequence[str], anything: str) -> None:
    """One of some words, or anything; ``anything`` is empty where a choice must be made."""
    st.selectbox(
        plain(label),
        [*([""] if anything else []), *dict.fromkeys((*options, *filter(None, [chosen])))],
        format_func=lambda word: word or anything,
        key=filters.bound(param, chosen or ""),
        on_change=filters.write,
        args=(param,),
    )
