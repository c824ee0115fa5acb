"""A table of counts in which every count is a button: what one side says against what the other says.

Texts are label words of ours; what the browser sends back is a pair of them, looked up among those that it was given.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import streamlit as st

from dashboard.widgets import look

Place = tuple[str, str]
"""Row and column, as label words."""

CSS = (
    look.CSS
    + """
.matrix{overflow-x:auto}
table{border-collapse:separate;border-spacing:3px;font-size:13px}
th{font-weight:600;font-size:12px;text-align:center;padding:3px 2px;vertical-align:bottom;max-width:88px}
th.row{white-space:nowrap;max-width:none;text-align:left;padding-inline:6px;vertical-align:middle}
th.side{color:var(--mute);font-weight:400;text-align:left}
.name{display:inline-flex;gap:6px;align-items:baseline;color:var(--c)}
th:not(.row) .name{flex-direction:column;align-items:center;gap:3px;line-height:14px}
.name i{width:9px;height:9px;flex:none;border-radius:50%;background:currentColor}
.name.half i{background:linear-gradient(90deg,currentColor 50%,transparent 50%);border:1px solid currentColor}
.name.ring i{background:transparent;border:2px solid currentColor}
.name.square i{border-radius:2px}
td{padding:0;min-width:54px;height:36px;text-align:center}
td.none{color:var(--mute);background:color-mix(in srgb,var(--line) 35%,transparent);border-radius:6px}
td.sum{color:var(--mute);font-variant-numeric:tabular-nums;padding:0 6px;text-align:right}
td button{width:100%;height:36px;border-radius:6px;border:1px solid var(--line);text-align:center;font-weight:600;
 font-variant-numeric:tabular-nums;background:color-mix(in srgb,var(--shade) calc(6% + var(--part)*38%),var(--panel))}
td.same button{--shade:var(--label-supported);font-weight:400}
td.other button{--shade:var(--label-contradicted)}
td button:hover{border-color:var(--ink)}
td button[aria-pressed=true]{outline:2px solid var(--accent);outline-offset:1px}
"""
)

_mount = st.components.v2.component(
    "citedesk_matrix",
    html='<div class="matrix"></div>',
    css=CSS,
    js=look.script(__file__),
)


def matrix(
    counts: Mapping[Place, int],
    *,
    sides: tuple[str, str],
    order: Sequence[str],
    chosen: Place | None,
    key: str,
    choose: Callable[[Place], None],
) -> None:
    """Draw the table.

    Args:
        counts: Claims of each cell that holds any.
        sides: Who speaks in the rows, and who in the columns.
        order: Label words in the order of rows and columns; those without a claim are left out.
        chosen: The cell whose claims are shown.
        key: The key of the component.
        choose: Called with a cell when a person presses it.
    """

    def pressed() -> None:
        sent = st.session_state[key].get("cell")
        place = tuple(sent) if isinstance(sent, list) else ()
        if place in counts:
            choose(place)

    _mount(key=key, data=matrix_data(counts, sides, order, chosen), on_cell_change=pressed)


def matrix_data(
    counts: Mapping[Place, int], sides: tuple[str, str], order: Sequence[str], chosen: Place | None
) -> dict[str, Any]:
    """What the browser is given: words, counts, and the sums of the rows."""
    rows = [word for word in order if any(row == word for row, _ in counts)]
    columns = [word for word in order if any(column == word for _, column in counts)]
    return {
        "names": look.label_names(),
        "sides": list(sides),
        "rows": rows,
        "columns": columns,
        "counts": [[counts.get((row, column), 0) for column in columns] for row in rows],
        "chosen": list(chosen) if chosen and chosen in counts else None,
    }
