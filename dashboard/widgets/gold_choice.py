"""Which judges against which gold: the choices above Calibrate and Compare, kept in the address."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import streamlit as st

from core.gold_sets import GoldSetInfo
from core.metrics.corrected_rate import FEWEST_LABELS
from core.people import Person, Role
from core.store.records import ProtocolInfo
from dashboard.widgets import address, filters, many, plain, showable

IMPORT = "citedesk labels import FILE"


def judges(infos: Sequence[ProtocolInfo], asked: Sequence[str], least: int) -> list[str]:
    """The judges of the address that there are, in its order; without any, the usual one and then the latest others.

    Args:
        infos: The store's protocols.
        asked: Of the address.
        least: How many are wanted when nobody chose.
    """
    known = {info.name for info in infos}
    chosen = [name for name in dict.fromkeys(asked) if name in known]
    usual = address.usual_protocol(infos)
    others = sorted((info for info in infos if info.name != usual), key=lambda info: info.last_run, reverse=True)
    for name in [usual, *(info.name for info in others)]:
        if len(chosen) < least and name not in chosen:
            chosen.append(name)
    return chosen


def usual_pair(infos: Sequence[ProtocolInfo], overlaps: Mapping[tuple[str, str], int]) -> list[str]:
    """The two judges to compare when nobody chose, the one that ran first leading; none when none share a claim.

    The usual judge stands beside the one that judged most of its claims; where it shares none, the two that share most
    are taken, of several those that ran last.

    Args:
        infos: The store's protocols.
        overlaps: Claims in common, by pair; see ``Comparisons.overlaps``.
    """
    usual = address.usual_protocol(infos)
    by_name = {info.name: info for info in infos}
    shared = [pair for pair, n in overlaps.items() if n and set(pair) <= set(by_name)]
    if not shared:
        return []
    best = max(shared, key=lambda pair: (usual in pair, overlaps[pair], max(by_name[one].last_run for one in pair)))
    return sorted(best, key=lambda name: by_name[name].first_run)


def usual_gold(sets: Sequence[GoldSetInfo], asked: str | None) -> GoldSetInfo | None:
    """The gold set of the address, else the one with most claims, those that feed rates first."""
    filled = [one for one in sets if one.n]
    named = next((one for one in filled if one.gold_id == asked), None)
    return named or max(filled, key=lambda one: (one.feeds_rates, one.n), default=None)


def choose_judges(infos: Sequence[ProtocolInfo], chosen: Sequence[str], wanted: str) -> None:
    """Draw the choice of judges."""
    names: dict[str, str] = {}
    for verifier in dict.fromkeys(info.protocol.verifier.verifier for info in infos):
        own = [info for info in infos if info.protocol.verifier.verifier == verifier]
        names |= filters.protocol_names(own, counts=False)
    st.multiselect(
        plain(wanted),
        list(names),
        format_func=lambda name: names[name],
        key=_bound("protocols", list(chosen)),
        on_change=_write,
        args=("protocols",),
        width=520,
    )


def choose_gold(sets: Sequence[GoldSetInfo], chosen: GoldSetInfo) -> None:
    """Draw the choice of the gold set."""
    names = {one.gold_id: f"{showable(one.title)} · {many(one.n, 'claim')}" for one in sets if one.n}
    st.selectbox(
        "Gold set",
        list(names),
        format_func=lambda one: names[one],
        key=_bound("gold", chosen.gold_id),
        on_change=_write,
        args=("gold",),
        width=350,
    )


def choose_strictness(chosen: str) -> None:
    """Draw the choice of the rule by which a claim is unsupported."""
    st.segmented_control(
        "Counting",
        ["strict", "lenient"],
        format_func=lambda word: "Strict" if word == "strict" else "Lenient",
        required=True,
        key=_bound("strictness", chosen),
        on_change=_write,
        args=("strictness",),
    )


def no_gold(me: Person) -> None:
    """Say how to begin when nobody has labelled anything."""
    st.text(
        f"Label {FEWEST_LABELS} claims to begin. Until people have said what is right, nobody knows how often a judge "
        "is wrong."
    )
    begin(me)
    st.text("Have labels already? Take them in with this command:")
    st.code(IMPORT, language=None)


def begin(me: Person) -> None:
    """Draw the button that leads to the first labels: to a new queue for those who may make one, else to labelling."""
    if me.may(Role.ADMIN):
        if st.button(f"Make a queue of {FEWEST_LABELS:,} claims", type="primary"):
            st.switch_page("views/queues.py", query_params={"make": "1"})
    elif st.button("Go and label", type="primary"):
        st.switch_page("views/label.py")


def put(**values: str | None) -> None:
    """Write into the address; none takes a parameter off."""
    for name, value in values.items():
        if value:
            st.query_params[name] = value
        else:
            st.query_params.pop(name, None)


def go(**values: str | None) -> Callable[[], None]:
    """The same, for a control to call."""
    return lambda: put(**values)


def _bound(param: str, value: Any) -> str:
    """The key of the control of a query parameter, after making it show what the address says."""
    key = f"gold_{param}"
    if st.session_state.get(key, _bound) != value:
        st.session_state[key] = value
    return key


def _write(param: str) -> None:
    """Put what a person chose into the address; what was picked under another choice is left."""
    st.query_params[param] = st.session_state[f"gold_{param}"]
    put(cell=None, claim=None, at=None, pair=None)
