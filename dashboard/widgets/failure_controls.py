"""What stands above the failures page: its controls, and the filter in words."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from core import failures
from core.failures import Overview
from core.reveal import left_out
from core.store.records import ClaimFilter, ProtocolInfo
from dashboard.widgets import address, filters, look, plain

SHOWN = {
    "reasons": "Reasons",
    "slices": "Where it fails more",
    "sources": "Sources",
    "changes": "Before and after",
    "saved": "Saved",
}
STRICTNESS = {"strict": "Strict", "lenient": "Lenient"}


def shown() -> str:
    """Which part of the page the address names."""
    asked = st.query_params.get("show")
    return asked if asked in SHOWN else "reasons"


def headline(found: Overview, protocol: str, hidden: int) -> None:
    """The page in one sentence, and what is in none of its figures."""
    st.header(plain(f"{failures.sentence(found, protocol)}."), anchor=False)
    if left := found.attempted - found.judged:
        st.caption(
            plain(f"{left:,} of the {found.attempted:,} claims that count were not judged and are in no figure.")
        )
    if said := left_out(hidden):
        st.caption(plain(said))


def controls(wanted: ClaimFilter, strictness: str, infos: Sequence[ProtocolInfo], generators: Sequence[str]) -> None:
    """Draw the controls; every choice is written to the address."""
    names = filters.protocol_names(infos)
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
        filters.segments("Show", "show", SHOWN, shown())
        filters.segments("Counting", "unsupported", STRICTNESS, strictness)
        st.selectbox(
            "Judge",
            list(names),
            format_func=lambda name: names[name],
            key=filters.bound("protocol", wanted.protocol),
            on_change=filters.write,
            args=("protocol",),
            width=260,
        )
        st.selectbox(
            "Answers written by",
            ["", *dict.fromkeys((*generators, *filter(None, [wanted.generator])))],
            format_func=lambda name: f"by {name}" if name else "by anyone",
            key=filters.bound("generator", wanted.generator or ""),
            on_change=filters.write,
            args=("generator",),
            label_visibility="collapsed",
            width=150,
        )
        st.text_input(
            "Search",
            key=filters.bound("q", wanted.text),
            on_change=filters.write,
            args=("q",),
            placeholder="Search claims and questions",
            label_visibility="collapsed",
            width=200,
        )


def words(wanted: ClaimFilter, strictness: str) -> str:
    """The filter in words, as it stands above every chart, in every file and beside every link."""
    said = [f"judge {wanted.protocol}", f"{strictness} counting"]
    said += [f"“{wanted.text}” in claim or question"] if wanted.text else []
    said += [" or ".join(look.of(label).name.lower() for label in wanted.labels)] if wanted.labels else []
    zone = address.time_zone(st.context.timezone)
    set_aside = {"unsupported", "judged"}
    said += [text for param, text in filters.narrowing(wanted, zone) if param not in set_aside]
    return " · ".join(said if len(said) > 2 else [*said, "all claims that count"])


def filter_line(wanted: ClaimFilter, strictness: str) -> None:
    """Say the filter, and offer to take it off."""
    st.caption(plain(f"Showing: {words(wanted, strictness)}"), width="content")
    if wanted != ClaimFilter(protocol=wanted.protocol, reader=wanted.reader):
        st.button("Take all filters off", type="tertiary", on_click=widen)


def widen() -> None:
    """Take every filter off; the judge, the counting and what is shown stay."""
    for param in set(st.query_params) - {"protocol", "show", "unsupported", "before"}:
        st.query_params.pop(param, None)
