"""An SQL cell of a notebook: the question, its result as a table or a chart, and what can be asked."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial

import pandas as pd
import streamlit as st

from core import notebooks
from core.errors import CitedeskError
from core.notebook_reading import ShownCell
from core.notebooks import LONGEST_NOTE, Kind, Notebook, NotebookEvent
from core.people import Person
from core.sql_results import ChartChoice, ChartKind, SqlResult
from core.store import Store
from dashboard.widgets import chart_files, plain, showable, sql_chart
from dashboard.widgets.chart_frame import chosen_picture, csv_button
from dashboard.widgets.charts import Look

EXAMPLE = """select protocol, label, count(*) as claims
from v_verdicts
where attempted
group by all
order by protocol, claims desc"""

COLUMNS: Mapping[str, str] = {
    "v_verdicts": "claim_uid, protocol, verifier, label, structural, resolve, quote, semantic, attempted, judged, "
    "unsupported_strict, unsupported_lenient, differing, cite_count, source, source_date, flags, judged_at",
    "v_claims": "claim_uid, request_uid, request_id, claim_id, claim, question, asked_at, generator, corpus, material, "
    "flags",
    "v_requests": "request_uid, request_id, question, asked_at, generator_name, generator_model, corpus",
    "v_labels": "claim_uid, cite, labeller, label, guideline, labelled_at",
    "v_protocols": "protocol, verifier, claims, first_run, last_run",
}
"""What can be asked, as docs/views.md explains it."""

_KINDS = {ChartKind.TABLE: "Table", ChartKind.BAR: "Bars", ChartKind.LINE: "Line", ChartKind.POINTS: "Points"}

Act = Callable[[NotebookEvent], None]
Run = Callable[[str], SqlResult]


def draw(book: Notebook, shown: ShownCell, act: Act, run: Run, looks: Mapping[str, Look]) -> None:
    """Draw one cell.

    Args:
        book: Its notebook.
        shown: The cell, as its reader may see it.
        act: Takes what a person does.
        run: Answers SQL as the reader may see it, or says in a sentence why not.
        looks: How each judge is drawn.
    """
    cell = shown.cell
    with st.form(f"sql_{cell.cell_id}", border=False):
        sql = st.text_area("SQL", value=cell.text, max_chars=LONGEST_NOTE, height=160)
        if st.form_submit_button("Run", type="primary") and sql.strip():
            _run(book, cell.cell_id, sql, cell.text, act, run)
    _views()
    if shown.hidden:
        st.caption(plain(shown.hidden))
    if cell.result is not None:
        _result(book, cell.cell_id, cell.result, cell.chart or ChartChoice(), act, looks)


def _run(book: Notebook, cell_id: str, sql: str, before: str, act: Act, run: Run) -> None:
    try:
        with st.spinner("Running…"):
            result = run(sql)
    except CitedeskError as error:
        st.warning(plain(str(error)))
        return
    if sql != before:
        act(notebooks.edited(book, cell_id, sql))
    act(notebooks.ran(book.notebook_id, cell_id, result))
    st.rerun()


def _views() -> None:
    with st.expander("What can be asked"):
        st.text("One SELECT over a copy of these views, as you may see them. Nothing else can be read or changed.")
        for name, columns in COLUMNS.items():
            st.text(f"{name}: {columns}")


def _result(
    book: Notebook, cell_id: str, result: SqlResult, chart: ChartChoice, act: Act, looks: Mapping[str, Look]
) -> None:
    more = "more than " if result.cut else ""
    st.caption(plain(f"{more}{len(result.rows):,} rows · {result.seconds:.2f} s · {result.at:%Y-%m-%d %H:%M} UTC"))
    for note in result.notes:
        (st.warning if note.startswith("Mixes") else st.caption)(plain(note))
    csv_button(f"sql-{cell_id}", partial(file, result), "Result as CSV")
    chosen = _choice(cell_id, result, chart)
    if chosen != chart:
        act(notebooks.charted(book.notebook_id, cell_id, chosen))
    if chosen.kind is ChartKind.TABLE or chosen.y not in result.numbers or chosen.x not in result.columns:
        columns = [plain(name) or "column" for name in _distinct(result.columns)]
        table = pd.DataFrame([[_cell(value) for value in row] for row in result.rows], columns=columns)
        st.dataframe(table, hide_index=True, key=f"rows_{cell_id}")
        return
    st.plotly_chart(
        sql_chart.figure(result, chosen, looks),
        key=f"chart_{cell_id}",
        config=chart_files.config("sql", chosen_picture()),
        alt=showable(f"{chosen.y} by {chosen.x}; as a table the same figures stand here."),
    )


def file(result: SqlResult) -> bytes:
    """A result as CSV; every line repeats what must be read beside it, whose verdicts it speaks of above all."""
    names, notes = _distinct(result.columns), {"read beside it": " ".join(result.notes)}
    return chart_files.table([dict(zip(names, row, strict=True)) | notes for row in result.rows])


def _choice(cell_id: str, result: SqlResult, chart: ChartChoice) -> ChartChoice:
    """Kind, x and y; a chart needs a column of numbers."""
    if not result.numbers:
        return chart
    with st.container(horizontal=True, gap="small", vertical_alignment="bottom"):
        kind = st.segmented_control(
            "Show as",
            list(_KINDS),
            format_func=lambda one: plain(_KINDS[one]),
            default=chart.kind,
            required=True,
            key=f"kind_{cell_id}",
        )
        if kind is ChartKind.TABLE:
            return chart.model_copy(update={"kind": ChartKind.TABLE})
        x = _column("Across", result.columns, chart.x, f"x_{cell_id}")
        y = _column("Upwards", result.numbers, chart.y or result.numbers[-1], f"y_{cell_id}")
    return ChartChoice(kind=kind, x=x, y=y)


def _column(label: str, columns: tuple[str, ...], chosen: str, key: str) -> str:
    at = columns.index(chosen) if chosen in columns else 0
    return st.selectbox(plain(label), columns, index=at, key=key, width=180, format_func=showable)


def _distinct(names: tuple[str, ...]) -> list[str]:
    """Column names, of which no two are the same."""
    return [name if names.index(name) == at else f"{name} {at + 1}" for at, name in enumerate(names)]


def _cell(value: object) -> object:
    return showable(value) if isinstance(value, str) else value


def offer(store: Store, book: Notebook | None, me: Person) -> None:
    """Offer a cell with an example to begin with, in a notebook of its own when none is open."""

    def add() -> None:
        made = [] if book else [notebooks.created("Questions to the tables")]
        notebook_id = book.notebook_id if book else made[0].notebook_id
        store.notebooks.add([*made, notebooks.added(notebook_id, Kind.SQL, EXAMPLE)], me.name)
        st.query_params.from_dict({"notebook": notebook_id})

    st.button("Ask the tables in SQL", type="tertiary", on_click=add)
