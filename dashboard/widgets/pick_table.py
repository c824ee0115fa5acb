"""A table whose rows lead somewhere: bars for shares, chips for labels, and one key a row that comes back when picked.

Everything is drawn through ``textContent``; rows are reached and opened with the keyboard.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import streamlit as st

from dashboard.widgets import look

CSS = (
    look.CSS
    + """
.table{overflow:hidden;container-type:inline-size}
.line{display:grid;gap:0 12px;width:100%;align-items:center;padding:5px 12px;border-bottom:1px solid var(--line);
 font-size:13.5px;line-height:19px}
.line:last-child{border-bottom:0}
button.line:hover{background:color-mix(in srgb,var(--accent) 7%,transparent)}
button.line:focus-visible{outline-offset:-2px}
.head{font-weight:600;font-size:12px;color:var(--mute)}
.cell{min-width:0;overflow:hidden;text-overflow:ellipsis;overflow-wrap:anywhere}
.right{text-align:right;font-variant-numeric:tabular-nums;white-space:nowrap}
.sub{color:var(--mute);font-size:12px;line-height:16px}
.barred{display:grid;grid-template-columns:minmax(0,1fr) max-content;gap:0 9px;align-items:center;overflow:visible}
.share{font-size:12px;color:var(--mute);min-width:4.5em;text-align:right;font-variant-numeric:tabular-nums}
.track{position:relative;height:9px;border-radius:5px;background:var(--line)}
.fill{position:absolute;inset:0 auto 0 0;border-radius:5px;background:var(--c,var(--accent))}
.range{position:absolute;top:3.5px;height:2px;background:var(--ink);opacity:.75}
.all{position:absolute;top:-3px;bottom:-3px;width:2px;background:var(--ink);opacity:.45}
.empty{padding:10px 12px;margin:0}
"""
)

_mount = st.components.v2.component(
    "citedesk_pick_table",
    html='<div class="panel table"></div>',
    css=CSS,
    js=look.script(__file__),
)


class Column(NamedTuple):
    """One column: its name, its width as CSS has it, and whether it holds numbers."""

    name: str
    width: str = "minmax(0,1fr)"
    right: bool = False


class Cell(NamedTuple):
    """One cell: a text, a second line, a label's chip before it, or a bar with an interval, all shares in [0, 1]."""

    text: str = ""
    sub: str = ""
    label: str = ""
    bar: tuple[float, float, float] | None = None
    """Low, share, high."""
    mark: float | None = None
    """Where all claims stand on the same scale."""


def pick_table(
    columns: Sequence[Column],
    rows: Sequence[tuple[str, Sequence[Cell]]],
    *,
    key: str,
    pick: Callable[[str], None],
    selected: str | None = None,
    empty: str = "There is nothing here under these filters.",
    named: str = "Rows",
) -> None:
    """Draw the table.

    Args:
        columns: In order.
        rows: A key each, with a cell a column.
        key: The key of the component.
        pick: Called with the key of a row when a person opens it.
        selected: The key of the row that is open.
        empty: What stands there without rows.
        named: What the rows are, for those who do not see them.
    """
    known = {name for name, _ in rows}

    def picked() -> None:
        name = st.session_state[key].get("row")
        if name in known:
            pick(name)

    data: dict[str, Any] = {
        "columns": [column._asdict() for column in columns],
        "rows": [{"key": name, "cells": [cell._asdict() for cell in cells]} for name, cells in rows],
        "names": look.label_names(),
        "selected": selected,
        "empty": empty,
        "named": named,
    }
    _mount(key=key, data=data, on_row_change=picked)
