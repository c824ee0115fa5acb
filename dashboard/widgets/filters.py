"""The controls above the pages; each keeps its value in the address, which is read before anything is drawn."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import streamlit as st

from core import failures, glossary, slices
from core.models import Failure, Label
from core.store.records import ClaimFilter, ClaimPage, ProtocolInfo, Sort
from dashboard.widgets import address, look, plain, rates

SORTS = {Sort.WORST_FIRST: "Worst first", Sort.NEWEST_FIRST: "Newest first", Sort.AS_IMPORTED: "As imported"}

SMALL = "<style>[class*=st-key-address_] button[data-variant=pills]{padding-inline:.5rem;font-size:.84rem}</style>"
"""Ten verdicts with their counts fit in one line of a small screen."""


def protocol_names(infos: Sequence[ProtocolInfo], *, counts: bool = True) -> dict[str, str]:
    """How each judge is listed: its printed name, the thresholds in which it differs from the others, its claims."""
    thresholds = [set(info.protocol.verifier.thresholds.items()) for info in infos]
    shared = set.intersection(*thresholds) if thresholds else set()
    names = {}
    for info, own in zip(infos, thresholds, strict=True):
        differing = [f"{name.replace('_', ' ')} from {value:g}" for name, value in sorted(own - shared)]
        names[info.name] = " · ".join([info.name, *differing, *([f"{info.claims:,} claims"] if counts else [])])
    return names


def review(
    wanted: ClaimFilter,
    page: ClaimPage,
    infos: Sequence[ProtocolInfo],
    generators: Sequence[str],
    can_queue: bool = False,
) -> bool:
    """Draw the controls of the review list, showing what the address asked for and how many claims each choice has.

    Gives whether the person wants a labelling queue of the claims listed; the button is there with ``can_queue``.
    """
    names = protocol_names(infos)
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
        st.text_input(
            "Search",
            key=bound("q", wanted.text),
            on_change=write,
            args=("q",),
            placeholder="Search claims and questions",
            label_visibility="collapsed",
            width=230,
        )
        st.selectbox(
            "Judge",
            list(names),
            format_func=lambda name: names[name],
            key=bound("protocol", wanted.protocol),
            on_change=write,
            args=("protocol",),
            label_visibility="collapsed",
            width=380,
        )
        st.selectbox(
            "Order",
            list(Sort),
            format_func=lambda sort: SORTS[sort],
            key=bound("sort", wanted.sort),
            on_change=write,
            args=("sort",),
            label_visibility="collapsed",
            width=150,
        )
        active = sum(map(bool, _more_of(wanted)))
        with st.popover(plain(f"More filters · {active}") if active else "More filters"):
            _more(wanted, page, generators)
        asked = can_queue and st.button("Label these…", help="Make a labelling queue of the claims listed here.")
    _chips(wanted, page)
    return asked


def _more_of(wanted: ClaimFilter) -> tuple[object, ...]:
    """What can be set behind the button."""
    return wanted.flags, wanted.request_id, wanted.generator, wanted.unsupported, wanted.failures


def _more(wanted: ClaimFilter, page: ClaimPage, generators: Sequence[str]) -> None:
    flags = list(dict.fromkeys((*wanted.flags, *sorted(page.flag_counts))))
    st.pills(
        "The claim holds",
        flags,
        selection_mode="multi",
        format_func=lambda flag: plain(f"{look.FLAGS.get(flag, flag)} {page.flag_counts.get(flag, 0):,}"),
        key=bound("flag", list(wanted.flags)),
        on_change=write,
        args=("flag",),
    )
    if failures := list(dict.fromkeys((*wanted.failures, *map(Failure, sorted(page.failure_counts))))):
        st.pills(
            "Not judged, because",
            failures,
            selection_mode="multi",
            format_func=lambda kind: plain(f"{glossary.FAILURES[kind].what} {page.failure_counts.get(kind, 0):,}"),
            key=bound("failure", list(wanted.failures)),
            on_change=write,
            args=("failure",),
        )
    st.selectbox(
        "Counts as unsupported",
        ["", "strict", "lenient"],
        format_func=lambda word: {"": "any claim", "strict": "strictly", "lenient": "leniently (partial is fine)"}[
            word
        ],
        key=bound("unsupported", wanted.unsupported or ""),
        on_change=write,
        args=("unsupported",),
    )
    generator("Answer written by", wanted.generator, generators)
    st.text_input(
        "Request",
        key=bound("request", wanted.request_id or ""),
        on_change=write,
        args=("request",),
        placeholder="the whole request id",
    )


def _chips(wanted: ClaimFilter, page: ClaimPage) -> None:
    """The labels with their counts, and whatever else narrows the list, each to be taken off with one click.

    What is hidden from the reader stands apart, as a list of its own.
    """
    chosen = [label or "none" for label in wanted.labels]
    there = [word for word in (*Label, "none") if page.label_counts.get(word) or word in chosen]
    st.html(SMALL)
    with st.container(horizontal=True, gap="small"):
        st.pills(
            "Verdicts",
            there,
            selection_mode="multi",
            format_func=lambda word: look.chip(word, page.label_counts.get(word, 0)),
            key=bound("labels", chosen),
            on_change=write,
            args=("labels",),
            label_visibility="collapsed",
            wrap=True,
        )
        if page.concealed or wanted.concealed:
            st.pills(
                "Hidden",
                ["1"],
                format_func=lambda _: f"Hidden from you {page.concealed:,}",
                key=bound("hidden", "1" if wanted.concealed else None),
                on_change=write,
                args=("hidden",),
                label_visibility="collapsed",
                help="A blind queue holds these claims: you are to label them before you hear what a judge says.",
            )
        narrowed = dict(narrowing(wanted, address.time_zone(st.query_params.get("tz"), st.context.timezone)))
        if narrowed:
            st.pills(
                "Also narrowed to",
                list(narrowed),
                selection_mode="multi",
                format_func=lambda param: plain(f"{narrowed[param]} ✕"),
                key=bound("narrowing", list(narrowed)),
                on_change=_widen,
                args=(tuple(narrowed),),
                label_visibility="collapsed",
                wrap=True,
            )


def narrowing(wanted: ClaimFilter, time_zone: str) -> Iterable[tuple[str, str]]:
    """What a filter holds beyond text, labels and order: pairs of query parameter and words."""
    if wanted.bucket:
        yield "bucket", f"asked in {rates.bucket_words(*wanted.bucket, time_zone)}"
    if wanted.undated:
        yield "undated", "without a date"
    if wanted.attempted_only:
        yield "counted", "only claims that count"
    if wanted.unsupported:
        yield "unsupported", f"unsupported, {wanted.unsupported}"
    if wanted.generator:
        yield "generator", f"written by {wanted.generator}"
    if wanted.request_id:
        yield "request", f"request {wanted.request_id}"
    if wanted.flags:
        yield "flag", " or ".join(look.FLAGS.get(flag, flag).lower() for flag in wanted.flags)
    if wanted.failures:
        yield "failure", f"not judged: {' or '.join(glossary.FAILURES[kind].what for kind in wanted.failures)}"
    if wanted.judged_only:
        yield "judged", "only judged claims that count"
    if wanted.reason:
        yield "reason", failures.reason_words(wanted.reason)
    if wanted.differs:
        yield "differs", "differs in " + " or ".join(glossary.comparison(kind).name for kind in wanted.differs)
    if wanted.source:
        yield "source", f"source {wanted.source}"
    if wanted.corpus:
        yield "corpus", f"corpus {wanted.corpus}"
    if nothing := [name for name in address.NAMED if getattr(wanted, name) == ""]:
        yield "without", f"no {' and no '.join(nothing)} named"
    if wanted.cite_count is not None:
        yield "cites", slices.words("cites", str(wanted.cite_count))
    if wanted.age:
        yield "age", slices.words("age", wanted.age)
    if wanted.topic:
        yield "topic", slices.words("topic", wanted.topic)
    if wanted.terms:
        yield "terms", f"says {' and '.join(wanted.terms)}"
    if wanted.structural:
        yield "structure", " or ".join(look.STRUCTURE[word] for word in wanted.structural)
    if wanted.claim_uids is not None:
        yield "only", f"{len(wanted.claim_uids):,} claims of one cell"
    if wanted.beside:
        yield "beside", " and ".join(_beside(name, labels) for name, labels in wanted.beside)


def _beside(name: str, labels: Sequence[Label | None]) -> str:
    said = " or ".join(look.of(label).name for label in labels)
    return f"judged by {name}, too" if not said else f"{said} for {name}"


def generator(label: str, chosen: str | None, generators: Sequence[str]) -> None:
    """Whose answers, or anyone's."""
    st.selectbox(
        plain(label),
        ["", *dict.fromkeys((*generators, *filter(None, [chosen])))],
        format_func=lambda name: name or "anyone",
        key=bound("generator", chosen or ""),
        on_change=write,
        args=("generator",),
    )


