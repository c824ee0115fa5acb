"""Calibrate: how far can a judge be trusted, by what people said of the same claims?"""

from __future__ import annotations

from functools import partial

import streamlit as st

from core import calibration, gold_sets, judge_card
from core.calibration import Calibration
from core.gold_sets import GoldSetInfo
from core.people import Person, Role
from core.store import Store
from dashboard.session import desk, person
from dashboard.widgets import calibration_words as words
from dashboard.widgets import (
    charts,
    gold_choice,
    measure_files,
    plain,
    rate_tiles,
    reliability,
    showable,
    threshold_view,
)
from dashboard.widgets.adoption import adopt
from dashboard.widgets.chart_frame import captioned, chart, chosen_picture, csv_button
from dashboard.widgets.gold_items import gold_items
from dashboard.widgets.heading import headed
from dashboard.widgets.nothing_yet import begin
from dashboard.widgets.trend_filters import picture
from dashboard.widgets.what_is_this import LABELS

NAVIGATION = {"section": "Measure judges", "place": 10, "role": "reviewer"}

WORDS = (
    "Judge",
    "The judge's name",
    "Gold set",
    "Unsupported",
    "n",
    "95 % interval",
    "Raw and corrected",
    "False pass",
    "False strip",
    "Balanced accuracy",
    "κ, α, AC1",
    "Score and threshold",
    "Clusters, effective n, design effect",
    "Bootstrap",
    LABELS,
)
"""What "What is this?" explains."""

me = person(Role.REVIEWER)
store = desk().store
infos = store.protocols()


@st.cache_data(max_entries=4, show_spinner=False)
def sets_of(_store: Store, path: str, revision: int) -> list[GoldSetInfo]:
    """The gold sets there are, read anew after every write."""
    return gold_sets.gold_sets(_store)


@st.cache_data(max_entries=24, show_spinner="Holding the judge against people's labels…")
def measured(
    _store: Store, path: str, revision: int, protocol: str, gold_id: str, _me: Person, who: str
) -> Calibration:
    """One judge against one gold set, measured anew after every write."""
    return calibration.calibrate(_store, protocol, gold_id, reader=_me)


at = (str(store.path), store.revision())
gold = gold_choice.usual_gold(sets_of(store, *at), st.query_params.get("gold")) if infos else None
if gold is None:
    st.title("No judge is measured yet")
    st.text("Here you will see how often a judge is wrong, held against what people said of the same claims.")
    if infos:
        gold_choice.no_gold(me)
    else:
        begin(me)
    st.stop()

chosen = gold_choice.judges(infos, st.query_params.get_all("protocols"), 1)
several = [measured(store, *at, name, gold.gold_id, me, f"{me.name} {me.role}") for name in chosen]
names = [one.protocol for one in several]
shown = next((one for one in several if one.protocol == st.query_params.get("judge")), several[0])
looks = charts.looks(list(store.protocol_first_uses()))
caption = measure_files.calibration_caption(shown)

headed(words.headline(shown), *WORDS)
with st.container(horizontal=True, vertical_alignment="bottom", gap="medium"):
    gold_choice.choose_judges(infos, chosen, "Judges")
    gold_choice.choose_gold(sets_of(store, *at), gold)
    if len(several) > 1:
        st.pills(
            "Everything about",
            names,
            format_func=lambda name: plain(name),
            default=shown.protocol,
            key=f"judge_{shown.protocol}_{len(names)}",
            on_change=lambda: gold_choice.put(
                judge=st.session_state[f"judge_{shown.protocol}_{len(names)}"], cell=None, claim=None, at=None
            ),
        )
if len(several) > 1:
    st.dataframe(words.overview(several), hide_index=True, alt="The judges side by side, one line each")
    st.caption("Each judge stands alone: no figure is of two. Compare says whether two differ by more than chance.")
rate_tiles.tiles(rate_tiles.calibration(shown))
with st.expander("Every figure, each with its sentence"):
    st.dataframe(words.figures(shown), hide_index=True, alt="Every figure of the judge, with its sentence")
for note in shown.notes:
    st.caption(plain(note))

st.header("Where judge and people agree, and where not", anchor=False)
gold_items(store, me, shown)
with st.container(horizontal=True, vertical_alignment="center", gap="small", key="files_matrix_row"):
    csv_button("matrix", partial(measure_files.matrix, shown), "Table as CSV")
    picture(chosen_picture())

st.header("How far people agree", anchor=False)
left, right = st.columns([9, 11], gap="medium")
with left:
    chart(
        "agreement",
        captioned(reliability.ceiling(shown.figures, shown.people, looks[shown.protocol]), caption),
        partial(measure_files.agreement, shown),
        "Agreement of the judge with people, before the agreement of people among themselves",
    )
with right:
    st.text(words.ceiling(shown))
    if shown.guidelines:
        st.dataframe(words.guidelines(shown.guidelines), hide_index=True, alt="Agreement per version of the guideline")

st.header("Does its score mean what it says?", anchor=False)
if shown.scores is None:
    st.text(shown.scores_why_not)
else:
    left, right = st.columns([11, 9], gap="medium")
    with left:
        chart(
            "scores",
            captioned(reliability.reliability(shown.scores, looks[shown.protocol]), caption),
            partial(measure_files.scores, shown),
            "Score against the share that people call supported, and how scores are spread",
        )
    with right:
        for figure in shown.scores.figures:
            st.text(f"{figure.title} {words.value(figure)}")
            st.caption(plain(f"{figure.sentence} {words.below(figure)}"))
        st.caption(plain(words.reading(shown.scores)))

st.header("What another threshold would do", anchor=False)
if shown.thresholds:
    st.fragment(lambda: adopt(store, me, shown, threshold_view.explorer(shown, shown.protocol)))()
else:
    st.text(shown.thresholds_why_not)

st.header("How many more labels?", anchor=False)
st.text(words.needed_sentence(shown.needed))
st.dataframe(words.needed(shown.needed), hide_index=True, alt="Labels still needed for each precision")

st.header("Where the judge is silent", anchor=False)
for line in words.silence(shown.silence, shown.n):
    st.text(line)

st.header("Each label on its own", anchor=False)
if shown.labels is None:
    st.text(shown.labels_why_not)
else:
    st.text(f"{shown.labels.macro_f1.sentence} {words.value(shown.labels.macro_f1)}")
    st.dataframe(words.labels(shown.labels), hide_index=True, alt="Scores of each label")

st.header("The judge's card", anchor=False)
st.text("What this judge is, what it was measured on, when, and how far it agrees with people: one page of Markdown.")
file_name = f"judge-{''.join(c if c.isalnum() else '-' for c in showable(shown.protocol))}.md"
st.download_button("Download the card", judge_card.card(shown), file_name, "text/markdown")
st.caption(plain(f"Gold set {showable(gold.title)}, sha256 {shown.gold_sha256[:16]}, seed {shown.seed}."))
