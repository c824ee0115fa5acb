"""One case to adjudicate: claim and passage as labellers saw them, their labels as unnamed cards, a reason, a decision.

A decision stays in the browser until the store has it; sent twice it is stored once. Nobody's name is sent there.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import streamlit as st

from core import adjudication
from core.adjudication import Case, CaseName, Docket, Opinion
from core.errors import CitedeskError
from core.people import Person
from core.store import Store
from core.store.adjudications import Adjudication
from dashboard.widgets import label_item, look

_HERE = Path(__file__).parent
_SURE = ("", "guessing", "fairly sure", "certain")
_NOTHING = {"value": None, "key": "0", "name": "Not a claim", "shape": "ring", "meaning": "there is nothing to check"}

_component = st.components.v2.component(
    "citedesk_adjudicate",
    html="<div class=mount></div>",
    css=look.CSS + (_HERE / "adjudicate.css").read_text(encoding="utf-8"),
    js="".join((_HERE / name).read_text(encoding="utf-8") for name in ("label_parts.js", "adjudicate.js")),
)


def adjudicate(store: Store, me: Person, docket: Docket, at: int) -> None:
    """Show one case of a docket, and take in what is decided.

    Args:
        store: Where cases and decisions are.
        me: Who decides.
        docket: With at least one case.
        at: Which case, from 0; one past the end is the last.
    """
    at = min(at, len(docket.cases) - 1)
    name = docket.cases[at]
    case = adjudication.case(store, me, name)
    last = _last(store, me)
    key = f"adjudicate {me.name}"

    def decided() -> None:
        sent = st.session_state[key].get("decision")
        if isinstance(sent, Mapping):
            st.session_state["adjudicate_said"] = answer_to(store, me, sent, name)

    def moved() -> None:
        by = st.session_state[key].get("move")
        if by in (1, -1):
            st.session_state["adjudicate_at"] = (at + by) % len(docket.cases)

    if case is None:
        st.text("The claim of this case is not in the store any more.")
        return
    _component(
        key=key,
        data={
            **case_shown(store, case),
            "place": f"{at + 1} of {len(docket.cases)}",
            "said": st.session_state.get("adjudicate_said"),
            "last": last and {"event_id": last.event_id, "label": last.label},
        },
        on_decision_change=decided,
        on_move_change=moved,
    )


def answer_to(store: Store, me: Person, sent: Mapping[str, Any], name: CaseName) -> dict[str, Any]:
    """Store what the browser sent about a case, or take a decision back: stored, or why not, in a sentence."""
    event_id = str(sent.get("event_id", ""))
    try:
        if sent.get("undoes"):
            of = _last(store, me)
            if of is None or of.event_id != sent["undoes"]:
                return {"event_id": event_id, "refused": "There is no decision of yours to take back."}
            adjudication.take_back(store, me, event_id, of)
            return {"event_id": event_id, "stored": "taken back"}
        if sent.get("case") != _id(name):
            return {"event_id": event_id, "refused": "Another case is shown by now. Read it, then decide."}
        made = adjudication.decide(store, me, sent, name)
        return {"event_id": event_id, "stored": look.LABELS[made.label].name if made.label else "Not a claim"}
    except CitedeskError as error:
        return {"event_id": event_id, "refused": f"Not saved. {error}"}


def case_shown(store: Store, case: Case) -> dict[str, Any]:
    """What the browser needs of a case: texts of the log and unnamed labels."""
    queue = store.queues.find(case.name.queue_id) if case.name.queue_id else None
    return {
        "case": _id(case.name),
        "item": label_item.item(case.span),
        "where": f"{queue.name if queue else 'Outside of any queue'} · guideline {case.name.guideline}",
        "token": case.token,
        "limit": adjudication.RATIONALE_LIMIT,
        "opinions": [_card(one) for one in case.opinions],
        "labels": [
            *(
                {
                    "value": label,
                    "key": str(at),
                    "name": shown.name,
                    "shape": shown.shape,
                    "meaning": look.MEANING[label],
                }
                for at, (label, shown) in enumerate(look.LABELS.items(), 1)
            ),
            _NOTHING,
        ],
    }


def _id(name: CaseName) -> str:
    return f"{name.guideline} {label_item.key(name.claim_uid, name.cite)}"


def _card(one: Opinion) -> dict[str, Any]:
    shown = look.LABELS[one.label] if one.label else None
    said = [one.sub_reason.replace("_", " ") if one.sub_reason else "", _SURE[one.confidence or 0]]
    return {
        "letter": one.letter,
        "value": one.label or "none",
        "name": shown.name if shown else "Not a claim",
        "shape": shown.shape if shown else "ring",
        "said": " · ".join(filter(None, said)),
        "note": one.note,
        "better": [f"{each.cite}: {each.text}" for each in one.better],
    }


def _last(store: Store, me: Person) -> Adjudication | None:
    return next((one for one in store.adjudications.standing(200) if one.adjudicator == me.name), None)
