"""The form that makes a queue: which claims, drawn how, for whom; what would be drawn is shown before it is made."""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd
import streamlit as st

from core import queues
from core.errors import InputError
from core.people import Person
from core.store import Store
from core.store.queue_records import Design, Draw, Queue, QueueSpec, Stratum
from core.store.records import ClaimFilter, ProtocolInfo
from dashboard.widgets import address, filters, look, plain, queue_words, showable

LOOKING = (Design.STRATIFIED, Design.UNCERTAINTY, Design.ERROR_SEEKING)
"""Designs that look at verdicts."""


def queue_form(store: Store, me: Person, infos: Sequence[ProtocolInfo], narrowed: ClaimFilter | None) -> Queue | None:
    """Ask how a queue shall be made; gives it once it is.

    Args:
        store: Whose claims.
        me: Makes it.
        infos: The judges of the store; at least one.
        narrowed: What the review list showed when somebody came from there.
    """
    left, right = st.columns([11, 9], gap="large")
    with left:
        spec = _asked(store, infos, narrowed)
    with right:
        st.header("What would be drawn")
        try:
            draw = _previewed(store, spec)
        except InputError as error:
            st.info(plain(str(error)))
            return None
        _shown(draw)
        if st.button("Make the queue", type="primary"):
            return queues.make(store, spec, me.name).queue
    return None


def _asked(store: Store, infos: Sequence[ProtocolInfo], narrowed: ClaimFilter | None) -> QueueSpec:
    name = st.text_input("Name", value="New queue", max_chars=80)
    here = narrowed is not None and st.radio(
        "Which claims",
        [True, False],
        format_func=lambda chosen: plain(_words(narrowed)) if chosen else "Every claim",
    )
    titles = queue_words.DESIGNS
    design = st.radio(
        "How they are drawn",
        list(titles),
        format_func=lambda one: plain(titles[one][0]),
        captions=[plain(words) for _, words in titles.values()],
    )
    judge, stratum, other = _verdicts(design, infos, narrowed if here else None)
    size = None if design is Design.CENSUS else int(st.number_input("Claims", 1, 1_000_000, 100))
    with st.container(horizontal=True):
        overlap = int(st.number_input("Labellers for each claim", 1, 9, 1))
        double = st.number_input("One more for this share, in %", 0, 100, 0) / 100
    st.caption("Claims that two people label show how far people agree.")
    versions = [one.guideline for one in store.guidelines.list()] or ["v1"]
    guideline = st.selectbox("Guideline", versions, index=len(versions) - 1)
    known = [one.name for one in store.roles.all()]
    named = st.multiselect(
        "Who may label it", known, accept_new_options=True, placeholder="everybody", help="Type a name and press Enter."
    )
    with st.expander("More"):
        checks = int(st.number_input("Check items", 0, 10_000, 0))
        st.caption("Claims whose gold is known, mixed in to see how a labeller does; they feed no rate.")
        blind = st.toggle("Hide what judges said until a claim is labelled", value=True)
        explore = st.toggle("For exploration only")
        st.caption("Its labels never become part of a rate.")
        seed = int(st.number_input("Seed", 0, 2**31, 0, help="Another number draws other claims."))
    chosen = narrowed if here else ClaimFilter(protocol=judge) if design in LOOKING else None
    return QueueSpec(
        name=name or " ",
        filter=chosen,
        design=design,
        stratum=stratum,
        other_protocol=other,
        size=size,
        seed=seed,
        overlap=overlap,
        double_share=double,
        guideline=guideline,
        labellers=tuple(named),
        feeds_rates=not explore,
        blind=blind,
        checks=checks,
    )


def _verdicts(
    design: Design, infos: Sequence[ProtocolInfo], narrowed: ClaimFilter | None
) -> tuple[str, Stratum | None, str | None]:
    """The judge whose verdicts a design looks at, what strata are made of, and the judge to compare with."""
    names = filters.protocol_names(infos, counts=False)
    judge = narrowed.protocol if narrowed else address.usual_protocol(infos)
    if design not in LOOKING:
        return judge, None, None
    if narrowed is None:
        order = list(names)
        judge = st.selectbox("Judge", order, index=order.index(judge), format_func=lambda name: names[name])
    stratum = None
    if design is Design.STRATIFIED:
        stratum = st.selectbox("As many from each", list(Stratum), format_func=queue_words.STRATA.__getitem__)
    others = [name for name in names if name != judge]
    if design is Design.ERROR_SEEKING or stratum is Stratum.DISAGREEMENT:
        other = st.selectbox(
            "Compared with", [None, *others], format_func=lambda name: names[name] if name else "nobody"
        )
        return judge, stratum, other
    return judge, stratum, None


def _previewed(store: Store, spec: QueueSpec) -> Draw:
    """What would be drawn, read anew only when something was changed."""
    key = (spec.model_dump_json(exclude={"name", "labellers", "blind"}), tuple(spec.labellers), bool(spec.name.strip()))
    kept = st.session_state.get("queue_preview")
    if kept is None or kept[:2] != (key, store.revision()):
        kept = (key, store.revision(), queues.preview(store, spec))
        st.session_state["queue_preview"] = kept
    found: Draw = kept[2]
    return found


def _shown(draw: Draw) -> None:
    rows = pd.DataFrame(list(queue_words.preview(draw)), columns=["Claims", "There are", "Drawn", "Chance of each"])
    st.dataframe(rows, hide_index=True, alt="What would be drawn, by stratum")
    st.caption(plain(queue_words.precision(queues.margin(draw))))
    for remark in draw.remarks:
        st.caption(plain(remark))


def _words(narrowed: ClaimFilter) -> str:
    """What a filter of the review list shows, in a line."""
    said = [f"judged by {narrowed.protocol}"]
    said += [look.of(label).name.lower() for label in narrowed.labels]
    said += [f"with the words {narrowed.text}"] if narrowed.text else []
    said += [words for _, words in filters.narrowing(narrowed, address.time_zone(st.context.timezone))]
    return showable(f"As on Review: {', '.join(said)}")
