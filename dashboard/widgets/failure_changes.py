"""How labels changed from an earlier judge to the one that is chosen, on the same claims."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

import streamlit as st

from core import failures
from core.store import Store
from core.store.records import ClaimFilter, ProtocolInfo
from dashboard.widgets import failure_tables, filters, measure_files
from dashboard.widgets.chart_frame import csv_line
from dashboard.widgets.pick_table import pick_table


def section(
    store: Store, base: ClaimFilter, infos: Sequence[ProtocolInfo], review: Callable[[ClaimFilter], None]
) -> None:
    """Draw the table; a row leads to its claims.

    Args:
        store: Where the verdicts are.
        base: Which claims, under the later judge.
        infos: Every judge.
        review: Goes to the claims of a filter.
    """
    others = [info.name for info in infos if info.name != base.protocol]
    if not others:
        st.text("Only one judge has verdicts here. Judge the stored answers with another one to compare them.")
        return
    asked_for = st.query_params.get("before")
    before = asked_for if asked_for in others else others[0]
    st.selectbox(
        "Before", others, key=filters.bound("before", before), on_change=filters.write, args=("before",), width=380
    )
    rows = failures.changes(store, base, before)
    by_key = {f"{one.before or 'none'}>{one.after or 'none'}": one for one in rows}
    moved, total = sum(one.claims for one in rows if one.is_change), sum(one.claims for one in rows)
    st.text(f"{moved:,} of the {total:,} claims that both judged have another label: {before} → {base.protocol}.")
    table = failure_tables.changed(rows)
    pick_table(
        failure_tables.CHANGES, table, key="changes", pick=lambda key: review(by_key[key].wanted), named="Changes"
    )
    csv_line(
        "changes",
        partial(measure_files.moves, rows, before, base.protocol),
        "Table as CSV",
        "Each row counts claims; open one to see them. What did not change stands last.",
    )
