"""Claims that two sides see differently: a list, and beside it one claim with both views and only what differs.

The sides are two judges, or people and a judge. Claims are spoken of by uid; every text goes through ``textContent``.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

import streamlit as st

from core.protocol import ClaimProtocol
from core.store.records import ClaimDetail
from dashboard.widgets import claim_view, look

SHOWN = 600
"""Code points of a claim in the list."""

CSS = (
    look.CSS
    + """
.both{display:grid;grid-template-columns:minmax(0,9fr) minmax(0,11fr);gap:12px;height:430px}
.list{display:flex;flex-direction:column;overflow:hidden}
.rows{overflow-y:auto;flex:1;outline-offset:-2px;position:relative}
.row{display:grid;grid-template-columns:118px minmax(0,1fr) 44px;column-gap:10px;padding:5px 10px;cursor:pointer;
 border-bottom:1px solid var(--line);align-items:start}
.row:hover{background:color-mix(in srgb,var(--accent) 6%,transparent)}
.head{cursor:default;font-weight:600;font-size:12px}
.head:hover{background:none}
.chips{display:flex;flex-direction:column;gap:3px;align-items:flex-start}
.claim{display:-webkit-box;-webkit-box-orient:vertical;-webkit-line-clamp:2;overflow:hidden;overflow-wrap:anywhere;
 font-size:13.5px;line-height:20px}
.score{font-variant-numeric:tabular-nums;text-align:right}
.foot{display:flex;gap:12px;align-items:center;padding:7px 10px;border-top:1px solid var(--line)}
.turn{border:1px solid var(--line);border-radius:6px;padding:1px 9px}
.keys{margin-left:auto}
.detail{overflow-y:auto;padding:12px 16px}
.detail>*+*{margin-top:10px}
.whole{font-size:16px;overflow-wrap:anywhere;white-space:pre-wrap}
.side>*+*{margin-top:4px}
.who{display:flex;gap:10px;align-items:baseline;flex-wrap:wrap}
.who b{font-size:13px;overflow-wrap:anywhere}
.text{overflow-wrap:anywhere;white-space:pre-wrap}
.excerpt{border-left:3px solid var(--line);padding-left:9px;font-size:13.5px;overflow-wrap:anywhere}
.empty{padding:8px 10px}
@media (max-width:900px){.both{grid-template-columns:1fr;height:auto}.rows{max-height:300px}}
"""
)

_mount = st.components.v2.component(
    "citedesk_comparison",
    html='<div class="both"></div>',
    css=CSS,
    js=look.script(__file__),
)


class Line(NamedTuple):
    """One claim of the list."""

    uid: str
    claim: str
    words: tuple[str, str]
    """What either side says."""
    score: float | None = None


class Listed(NamedTuple):
    """One page of a list."""

    lines: Sequence[Line]
    number: int
    """Which page, from 1."""
    size: int
    total: int
    empty: str
    """What stands there when there is none."""


def comparison_view(
    listed: Listed,
    *,
    sides: tuple[str, str],
    selected: str | None,
    detail: Mapping[str, Any] | None,
    key: str,
    pick: Callable[[str], None],
    turn: Callable[[int], None],
) -> None:
    """Draw both halves.

    Args:
        listed: The claims.
        sides: Who the two are, in the order of their labels.
        selected: The claim on the right.
        detail: What is known of it; see ``both``.
        key: The key of the component.
        pick: Called with the uid of a claim of this page.
        turn: Called with the number of another page.
    """
    known = {line.uid for line in listed.lines}

    def picked() -> None:
        uid = st.session_state[key].get("claim")
        if uid in known:
            pick(uid)

    def turned() -> None:
        number = st.session_state[key].get("page")
        if isinstance(number, int) and number > 0:
            turn(number)

    _mount(
        key=key,
        data={**list_data(listed, sides), "selected": selected, "detail": detail},
        on_claim_change=picked,
        on_page_change=turned,
    )


def list_data(listed: Listed, sides: tuple[str, str]) -> dict[str, Any]:
    """What the browser is given of the list."""
    first = (listed.number - 1) * listed.size + 1
    return {
        "names": look.label_names(),
        "sides": list(sides),
        "items": [
            {
                "uid": line.uid,
                "claim": line.claim[:SHOWN],
                "words": list(line.words),
                "score": "" if line.score is None else f"{line.score:.2f}",
            }
            for line in listed.lines
        ],
        "page": listed.number,
        "first": first,
        "last": first - 1 + len(listed.lines),
        "total": listed.total,
        "empty": listed.empty,
    }


def both(sides: Sequence[Mapping[str, Any]], detail: ClaimDetail | None) -> dict[str, Any] | None:
    """The right half: the claim once, what either side says, and the passage once where both lean on the same.

    Args:
        sides: See ``judge`` and ``people``.
        detail: The claim, for its words; none when it is not in the store, or hidden from the reader.
    """
    if detail is None:
        return None
    excerpts = {side["excerpt"] for side in sides if side["excerpt"]}
    same = len(excerpts) == 1
    return {
        "claim": detail.row.claim,
        "question": claim_view.question(detail.answer.query),
        "shared": next(iter(excerpts)) if same else "",
        "where": next((side["where"] for side in sides if side["excerpt"]), "") if same else "",
        "sides": [{**side, "excerpt": "" if same else side["excerpt"]} for side in sides],
    }


def judge(detail: ClaimDetail, protocol: ClaimProtocol | None, against: ClaimDetail | None = None) -> dict[str, Any]:
    """What a judge says of a claim, and why.

    Args:
        detail: The claim under its protocol.
        protocol: In full, which says what the scores need.
        against: The same claim under another protocol; comparisons on which both agree are then left out.
    """
    shown = claim_view.view(detail, None, "", protocol)
    others = [] if against is None else against.row.qualifiers
    compared = [one for one in detail.row.qualifiers if one.agrees is not None and one not in others]
    return {
        "who": detail.row.protocol,
        "word": shown["label"],
        "why": shown["why"],
        "because": shown["seen"]["because"],
        "scores": "; ".join(
            f"{span.cite}: " + ", ".join(f"{name} {value:.2f}" for name, value in span.scores.items())
            for span in detail.row.spans
            if span.scores
        ),
        "compared": [
            f"{one.kind.replace('_', ' ')}: claim “{one.claim}”, passage “{one.evidence or 'nothing'}”, "
            f"{'agrees' if one.agrees else 'differs'}"
            for one in compared
            if not one.agrees or against is not None
        ],
        "excerpt": detail.row.excerpt or "",
        "where": detail.row.location or "",
    }


def people(word: str, said: str) -> dict[str, Any]:
    """What people say of a claim.

    Args:
        word: A label, or ``not_supported``.
        said: Where that comes from, in a sentence.
    """
    nothing: dict[str, Any] = {"because": "", "scores": "", "compared": [], "excerpt": "", "where": ""}
    return {"who": "People", "word": word, "why": [(said, ())], **nothing}
