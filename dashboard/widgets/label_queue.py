"""The labelling queue: one claim × cited span at a time, keys 1-9, advancing only after the store has it.

The browser keeps the press until it is acknowledged (``label_queue.js``, which ``label_screen.js`` draws); here it is
taken in and answered. Nothing that a judge said is read or sent.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import streamlit as st

from core import labelling
from core.errors import CitedeskError
from core.labelling import Acknowledgement
from core.store import Store
from core.store.records import SpanToLabel, StoredLabel
from dashboard.widgets import look

AHEAD = 20
"""Spans in the browser at once, so that the next one is there before the answer comes; refilled when half are left."""

AT_ONCE = 50
"""Presses taken from one message; a browser that works as it should sends one."""

OUTSIDE = "28px"
"""What of the window's height the page keeps for itself around the queue."""

_HERE = Path(__file__).parent
_component = st.components.v2.component(
    "citedesk_label_queue",
    html="<div class=mount></div>",
    css=f":host{{--outside:{OUTSIDE}}}" + look.CSS + (_HERE / "label_queue.css").read_text(encoding="utf-8"),
    js="".join((_HERE / f"label_{part}.js").read_text(encoding="utf-8") for part in ("screen", "queue")),
)


@st.fragment
def label_queue(store: Store, labeller: str) -> None:
    """Show the queue of one labeller and take their presses in."""
    owner = hashlib.sha256(f"{store.path}\n{labeller}".encode()).hexdigest()[:16]
    key = f"label_queue_{owner}"

    def take() -> None:
        """Store what was pressed before the page is built, so that the page shows the queue after it."""
        st.session_state[f"{key}_answers"] = answers_to(store, labeller, _log(key))

    progress = store.progress(labeller, labelling.GUIDELINE)
    _component(
        key=key,
        data={
            "owner": owner,
            "labeller": labeller,
            "guideline": labelling.GUIDELINE,
            "labels": [
                {"value": label, "name": shown.name, "shape": shown.shape, "meaning": look.MEANING[label]}
                for label, shown in look.LABELS.items()
            ],
            "reasons": list(labelling.SKIP_REASONS),
            "note_limit": labelling.NOTE_LIMIT,
            "items": [span_shown(one) for one in _next(store, labeller, _have(_log(key)))],
            "acks": st.session_state.get(f"{key}_answers", []),
            "recent": _recent(store, labeller, with_claims=not progress.remaining),
            "progress": progress.model_dump(),
            "counts": _counts(store, labeller) if not progress.remaining else {},
        },
        default={"log": {}},
        on_log_change=take,
    )


def answers_to(store: Store, labeller: str, log: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Take in what the browser sent, in one transaction, and give its answers: stored, refused for good, or failed."""
    events = _events(log)
    try:
        return [_answer(one) for one in labelling.submit(store, labeller, events)]
    except CitedeskError as error:
        return [{"event_id": event.get("event_id"), "failed": f"Not saved. {error}"} for event in events]


def _next(store: Store, labeller: str, have: list[tuple[str, str | None]]) -> list[SpanToLabel]:
    """What the browser lacks; nothing while it has plenty, which keeps the answer to a press short."""
    return labelling.ahead(store, labeller, AHEAD - len(have), have) if len(have) <= AHEAD // 2 else []


def span_shown(span: SpanToLabel) -> dict[str, Any]:
    """What the browser needs to show a span; every text in it is a fact of the log, never a judge's opinion."""
    link, host = _link(span.uri)
    missing, others = _missing(span), zip(span.cites, span.titles, strict=False)
    return {
        "key": _key(span.claim_uid, span.cite),
        "claim_uid": span.claim_uid,
        "cite": span.cite,
        "seen_sha256": span.seen_sha256,
        "query": span.query,
        "claim": span.claim,
        "flags": [look.FLAGS.get(flag, flag).lower() for flag in span.flags],
        "cites": span.cites,
        "quotes": span.quotes,
        "position": span.position,
        "claims_in_answer": span.claims_in_answer,
        "answer": _around(span),
        "heading": "Nothing is cited" if span.cite is None else _named(span.cite, span.title),
        "facts": _facts(span),
        "link": link,
        "host": host,
        "evidence": span.evidence or None,
        "missing": missing,
        "others": [_named(cite, title) for cite, title in others if cite != span.cite],
    }


def _key(claim_uid: str, cite: str | None) -> str:
    return claim_uid if cite is None else f"{claim_uid} {cite}"


def _named(cite: str, title: str | None) -> str:
    return f"{cite} · {title}" if title else cite


def _facts(span: SpanToLabel) -> str:
    version = span.source_version and f"version {span.source_version}"
    words = span.evidence and f"{len(span.evidence.split()):,} words"
    return " · ".join(part for part in (span.locator, version, words) if part)


def _missing(span: SpanToLabel) -> str:
    """Why there is no passage, or why the one shown may not be used; empty when all is well."""
    if span.cite is None:
        return "This claim cites nothing, so there is no passage to read."
    if span.unusable:
        return f"{span.unusable}."
    return "" if span.evidence else "The log holds no text for this citation."


def _around(span: SpanToLabel) -> tuple[str, str, str]:
    """The answer before the claim, the claim in it, and the rest; unmarked when the claim does not stand in it."""
    answer = span.answer or ""
    if span.start is None or span.end is None:
        return answer, "", ""
    return answer[: span.start], answer[span.start : span.end], answer[span.end :]


def _link(uri: str | None) -> tuple[str | None, str]:
    """A web address that may be opened on a click, and the host it leads to."""
    try:
        parts = urlsplit(uri or "")
        host = parts.hostname
    except ValueError:
        return None, ""
    return (uri, host) if host and parts.scheme in {"http", "https"} else (None, "")


def _recent(store: Store, labeller: str, with_claims: bool) -> list[dict[str, Any]]:
    """The latest decisions, newest first: what undo takes back."""
    return [_given(one, store if with_claims else None) for one in store.last_events(labeller, 10)]


def _given(stored: StoredLabel, store: Store | None) -> dict[str, Any]:
    event = stored.event
    span = store.span_to_label(event.claim_uid, event.cite) if store else None
    return {
        "claim": span.claim if span else "",
        "event_id": event.event_id,
        "key": _key(event.claim_uid, event.cite),
        "claim_uid": event.claim_uid,
        "cite": event.cite,
        "seen_sha256": event.seen_sha256,
        "label": event.label,
        "note": event.note,
    }


def _counts(store: Store, labeller: str) -> dict[str, int]:
    """How often this person gave each label."""
    given = (one.event for one in store.current_labels() if one.event.labeller == labeller)
    return dict(Counter(str(event.label) for event in given if event.label))


def _answer(ack: Acknowledgement) -> dict[str, Any]:
    return {
        "event_id": ack.event_id,
        "stored_at": ack.stored_at and ack.stored_at.isoformat(),
        "refused": ack.refused,
        "item": ack.span and span_shown(ack.span),
    }


def _log(key: str) -> Mapping[str, Any]:
    """What the browser last sent: untrusted, possibly anything."""
    log = st.session_state.get(key, {}).get("log")
    return log if isinstance(log, Mapping) else {}


def _events(log: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    events = log.get("events")
    wanted = events[:AT_ONCE] if isinstance(events, list) else []
    return [event for event in wanted if isinstance(event, Mapping)]


def _have(log: Mapping[str, Any]) -> list[tuple[str, str | None]]:
    have = log.get("have")
    pairs = have if isinstance(have, list) else []
    return [(str(pair[0]), pair[1]) for pair in pairs if isinstance(pair, list) and len(pair) == 2]
