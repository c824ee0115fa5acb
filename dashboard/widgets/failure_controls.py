"""What stands above the failures page: its controls, and the filter in words."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from core import failures
from core.failures import Overview
from core.reveal import left_out
from core.store.records import ClaimFilter, ProtocolInfo
from dashboard.widgets import address, filters, look, many, plain, rate_tiles, rates
from dashboard.widgets.heading import headed
from dashboard.widgets.rate_tiles import Tile
from dashboard.widgets.what_is_this import LABELS

SHOWN = {
    "reasons": "Reasons",
    "slices": "Where it fails more",
    "sources": "Sources",
    "changes": "Before and after",
    "saved": "Saved",
}
WORDS = (
    "Claim",
    "Judge",
    "The judge's name",
    "Unsupported",
    "Strict and lenient",
    "Claims that count",
    "95 % interval",
    "p and q",
    "Slice",
    "Clusters, effective n, design effect",
    LABELS,
)
"""What "What is this?" explains."""
STRICTNESS = {"strict": "Strict", "lenient": "Lenient"}


def shown() -> str:
    """Which part of the page the address names."""
    asked = st.query_params.get("show")
    return asked if asked in SHOWN else "reasons"


def headline(found: Overview, protocol: str, strictness: str, hidden: int) -> None:
    """The page in one sentence, the figures it is made of, and what is in none of them."""
    headed(f"{failures.sentence(found, protocol)}.", *WORDS)
    if said := left_out(hidden):
        st.caption(plain(said))
    counted = f"{found.failed:,} of {many(found.judged, 'judged claim')}."
    shown = [rate_tiles.unsupported(found.report, protocol, strictness)._replace(sentence=counted)]
    if found.reasons:
        first = found.reasons[0]
        share = rates.percent(first.claims / found.failed)
        count = many(first.claims, "claim")
        shown.append(
            Tile("Most frequent reason", f"{share} of failures", f"{first.words}: {count} of {found.failed:,}.")
        )
    left = found.attempted - found.judged
    said = f"{left:,} of the {found.attempted:,} claims that count were not judged and are in no figure."
    shown.append(Tile("Not judged", f"{left:,}", said if left else "Every claim that counts was judged."))
    rate_tiles.tiles(shown)


def controls(wanted: ClaimFilter, strictness: str, infos: Sequence[ProtocolInfo], generators: Sequence[str]) -> None:
    """Draw the controls, what is shown above whose claims are; every choice is written to the address."""
    names = filters.protocol_names(infos)
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
        filters.segments("Show", "show", SHOWN, shown())
        filters.segments("Counting", "unsupported", STRICTNESS, strictness)
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
        st.text_input(
            "Search",
            key=filters.bound("q", wanted.text),
            on_change=filters.write,
            args=("q",),
            placeholder="Search claims and questions",
            label_visibility="collapsed",
            width=300,
        )
        st.selectbox(
            "Judge",
            list(names),
            format_func=lambda name: names[name],
            key=filters.bound("protocol", wanted.protocol),
            on_change=filters.write,
            args=("protocol",),
            label_visibility="collapsed",
            width=440,
        )
        st.selectbox(
            "Answers written by",
            ["", *dict.fromkeys((*generators, *filter(None, [wanted.generator])))],
            format_func=lambda name: f"answers by {name}" if name else "answers by anyone",
            key=filters.bound("generator", wanted.generator or ""),
            on_change=filters.write,
            args=("generator",),
            label_visibility="collapsed",
            width=260,
        )


def words(wanted: ClaimFilter, strictness: str) -> str:
    """The filter in words, as it stands above every chart, in every file and beside every link."""
    said = [f"judge {wanted.protocol}", f"{strictness} counting"]
    said += [f"“{wanted.text}” in claim or question"] if wanted.text else []
    said += [" or ".join(look.of(label).name.lower() for label in wanted.labels)] if wanted.labels else []
    zone = address.time_zone(st.query_params.get("tz"), st.context.timezone)
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
