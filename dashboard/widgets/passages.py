"""One card per cited span: where it stands, how much of it was read, and its passage with the marks cut in."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any
from urllib.parse import urlsplit

from core import glossary
from core.models import ClaimRow, Evidence, QuoteState, SpanRow, Status
from core.page_images import is_from_pdf
from core.protocol import ClaimProtocol
from core.store.records import ClaimDetail
from core.text import Span, find_quote, segments
from core.withholding import CHANGED, HIDDEN
from dashboard.widgets import judgement, look

WINDOW = 6000
"""Code points of a text shown on either side of what matters; a source of a megabyte must not reach the browser."""

COMPARED = ("diff", "same")
"""Marks of what was compared."""

Mark = tuple[int, int, str]

Pieces = list[tuple[str, tuple[str, ...]]]
"""One text cut into pieces, each with the kinds that cover it."""


def cards(detail: ClaimDetail, protocol: ClaimProtocol | None = None) -> list[dict[str, Any]]:
    """One card per citation of the claim, in citation order; ``protocol`` says what the scores need."""
    quoted = _quote_marks(detail)
    found = []
    for span in detail.row.spans:
        marks = list(quoted.get(span.cite, []))
        if judgement.compared_in(detail.row, span, protocol) and span.start is not None and span.end is not None:
            text = next((entry.text for entry in registry(detail) if entry.id == span.cite), "")
            marks += comparisons(detail.row, text, [(span.start, span.end)], "evidence")
        found.append(_card(detail, span, marks) | {"scores": judgement.scores(span, protocol)})
    return found


def registry(detail: ClaimDetail) -> tuple[Evidence, ...]:
    """What citations were judged on: the answer's registry, with texts from outside where it has none."""
    read = {one.cite: one.evidence for one in detail.works if one.evidence is not None}
    return (*(entry for entry in detail.answer.evidence if entry.id not in read), *read.values())


def comparisons(row: ClaimRow, text: str, within: Sequence[Span], side: str) -> list[Mark]:
    """Mark the first whole-word place, inside some stretches of a text, of each qualifier that differs or agrees.

    Args:
        row: The claim, with its qualifiers.
        text: The answer, or the cited text.
        within: Where to look; nothing outside is ever marked.
        side: ``claim`` or ``evidence``: whose wording of the qualifier is looked for.

    Returns:
        Marks of the kinds ``diff`` and ``same``.
    """
    marks = []
    for one in row.qualifiers:
        word = one.claim if side == "claim" else one.evidence
        if one.agrees is None or not word or (side == "claim" and one.kind == "secondary"):
            continue  # what is second-hand is the whole claim
        places = (place for start, end in within for place in _places(text, word, start, end))
        marks += [(start, end, "same" if one.agrees else "diff") for start, end in list(places)[:1]]
    return marks


def windowed(text: str, marks: Sequence[Mark], middle: int) -> tuple[str, Pieces, str]:
    """Cut a text into pieces; of a very long one only the surroundings of a place, between white space.

    Returns:
        How much before is left out, in words or empty; the pieces; how much after is left out.
    """
    start, end = 0, len(text)
    if len(text) > 3 * WINDOW:
        start, end = max(0, middle - WINDOW), min(len(text), middle + 2 * WINDOW)
        while 0 < start < middle and not text[start - 1].isspace():
            start += 1
        while end < len(text) and end > middle + WINDOW and not text[end].isspace():
            end -= 1
    cut = [(max(s, start) - start, min(e, end) - start, kind) for s, e, kind in marks if s < end and e > start]
    before = f"{start:,} characters before this are not shown" if start else ""
    after = f"{len(text) - end:,} characters after this are not shown" if end < len(text) else ""
    return before, segments(text[start:end], cut), after


def _places(text: str, word: str, start: int, end: int) -> Iterable[Span]:
    at = text.find(word, start, end)
    while at >= 0:
        after = at + len(word)
        if not (text[at - 1 : at].isalnum() and word[0].isalnum()) and not (
            text[after : after + 1].isalnum() and word[-1].isalnum()
        ):
            yield at, after
        at = text.find(word, at + 1, end)


