"""Gold × judge as a table of buttons, and under it the claims of the cell that was pressed, or all disagreements."""

from __future__ import annotations

import streamlit as st

from core import old_answers
from core.calibration import Calibration
from core.judge_accuracy import Cell
from core.metrics.confusion import in_order
from core.people import Person
from core.reveal import left_out
from core.store import Store
from core.store.records import ClaimDetail
from dashboard.widgets import BARRED, address, comparison_view, gold_choice, many, plain
from dashboard.widgets import calibration_words as words
from dashboard.widgets.comparison_view import Line, Listed
from dashboard.widgets.matrix import Place, matrix

SIZE = 50
SIDES = ("People", "Judge")


def gold_items(store: Store, me: Person, found: Calibration) -> None:
    """Draw both; the address says which cell, which page and which claim."""
    cells = found.labels.cells if found.labels else found.cells
    by_place = {(one.gold, one.said): one for one in cells}
    asked = st.query_params.get("cell", "").split("/")
    cell = by_place.get((asked[0], asked[-1]))
    left, right = st.columns([3, 1], gap="medium")
    with left:
        matrix(
            {place: one.n for place, one in by_place.items()},
            sides=SIDES,
            order=in_order({word for place in by_place for word in place}),
            chosen=(cell.gold, cell.said) if cell else None,
            key="calibrate_matrix",
            choose=_open,
        )
    with right:
        st.text(_sentence(found, cell))
        st.caption("Press a count to see its claims. Rows are what people say, columns what the judge says.")
        if cell and st.button(f"Open these {cell.n:,} claims in Review"):
            st.switch_page("views/review.py", query_params=address.review_params(cell.wanted))
        if cell:
            st.button("Back to all disagreements", on_click=gold_choice.go(cell=None, claim=None, at=None))
    st.fragment(_items)(store, me, found, cell)


def _open(place: Place) -> None:
    gold_choice.put(cell="/".join(place), claim=None, at=None)


def _sentence(found: Calibration, cell: Cell | None) -> str:
    if cell is None:
        total = len(found.disagreements) + found.concealed
        return (
            f"Judge and people differ on {many(total, 'claim')} of {found.judged:,}. Below, the judge's surest "
            "mistakes come first."
        )
    said = "comes to no conclusion" if cell.said == "none" else f"says {words.name(cell.said)}"
    return f"{many(cell.n, 'claim')}: people say {words.name(cell.gold)}, the judge {said}."


def _items(store: Store, me: Person, found: Calibration, cell: Cell | None) -> None:
    number = address.page_number({"page": st.query_params.get("at", "")})
    lines, total, concealed = _of_cell(store, me, found, cell, number) if cell else _differing(found, number)
    uids = [line.uid for line in lines]
    barred = store.labels.barred(uids, me.groups)
    lines = [line._replace(claim=BARRED) if line.uid in barred else line for line in lines]
    wanted = st.query_params.get("claim", "")
    selected = wanted if wanted in uids else next(iter(uids), None)
    store.reveals.note(me.name, [uid for uid in uids if uid not in barred], "calibrate")
    comparison_view.comparison_view(
        Listed(lines, number, SIZE, total, "Judge and people differ on no claim that you may see."),
        sides=SIDES,
        selected=selected,
        detail=None if selected in barred else _detail(store, me, found, selected),
        key="calibrate_items",
        pick=lambda uid: gold_choice.put(claim=uid),
        turn=lambda to: gold_choice.put(at=str(to), claim=None),
    )
    if hidden := left_out(concealed):
        st.caption(plain(hidden))


def _differing(found: Calibration, number: int) -> tuple[list[Line], int, int]:
    shown = found.disagreements[(number - 1) * SIZE : number * SIZE]
    lines = [Line(one.claim_uid, one.claim, (one.gold, one.said or "none"), one.score) for one in shown]
    return lines, len(found.disagreements), found.concealed


def _of_cell(store: Store, me: Person, found: Calibration, cell: Cell, number: int) -> tuple[list[Line], int, int]:
    wanted = cell.wanted.model_copy(update={"reader": me})
    page = store.claim_page(wanted, SIZE, (number - 1) * SIZE)
    known = {one.claim_uid: one for one in found.items}
    lines = [
        Line(one.claim_uid, one.claim, (known[one.claim_uid].gold, one.label or "none"), known[one.claim_uid].score)
        for one in page.items
    ]
    return lines, page.total, page.concealed


def _detail(store: Store, me: Person, found: Calibration, uid: str | None) -> dict[str, object] | None:
    detail: ClaimDetail | None = store.claim(uid, found.protocol, me) if uid else None
    if detail is None:
        return None
    gold = next(one.gold for one in found.items if one.claim_uid == uid)
    said = f"{found.gold.title}: {words.name(gold)}"
    detail = old_answers.detail(store, detail, me.groups)
    return comparison_view.both(
        [comparison_view.people(gold, said), comparison_view.judge(detail, found.configuration)], detail
    )
