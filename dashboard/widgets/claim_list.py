"""The review list: one line a claim, moved through with the keyboard; it speaks of claims by uid only."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import streamlit as st

from core import glossary
from core.store.records import ClaimItem, ClaimPage
from dashboard.widgets import look

CSS = (
    look.CSS
    + """
.list{display:flex;flex-direction:column;overflow:hidden;container-type:inline-size}
.rows{overflow-y:auto;flex:1;position:relative;outline-offset:-2px}
.row{display:grid;grid-template-columns:124px minmax(0,1fr) 96px;column-gap:10px;align-items:start;padding:4px 10px;
 border-bottom:1px solid var(--line);height:47px;overflow:hidden;
 grid-template-areas:"verdict claim source" "why claim source"}
.rows .row{cursor:pointer}
.rows .row:hover{background:color-mix(in srgb,var(--accent) 6%,transparent)}
.head{height:auto;padding:6px 10px;font-weight:600;font-size:12px}
.head .why{display:none}
.verdict{grid-area:verdict}.claim{grid-area:claim}.source{grid-area:source}.why{grid-area:why}
.claim,.source{display:-webkit-box;-webkit-box-orient:vertical;-webkit-line-clamp:2;overflow:hidden;overflow-wrap:anywhere}
.rows .claim{font-size:13.5px;line-height:19px}
.rows .source,.rows .why{font-size:12px;line-height:18px}
.why{white-space:nowrap;overflow:hidden;text-overflow:ellipsis}
.foot{display:flex;gap:12px;align-items:center;padding:7px 10px;border-top:1px solid var(--line)}
.turn{border:1px solid var(--line);border-radius:6px;padding:1px 9px;color:var(--ink);background:var(--panel)}
.keys{margin-left:auto}
.empty{padding:8px 10px;font-size:14px}
@container (min-width:620px){
 .row{grid-template-columns:128px minmax(0,1fr) 140px 150px;grid-template-areas:"verdict claim source why"}
 .head .why{display:block}
 .rows .why{display:-webkit-box;-webkit-box-orient:vertical;-webkit-line-clamp:2;white-space:normal}
}
"""
)

SHOWN = 600
"""Code points of a claim that the list is given: more than its two lines hold, and enough for the tooltip."""

_mount = st.components.v2.component(
    "citedesk_claim_list",
    html='<div class="panel list"></div>',
    css=CSS,
    js=look.script(__file__),
)


def claim_list(
    page: ClaimPage,
    *,
    number: int,
    size: int,
    selected: str | None,
    key: str,
    pick: Callable[[str], None],
    turn: Callable[[int, str], None],
) -> None:
    """Draw one page of the list.

    Args:
        page: The claims to show and how many there are in all.
        number: Which page this is, from 1.
        size: Claims per page.
        selected: The uid of the claim in the inspector, whether or not it stands on this page.
        key: The key of the component; its state lives as long as the key stays the same.
        pick: Called with a uid of this page when a person moves to it.
        turn: Called with a page number and ``first`` or ``last``, the line to select there.
    """
    known = {item.claim_uid for item in page.items}

    def picked() -> None:
        uid = st.session_state[key].get("claim")
        if uid in known:
            pick(uid)

    def turned() -> None:
        wish = st.session_state[key].get("turn")
        if isinstance(wish, dict) and isinstance(wish.get("page"), int):
            turn(wish["page"], "last" if wish.get("at") == "last" else "first")

    _mount(
        key=key,
        data=list_data(page, number, size, selected),
        on_claim_change=picked,
        on_turn_change=turned,
    )


def list_data(page: ClaimPage, number: int, size: int, selected: str | None) -> dict[str, Any]:
    """What the browser is given: the lines, where they stand in the whole list, and which one is selected."""
    first = (number - 1) * size + 1
    return {
        "items": [_line(item) for item in page.items],
        "names": look.label_names(),
        "selected": selected,
        "page": number,
        "first": first,
        "last": first - 1 + len(page.items),
        "total": page.total,
        "empty": "No claim fits these filters.",
    }


def _line(item: ClaimItem) -> dict[str, str]:
    return {
        "uid": item.claim_uid,
        "label": "hidden" if item.concealed else item.label or "none",
        "claim": item.claim[:SHOWN],
        "source": item.source,
        "why": item.why if item.label or item.concealed else glossary.not_judged(item.why),
    }