def segments(label: str, param: str, options: dict[str, str], value: str) -> None:
    """One of a few words, side by side."""
    st.segmented_control(
        plain(label),
        list(options),
        format_func=lambda word: plain(options[word]),
        required=True,
        key=bound(param, value),
        on_change=write,
        args=(param,),
    )


def bound(param: str, value: Any) -> str:
    """The key of the widget for a query parameter, after making the widget show the address's value."""
    key = f"address_{param}"
    if st.session_state.get(key, bound) != value:
        st.session_state[key] = value
    return key


def write(param: str) -> None:
    """Put what a person chose into the address; the list starts again at its first page."""
    value = st.session_state[f"address_{param}"]
    if isinstance(value, list):
        value = value if param == "protocols" else ",".join(value)
    st.query_params.pop("page", None)
    if value:
        st.query_params[param] = value
    else:
        _clear(param)


def _widen(narrowed: Sequence[str]) -> None:
    """Take off the filters whose chip was clicked."""
    for param in set(narrowed) - set(st.session_state["address_narrowing"]):
        _clear(param)


def widen_all() -> None:
    """Take every filter off; the judge and the order stay."""
    for param in set(st.query_params) - {"protocol", "sort"}:
        _clear(param)


def _clear(param: str) -> None:
    for name in (param, "page"):
        st.query_params.pop(name, None)
