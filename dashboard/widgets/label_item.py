"""What the browser is told of a span to label: facts of the log alone, never a judge's opinion."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any
from urllib.parse import urlsplit

from core import labelling
from core.store.label_records import Draft, LabelEvent, Place, SpanToLabel
from core.text import find_quote
from dashboard.widgets import look

ANSWER_HIDDEN = "The answer is not shown, for it may repeat sources that you may not read."


def item(span: SpanToLabel, drafts: Mapping[Place, Draft] | None = None) -> dict[str, Any]:
    """All that is needed to show a span, with what its person had begun to write about it."""
    link, host = _link(span.uri)
    others = zip(span.cites, span.titles, strict=False)
    found = {quote: find_quote(span.evidence or "", quote) for quote in span.quotes}
    draft = (drafts or {}).get((span.claim_uid, span.cite))
    if draft:
        draft = draft.model_copy(update={"better": labelling.standing(draft.better, span)})
    return {
        "key": key(span.claim_uid, span.cite),
        "claim_uid": span.claim_uid,
        "cite": span.cite,
        "seen_sha256": span.seen_sha256,
        "query": span.query,
        "claim": span.claim,
        "flags": [look.FLAGS.get(flag, flag).lower() for flag in span.flags],
        "cites": span.cites,
        "quotes": [{"text": quote, "found": _found(span, bool(places))} for quote, places in found.items()],
        "quoted": [place for places in found.values() for place in places],
        "position": span.position,
        "claims_in_answer": span.claims_in_answer,
        "answer": _around(span),
        "heading": "Nothing is cited" if span.cite is None else _named(span.cite, span.title),
        "facts": _facts(span),
        "link": link,
        "host": host,
        "evidence": span.evidence or None,
        "missing": _missing(span),
        "others": [_named(cite, title) for cite, title in others if cite != span.cite],
        "draft": draft and draft.model_dump(mode="json"),
    }


def given(event: LabelEvent, claim: str) -> dict[str, Any]:
    """What the browser needs of a decision, to take it back or to look at it again."""
    kept = {
        "event_id",
        "claim_uid",
        "cite",
        "seen_sha256",
        "kind",
        "label",
        "note",
        "reason",
        "sub_reason",
        "confidence",
    }
    values = event.model_dump(mode="json", include=kept | {"better"})
    return values | {"key": key(event.claim_uid, event.cite), "claim": claim}


def key(claim_uid: str, cite: str | None) -> str:
    """The browser's name of a span."""
    return claim_uid if cite is None else f"{claim_uid} {cite}"


def _found(span: SpanToLabel, verbatim: bool) -> str:
    if not span.evidence:
        return "no passage to look in"
    return "word for word in the passage" if verbatim else "not word for word in the passage"


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
    answer = ANSWER_HIDDEN if span.is_answer_hidden else span.answer or ""
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
