"""Old × new as a table of buttons, and under it the claims of a cell, each with both verdicts and what differs."""

from __future__ import annotations

import streamlit as st

from core import comparison, old_answers
from core.comparison import Change, Pairing
from core.people import Person
from core.protocol import ClaimProtocol
from core.reveal import left_out
from core.store import Store
from dashboard.widgets import address, comparison_view, gold_choice, many, plain
from dashboard.widgets import calibration_words as words
from dashboard.widgets.comparison_view import Line, Listed
from dashboard.widgets.matrix import Place, matrix

SIZE = 50


def changed_items(store: Store, me: Person, pair: Pairing, known: dict[str, ClaimProtocol]) -> None:
    """Draw both; the address says which cell, which page and which claim.

    Args:
        store: Where the claims are.
        me: For whose eyes.
        pair: The two judges.
        known: The protocols of the store, by their printed names.
    """
    by_place = {(one.first, one.second): one for one in pair.changes}
    asked = st.query_params.get("cell", "").split("/")
    cell = by_place.get((asked[0], asked[-1])) or pair.changes[0]
    left, right = st.columns([3, 1], gap="medium")
    with left:
        matrix(
            {place: one.n for place, one in by_place.items()},
            sides=("Before", "After"),
            order=comparison.labels_in_order(pair),
            chosen=(cell.first, cell.second),
            key="compare_matrix",
            choose=_open,
        )
    with right:
        st.text(_sentence(pair, cell))
        st.caption(plain(f"Rows are the labels of {pair.first}, columns those of {pair.second}. Press a count."))
        if st.button(f"Open these {cell.n:,} claims in Review"):
            st.switch_page("views/review.py", query_params=address.review_params(cell.wanted))
    st.fragment(_items)(store, me, pair, cell, known)


def _open(place: Place) -> None:
    gold_choice.put(cell="/".join(place), claim=None, at=None)


def _sentence(pair: Pairing, cell: Change) -> str:
    if not cell.changed:
        return f"{many(cell.n, 'claim')}: {words.name(cell.first)} for both."
    first, second = words.name(cell.first), words.name(cell.second)
    return f"{many(cell.n, 'claim')}: {first} for {pair.first}, {second} for {pair.second}."


def _items(store: Store, me: Person, pair: Pairing, cell: Change, known: dict[str, ClaimProtocol]) -> None:
    number = address.page_number({"page": st.query_params.get("at", "")})
    page = store.claim_page(cell.wanted.model_copy(update={"reader": me}), SIZE, (number - 1) * SIZE)
    uids = [one.claim_uid for one in page.items]
    wanted = st.query_params.get("claim", "")
    selected = wanted if wanted in uids else next(iter(uids), None)
    store.reveals.note(me.name, uids, "compare")
    comparison_view.comparison_view(
        Listed(
            [Line(one.claim_uid, one.claim, (cell.first, cell.second)) for one in page.items],
            number,
            SIZE,
            page.total,
            "No claim of this cell may be shown to you yet.",
        ),
        sides=("Before", "After"),
        selected=selected,
        detail=_detail(store, me, pair, known, selected),
        key="compare_items",
        pick=lambda uid: gold_choice.put(claim=uid),
        turn=lambda to: gold_choice.put(at=str(to), claim=None),
    )
    if hidden := left_out(page.concealed):
        st.caption(plain(hidden))


def _detail(
    store: Store, me: Person, pair: Pairing, known: dict[str, ClaimProtocol], uid: str | None
) -> dict[str, object] | None:
    first, second = (store.claim(uid, name, me) if uid else None for name in (pair.first, pair.second))
    if first is None or second is None:
        return None
    first, second = (old_answers.detail(store, one, me.groups) for one in (first, second))
    return comparison_view.both(
        [
            comparison_view.judge(first, known.get(pair.first), second),
            comparison_view.judge(second, known.get(pair.second), first),
        ],
        first,
    )
