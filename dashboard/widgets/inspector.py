"""The inspector: one claim with everything that was found about it, beside the list it was picked from."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import streamlit as st

from dashboard.widgets import look

CSS = (
    look.CSS
    + """
.inspector{overflow-y:auto;padding:12px 16px;position:relative}
.inspector>*+*{margin-top:10px}
.copy,.to-page{margin-left:auto;flex:none;text-decoration:underline}
.head{display:flex;gap:4px 12px;flex-wrap:wrap;justify-content:space-between;align-items:baseline}
.context .head{flex-wrap:nowrap;justify-content:flex-start;margin-top:0}
.question{white-space:nowrap;overflow:hidden;text-overflow:ellipsis;min-width:0}
.place{flex:none}
.answer,.alone,.passage,.diff-text{white-space:pre-wrap;overflow-wrap:anywhere}
.answer{font-size:15.5px;line-height:1.5;max-height:7.7em;overflow-y:auto;margin-top:4px}
.alone{font-size:15.5px;margin-top:4px}
.k-other{border-bottom:1px dotted var(--mute)}
.k-part{border-bottom:2px solid var(--label-supported)}
.carried{white-space:pre-wrap;overflow-wrap:anywhere}
.scores{display:grid;grid-template-columns:minmax(0,max-content) minmax(60px,110px) max-content minmax(max-content,1fr);
 gap:1px 9px;align-items:center;margin-top:6px;font-size:12.5px;line-height:17px}
.scores b{font-variant-numeric:tabular-nums;font-weight:600}
.bar{position:relative;height:7px;border-radius:4px;background:var(--line)}
.bar .fill{position:absolute;inset:0 auto 0 0;border-radius:4px;background:var(--c)}
.bar .tick{position:absolute;top:-3px;bottom:-3px;width:2px;background:var(--ink)}
.seen>*+*{margin-top:3px}
.compared td{overflow-wrap:anywhere}
.compared td:first-child{white-space:nowrap}
.verdict{display:flex;gap:8px 10px;align-items:baseline;flex-wrap:wrap}
.because{flex:1;min-width:220px;overflow-wrap:anywhere}
.card .title{min-width:0;overflow-wrap:anywhere}
.card .meta{overflow-wrap:anywhere}
.card .meta a{color:var(--accent)}
.sub{display:flex;gap:8px;align-items:baseline;flex-wrap:wrap;margin-top:3px}
.sub .do{font-size:12.5px;font-weight:600}
.sub .meta{flex:1;min-width:160px}
.work{margin-top:6px;padding-top:5px;border-top:1px solid var(--line);font-size:13px}
.work .head{justify-content:flex-start}
.work a{color:var(--accent)}
.work ul{margin:3px 0;padding-left:20px}
.recheck{margin-left:auto;flex:none;text-decoration:underline}
.recheck:disabled{text-decoration:none;opacity:.6}
.passage{font-size:14.5px;line-height:1.55;max-height:10.9em;overflow-y:auto;margin-top:5px}
.cut{font-style:italic}
.warning{color:var(--label-partial);font-weight:600;font-size:13px;margin-top:3px}
.quote{white-space:pre-wrap;border-left:3px solid var(--line);padding-left:9px;margin-top:3px}
.q-verbatim{border-color:var(--label-supported)}.q-near_miss{border-color:var(--label-partial)}
.q-not_found{border-color:var(--label-contradicted)}
.stages{border-collapse:collapse;width:100%;font-size:13.5px}
.stages td,.stages th{padding:4px 8px 4px 0;border-bottom:1px solid var(--line);text-align:left;vertical-align:top}
.stages th{color:var(--mute);font-weight:600;font-size:12px}
.reason{font-size:12px;line-height:1.35}
.diff-text{margin-top:4px;max-height:9em;overflow-y:auto;line-height:1.5}
.advice{font-size:13px;margin-top:2px}
.k-remove{text-decoration:line-through;color:var(--label-contradicted)}
.k-insert{font-weight:700;color:var(--label-supported)}
.k-gap{font-style:italic;color:var(--mute);border:1px dashed var(--line);border-radius:4px;padding:0 5px}
.folded details{margin-top:5px}
summary{cursor:pointer}
dl{display:grid;grid-template-columns:max-content 1fr;gap:2px 14px;margin:5px 0 5px 14px;font-size:13px}
dd{margin:0;overflow-wrap:anywhere}
ul{margin:5px 0;padding-left:30px}
.other-claim{display:flex;gap:9px;align-items:baseline;width:100%;padding:3px 6px 3px 14px;border-radius:6px;
 font-size:13.5px}
.other-claim:hover:enabled{background:color-mix(in srgb,var(--accent) 10%,transparent)}
.other-claim.current{opacity:.6}
.missing{font-size:17px;font-weight:600;margin:0;overflow-wrap:anywhere}
.outside{color:var(--label-partial)}
"""
)

_mount = st.components.v2.component(
    "citedesk_inspector",
    html='<div class="panel inspector" tabindex="0"></div>',
    css=CSS,
    js=look.script(__file__),
)


def inspector(
    view: dict[str, Any],
    *,
    key: str,
    jump: Callable[[str], None],
    show_page: Callable[[str], None] | None = None,
    recheck: Callable[[str], None] | None = None,
) -> None:
    """Draw what ``claim_view.view`` or ``claim_view.missing`` made.

    Args:
        view: The claim in pieces and words.
        key: The key of the component.
        jump: Called with the uid of another claim of the same answer when a person goes there.
        show_page: Called with the id of a citation when a person wants to see the page of a PDF that it stands on.
        recheck: Called with the id of a citation when a person wants somebody to be asked about its work again.
    """
    known = {other["uid"] for other in view.get("others", ())}
    on_pages = {card["cite"] for card in view.get("cards", ()) if card["page"]}
    outside = {card["cite"] for card in view.get("cards", ()) if (card.get("work") or {}).get("may_ask")}

    def jumped() -> None:
        uid = st.session_state[key].get("claim")
        if uid in known:
            jump(uid)

    def paged() -> None:
        cite = st.session_state[key].get("page")
        if show_page is not None and cite in on_pages:
            show_page(cite)

    def rechecked() -> None:
        cite = st.session_state[key].get("recheck")
        if recheck is not None and cite in outside:
            recheck(cite)

    _mount(key=key, data=view, on_claim_change=jumped, on_page_change=paged, on_recheck_change=rechecked)
