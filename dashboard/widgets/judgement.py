"""What the judge saw in one cited text, and why that made the label: for people who never met a judge. No Streamlit."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from core import glossary
from core.clauses import remainders, said
from core.models import ClaimRow, Label, MergePolicy, Qualifier, QuoteState, SpanRow
from core.protocol import ClaimProtocol
from core.sentences import sentences
from core.text import Span, excerpt, segments
from core.windows import with_rest
from dashboard.widgets import look

SHOWN = 12
"""Comparisons that are listed at most; those that differ come first."""

SETTLING = frozenset({Label.CONTRADICTED, Label.WRONG_SCOPE, Label.PARTIAL, Label.SECONDARY_ONLY})
"""Labels that a comparison can bring about."""

_HELD_BACK = (QuoteState.NEAR_MISS, QuoteState.NOT_FOUND)
_AGREEMENT = {False: "differ", True: "agree", None: "open"}


def deciding(row: ClaimRow) -> SpanRow | None:
    """The span that the claim's label and comparisons come from: the first with that label, else the first."""
    return next((span for span in row.spans if span.label == row.label), next(iter(row.spans), None))


def compared_in(row: ClaimRow, span: SpanRow, protocol: ClaimProtocol | None) -> bool:
    """Whether the claim's comparisons are about this span; of spans judged as one text they may be about any."""
    joint = protocol is not None and protocol.merge is MergePolicy.JOINT
    return joint or span is deciding(row)


def seen(row: ClaimRow, protocol: ClaimProtocol | None) -> dict[str, Any]:
    """The judge in words, what its label rests on, and each comparison.

    Args:
        row: The claim.
        protocol: Who judged it; none when the store does not say any more.
    """
    span = deciding(row)
    listed = sorted(dict.fromkeys(row.qualifiers), key=lambda one: [False, True, None].index(one.agrees))
    return {
        "title": "Why this label" if row.label else "Why there is no label",
        "judge": _judge(row, protocol),
        "because": _because(row, span, protocol) if span else "",
        "part": _part(row, span) if span else None,
        "where": span.cite if span and len(row.spans) > 1 else "",
        "compared": [_line(one) for one in listed[:SHOWN]],
        "more": f"and {len(listed) - SHOWN:,} more" if len(listed) > SHOWN else "",
    }


def scores(span: SpanRow, protocol: ClaimProtocol | None) -> list[dict[str, Any]]:
    """Each score of a span in words, with what it needs; nothing for a judge that gives none."""
    return [_score(name, value, protocol) for name, value in span.scores.items()]


def differing(row: ClaimRow) -> list[Qualifier]:
    """The comparisons that speak against the claim and may have made its label."""
    return [one for one in row.qualifiers if one.agrees is False] if row.label in SETTLING else []


def _judge(row: ClaimRow, protocol: ClaimProtocol | None) -> str:
    needs = glossary.thresholds(protocol.verifier.thresholds) if protocol else ""
    return f"{row.protocol}: {glossary.judge(row.verifier)}" + (f". Its labels: {needs}" if needs else "")


def _score(name: str, value: float, protocol: ClaimProtocol | None) -> dict[str, Any]:
    about = glossary.score(name)
    least = _least(name, protocol)
    return {
        "name": about.name,
        "value": value,
        "least": least,
        "label": about.label or "none",
        "words": f"{value:.2f}",
        "needs": f"{look.of(about.label).name} from {least:g}" if least is not None else "",
    }


def _least(name: str, protocol: ClaimProtocol | None) -> float | None:
    label = glossary.score(name).label
    return protocol.verifier.thresholds.get(label) if protocol and label else None


def _because(row: ClaimRow, span: SpanRow, protocol: ClaimProtocol | None) -> str:
    """How scores and comparisons made the label, said only as far as the row shows it."""
    if row.quote in _HELD_BACK and row.semantic != row.label:
        own = look.of(Label(row.semantic)).name if row.semantic in set(Label) else "nothing"
        return f"Held back because a quotation is not word for word; the judge alone says {own}."
    if one := _decided(row, span):
        words = glossary.comparison(one.kind)
        outweighs = "; that outweighs the scores" if span.scores else ""
        return f"Decided by a comparison ({words.name}): {words.differs}{outweighs}."
    reached = {
        glossary.score(name).label: value >= least
        for name, value in span.scores.items()
        if (least := _least(name, protocol)) is not None
    }
    if span.label in (Label.SUPPORTED, Label.CONTRADICTED) and reached.get(span.label):
        return f"Decided by the score: it reaches what {look.of(span.label).name} needs."
    if span.label in (Label.IRRELEVANT, Label.PARTIAL) and reached.get(Label.SUPPORTED) is False:
        return f"The score for the whole claim stays below what {look.of(Label.SUPPORTED).name} needs."
    return ""


def _decided(row: ClaimRow, span: SpanRow) -> Qualifier | None:
    """The comparison that the span's reason names."""
    said_there = (one for one in differing(row) if f"“{one.evidence or one.claim}”" in span.reason)
    return next(said_there, None)


def _line(one: Qualifier) -> dict[str, str]:
    words = glossary.comparison(one.kind)
    own = "" if one.kind == "secondary" and one.agrees is not True else one.claim
    return {
        "name": words.name,
        "claim": own,
        "evidence": one.evidence or "",
        "agrees": _AGREEMENT[one.agrees],
        "words": {False: words.differs, True: "agrees", None: "nothing to compare"}[one.agrees],
    }


def _part(row: ClaimRow, span: SpanRow) -> list[tuple[str, tuple[str, ...]]] | None:
    """The claim with the part marked that the cited text carries; none where the reason names no part of it."""
    if span.label is not Label.PARTIAL or "“" not in span.reason:
        return None
    for spans in _parts(row.claim):
        text = said(row.claim, spans)
        start, end = excerpt(text, 0, len(text))
        shown = text[start:end] if end == len(text) else f"{text[start:end]} …"
        if f"“{shown}”" in span.reason:
            return segments(row.claim, [(*place, "part") for place in _letters(row.claim, spans)])
    return None


def _parts(claim: str) -> Iterator[tuple[Span, ...]]:
    yield from remainders(claim)
    yield from ((place,) for place in with_rest(claim, sentences(claim)))


def _letters(claim: str, spans: Sequence[Span]) -> Iterator[Span]:
    """Of these stretches those that hold a letter or a digit; a full stop alone is no part."""
    yield from (place for place in spans if any(mark.isalnum() for mark in claim[slice(*place)]))
