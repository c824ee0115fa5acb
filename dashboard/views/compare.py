"""Compare: what changes when another judge, or another version of one, judges the same claims?"""

from __future__ import annotations

from functools import partial

import streamlit as st

from core import comparison, gold_sets
from core.comparison import Comparison
from core.errors import InputError
from core.gold_sets import GoldSetInfo
from core.metrics.unsupported_rate import Strictness
from core.people import Role
from core.store import Store
from dashboard.session import desk, person
from dashboard.widgets import another_judge, calibration_words, gold_choice, measure_files, plain, rate_tiles
from dashboard.widgets import change_words as words
from dashboard.widgets.changed_items import changed_items
from dashboard.widgets.chart_frame import csv_button
from dashboard.widgets.heading import headed
from dashboard.widgets.nothing_yet import begin
from dashboard.widgets.what_is_this import LABELS

NAVIGATION = {"section": "Measure judges", "place": 20, "role": "reviewer"}

WORDS = (
    "Claim",
    "Judge",
    "The judge's name",
    "Unsupported",
    "Strict and lenient",
    "95 % interval",
    "Gold set",
    "p and q",
    "PASS, FAIL, INCONCLUSIVE",
    "Clusters, effective n, design effect",
    "Bootstrap",
    LABELS,
)
"""What "What is this?" explains."""

me = person(Role.REVIEWER)
store = desk().store
infos = store.protocols()
if len(infos) < 2:
    st.title("Nothing to compare yet")
    st.text(
        "Here you will see on which claims two judges, or two versions of one, differ, and who is right more often."
    )
    if not infos:
        begin(me)
    else:
        st.text(f"So far only {infos[0].name} has judged these claims. Let another judge do so:")
        another_judge.offer(me, infos)
    st.stop()


@st.cache_data(max_entries=4, show_spinner=False)
def sets_of(_store: Store, path: str, revision: int) -> list[GoldSetInfo]:
    """The gold sets there are, read anew after every write."""
    return gold_sets.gold_sets(_store)


@st.cache_data(max_entries=24, show_spinner="Putting the judges beside one another…")
def compared(
    _store: Store, path: str, revision: int, names: tuple[str, ...], gold_id: str | None, rule: Strictness, shared: bool
) -> Comparison:
    """Two or more judges on the same claims, anew after every write."""
    return comparison.compare(_store, names, None, gold_id, rule, shared)


@st.cache_data(max_entries=4, show_spinner=False)
def overlaps(_store: Store, path: str, revision: int) -> dict[tuple[str, str], int]:
    """How many claims each two judges share, counted anew after every write."""
    return _store.comparisons.overlaps()


at = (str(store.path), store.revision())
sets = sets_of(store, *at)
gold = gold_choice.usual_gold(sets, st.query_params.get("gold"))
asked = st.query_params.get_all("protocols")
names = [] if asked else gold_choice.usual_pair(infos, overlaps(store, *at))
by_default = bool(names)
names = names or gold_choice.judges(infos, asked[::-1], 2)[::-1]
strictness: Strictness = "lenient" if st.query_params.get("strictness") == "lenient" else "strict"


def choices() -> None:
    """Draw what is compared."""
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
        gold_choice.choose_judges(infos, names, "Judges, the earlier one first")
        if gold is not None:
            gold_choice.choose_gold(sets, gold)
        gold_choice.choose_strictness(strictness)


def on_same_claims(shared: bool) -> Comparison:
    """The comparison; ``shared`` when it may leave out what not all of them judged."""
    return compared(store, *at, tuple(names), gold.gold_id if gold else None, strictness, shared)


def in_common() -> int:
    """How many claims all of them judged."""
    try:
        return on_same_claims(shared=True).n
    except InputError:
        return 0


try:
    found = on_same_claims(shared=by_default or st.query_params.get("shared") == "1")
except InputError as error:
    st.title(plain(f"{error.what}."), anchor=False)
    st.text("A comparison is of the same claims only; on different ones a difference of judges is none.")
    choices()
    if overlap := in_common():
        st.button(f"Compare on the {overlap:,} claims that all of them judged", on_click=gold_choice.go(shared="1"))
    else:
        st.text("Let one of the judges judge the answers of the other:")
        another_judge.offer(me, infos)
    st.stop()

pairs = {f"{one.first} → {one.second}": one for one in found.pairs}
pair = pairs.get(st.query_params.get("pair", ""), found.pairs[0])
headed(pair.sentence, *WORDS)
st.text(words.standing(pair))
if pair.gold is None:
    gold_choice.begin(me)
choices()
if len(pairs) > 1:
    st.pills(
        "Which two",
        list(pairs),
        format_func=lambda name: plain(name),
        default=next(name for name, one in pairs.items() if one is pair),
        key=f"pair_{pair.first}_{pair.second}",
        on_change=lambda: gold_choice.put(
            pair=st.session_state[f"pair_{pair.first}_{pair.second}"], cell=None, claim=None, at=None
        ),
    )

rate_tiles.tiles(words.tiles(found, pair))
if found.left_out and (apart := words.apart(found)):
    st.caption(plain(apart))

st.header("What changed", anchor=False)
st.text(words.moved(pair))
changed_items(store, me, pair, {info.name: info.protocol for info in infos})
csv_button("changes", partial(measure_files.changes, pair), "Table of changes as CSV")

st.header("Side by side", anchor=False)
st.text(f"All on the same {found.n:,} claims of {found.requests:,} answers; each share is the judge's own, raw.")
st.dataframe(words.sides(found), hide_index=True, alt="Rate, cost and time of each judge")
st.caption(
    "Time is by the clock for one claim × citation, over all that a judge judged in this store, loading its model and "
    "waiting for its provider included; what it had judged in an earlier run came from the cache and took none."
)
st.header("The most frequent changes", anchor=False)
st.dataframe(
    words.changes(pair, {word: calibration_words.name(word) for word in comparison.labels_in_order(pair)}),
    hide_index=True,
    alt="Changes of label, the most frequent first",
)
with st.expander("Let another judge judge these answers"):
    another_judge.offer(me, infos)