def _card(detail: ClaimDetail, span: SpanRow, quoted: list[Mark]) -> dict[str, Any]:
    entries = [entry for entry in registry(detail) if entry.id == span.cite]
    texts = {entry.text for entry in entries}
    card: dict[str, Any] = {
        "cite": span.cite,
        "page": False,
        "title": span.cite,
        "meta": "",
        "uri": "",
        "host": "",
        "label": span.label or "none",
        "reason": glossary.reason(span.reason),
        "action": look.ACTIONS[span.action],
        "warning": "",
        "before": "",
        "after": "",
        "passage": None,
    }
    if not entries and any(one.cite == span.cite for one in detail.works):
        return card | {"warning": "The log holds no text of this source, and none could be read outside."}
    if not entries:
        return card | {"warning": "No source of this request has this id; there is no passage to show."}
    if len(texts) > 1:
        return card | {"warning": "This id stands for two different texts, so neither can be shown as the source."}
    return card | _source(entries[0], span) | _passage(detail, entries[0], span, quoted)


def _source(entry: Evidence, span: SpanRow) -> dict[str, Any]:
    facts = [entry.locator, f"version {entry.source_version}" if entry.source_version else None]
    if span.start is not None and span.end is not None:
        facts.append(f"characters {span.start:,}–{span.end:,}")
    if CHANGED in entry.meta:
        facts.append(f"source changed since: {entry.meta[CHANGED]} is there now")
    if span.tokens_total:
        facts.append(f"{span.tokens_seen:,} of {span.tokens_total:,} words read")
    uri = urlsplit(entry.uri or "")
    web = uri.scheme in ("http", "https") and uri.hostname
    return {
        "page": is_from_pdf(entry),
        "title": f"{entry.id} · {entry.title}" if entry.title else entry.id,
        "meta": " · ".join(fact for fact in facts if fact),
        "uri": entry.uri or "" if web else "",
        "host": uri.hostname or "" if web else "",
    }


def _passage(detail: ClaimDetail, entry: Evidence, span: SpanRow, quoted: list[Mark]) -> dict[str, Any]:
    text = entry.text
    marks = list(quoted)
    warning = ""
    if span.start is not None and span.end is not None:
        if 0 <= span.start < span.end <= len(text) and (span.excerpt or "") in text[span.start : span.end]:
            marks.append((span.start, span.end, "support"))
        else:
            marks = [mark for mark in marks if mark[2] not in COMPARED]
            warning = "This span does not match its source, so nothing is highlighted."
    elif HIDDEN in entry.meta:
        warning = f"{entry.meta[HIDDEN]}, so its text is not shown."
    elif not entry.accessible:
        warning = "This source exists but could not be read here."
    elif not text.strip():
        warning = "The log holds no text of this source."
    elif span.status is Status.TRUNCATED:
        warning = "The passage was too long for the judge to read to its end."
    before, passage, after = windowed(text, marks, marks[-1][0] if marks else 0)
    return {"warning": warning, "before": before, "after": after, "passage": passage if text else None}


def _quote_marks(detail: ClaimDetail) -> dict[str, list[Mark]]:
    """Where each quotation stands, or nearly stands, by the id of the cited text it is in."""
    texts = {entry.id: entry.text for entry in registry(detail)}
    marks: dict[str, list[Mark]] = {}
    for quote in detail.row.quotes:
        if quote.match is QuoteState.VERBATIM and quote.start is not None and quote.end is not None:
            place = (quote.start, quote.end)
            homes = (cite for cite in detail.row.cites if place in find_quote(texts.get(cite, ""), quote.text))
            for cite in list(homes)[:1]:
                marks.setdefault(cite, []).append((*place, "quote"))
        elif quote.nearest and texts.get(quote.nearest.cite, "")[quote.nearest.start : quote.nearest.end]:
            near = quote.nearest
            if texts[near.cite][near.start : near.end] == near.text:
                marks.setdefault(near.cite, []).append((near.start, near.end, "near"))
    return marks
