"""Home: what this is, what is in it, and what to do next."""

from __future__ import annotations

from typing import NamedTuple

import pandas as pd
import streamlit as st

from core.guidelines import FIRST
from core.models import Label
from core.people import Person, Role
from core.reveal import left_out
from core.store.records import ClaimFilter
from dashboard.session import desk, person
from dashboard.widgets import address, ago, plain, rate_tiles, rates, showable
from dashboard.widgets.heading import headed
from dashboard.widgets.rate_tiles import Tile
from dashboard.widgets.tour import tour
from dashboard.widgets.what_is_this import LABELS

NAVIGATION = {"section": "", "place": 0, "role": "labeller"}

WORDS = ("Claim", "Cited passage", "Judge", "The judge's name", "Unsupported", "n", "95 % interval", "Queue", LABELS)
"""What "What is this?" explains."""

me = person()
store = desk().store
summary = store.summary()
infos = store.protocols()


def load_sample() -> None:
    """Import the sample, showing how far it is."""
    words = "Judging the sample answers…"
    bar = st.progress(0.0, words)

    def show(done: int, total: int) -> None:
        bar.progress(min(1.0, done / total) if total else 0.0, words)

    desk().load_sample(show)
    st.rerun()


def welcome() -> None:
    """What a first visitor sees: what this is for, and two ways to begin."""
    st.title("Do your AI answers say what their sources say?")
    st.text(
        "Citedesk takes answers apart into claims, opens the passage that each claim cites, and shows which claims the "
        "passage supports, which it contradicts, and which cite nothing that exists. Everything stays on this machine."
    )
    tour(me)
    sample, own = st.columns(2, border=True)
    with sample:
        st.header("Look around first")
        st.text("Some thirty invented answers over three months, with every kind of mistake. Takes a few seconds.")
        if st.button("Load the sample", type="primary"):
            load_sample()
    with own:
        st.header("Bring your own answers")
        st.text(
            "Logs of models and tracing tools, spreadsheets, or one JSON object a line; see them before they go in."
        )
        if st.button("Choose a file"):
            st.switch_page("views/data.py")
        st.caption("Or in a terminal, also while this desk is open:")
        st.code("citedesk import your-answers.jsonl", language=None)


class Card(NamedTuple):
    """One person's: a number with what it counts, and one button that leads to it."""

    tile: Tile
    button: str
    page: str
    params: dict[str, str]


def cards(some: list[Card]) -> None:
    """Draw them beside one another."""
    for box, one in zip(rate_tiles.tiles([card.tile for card in some], "cards"), some, strict=True):
        with box:
            st.space("stretch")
            if st.button(plain(one.button), type="primary", key=f"go_{one.page}"):
                st.switch_page(f"views/{one.page}.py", query_params=one.params)


def labelling(me: Person) -> Card:
    """The labeller's card, which is all of this page for them."""
    waiting = store.labels.progress(me.name, FIRST).remaining
    words = "claims wait for your label, each with one passage that it cites." if waiting else "All have your label."
    if not infos:
        words = "Nothing has been brought in yet; an admin of this desk does that."
    below = "A claim that cites two passages is asked about twice." if waiting else ""
    return Card(Tile("Labeller", f"{waiting:,}", words, below), "Label", "label", {})


if not infos and me.may(Role.ADMIN):
    welcome()
    st.stop()

headed("What are you here to do?", *WORDS)
st.text("Citedesk shows which claims of AI answers are supported by the sources they cite, and which are not.")
tour(me)
if not infos or not me.may(Role.REVIEWER):
    cards([labelling(me)])
    st.stop()

protocol = address.usual_protocol(infos)
zone = address.time_zone(st.context.timezone)
counted = ClaimFilter(protocol=protocol, attempted_only=True, reader=me)
failing = counted.model_copy(update={"unsupported": "strict"})
page, unsupported = store.claim_page(counted, 1), store.claim_page(failing, 1).total
points = desk().trend([protocol], "week", zone, reader=me)
newest = [point for point in points if point.row.bucket][-1:] or points

of = f"of {page.total:,} claims are unsupported; partly supported ones count as that."
manager = Tile("Product manager", f"{unsupported:,}", of, f"judge {protocol}")
if newest:
    analyst = rate_tiles.unsupported(newest[0].rate, protocol, "strict", f"in {rates.when(newest[0], zone)}", "Analyst")
else:
    analyst = Tile("Analyst", "—", "No claim counts yet, so there is no rate.")
worst = address.review_params(failing)
cards([labelling(me), Card(manager, "See the worst", "review", worst), Card(analyst, "Open the trend", "trends", {})])

st.header("Lately")
st.dataframe(
    pd.DataFrame(
        [(ago(run.started_at), showable(run.source), run.claims, run.protocol) for run in summary.runs],
        columns=["When", "What", "Claims judged", "Judge"],
    ),
    hide_index=True,
    alt="The latest imports and verifications",
)
for words in rates.judges([info.protocol for info in infos if info.name == protocol]):
    st.caption(plain(words))
counts = page.label_counts
missing = rates.not_judged(page.total, counts[Label.INACCESSIBLE], counts["none"], page.failure_counts)
st.caption(plain(f"Rates are {rates.OWN_SHARE}; in brackets the 95 % interval. {missing}"))
if hidden := left_out(page.concealed):
    st.caption(plain(hidden))
st.caption(
    plain(f"Store {summary.path} · {summary.claims:,} claims in {summary.requests:,} answers · judge {protocol}")
)
if me.may(Role.ADMIN):
    with st.container(horizontal=True):
        if st.button("Bring more answers"):
            st.switch_page("views/data.py")
        if all(run.source != "sample answers" for run in summary.runs) and st.button("Load the sample too"):
            load_sample()
